//! The players by name: greedy and lookahead.

use super::lookahead::{Lookahead, Settings};
use super::player::{Greedy, Player};
use super::weights::Weights;

/// The search by which a player finds its moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Search {
    /// The best move by the evaluation alone.
    Greedy,
    /// A search through the replies of the opponent.
    Lookahead(Settings),
}

impl Search {
    /// Returns a player with these weights that uses this search.
    pub fn player(self, weights: Weights) -> Box<dyn Player> {
        match self {
            Search::Greedy => Box::new(Greedy::new(weights)),
            Search::Lookahead(settings) => Box::new(Lookahead::new(weights, settings)),
        }
    }
}
