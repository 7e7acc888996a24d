//! The player: an evaluation that changes during the game, and a search that looks ahead with it.

use super::alphabet::Alphabet;
use super::board::{tiles, Tile};
use super::evaluation::Evaluation;
use super::position::{Position, REMOVALS};
use super::weights::{Terms, Weights};
use crate::clock::Clock;
use std::fmt::Debug;

/// A player of successive games.
#[derive(Debug)]
pub struct Player {
    weights: Weights,
    drifts: bool,
    evaluation: Evaluation,
    search: Box<dyn Searcher>,
}

/// A search that looks ahead for a player.
pub trait Searcher: Debug + Send {
    /// Returns the best removal that the search finds; `None` if there is none. The same position
    /// gives the same removal, unless `clock`, which limits this removal, runs out.
    fn choose(&mut self, position: &Position, evaluation: &Evaluation, clock: &Clock) -> Option<Tile>;

    /// Returns the number of choices among which the remaining time is divided: by default, all
    /// possible further removals.
    fn choices(&mut self, position: &Position, _: &Evaluation) -> u32 {
        REMOVALS - position.removals()
    }
}

impl Player {
    /// Creates a player with these weights and this search.
    pub fn new(weights: Weights, search: Box<dyn Searcher>) -> Self {
        let drifts = weights.drift != Terms::ZERO;
        Player { weights, drifts, evaluation: Evaluation::new(weights.start, Alphabet::of(&[])), search }
    }

    /// Returns the tile to remove; `None` if no removal is possible. The same position gives the
    /// same tile, unless `clock` runs out.
    pub fn choose(&mut self, position: &Position, alphabet: Alphabet, clock: &Clock) -> Option<Tile> {
        let legal = position.legal();
        if legal & legal.wrapping_sub(1) == 0 {
            // At most one removal is possible.
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
