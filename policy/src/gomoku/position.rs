//! A position: the stones, and the number of stones of each side on every line of five.

use super::board::{alone, state, Cell, Side, CELLS, LINES, LINE_CELLS, NEIGHBOURHOOD, NO_LINE, STATES, THROUGH};
use super::gains::Gains;

/// The state of a line that neither side can fill.
const BLOCKED: u8 = state(1, 1);
/// The number of lines, rounded up to words of eight states.
const PADDED: usize = LINES.next_multiple_of(8);
// At least one spare state stands for lines that would leave the board.
const _: () = assert!(PADDED > LINES);

/// A set of cells.
pub type Cells = [u64; 6];

/// A position, updated stone by stone, with all the data that the opponent and the evaluation read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    stones: [Cells; 2],
    count: u16,
    /// The state of each line, followed by spare states for lines that would leave the board.
    states: [u8; PADDED],
    /// The number of lines in each state.
    tally: [u16; STATES],
    /// The gains that the opponent maximizes.
    gains: Gains,
    /// The number of stones near each cell.
    near: [u8; CELLS],
}

impl Default for Position {
    fn default() -> Self {
        Self::new()
    }
}

impl Position {
    /// Returns the empty board.
    pub fn new() -> Self {
        let mut position = Position {
            stones: [[0; 6]; 2],
            count: 0,
            states: [0; PADDED],
            tally: [0; STATES],
            gains: Gains::new(),
            near: [0; CELLS],
        };
        position.states[LINES..].fill(BLOCKED);
        position.tally[0] = LINES as u16;
        position
    }

    /// Puts a stone on an empty cell.
    pub fn put(&mut self, cell: Cell, side: Side) {
        debug_assert!(self.is_empty(cell));
        self.count += 1;
        self.gains.occupy(cell);
        for &near in &NEIGHBOURHOOD[cell as usize] {
            self.near[near as usize] += 1;
        }
        self.flip::<true>(cell, side);
    }

    /// Removes a stone.
    pub fn take(&mut self, cell: Cell, side: Side) {
        debug_assert_eq!(self.stone(cell), Some(side));
        self.count -= 1;
        self.gains.vacate(cell);
        for &near in &NEIGHBOURHOOD[cell as usize] {
            self.near[near as usize] -= 1;
        }
        self.flip::<false>(cell, side);
    }

    fn flip<const PUT: bool>(&mut self, cell: Cell, side: Side) {
        self.stones[side as usize][cell as usize / 64] ^= 1 << (cell % 64);
        let step = if side == Side::Black { state(1, 0) } else { state(0, 1) };
        for &line in THROUGH[cell as usize].as_flattened() {
            if line == NO_LINE {
                continue;
            }
            let old = self.states[line as usize];
            let new = if PUT { old + step } else { old - step };
            self.states[line as usize] = new;
            self.tally[old as usize] -= 1;
            self.tally[new as usize] += 1;
            self.gains.update(line, old, new);
        }
    }

    /// Returns whether a cell is empty.
    pub fn is_empty(&self, cell: Cell) -> bool {
        self.stone(cell).is_none()
    }

    /// Returns the side whose stone is on a cell.
    pub fn stone(&self, cell: Cell) -> Option<Side> {
        let has = |side: Side| self.stones[side as usize][cell as usize / 64] >> (cell % 64) & 1 == 1;
        match (has(Side::Black), has(Side::White)) {
            (true, _) => Some(Side::Black),
            (_, true) => Some(Side::White),
            _ => None,
        }
    }

    /// Returns the stones of both sides, which identify a position.
    pub fn stones(&self) -> &[Cells; 2] {
        &self.stones
    }

    /// Returns the number of stones on the board.
    pub fn count(&self) -> u16 {
        self.count
    }

    /// Returns whether the board is full.
    pub fn is_full(&self) -> bool {
        self.count as usize == CELLS
    }

    /// Returns whether a side has five in a line.
    pub fn has_five(&self, side: Side) -> bool {
        self.tally(alone(side, 5)) > 0
    }

    /// Returns the number of lines in a state.
    #[inline]
    pub fn tally(&self, state: u8) -> u16 {
        self.tally[state as usize]
    }

    /// Returns the lines in a state other than [`state`]`(1, 1)`.
    pub fn lines(&self, state: u8) -> impl Iterator<Item = usize> + '_ {
        const ONES: u64 = u64::MAX / 0xff;
        let words = self.states.as_chunks::<8>().0.iter().enumerate();
        words.flat_map(move |(word, states)| {
            // States are below 128: a byte is zero if its highest bit is clear after the addition.
            let differs = (u64::from_le_bytes(*states) ^ (ONES * u64::from(state))) + ONES * 0x7f;
            let mut equal = !differs & (ONES * 0x80);
            std::iter::from_fn(move || {
                let bit = (equal != 0).then(|| equal.trailing_zeros())?;
                equal &= equal - 1;
                Some(word * 8 + bit as usize / 8)
            })
        })
    }

    /// Returns the state of a line, or of a line that leaves the board.
    #[inline]
    pub fn line(&self, line: u16) -> u8 {
        self.states[line as usize]
    }

    /// Returns the empty cells of a line.
    pub fn gaps(&self, line: usize) -> impl Iterator<Item = Cell> + '_ {
        LINE_CELLS[line].iter().copied().filter(|&cell| self.is_empty(cell))
    }

    /// Returns the gain in the opponent's score from a black stone on each cell; negative for
    /// occupied cells.
    pub fn gains(&self) -> &[i64; CELLS] {
        self.gains.by_cell()
    }

    /// Returns the empty cells near a stone, in order.
    pub fn near(&self) -> impl Iterator<Item = Cell> + '_ {
        (0..CELLS).filter(|&cell| self.near[cell] > 0 && self.gains.is_empty(cell)).map(|cell| cell as Cell)
    }

    /// Returns the first empty cell.
    pub fn first_empty(&self) -> Option<Cell> {
        (0..CELLS).find(|&cell| self.gains.is_empty(cell)).map(|cell| cell as Cell)
    }

    /// Returns the cells where a side completes five, at most two of them.
    pub fn fives(&self, side: Side) -> (Option<Cell>, Option<Cell>) {
        let four = alone(side, 4);
        if self.tally(four) == 0 {
            return (None, None);
        }
        let mut first = None;
        for cell in self.lines(four).filter_map(|line| self.gaps(line).next()) {
            match first {
                None => first = Some(cell),
                Some(other) if other != cell => return (first, Some(cell)),
                Some(_) => {}
            }
        }
        (first, None)
    }
}
