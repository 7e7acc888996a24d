//! The catalogue: problems, sections that declare problems in a job, and optimizers.

use crate::document::text::nearest;
use crate::document::{Faults, Section};
use crate::model::problem::Problem;
use crate::search::{METHODS, Method};
use schemars::Schema;
use std::sync::Arc;

/// Problems that files declare in a section of their own.
pub trait Declares: Sync {
    /// The sections that it reads, as keys of this schema; the first one selects it.
    fn schema(&self) -> Schema;

    /// Reads the sections out of the top level of a file that was checked against the schema.
    ///
    /// # Errors
    /// Faults that the schema cannot express.
    fn read(&self, top: &Section<'_>, reading: Reading) -> Result<Arc<dyn Problem>, Faults>;
}

/// The split of reading a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reading {
    /// To play it: programs and instances that it names must exist.
    #[default]
    ToPlay,
    /// To inspect a run: programs and instances that it names may be missing or on another machine.
    ToLook,
}

/// The problems in listing order, the sections in which jobs declare others, and the optimizers.
#[derive(Clone)]
pub struct Catalogue {
    problems: Vec<Arc<dyn Problem>>,
    declares: Vec<&'static dyn Declares>,
    methods: Vec<&'static Method>,
    reading: Reading,
}

impl Catalogue {
    /// A catalogue of these problems.
    ///
    /// # Panics
    /// If two have the same name.
    pub fn new(problems: &[Arc<dyn Problem>]) -> Self {
        for (i, problem) in problems.iter().enumerate() {
            let name = problem.name();
            assert!(problems[..i].iter().all(|other| other.name() != name), "two problems have the name `{name}`");
        }
        let problems = problems.to_vec();
        Catalogue { problems, declares: Vec::new(), methods: METHODS.to_vec(), reading: Reading::default() }
    }

    /// The same with problems that jobs declare in a section of their own.
    #[must_use]
    pub fn declaring(mut self, declares: &'static dyn Declares) -> Self {
        self.declares.push(declares);
        self
    }

    /// The same without problems that jobs declare themselves.
    #[must_use]
    pub fn without_declared(&self) -> Self {
        Catalogue { declares: Vec::new(), ..self.clone() }
    }

    /// The same catalogue for files that are read to inspect a run.
    #[must_use]
    pub fn to_look(&self) -> Self {
        Catalogue { reading: Reading::ToLook, ..self.clone() }
    }

    /// The split that files are read for.
    pub fn reading(&self) -> Reading {
        self.reading
    }

    /// The same with one more optimizer that jobs can name.
    #[must_use]
    pub fn with_method(mut self, method: &'static Method) -> Self {
        self.methods.push(method);
        self
    }

    /// The optimizers that jobs can name, the one of jobs that name none first.
    pub fn methods(&self) -> impl Iterator<Item = &'static Method> {
        self.methods.iter().copied()
    }

    /// The kinds of problems that jobs can declare in a section.
    pub fn declares(&self) -> impl Iterator<Item = &'static dyn Declares> {
        self.declares.iter().copied()
    }

    /// All problems.
    pub fn iter(&self) -> impl Iterator<Item = &Arc<dyn Problem>> {
        self.problems.iter()
    }

    /// The problem of that name.
    ///
    /// # Errors
    /// A message that lists the problems there are.
    pub fn find(&self, name: &str) -> Result<&Arc<dyn Problem>, String> {
        self.iter().find(|problem| problem.name() == name).ok_or_else(|| {
            let known: Vec<_> = self.iter().map(|problem| problem.name()).collect();
            let near = nearest(name, known.iter().copied()).map(|near| format!("; did you mean `{near}`?"));
            let name = name.escape_debug();
            format!("no game `{name}`; the games are: {}{}", known.join(", "), near.unwrap_or_default())
        })
    }
}
