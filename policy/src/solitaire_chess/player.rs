//! The player: an evaluation that goes with the game, and a search that looks ahead by it.

use super::alphabet::Alphabet;
use super::board::{tiles, Tile};
use super::evaluation::Evaluation;
use super::position::{Position, REMOVALS};
use super::weights::{Terms, Weights};
use crate::clock::Clock;
use std::fmt::Debug;

/// A player of one game after another.
#[derive(Debug)]
pub struct Player {
    weights: Weights,
    drifts: bool,
    evaluation: Evaluation,
    search: Box<dyn Searcher>,
}

/// A search that looks ahead for a player.
pub trait Searcher: Debug + Send {
    /// The removal that it finds best, `None` if there is none. The same position gives the same removal, unless `clock`,
    /// which is for this one alone, runs short.
    fn choose(&mut self, position: &Position, evaluation: &Evaluation, clock: &Clock) -> Option<Tile>;

    /// Over how many choices the time is shared out from here on: over all removals that may come, if each takes as long.
    fn choices(&mut self, position: &Position, _: &Evaluation) -> u32 {
        REMOVALS - position.removals()
    }
}

impl Player {
    /// A player with these weights that looks ahead by this search.
    pub fn new(weights: Weights, search: Box<dyn Searcher>) -> Self {
        let drifts = weights.drift != Terms::ZERO;
        Player { weights, drifts, evaluation: Evaluation::new(weights.start, Alphabet::of(&[])), search }
    }

    /// The tile to remove, `None` if nothing can be removed. The same position gives the same tile, unless `clock`
    /// runs short.
    pub fn choose(&mut self, position: &Position, alphabet: Alphabet, clock: &Clock) -> Option<Tile> {
        let legal = position.legal();
        if legal & legal.wrapping_sub(1) == 0 {
            // No choice, or no game any more.
            return tiles(legal).next();
        }
        if self.drifts || self.evaluation.alphabet() != alphabet {
            let progress = f64::from(position.removals()) / f64::from(REMOVALS);
            self.evaluation = Evaluation::new(self.weights.at(progress), alphabet);
        }
        let clock = clock.share(self.search.choices(position, &self.evaluation));
        self.search.choose(position, &self.evaluation, &clock)
    }
}

#[cfg(test)]
mod tests;
