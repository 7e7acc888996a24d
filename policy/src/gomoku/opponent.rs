//! The strategy to be beaten: of all moves it takes the one after which its score of the position is largest.
//!
//! The score is a sum over the lines of five that one side alone has stones in, plus noise. A line's part depends on
//! the numbers of stones in it alone, so what a move gains is a sum over the lines through its cell, which
//! [`Position`] keeps up to date for every cell.

use super::board::{Cell, CELLS, LINE_CELLS};
use super::position::{Position, STATES};

/// The noise added to every move's score is uniform in `0..NOISE`.
pub const NOISE: i64 = 50 * 50;

/// What a line with this many black stones and no white one adds to the score: 50^(2k - 1).
pub const BLACK: [i64; 6] = [0, power(1), power(3), power(5), power(7), power(9)];

/// What a line with this many white stones and no black one takes off the score: 50^(2k).
pub const WHITE: [i64; 6] = [0, power(2), power(4), power(6), power(8), power(10)];

const fn power(exponent: u32) -> i64 {
    50i64.pow(exponent)
}

/// What a black stone in an empty cell of a line adds to the score, by the line's state.
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

/// Taken off the gain of an occupied cell, so that it is below that of every empty one.
const OCCUPIED: i64 = 1 << 62;

/// What a black stone on each cell would add to the score. A position keeps it up to date line by line.
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

/// The moves that the opponent may make in a position, in the order of cells.
#[derive(Clone, Debug)]
pub struct Replies {
    cells: [Cell; CELLS],
    count: usize,
}

impl Replies {
    /// All empty cells whose gain is within the noise of the largest.
    pub fn new(position: &Position) -> Self {
        let least = largest(position) - (NOISE - 1);
        let mut replies = Replies { cells: [0; CELLS], count: 0 };
        for (cell, &gain) in position.gains().iter().enumerate() {
            // Gains are never negative, except of occupied cells.
            if gain >= least.max(0) {
                replies.cells[replies.count] = cell as Cell;
                replies.count += 1;
            }
        }
        replies
    }

    /// The cells, empty if the board is full.
    pub fn cells(&self) -> &[Cell] {
        &self.cells[..self.count]
    }
}

/// The move with the largest gain, the first of equals: the opponent without noise. `None` if the board is full.
pub fn reply(position: &Position) -> Option<Cell> {
    let largest = largest(position);
    if largest < 0 {
        return None;
    }
    position.gains().iter().position(|&gain| gain == largest).map(|cell| cell as Cell)
}

/// The move with the largest sum of gain and `noise(cell)`, the first of equals; `None` if the board is full. Noise
/// is only asked for where it may matter.
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
