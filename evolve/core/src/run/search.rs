//! The optimizer of a run and its current request.

use crate::search::{Ask, Optimizer};

/// An optimizer and its current request.
pub struct Search {
    /// The optimizer.
    pub optimizer: Box<dyn Optimizer>,
    /// The request for the next trials.
    pub ask: Ask,
}

impl Search {
    /// Asks an optimizer for its first request.
    pub fn new(optimizer: Box<dyn Optimizer>) -> Self {
        let ask = optimizer.ask();
        Search { optimizer, ask }
    }
}
