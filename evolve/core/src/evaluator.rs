//! The seam between what asks for outcomes and what plays: trials in, outcomes out.

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

/// One candidate, by its place in a round, on one deal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Trial {
    /// The candidate's place in the round.
    pub candidate: usize,
    /// The deal to play.
    pub deal: Deal,
    /// A rival's objective on the deal: the trial may be stopped once it is clearly worse. `None`: it is played to its end.
    pub rival: Option<f64>,
}

impl Trial {
    /// A trial that is played to its end.
    pub fn new(candidate: usize, deal: Deal) -> Self {
        Trial { candidate, deal, rival: None }
    }
}

/// Plays trials: on threads here, or anywhere else.
pub trait Evaluator: Sync {
    /// Begins a round with these candidates, each a value for every parameter.
    fn round<'a>(&'a self, candidates: &'a [Vec<f64>]) -> Box<dyn Round + 'a>;

    /// The files that outcomes depend on, from its [`Session`](crate::model::problem::Session).
    fn inputs(&self) -> &[Input];

    /// How many trials it plays at the same time, a hint for the size of batches.
    fn parallelism(&self) -> usize;
}

/// Trials of some candidates, played in batches. What a candidate costs to make ready is paid once a round.
pub trait Round {
    /// Announces the trials of the next batches, in order, so that an evaluator can work ahead while a batch is
    /// processed.
    fn expect(&mut self, _trials: &[Trial]) {}

    /// Plays a batch; its outcomes in the order of the trials, whatever finished first. They depend on candidates and
    /// deals alone, not on how the work was shared out.
    ///
    /// # Errors
    /// The first one, in the order of the trials, that ends the run.
    fn evaluate(&mut self, trials: &[Trial]) -> Result<Vec<Outcome>, PlayError>;
}

/// Outcomes of one candidate of a round on some deals.
///
/// # Errors
/// The first trial that failed and does not count.
pub fn evaluate_candidate(round: &mut dyn Round, candidate: usize, deals: &[Deal]) -> Result<Vec<Outcome>, PlayError> {
    let trials: Vec<Trial> = deals.iter().map(|&deal| Trial::new(candidate, deal)).collect();
    round.evaluate(&trials)
}
