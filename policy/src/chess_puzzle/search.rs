//! The searches by name: greedy, beam, sampled.

use super::beam::{Settings, Wide};
use super::greedy::Greedy;
use super::player::{Player, Searcher};
use super::position::Position;
use super::sampled::Sampled;
use super::weights::Weights;

/// The search that looks ahead, with its settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Search {
    /// The best click by the evaluation alone.
    Greedy,
    /// Beam search over the visible tiles.
    Beam(Settings),
    /// Beam search, then games played out over sampled completions from the most promising clicks;
    /// once nothing is hidden, a wide beam to the end of the game.
    Sampled {
        /// The beam that finds the most promising clicks.
        beam: Settings,
        /// Number of completions for each click. With a clock, the time alone decides.
        samples: u32,
    },
}

impl Search {
    /// Returns a player for the game that starts with `position`, with these weights and this
    /// search.
    pub fn player(self, weights: &Weights, position: &Position) -> Player {
        let searcher: Box<dyn Searcher> = match self {
            Search::Greedy => Box::new(Greedy),
            Search::Beam(settings) => Box::new(Wide::new(settings)),
            Search::Sampled { beam, samples } => Box::new(Sampled::new(beam, samples)),
        };
        Player::new(weights, searcher, position)
    }
}
