//! The types of pieces in a group of boards.

use super::board::{Mask, Piece, TYPES};
use super::bonus::Kind;

/// A set of types, which determines the possible bonuses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Alphabet {
    types: u8,
}

impl Alphabet {
    /// Returns the types among the visible tiles of a start board.
    pub fn of_board(visible: &[Mask; TYPES]) -> Self {
        let types = (0..TYPES).filter(|&t| visible[t] != 0).fold(0, |set, t| set | 1 << t);
        Alphabet { types }
    }

    /// Creates the set of these types.
    pub fn of(pieces: &[Piece]) -> Self {
        Alphabet { types: pieces.iter().fold(0, |set, &piece| set | 1 << piece as u8) }
    }

    /// Returns whether this set contains all types of another.
    pub fn has_all(self, other: Alphabet) -> bool {
        other.types & !self.types == 0
    }

    /// Returns the types in ascending order.
    pub fn pieces(self) -> impl Iterator<Item = Piece> {
        Piece::ALL.into_iter().filter(move |&piece| self.contains(piece))
    }

    /// Returns the number of types.
    pub fn size(self) -> usize {
        self.types.count_ones() as usize
    }

    /// Returns the mean of a value over the types.
    pub fn mean(self, value: impl FnMut(Piece) -> f64) -> f64 {
        self.pieces().map(value).sum::<f64>() / self.size() as f64
    }

    /// Returns whether the set contains a type.
    #[inline(always)]
    pub fn contains(self, piece: Piece) -> bool {
        self.types >> piece as u8 & 1 == 1
    }

    /// Returns whether the set contains rook, bishop or queen.
    #[inline(always)]
    pub fn has_lines(self) -> bool {
        self.types & 0b111_0000 != 0
    }

    /// Returns whether the set contains all four types of a kind.
    pub fn has(self, kind: Kind) -> bool {
        self.types >> (4 * kind as u8) & 0b1111 == 0b1111
    }
}
