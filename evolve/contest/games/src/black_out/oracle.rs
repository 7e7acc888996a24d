//! The exact solution of the game: for every position, whether the side to move loses.
//!
//! The table has one bit for each position: 128 MiB for the 2^30 positions of the 5 x 6 board. One
//! word holds the positions that differ only in the first row, so that one lookup of a move in
//! other rows serves all of them. Words whose other rows have equally many black squares are
//! independent: they are computed in parallel, fullest first.

use policy::black_out::board::Squares;
use rayon::prelude::*;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// The version of the table's layout, for files that store it.
pub const LAYOUT: u32 = 1;

/// The solution of one size of board. A position is a set of black squares; square (row, column) is
/// bit `columns * row + column`.
#[derive(Debug)]
pub struct Oracle {
    rows: usize,
    columns: usize,
    lost: Vec<AtomicU64>,
}

/// The number of low bits of a word's index that are enumerated by the number of set bits.
const BLOCK: usize = 12;

/// For each column, the 64 positions of a word in which that square of the first row is black.
const BLACK: [u64; 6] = [
    0xaaaa_aaaa_aaaa_aaaa,
    0xcccc_cccc_cccc_cccc,
    0xf0f0_f0f0_f0f0_f0f0,
    0xff00_ff00_ff00_ff00,
    0xffff_0000_ffff_0000,
    0xffff_ffff_0000_0000,
];

impl Oracle {
    /// Solves a board, on the threads of the current rayon pool.
    ///
    /// # Panics
    /// If there are no rows or columns, or more than 5 rows or 6 columns.
    pub fn solve(rows: usize, columns: usize) -> Self {
        let mut oracle = Oracle::unsolved(rows, columns);
        oracle.lost = (0..1usize << ((rows - 1) * columns)).into_par_iter().map(|_| AtomicU64::new(0)).collect();
        Moves::new(rows, columns).solve(&oracle.lost);
        oracle
    }

    fn unsolved(rows: usize, columns: usize) -> Self {
        assert!((1..=5).contains(&rows) && (1..=6).contains(&columns), "a board of {rows} x {columns}");
        Oracle { rows, columns, lost: Vec::new() }
    }

    /// Creates the solution from its words; returns `None` if their number does not match the
    /// board.
    pub fn from_words(rows: usize, columns: usize, words: impl ExactSizeIterator<Item = u64>) -> Option<Self> {
        let mut oracle = Oracle::unsolved(rows, columns);
        if words.len() != 1 << ((rows - 1) * columns) {
            return None;
        }
        oracle.lost = words.map(AtomicU64::new).collect();
        Some(oracle)
    }

    /// Returns the words, indexed by the black squares of all rows except the first.
    pub fn words(&self) -> impl ExactSizeIterator<Item = u64> {
        self.lost.iter().map(|word| word.load(Relaxed))
    }

    /// Returns the numbers of rows and columns.
    pub fn size(&self) -> (usize, usize) {
        (self.rows, self.columns)
    }

    /// Returns whether the side to move loses against best play.
    pub fn is_lost(&self, black: Squares) -> bool {
        let first_row = black & ((1 << self.columns) - 1);
        self.lost[(black >> self.columns) as usize].load(Relaxed) >> first_row & 1 == 1
    }
}

/// A segment in the rows after the first: all its squares, and its first and last square.
struct Segment {
    squares: usize,
    ends: usize,
}

/// The moves on a board, by their effect on words.
struct Moves {
    /// The number of bits in a word's index.
    bits: usize,
    /// The existing positions of a word, fewer than 64 on narrow boards.
    all: u64,
    /// The segments within the other rows.
    others: Vec<Segment>,
    /// The segments from the first row down a column: the column, and the part in the other rows.
    down: Vec<(usize, Segment)>,
    /// For each position of the first row, the positions from which a move within that row leads to
    /// it.
    before: Vec<u64>,
}

impl Moves {
    fn new(rows: usize, columns: usize) -> Self {
        let square = |row: usize, column: usize| 1usize << ((row - 1) * columns + column);
        let mut others = Vec::new();
        for row in 1..rows {
            for first in 0..columns {
                for last in first..columns {
                    let squares = (first..=last).map(|column| square(row, column)).sum();
                    others.push(Segment { squares, ends: square(row, first) | square(row, last) });
                }
            }
        }
        let mut down = Vec::new();
        for column in 0..columns {
            for last in 1..rows {
                for first in 1..last {
                    let squares = (first..=last).map(|row| square(row, column)).sum();
                    others.push(Segment { squares, ends: square(first, column) | square(last, column) });
                }
                let squares = (1..=last).map(|row| square(row, column)).sum();
                down.push((column, Segment { squares, ends: square(last, column) }));
            }
        }
        let positions = 1usize << columns;
        let mut before = vec![0; positions];
        for (to, before) in before.iter_mut().enumerate() {
            for first in 0..columns {
                for last in first..columns {
                    let segment = (2 << last) - (1 << first);
                    for from in (0..to).filter(|from| from | segment == to) {
                        *before |= 1u64 << from;
                    }
                }
            }
        }
        let all = if positions == 64 { u64::MAX } else { (1 << positions) - 1 };
        Moves { bits: (rows - 1) * columns, all, others, down, before }
    }

    fn solve(&self, lost: &[AtomicU64]) {
        let block = self.bits.min(BLOCK);
        let mut by_count = vec![Vec::new(); block + 1];
        for low in 0usize..1 << block {
            by_count[low.count_ones() as usize].push(low);
        }
        for black in (0..=self.bits).rev() {
            (0usize..1 << (self.bits - block)).into_par_iter().for_each(|high| {
                let left = black.checked_sub(high.count_ones() as usize);
                for low in left.and_then(|left| by_count.get(left)).into_iter().flatten() {
                    let word = high << block | low;
                    lost[word].store(self.lost_in(word, lost), Relaxed);
                }
            });
        }
    }

    /// Returns the lost positions of a word, once all fuller words are computed.
    fn lost_in(&self, word: usize, lost: &[AtomicU64]) -> u64 {
        let mut won = 0;
        for segment in &self.others {
            if word & segment.ends == 0 {
                won |= lost[word | segment.squares].load(Relaxed);
            }
        }
        for (column, segment) in &self.down {
            if word & segment.ends == 0 {
                let reached = lost[word | segment.squares].load(Relaxed) & BLACK[*column];
                won |= reached | reached >> (1 << column);
            }
        }
        // Fuller positions first: a position without a move to a lost position is lost.
        let mut open = self.all & !won;
        let mut found = 0;
        while open != 0 {
            let fullest = 63 - open.leading_zeros();
            found |= 1 << fullest;
            open &= !(1 << fullest | self.before[fullest as usize]);
        }
        found
    }
}

#[cfg(test)]
mod tests;
