//! The optimizer of a run and its current requests.

use crate::search::{Ask, Optimizer};

/// An optimizer and its current requests.
pub struct Search {
    /// The optimizer.
    pub optimizer: Box<dyn Optimizer>,
    /// The request for the next trials.
    pub ask: Ask,
    /// The [requests after it](Optimizer::ahead) that are known.
    pub ahead: Vec<Ask>,
}

impl Search {
    /// Asks an optimizer for its first requests.
    pub fn new(optimizer: Box<dyn Optimizer>) -> Self {
        let (ask, ahead) = (optimizer.ask(), optimizer.ahead());
        Search { optimizer, ask, ahead }
    }

    /// Returns the request at this index among the known ones.
    pub fn known(&self, index: usize) -> Option<&Ask> {
        match index.checked_sub(1) {
            None => Some(&self.ask),
            Some(ahead) => self.ahead.get(ahead),
        }
    }

    /// Returns the number of trials of the first `count` known requests.
    pub fn trials(&self, count: usize) -> u64 {
        (0..count).filter_map(|index| self.known(index)).map(|ask| ask.trials.len() as u64).sum()
    }

    /// Asks for the next requests, once the optimizer has received the objectives of the previous
    /// one.
    pub fn advance(&mut self) {
        self.ask = self.optimizer.ask();
        self.ahead = self.optimizer.ahead();
    }
}
