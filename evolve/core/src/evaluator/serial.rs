//! Trials one after the other.

use super::{Evaluator, Round, Trial};
use crate::parameter::Parameter;
use crate::problem::{Candidate, Context, Input, OpenError, Player, Problem, Session};
use crate::setup::Setup;
use crate::trial::{Outcome, PlayError};

/// Plays on the thread that calls, in the order asked for.
pub struct Serial {
    session: Box<dyn Session>,
    parameters: Vec<Parameter>,
}

impl Serial {
    /// Opens a problem.
    ///
    /// # Errors
    /// If the problem cannot be played.
    pub fn open(problem: &dyn Problem, setup: &Setup, context: Context) -> Result<Self, OpenError> {
        Ok(Serial { session: problem.open(setup, context)?, parameters: problem.parameters() })
    }
}

impl Evaluator for Serial {
    fn round<'a>(&'a self, candidates: &'a [Vec<f64>]) -> Box<dyn Round + 'a> {
        Box::new(SerialRound { serial: self, candidates })
    }

    fn inputs(&self) -> &[Input] {
        self.session.inputs()
    }

    fn parallelism(&self) -> usize {
        1
    }
}

struct SerialRound<'a> {
    serial: &'a Serial,
    candidates: &'a [Vec<f64>],
}

impl Round for SerialRound<'_> {
    fn play(&mut self, trials: &[Trial]) -> Result<Vec<Outcome>, PlayError> {
        let Serial { session, parameters } = self.serial;
        let contenders: Vec<_> =
            self.candidates.iter().map(|values| session.contender(Candidate::new(parameters, values))).collect();
        let mut players: Vec<Box<dyn Player + '_>> = contenders.iter().map(|contender| contender.player()).collect();
        trials.iter().map(|trial| players[trial.candidate].play(&trial.deal)).collect()
    }
}
