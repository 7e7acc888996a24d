//! Boards of every size: their cells, and the cells that each type of tile reaches.
//!
//! Cells are numbered row by row from 0. A tile reaches at most eight cells, kept in a short list,
//! so that a step costs the same on every size of board.

pub use crate::piece::{Piece, TYPES};
use std::sync::OnceLock;

/// Smallest number of rows and of columns.
pub const SMALLEST: usize = 6;
/// Largest number of rows and of columns.
pub const LARGEST: usize = 15;
/// Largest number of cells.
pub const CELLS: usize = LARGEST * LARGEST;
/// Largest number of layers.
pub const MOST_LAYERS: usize = 10;

/// A cell, `row * columns + column`.
pub type Cell = u8;

const LETTERS: [char; TYPES] = ['1', '2', '3', '4', 'R', 'B', 'Q', 'K'];

impl Piece {
    /// Returns the letter in the tester's dialogue.
    pub const fn letter(self) -> char {
        LETTERS[self as usize]
    }

    /// Returns the type with this letter in the tester's dialogue.
    pub fn from_letter(letter: char) -> Option<Piece> {
        Self::ALL.into_iter().find(|piece| piece.letter() == letter)
    }
}

/// A short list of cells.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cells {
    cells: [Cell; 8],
    count: u8,
}

impl Cells {
    /// Adds a cell.
    fn push(&mut self, cell: Cell) {
        self.cells[self.count as usize] = cell;
        self.count += 1;
    }
}

impl std::ops::Deref for Cells {
    type Target = [Cell];

    #[inline]
    fn deref(&self) -> &[Cell] {
        &self.cells[..(self.count & 15) as usize]
    }
}

/// A set of cells, one bit each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CellSet([u64; 4]);

impl CellSet {
    /// Adds a cell.
    #[inline]
    pub fn insert(&mut self, cell: Cell) {
        self.0[usize::from(cell >> 6)] |= 1 << (cell & 63);
    }

    /// Removes a cell, if it is in the set.
    #[inline]
    pub fn remove(&mut self, cell: Cell) {
        self.0[usize::from(cell >> 6)] &= !(1 << (cell & 63));
    }

    /// Removes and returns the first cell.
    #[inline]
    pub fn pop(&mut self) -> Option<Cell> {
        let (word, bits) = self.0.iter_mut().enumerate().find(|(_, bits)| **bits != 0)?;
        let cell = word as u32 * 64 + bits.trailing_zeros();
        *bits &= *bits - 1;
        Some(cell as Cell)
    }

    /// Moves the cells that are also in `other` from this set to `to`.
    #[inline]
    pub fn move_common(&mut self, other: &CellSet, to: &mut CellSet) {
        for ((from, other), to) in self.0.iter_mut().zip(other.0).zip(&mut to.0) {
            *to |= *from & other;
            *from &= !other;
        }
    }

    /// How many cells there are.
    #[inline]
    pub fn count(&self) -> u32 {
        self.0.iter().map(|bits| bits.count_ones()).sum()
    }

    /// Returns the number of cells in both sets.
    #[inline]
    pub fn common(&self, other: &CellSet) -> u32 {
        self.0.iter().zip(other.0).map(|(bits, other)| (bits & other).count_ones()).sum()
    }
}

/// A type of tile on a cell that reaches another cell.
#[derive(Clone, Copy, Debug)]
pub struct Source {
    /// Where the tile is.
    pub cell: Cell,
    /// Its type.
    pub piece: u8,
}

/// The geometry of one size of board.
#[derive(Debug)]
pub struct Board {
    rows: usize,
    columns: usize,
    targets: Vec<[Cells; TYPES]>,
    target_sets: Vec<[CellSet; TYPES]>,
    sources: Vec<Vec<Source>>,
    sides: [u8; 256],
}

impl Board {
    /// Returns the board of this size.
    ///
    /// # Panics
    /// If rows or columns are not in [`SMALLEST`] to [`LARGEST`].
    pub fn of_size(rows: usize, columns: usize) -> &'static Board {
        const SIZES: usize = LARGEST - SMALLEST + 1;
        static BOARDS: [[OnceLock<Board>; SIZES]; SIZES] = [const { [const { OnceLock::new() }; SIZES] }; SIZES];
        BOARDS[rows - SMALLEST][columns - SMALLEST].get_or_init(|| Board::new(rows, columns))
    }

    fn new(rows: usize, columns: usize) -> Self {
        let cells = rows * columns;
        let place = |cell: usize| (cell / columns, cell % columns);
        let mut board = Board {
            rows,
            columns,
            targets: vec![[Cells::default(); TYPES]; cells],
            target_sets: vec![[CellSet::default(); TYPES]; cells],
            sources: vec![Vec::new(); cells],
            sides: [0; 256],
        };
        for from in 0..cells {
            for to in 0..cells {
                for piece in Piece::ALL {
                    if piece.steps((rows, columns), place(from), place(to)) {
                        board.targets[from][piece as usize].push(to as Cell);
                        board.target_sets[from][piece as usize].insert(to as Cell);
                        board.sources[to].push(Source { cell: from as Cell, piece: piece as u8 });
                    }
                }
            }
            let (row, column) = place(from);
            board.sides[from] = u8::from(row == 0 || row == rows - 1) + u8::from(column == 0 || column == columns - 1);
        }
        board
    }

    /// Rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Columns.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// How many cells there are.
    pub fn cells(&self) -> usize {
        self.rows * self.columns
    }

    /// Returns the cells, empty or not, that may be clicked right after a tile of this type was
    /// removed from `cell`.
    #[inline]
    pub fn targets(&self, cell: Cell, piece: u8) -> &Cells {
        &self.targets[cell as usize][(piece & 7) as usize]
    }

    /// Returns the same cells as a set.
    #[inline]
    pub fn target_set(&self, cell: Cell, piece: u8) -> &CellSet {
        &self.target_sets[cell as usize][(piece & 7) as usize]
    }

    /// Returns every type and place of a tile that would reach `cell`.
    #[inline]
    pub fn sources(&self, cell: Cell) -> &[Source] {
        &self.sources[cell as usize]
    }

    /// Returns the number of sides of the board on which a cell lies: 0 inside, 1 on an edge, 2 in
    /// a corner.
    #[inline]
    pub fn sides(&self, cell: Cell) -> u8 {
        self.sides[cell as usize]
    }
}
