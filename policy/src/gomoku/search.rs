//! The players by name: greedy and lookahead.

use super::lookahead::{Lookahead, Settings};
use super::player::{Greedy, Player};
use super::weights::Weights;

/// How a move is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Search {
    /// The best move by the evaluation alone.
    Greedy,
    /// A search through the replies of the opponent.
    Lookahead(Settings),
}

impl Search {
    /// A player with these weights that looks ahead by this search.
    pub fn player(self, weights: Weights) -> Box<dyn Player> {
        match self {
            Search::Greedy => Box::new(Greedy::new(weights)),
            Search::Lookahead(settings) => Box::new(Lookahead::new(weights, settings)),
        }
    }
}
