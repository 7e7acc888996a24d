//! The optimizer of a run.

use crate::search::{Ask, Optimizer};

/// The optimizer at work, and what it asks for.
pub struct Search {
    /// Asked and told.
    pub optimizer: Box<dyn Optimizer>,
    /// What it asks for now.
    pub ask: Ask,
}

impl Search {
    /// The search that asks an optimizer for its next trials.
    pub fn new(optimizer: Box<dyn Optimizer>) -> Self {
        let ask = optimizer.ask();
        Search { optimizer, ask }
    }
}
