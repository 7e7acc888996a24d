//! The catalogue: built-in problems, sections that declare problems in a job, and optimizers.

use crate::document::text::nearest;
use crate::document::{Faults, Section};
use crate::model::problem::Problem;
use crate::search::{METHODS, Method};
use schemars::Schema;
use std::fmt;
use std::sync::Arc;
use thiserror::Error;

/// A name that no built-in problem has, with the names of the built-in problems.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub struct UnknownProblem {
    name: String,
    known: Vec<String>,
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

/// A kind of problem that files declare in their own sections.
pub trait Declares: Sync {
    /// Returns the schema whose keys are the sections of this kind. The first section selects the
    /// kind.
    fn schema(&self) -> Schema;

    /// Reads the problem from the top level of a file that was checked against the schema.
    ///
    /// # Errors
    /// Faults that the schema cannot express.
    fn read(&self, top: &Section<'_>, reading: Reading) -> Result<Arc<dyn Problem>, Faults>;
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

/// The built-in problems in listing order, the sections in which jobs declare others, and the
/// optimizers.
#[derive(Clone)]
pub struct Catalogue {
    problems: Vec<Arc<dyn Problem>>,
    declares: Vec<&'static dyn Declares>,
    methods: Vec<&'static Method>,
    reading: Reading,
}

impl Catalogue {
    /// Creates a catalogue of these problems.
    ///
    /// # Panics
    /// If two problems have the same name.
    pub fn new(problems: &[Arc<dyn Problem>]) -> Self {
        for (i, problem) in problems.iter().enumerate() {
            let name = problem.name();
            assert!(problems[..i].iter().all(|other| other.name() != name), "two problems have the name `{name}`");
        }
        let problems = problems.to_vec();
        Catalogue { problems, declares: Vec::new(), methods: METHODS.to_vec(), reading: Reading::default() }
    }

    /// Adds a kind of problem that jobs declare in their own sections.
    #[must_use]
    pub fn declaring(mut self, declares: &'static dyn Declares) -> Self {
        self.declares.push(declares);
        self
    }

    /// Removes the kinds of problems that jobs declare.
    #[must_use]
    pub fn without_declared(&self) -> Self {
        Catalogue { declares: Vec::new(), ..self.clone() }
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

    /// Returns the kinds of problems that jobs can declare.
    pub fn declares(&self) -> impl Iterator<Item = &'static dyn Declares> {
        self.declares.iter().copied()
    }

    /// Returns all built-in problems.
    pub fn iter(&self) -> impl Iterator<Item = &Arc<dyn Problem>> {
        self.problems.iter()
    }

    /// Returns the built-in problem with this name.
    ///
    /// # Errors
    /// If there is none.
    pub fn find(&self, name: &str) -> Result<&Arc<dyn Problem>, UnknownProblem> {
        let known = || self.iter().map(|problem| problem.name().to_string()).collect();
        let found = self.iter().find(|problem| problem.name() == name);
        found.ok_or_else(|| UnknownProblem { name: name.to_string(), known: known() })
    }
}
