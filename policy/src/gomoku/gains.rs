//! The score that the opponent plays for, and what a stone of its own on each cell would add to it.
//!
//! The score is a sum over the lines of five that one side alone has stones in. A line's part depends on the numbers of
//! stones in it alone, so the gain of a cell is a sum over the lines through it.

use super::board::{Cell, CELLS, LINE_CELLS, STATES};

/// Score of a line with this many black stones and no white one: 50^(2k - 1).
pub const BLACK: [i64; 6] = [0, power(1), power(3), power(5), power(7), power(9)];

/// Negative score of a line with this many white stones and no black one: 50^(2k).
pub const WHITE: [i64; 6] = [0, power(2), power(4), power(6), power(8), power(10)];

const fn power(exponent: u32) -> i64 {
    50i64.pow(exponent)
}

/// Gain in score by a black stone in an empty cell of a line, by the line's state.
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

/// Subtracted from the gain of an occupied cell, so that it is below that of every empty one.
const OCCUPIED: i64 = 1 << 62;

/// Gain in score by a black stone on each cell. A position keeps it up to date line by line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gains([i64; CELLS]);

impl Default for Gains {
    fn default() -> Self {
        Self::new()
    }
}

impl Gains {
    /// Those of the empty board.
    pub fn new() -> Self {
        let mut gains = [0; CELLS];
        for &cell in LINE_CELLS.as_flattened() {
            gains[cell as usize] += GAIN[0];
        }
        Gains(gains)
    }

    /// A stone comes to a cell.
    #[inline]
    pub fn occupy(&mut self, cell: Cell) {
        self.0[cell as usize] -= OCCUPIED;
    }

    /// A stone goes from a cell.
    #[inline]
    pub fn vacate(&mut self, cell: Cell) {
        self.0[cell as usize] += OCCUPIED;
    }

    /// A line comes from one state to another.
    #[inline]
    pub fn update(&mut self, line: u16, old: u8, new: u8) {
        let change = GAIN[new as usize] - GAIN[old as usize];
        if change != 0 {
            for &cell in &LINE_CELLS[line as usize] {
                self.0[cell as usize] += change;
            }
        }
    }

    /// Whether a cell has no stone.
    #[inline]
    pub fn is_empty(&self, cell: usize) -> bool {
        self.0[cell] >= 0
    }

    /// The gain of each cell; negative for occupied ones.
    pub fn by_cell(&self) -> &[i64; CELLS] {
        &self.0
    }
}
