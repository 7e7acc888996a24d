//! The optimizer of a run.

use crate::search::{Ask, Optimizer};

/// The optimizer and its current request.
pub struct Search {
    /// The optimizer.
    pub optimizer: Box<dyn Optimizer>,
    /// Its current request.
    pub ask: Ask,
}

impl Search {
    /// The search that asks an optimizer for its next trials.
    pub fn new(optimizer: Box<dyn Optimizer>) -> Self {
        let ask = optimizer.ask();
        Search { optimizer, ask }
    }
}
