//! The interface between the code that requests outcomes and the code that plays trials.

mod opened;
mod paired;
mod serial;
mod threads;

pub use opened::Opened;
pub use paired::{Base, Paired};
pub use serial::Serial;
pub use threads::{Threads, together};

use crate::model::problem::Input;
use crate::model::trial::{Deal, Outcome, PlayError};

/// One candidate of a round on one deal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Trial {
    /// The index of the candidate in the round.
    pub candidate: usize,
    /// The deal to play.
    pub deal: Deal,
    /// The objective of a rival on the deal: the trial may be stopped once it is clearly worse.
    /// Without a rival, it is played to its end.
    pub rival: Option<f64>,
}

impl Trial {
    /// Creates a trial that is played to its end.
    pub fn new(candidate: usize, deal: Deal) -> Self {
        Trial { candidate, deal, rival: None }
    }
}

/// Plays trials on local threads or elsewhere.
pub trait Evaluator: Sync {
    /// Starts a round with these candidates, each with a value for every parameter.
    fn round(&self, candidates: &[Vec<f64>]) -> Box<dyn Round + '_>;

    /// Returns the files that outcomes depend on, from the
    /// [`Session`](crate::model::problem::Session).
    fn inputs(&self) -> &[Input];

    /// Returns the path of an input that has changed since the
    /// [`Session`](crate::model::problem::Session) opened, if trials read it.
    fn changed(&self) -> Option<String> {
        None
    }

    /// Returns the number of trials that run in parallel, as a hint for the size of batches.
    fn parallelism(&self) -> usize;

    /// Returns whether a round plays the trials that it [expects](Round::expect) while the caller
    /// waits for earlier ones. Batches then need no minimum size to keep all threads busy.
    fn plays_ahead(&self) -> bool {
        false
    }
}

/// The trials of some candidates, played in batches. Each candidate is prepared once in a round.
pub trait Round {
    /// Adds candidates, numbered after the previous ones.
    fn add(&mut self, candidates: &[Vec<f64>]);

    /// Announces the trials of the next batches, in order, so that an evaluator can play ahead.
    fn expect(&mut self, _trials: &[Trial]) {}

    /// Plays a batch and returns its outcomes in the order of the trials. They depend only on the
    /// candidates and deals, not on how threads or machines share the work.
    ///
    /// # Errors
    /// The first failed trial, in the order of the trials, that ends the run.
    fn evaluate(&mut self, trials: &[Trial]) -> Result<Vec<Outcome>, PlayError>;

    /// Stops playing ahead: waits for the trials under way, and returns the outcomes of the next
    /// expected trials, as many as are known and at most `most`. Afterwards, no more trials are
    /// played.
    fn finish(&mut self, _most: usize) -> Vec<Outcome> {
        Vec::new()
    }
}

/// Plays one candidate of a round on some deals.
///
/// # Errors
/// The first failed trial, in the order of the deals, that ends the run.
pub fn evaluate_candidate(round: &mut dyn Round, candidate: usize, deals: &[Deal]) -> Result<Vec<Outcome>, PlayError> {
    let trials: Vec<Trial> = deals.iter().map(|&deal| Trial::new(candidate, deal)).collect();
    round.evaluate(&trials)
}
