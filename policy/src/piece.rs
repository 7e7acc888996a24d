//! Types of pieces and their steps, shared by the puzzles on boards of stacked tiles.

/// The type of a piece; the discriminants index every table by type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Piece {
    /// Exactly one step in any of eight directions.
    One,
    /// Exactly two steps.
    Two,
    /// Exactly three steps.
    Three,
    /// Exactly four steps.
    Four,
    /// All the way to the edge along a row or column.
    Rook,
    /// All the way to the edge along a diagonal.
    Bishop,
    /// Rook or bishop.
    Queen,
    /// A knight's jump.
    Knight,
}

/// The number of types.
pub const TYPES: usize = 8;

impl Piece {
    /// All types, in the order of their discriminants.
    pub const ALL: [Piece; TYPES] =
        [Piece::One, Piece::Two, Piece::Three, Piece::Four, Piece::Rook, Piece::Bishop, Piece::Queen, Piece::Knight];

    /// Returns whether a piece of this type steps from `from` to `to` on a board of `rows` x
    /// `columns`, all 0-based. Occupied cells on the way and at the end are ignored.
    pub const fn steps(
        self,
        (rows, columns): (usize, usize),
        (r1, c1): (usize, usize),
        (r2, c2): (usize, usize),
    ) -> bool {
        let (dr, dc) = (r1.abs_diff(r2), c1.abs_diff(c2));
        if dr == 0 && dc == 0 {
            return false;
        }
        let straight = dr == 0 || dc == 0;
        let diagonal = dr == dc;
        // A rook's row ends at the left and right edge, its column at the top and bottom.
        let ends_row = c2 == 0 || c2 == columns - 1;
        let ends_column = r2 == 0 || r2 == rows - 1;
        let rook = dr == 0 && ends_row || dc == 0 && ends_column;
        let bishop = diagonal && (ends_row || ends_column);
        match self {
            Piece::One | Piece::Two | Piece::Three | Piece::Four => {
                let distance = if dr > dc { dr } else { dc };
                (straight || diagonal) && distance == self as usize + 1
            }
            Piece::Rook => rook,
            Piece::Bishop => bishop,
            Piece::Queen => rook || bishop,
            Piece::Knight => dr + dc == 3 && !straight,
        }
    }
}
