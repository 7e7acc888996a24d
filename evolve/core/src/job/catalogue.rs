//! The catalogue: the kinds of problems that files can declare, and the optimizers.

use super::game::{Game, GameKind};
use super::kind::{ProblemKind, Reading};
use evolve_search::document::{Document, Fault, Section};
use evolve_search::model::problem::Problem;
use evolve_search::optimizer::{METHODS, Method};
use std::sync::Arc;

/// The games in listing order, the other kinds of problems, and the optimizers.
#[derive(Clone)]
pub struct Catalogue {
    games: GameKind,
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
        let games = GameKind(games.to_vec());
        Catalogue { games, others: Vec::new(), methods: METHODS.to_vec(), reading: Reading::default() }
    }

    /// Reads a file that only declares a problem.
    ///
    /// # Errors
    /// The first fault in the file.
    pub fn problem(&self, document: &Document) -> Result<Arc<dyn Problem>, Fault> {
        let top = document.top("a program")?;
        let kind = self.kind(&top)?;
        top.only(kind.sections().iter().copied())?;
        kind.read(&top, self.reading())
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
    pub fn find(&self, name: &str) -> Result<&Game, String> {
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
    pub fn kind(&self, top: &Section<'_>) -> Result<&dyn ProblemKind, Fault> {
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
            None => top.are_sections(kind.sections()).map(|()| kind),
        }
    }
}
