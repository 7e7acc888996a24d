//! The players by name: greedy and lookahead.

use super::board::{Cell, Side};
use super::evaluation;
use super::lookahead::{Lookahead, Settings};
use super::position::Position;
use super::weights::Weights;
use crate::clock::Clock;

/// How a move is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Search {
    /// The best move by the evaluation alone.
    Greedy,
    /// A search through the replies of the opponent.
    Lookahead(Settings),
}

/// White's player.
#[derive(Debug)]
pub struct Player {
    weights: Weights,
    search: Search,
}

impl Player {
    /// A player with these weights that looks ahead by this search.
    pub fn new(weights: Weights, search: Search) -> Self {
        Player { weights, search }
    }

    /// White's move, `None` if the board is full. The same position gives the same move, unless `clock` runs short.
    pub fn choose(&mut self, position: &Position, clock: &Clock) -> Option<Cell> {
        match self.search {
            Search::Greedy => greedy(position, &self.weights),
            Search::Lookahead(settings) => Lookahead::new(settings, &self.weights).choose(position, clock),
        }
    }
}

/// The cell that White has to take: to win, or else to keep Black from winning.
pub fn must(position: &Position) -> Option<Cell> {
    position.fives(Side::White).0.or_else(|| position.fives(Side::Black).0)
}

/// The best move by the evaluation alone, the first of equals; `None` if the board is full.
pub fn greedy(position: &Position, weights: &Weights) -> Option<Cell> {
    if let Some(cell) = must(position) {
        return Some(cell);
    }
    let mut best = None;
    let mut most = f64::NEG_INFINITY;
    for cell in position.near() {
        let value = evaluation::value(position, cell, weights);
        if value > most {
            (best, most) = (Some(cell), value);
        }
    }
    best.or_else(|| position.first_empty())
}
