//! An open problem and the declarations of its parameters.

use crate::model::parameter::Parameter;
use crate::model::problem::{Candidate, Contender, Context, Input, OpenError, Problem, Session};
use std::sync::Arc;

/// A session of a problem, with the parameters that name the values of its candidates.
pub struct Opened {
    session: Arc<dyn Session>,
    parameters: Vec<Parameter>,
}

impl Opened {
    /// Combines a session with the parameters of its problem.
    pub fn new(session: impl Into<Arc<dyn Session>>, parameters: Vec<Parameter>) -> Self {
        Opened { session: session.into(), parameters }
    }

    /// Opens a problem.
    ///
    /// # Errors
    /// If the problem cannot be played.
    pub fn open(problem: &dyn Problem, context: Context) -> Result<Self, OpenError> {
        Ok(Self::new(problem.open(context)?, problem.parameters()))
    }

    /// Returns the files that outcomes depend on.
    pub fn inputs(&self) -> &[Input] {
        self.session.inputs()
    }

    /// Returns the path of an input that trials read and that has changed since the session opened.
    pub fn changed(&self) -> Option<String> {
        self.session.changed()
    }

    /// Returns the number of values in a candidate.
    pub fn values(&self) -> usize {
        self.parameters.len()
    }

    /// Prepares a candidate for play.
    pub fn contender(&self, values: &[f64]) -> Box<dyn Contender> {
        Arc::clone(&self.session).contender(Candidate::new(&self.parameters, values))
    }
}
