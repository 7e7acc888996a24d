//! A problem that was opened, with the names of its candidates' values.

use crate::model::parameter::Parameter;
use crate::model::problem::{Candidate, Contender, Context, Input, OpenError, Problem, Session};
use crate::model::setup::Setup;

/// A session of a problem and the evaluators that it needs.
pub struct Opened {
    session: Box<dyn Session>,
    parameters: Vec<Parameter>,
}

impl Opened {
    /// A session, and the parameters of its problem.
    pub fn new(session: Box<dyn Session>, parameters: Vec<Parameter>) -> Self {
        Opened { session, parameters }
    }

    /// Opens a problem.
    ///
    /// # Errors
    /// If the problem cannot be played.
    pub fn open(problem: &dyn Problem, setup: &Setup, context: Context) -> Result<Self, OpenError> {
        Ok(Self::new(problem.open(setup, context)?, problem.parameters()))
    }

    /// The files that outcomes depend on.
    pub fn inputs(&self) -> &[Input] {
        self.session.inputs()
    }

    /// How many values a candidate has.
    pub fn values(&self) -> usize {
        self.parameters.len()
    }

    /// A candidate made ready to be played.
    pub fn contender<'a>(&'a self, values: &'a [f64]) -> Box<dyn Contender + 'a> {
        self.session.contender(Candidate::new(&self.parameters, values))
    }
}
