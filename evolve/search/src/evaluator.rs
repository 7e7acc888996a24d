//! The interface between the code that requests outcomes and the code that plays trials.

mod opened;
mod serial;
mod threads;
mod variants;

pub use opened::Opened;
pub use serial::Serial;
pub use threads::{Threads, together};
pub use variants::{Base, Variants};

use crate::model::problem::Input;
use crate::model::trial::{Case, Outcome, PlayError};
use std::sync::Arc;

/// The value of every parameter of a candidate. Trials that share one allocation have the same
/// candidate, which is prepared once.
pub type Values = Arc<[f64]>;

/// One candidate on one case.
#[derive(Clone, Debug, PartialEq)]
pub struct Trial {
    pub candidate: Values,
    pub case: Case,
    /// The objective of a rival on the case: the trial may be stopped once it is clearly worse.
    /// Without a rival, it is played to its end.
    pub rival: Option<f64>,
}

impl Trial {
    /// Creates a trial that is played to its end.
    pub fn new(candidate: &Values, case: Case) -> Self {
        Trial { candidate: Arc::clone(candidate), case, rival: None }
    }

    /// Returns whether both trials have the same candidate.
    pub fn is_of_same(&self, other: &Trial) -> bool {
        Arc::ptr_eq(&self.candidate, &other.candidate)
    }
}

/// Plays trials on local threads or elsewhere.
pub trait Evaluator: Sync {
    /// Returns an empty queue.
    fn queue(&self) -> Box<dyn Queue + '_>;

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

    /// Returns whether a queue plays its trials while the caller waits for earlier ones. Batches
    /// then need no minimum size to keep all threads busy.
    fn plays_ahead(&self) -> bool {
        false
    }
}

/// Trials in play, first in, first out. Outcomes depend only on candidates and cases, not on how
/// threads or machines share the work.
pub trait Queue {
    /// Adds trials, which may be played from now on.
    fn push(&mut self, trials: Vec<Trial>);

    /// Waits for the outcomes of the oldest `count` trials, and removes these trials.
    ///
    /// # Errors
    /// The first failed one of them that ends the run. The queue is then empty.
    fn pop(&mut self, count: usize) -> Result<Vec<Outcome>, PlayError>;

    /// Starts no further trials, and waits for those under way. Returns the outcomes of the oldest
    /// trials, as many as are known and at most `most`. The queue then serves no more.
    fn stop(&mut self, _most: usize) -> Vec<Outcome> {
        Vec::new()
    }
}

/// Plays trials and returns their outcomes in order.
///
/// # Errors
/// The first failed trial that ends the run.
pub fn play(queue: &mut dyn Queue, trials: Vec<Trial>) -> Result<Vec<Outcome>, PlayError> {
    let count = trials.len();
    queue.push(trials);
    queue.pop(count)
}

/// Plays one candidate on some cases.
///
/// # Errors
/// The first failed trial, in the order of the cases, that ends the run.
pub fn play_candidate(queue: &mut dyn Queue, candidate: &Values, cases: &[Case]) -> Result<Vec<Outcome>, PlayError> {
    play(queue, cases.iter().map(|&case| Trial::new(candidate, case)).collect())
}
