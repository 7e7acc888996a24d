//! Trials one after the other.

use super::{Evaluator, Round, Trial};
use crate::parameter::Parameter;
use crate::problem::{Candidate, Player, Problem};
use crate::setup::Setup;
use crate::trial::{Failure, Outcome};

/// Plays on the thread that calls, in the order asked for.
pub struct Serial<'p> {
    problem: &'p dyn Problem,
    parameters: Vec<Parameter>,
    setup: &'p Setup,
}

impl<'p> Serial<'p> {
    /// Plays a problem that is set up like this.
    ///
    /// # Errors
    /// A message if the problem cannot be played.
    pub fn new(problem: &'p dyn Problem, setup: &'p Setup) -> Result<Self, String> {
        problem.prepare(setup)?;
        Ok(Serial { problem, parameters: problem.parameters(), setup })
    }
}

impl Evaluator for Serial<'_> {
    fn round<'a>(&'a self, candidates: &'a [Vec<f64>]) -> Box<dyn Round + 'a> {
        Box::new(SerialRound { serial: self, candidates })
    }

    fn parallelism(&self) -> usize {
        1
    }
}

struct SerialRound<'a> {
    serial: &'a Serial<'a>,
    candidates: &'a [Vec<f64>],
}

impl Round for SerialRound<'_> {
    fn play(&mut self, trials: &[Trial]) -> Result<Vec<Outcome>, Failure> {
        let Serial { problem, parameters, setup } = self.serial;
        let contenders: Vec<_> =
            self.candidates.iter().map(|values| problem.contender(setup, Candidate::new(parameters, values))).collect();
        let mut players: Vec<Box<dyn Player + '_>> = contenders.iter().map(|contender| contender.player()).collect();
        trials.iter().map(|trial| players[trial.candidate].play(&trial.deal)).collect()
    }
}
