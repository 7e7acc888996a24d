//! An evaluator that plays trials one after another.

use super::{Evaluator, Opened, Round, Trial};
use crate::model::problem::{Context, Input, OpenError, Player, Problem};
use crate::model::trial::{Outcome, PlayError};

/// Plays trials on the calling thread, in the requested order.
pub struct Serial(Opened);

impl Serial {
    /// Opens a problem.
    ///
    /// # Errors
    /// If the problem cannot be played.
    pub fn open(problem: &dyn Problem, context: Context) -> Result<Self, OpenError> {
        Opened::open(problem, context).map(Serial)
    }
}

impl Evaluator for Serial {
    fn round(&self, candidates: &[Vec<f64>]) -> Box<dyn Round + '_> {
        Box::new(SerialRound { opened: &self.0, candidates: candidates.to_vec() })
    }

    fn inputs(&self) -> &[Input] {
        self.0.inputs()
    }

    fn changed(&self) -> Option<String> {
        self.0.changed()
    }

    fn parallelism(&self) -> usize {
        1
    }
}

struct SerialRound<'a> {
    opened: &'a Opened,
    candidates: Vec<Vec<f64>>,
}

impl Round for SerialRound<'_> {
    fn add(&mut self, candidates: &[Vec<f64>]) {
        self.candidates.extend_from_slice(candidates);
    }

    fn evaluate(&mut self, trials: &[Trial]) -> Result<Vec<Outcome>, PlayError> {
        let contenders: Vec<_> = self.candidates.iter().map(|values| self.opened.contender(values)).collect();
        let mut players: Vec<Box<dyn Player + '_>> = contenders.iter().map(|contender| contender.player()).collect();
        trials.iter().map(|trial| players[trial.candidate].play_against(&trial.deal, trial.rival)).collect()
    }
}
