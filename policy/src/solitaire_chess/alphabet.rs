//! The types of piece that a group of boards has.

use super::board::{Mask, Piece, TYPES};
use super::bonus::Kind;

/// Which bonuses a group's alphabet allows at all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Alphabet {
    types: u8,
}

impl Alphabet {
    /// The types that occur among the visible tiles of a start board.
    pub fn of_board(visible: &[Mask; TYPES]) -> Self {
        let types = (0..TYPES).filter(|&t| visible[t] != 0).fold(0, |set, t| set | 1 << t);
        Alphabet { types }
    }

    /// These types.
    pub fn of(pieces: &[Piece]) -> Self {
        Alphabet { types: pieces.iter().fold(0, |set, &piece| set | 1 << piece as u8) }
    }

    /// Whether it has all types of another.
    pub fn has_all(self, other: Alphabet) -> bool {
        other.types & !self.types == 0
    }

    /// The types, ascending.
    pub fn pieces(self) -> impl Iterator<Item = Piece> {
        Piece::ALL.into_iter().filter(move |&piece| self.contains(piece))
    }

    /// How many types there are.
    pub fn size(self) -> usize {
        self.types.count_ones() as usize
    }

    /// The mean over the types.
    pub fn mean(self, value: impl FnMut(Piece) -> f64) -> f64 {
        self.pieces().map(value).sum::<f64>() / self.size() as f64
    }

    /// Whether a type occurs.
    #[inline(always)]
    pub fn contains(self, piece: Piece) -> bool {
        self.types >> piece as u8 & 1 == 1
    }

    /// Whether rook, bishop or queen occur.
    #[inline(always)]
    pub fn has_lines(self) -> bool {
        self.types & 0b111_0000 != 0
    }

    /// Whether all four types of a kind occur.
    pub fn has(self, kind: Kind) -> bool {
        self.types >> (4 * kind as u8) & 0b1111 == 0b1111
    }
}
