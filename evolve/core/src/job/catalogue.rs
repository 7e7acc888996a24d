//! The catalogue: the kinds of problems that files can declare, and the optimizers.

use super::game::{Game, Games};
use crate::document::text::nearest;
use crate::document::{Faults, Section};
use crate::model::problem::Problem;
use crate::search::{METHODS, Method};
use schemars::Schema;
use std::fmt;
use std::sync::Arc;
use thiserror::Error;

/// A name that no game has, with the names of the games.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub struct UnknownProblem {
    name: String,
    known: Vec<String>,
}

impl UnknownProblem {
    pub(super) fn new<'n>(name: &str, known: impl Iterator<Item = &'n str>) -> Self {
        UnknownProblem { name: name.to_string(), known: known.map(String::from).collect() }
    }
}

impl fmt::Display for UnknownProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let UnknownProblem { name, known } = self;
        write!(f, "no game `{}`; the games are: {}", name.escape_debug(), known.join(", "))?;
        match nearest(name, known.iter().map(String::as_str)) {
            Some(near) => write!(f, "; did you mean `{near}`?"),
            None => Ok(()),
        }
    }
}

/// A kind of problem that files declare in sections of its own.
pub trait ProblemKind: Sync {
    /// Returns the names of its sections. A file that has the first one declares a problem of this
    /// kind.
    fn sections(&self) -> &'static [&'static str];

    /// Returns the schema whose keys are the sections.
    fn schema(&self) -> Schema;

    /// Returns the schema for a file, if its sections depend on what it names.
    ///
    /// # Errors
    /// If the file names nothing that exists.
    fn schema_for(&self, _top: &Section<'_>) -> Result<Schema, Faults> {
        Ok(self.schema())
    }

    /// Reads the complete problem from the top level of a file that was checked against the schema.
    ///
    /// # Errors
    /// Faults that the schema cannot express.
    fn read(&self, top: &Section<'_>, reading: Reading) -> Result<Arc<dyn Problem>, Faults>;

    /// Reads the problem as an exported program plays it; `problem` is the one that the file tunes.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    fn read_submission(&self, _top: &Section<'_>, problem: &Arc<dyn Problem>) -> Result<Arc<dyn Problem>, Faults> {
        Ok(Arc::clone(problem))
    }
}

/// The purpose of reading a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reading {
    /// To play the problem: its programs and instances must exist.
    #[default]
    ToPlay,
    /// To inspect a run: the programs and instances may be missing or on another machine.
    ToLook,
}

/// The games in listing order, the other kinds of problems, and the optimizers.
#[derive(Clone)]
pub struct Catalogue {
    games: Games,
    others: Vec<&'static dyn ProblemKind>,
    methods: Vec<&'static Method>,
    reading: Reading,
}

impl Catalogue {
    /// Creates a catalogue of these games.
    ///
    /// # Panics
    /// If two games have the same name.
    pub fn new(games: &[Game]) -> Self {
        for (i, game) in games.iter().enumerate() {
            let name = game.name();
            assert!(games[..i].iter().all(|other| other.name() != name), "two games have the name `{name}`");
        }
        let games = Games(games.to_vec());
        Catalogue { games, others: Vec::new(), methods: METHODS.to_vec(), reading: Reading::default() }
    }

    /// Adds a kind of problem.
    #[must_use]
    pub fn declaring(mut self, kind: &'static dyn ProblemKind) -> Self {
        self.others.push(kind);
        self
    }

    /// Removes all kinds of problems but the games.
    #[must_use]
    pub fn without_declared(&self) -> Self {
        Catalogue { others: Vec::new(), ..self.clone() }
    }

    /// Returns the catalogue for files that are read to inspect a run.
    #[must_use]
    pub fn to_look(&self) -> Self {
        Catalogue { reading: Reading::ToLook, ..self.clone() }
    }

    /// Returns the purpose for which files are read.
    pub fn reading(&self) -> Reading {
        self.reading
    }

    /// Adds an optimizer that jobs can name.
    #[must_use]
    pub fn with_method(mut self, method: &'static Method) -> Self {
        self.methods.push(method);
        self
    }

    /// Returns the optimizers that jobs can name. The first is the default.
    pub fn methods(&self) -> impl Iterator<Item = &'static Method> {
        self.methods.iter().copied()
    }

    pub fn games(&self) -> &[Game] {
        &self.games.0
    }

    /// Returns the game with this name.
    ///
    /// # Errors
    /// If there is none.
    pub fn find(&self, name: &str) -> Result<&Game, UnknownProblem> {
        self.games.find(name)
    }

    /// Returns the kinds of problems, the games last.
    pub(super) fn kinds(&self) -> impl Iterator<Item = &dyn ProblemKind> {
        let others = self.others.iter().map(|&kind| kind as &dyn ProblemKind);
        others.chain([&self.games as &dyn ProblemKind])
    }

    /// Returns the kind of problem that a file declares.
    ///
    /// # Errors
    /// If the file declares none, or has sections of two.
    pub fn kind(&self, top: &Section<'_>) -> Result<&dyn ProblemKind, Faults> {
        let name = |kind: &dyn ProblemKind| kind.sections()[0];
        let Some(kind) = self.kinds().find(|kind| top.has(name(*kind))) else {
            let others: Vec<String> = self.others.iter().map(|kind| format!(" or [{}]", name(*kind))).collect();
            return Err(top.fault(&[], format!("{} needs a section [game]{}", top.title(), others.concat())));
        };
        let others = self.kinds().flat_map(|other| other.sections()).filter(|other| !kind.sections().contains(other));
        match others.copied().find(|other| top.has(other)) {
            Some(other) => {
                Err(top.fault(&[other], format!("{} has both [{other}] and [{}]: remove one", top.title(), name(kind))))
            }
            None => Ok(kind),
        }
    }
}
