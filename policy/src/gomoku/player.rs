//! The interface of players, and a player that uses only the evaluation.

use super::board::{Cell, Side};
use super::evaluation;
use super::position::Position;
use super::weights::Weights;
use crate::clock::Clock;
use std::fmt::Debug;

/// A player of White.
pub trait Player: Debug + Send {
    /// Returns White's move; `None` if the board is full. The same position gives the same move,
    /// unless `clock`, which covers the whole game, runs short.
    fn choose(&mut self, position: &Position, clock: &Clock) -> Option<Cell>;
}

/// A player that makes the best move by the evaluation alone.
#[derive(Clone, Debug)]
pub struct Greedy(Weights);

impl Greedy {
    /// Returns a player with these weights.
    pub fn new(weights: Weights) -> Self {
        Greedy(weights)
    }
}

impl Player for Greedy {
    fn choose(&mut self, position: &Position, _: &Clock) -> Option<Cell> {
        greedy(position, &self.0)
    }
}

/// Returns the cell that White must take, to win or else to stop Black from winning.
pub fn must(position: &Position) -> Option<Cell> {
    position.fives(Side::White).0.or_else(|| position.fives(Side::Black).0)
}

/// Returns the best move by the evaluation alone, the first of equals; `None` if the board is full.
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
