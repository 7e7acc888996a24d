//! The strategy to beat: it plays the move after which its score of the position is largest.
//!
//! The score is that of [`gains`](super::gains) plus random noise for each move.

use super::board::{Cell, CELLS};
use super::position::Position;

/// The noise added to every move's score is uniform in `0..NOISE`.
pub const NOISE: i64 = 50 * 50;

/// The moves that the opponent may make in a position, in the order of cells.
#[derive(Clone, Debug)]
pub struct Replies {
    cells: [Cell; CELLS],
    count: usize,
}

impl Replies {
    /// Returns all empty cells whose gain is within the noise of the largest.
    pub fn new(position: &Position) -> Self {
        let least = largest(position) - (NOISE - 1);
        let mut replies = Replies { cells: [0; CELLS], count: 0 };
        for (cell, &gain) in position.gains().iter().enumerate() {
            // Only occupied cells have negative gains.
            if gain >= least.max(0) {
                replies.cells[replies.count] = cell as Cell;
                replies.count += 1;
            }
        }
        replies
    }

    /// Returns the cells; none if the board is full.
    pub fn cells(&self) -> &[Cell] {
        &self.cells[..self.count]
    }
}

/// Returns the move with the largest gain, the first of equals: the opponent without noise. `None`
/// if the board is full.
pub fn reply(position: &Position) -> Option<Cell> {
    let largest = largest(position);
    if largest < 0 {
        return None;
    }
    position.gains().iter().position(|&gain| gain == largest).map(|cell| cell as Cell)
}

/// Returns the move with the largest sum of gain and `noise(cell)`, the first of equals; `None` if
/// the board is full. Calls `noise` only for cells where it can decide.
pub fn noisy_reply(position: &Position, mut noise: impl FnMut(Cell) -> i64) -> Option<Cell> {
    let replies = Replies::new(position);
    let mut best = None;
    let mut most = i64::MIN;
    for &cell in replies.cells() {
        let gain = position.gains()[cell as usize] + noise(cell);
        if gain > most {
            (best, most) = (Some(cell), gain);
        }
    }
    best
}

fn largest(position: &Position) -> i64 {
    position.gains().iter().fold(i64::MIN, |most, &gain| most.max(gain))
}
