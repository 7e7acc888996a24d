//! The catalogue: built-in problems, sections that declare problems in a job, and optimizers.

use crate::document::text::nearest;
use crate::document::{Faults, Section};
use crate::model::problem::Problem;
use crate::search::{METHODS, Method};
use schemars::Schema;
use std::sync::Arc;

/// A kind of problem that files declare in their own sections.
pub trait Declares: Sync {
    /// Returns the schema whose keys are the sections of this kind. The first section selects the kind.
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

/// The built-in problems in listing order, the sections in which jobs declare others, and the optimizers.
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
    /// A message that lists the known problems.
    pub fn find(&self, name: &str) -> Result<&Arc<dyn Problem>, String> {
        self.iter().find(|problem| problem.name() == name).ok_or_else(|| {
            let known: Vec<_> = self.iter().map(|problem| problem.name()).collect();
            let near = nearest(name, known.iter().copied()).map(|near| format!("; did you mean `{near}`?"));
            let name = name.escape_debug();
            format!("no game `{name}`; the games are: {}{}", known.join(", "), near.unwrap_or_default())
        })
    }
}
