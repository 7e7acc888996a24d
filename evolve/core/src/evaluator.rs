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
    /// The objective of a rival on the deal: the trial may be stopped once it is clearly worse. `None` plays it to its
    /// end.
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
    fn round<'a>(&'a self, candidates: &'a [Vec<f64>]) -> Box<dyn Round + 'a>;

    /// Returns the files that outcomes depend on, from the [`Session`](crate::model::problem::Session).
    fn inputs(&self) -> &[Input];

    /// Returns the number of trials that run in parallel, as a hint for the size of batches.
    fn parallelism(&self) -> usize;
}

/// The trials of some candidates, played in batches. Each candidate is prepared once in a round.
pub trait Round {
    /// Announces the trials of the next batches, in order, so that an evaluator can work ahead while a batch is
    /// processed.
    fn expect(&mut self, _trials: &[Trial]) {}

    /// Plays a batch and returns its outcomes in the order of the trials. They depend only on the candidates and deals,
    /// not on how threads or machines share the work.
    ///
    /// # Errors
    /// The first failed trial, in the order of the trials, that ends the run.
    fn evaluate(&mut self, trials: &[Trial]) -> Result<Vec<Outcome>, PlayError>;
}

/// Plays one candidate of a round on some deals.
///
/// # Errors
/// The first failed trial that does not count.
pub fn evaluate_candidate(round: &mut dyn Round, candidate: usize, deals: &[Deal]) -> Result<Vec<Outcome>, PlayError> {
    let trials: Vec<Trial> = deals.iter().map(|&deal| Trial::new(candidate, deal)).collect();
    round.evaluate(&trials)
}
