//! The score that the opponent maximizes, and the gain of a stone of its own on each cell.
//!
//! The score is a sum over the lines of five in which only one side has stones. Each line's part
//! depends only on the number of its stones, so the gain of a cell is a sum over the lines through
//! it.

use super::board::{Cell, CELLS, LINE_CELLS, STATES};

/// Score of a line with this many black stones and no white one: 50^(2k - 1).
pub const BLACK: [i64; 6] = [0, power(1), power(3), power(5), power(7), power(9)];

/// Score, negated, of a line with this many white stones and no black one: 50^(2k).
pub const WHITE: [i64; 6] = [0, power(2), power(4), power(6), power(8), power(10)];

const fn power(exponent: u32) -> i64 {
    50i64.pow(exponent)
}

/// Gain in score from a black stone in an empty cell of a line, by the line's state.
pub const GAIN: [i64; STATES] = gains();

const fn gains() -> [i64; STATES] {
    let mut gains = [0; STATES];
    let mut stones = 0;
    while stones < 5 {
        gains[stones] = BLACK[stones + 1] - BLACK[stones];
        if stones > 0 {
            gains[6 * stones] = WHITE[stones];
        }
        stones += 1;
    }
    gains
}

/// Subtracted from the gain of an occupied cell, to keep it below that of every empty cell.
const OCCUPIED: i64 = 1 << 62;

/// Gain in score from a black stone on each cell. A position updates it line by line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gains([i64; CELLS]);

impl Default for Gains {
    fn default() -> Self {
        Self::new()
    }
}

impl Gains {
    /// Returns the gains on the empty board.
    pub fn new() -> Self {
        let mut gains = [0; CELLS];
        for &cell in LINE_CELLS.as_flattened() {
            gains[cell as usize] += GAIN[0];
        }
        Gains(gains)
    }

    /// Marks a cell as occupied.
    #[inline]
    pub fn occupy(&mut self, cell: Cell) {
        self.0[cell as usize] -= OCCUPIED;
    }

    /// Marks a cell as empty.
    #[inline]
    pub fn vacate(&mut self, cell: Cell) {
        self.0[cell as usize] += OCCUPIED;
    }

    /// Updates the gains after a line changes its state.
    #[inline]
    pub fn update(&mut self, line: u16, old: u8, new: u8) {
        let change = GAIN[new as usize] - GAIN[old as usize];
        if change != 0 {
            for &cell in &LINE_CELLS[line as usize] {
                self.0[cell as usize] += change;
            }
        }
    }

    /// Returns whether a cell is empty.
    #[inline]
    pub fn is_empty(&self, cell: usize) -> bool {
        self.0[cell] >= 0
    }

    /// Returns the gain of each cell; negative for occupied cells.
    pub fn by_cell(&self) -> &[i64; CELLS] {
        &self.0
    }
}
