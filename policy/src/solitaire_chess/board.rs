//! The board: tiles as bits, the eight types of pieces, and the next removals that each type
//! allows.
//!
//! Row `r`, column `c` (from 0) is bit `10 r + c` of a [`Mask`]: the two digits of a tile are its
//! row and column.

/// The number of rows, and of columns.
pub const SIDE: usize = 6;
const STRIDE: usize = 10;

/// A tile: `10 * row + column`.
pub type Tile = u8;

/// A set of tiles, with one bit for each tile.
pub type Mask = u64;

/// All 36 tiles.
pub const ALL: Mask = TOP * LEFT;
/// The tiles of the first row.
pub const TOP: Mask = 0b11_1111;
/// The tiles of the first column.
pub const LEFT: Mask = 1 | 1 << 10 | 1 << 20 | 1 << 30 | 1 << 40 | 1 << 50;

/// Returns the tile at a row and column, from 0 and below [`SIDE`].
pub const fn tile(row: usize, column: usize) -> Tile {
    (row * STRIDE + column) as Tile
}

/// Returns the row and column of a tile, from 0.
pub const fn row_column(tile: Tile) -> (usize, usize) {
    (tile as usize / STRIDE, tile as usize % STRIDE)
}

/// Returns the tiles of a set in ascending order.
#[inline]
pub fn tiles(mut set: Mask) -> impl Iterator<Item = Tile> {
    std::iter::from_fn(move || {
        if set == 0 {
            return None;
        }
        let tile = set.trailing_zeros() as Tile;
        set &= set - 1;
        Some(tile)
    })
}

pub use crate::piece::{Piece, TYPES};

impl Piece {
    const NAMES: [&'static str; TYPES] = ["1", "2", "3", "4", "torn", "lopare", "dam", "springare"];

    /// Returns the name in the judge's dialogue.
    pub const fn name(self) -> &'static str {
        Self::NAMES[self as usize]
    }

    /// Returns the type with this name in the judge's dialogue.
    pub fn from_name(name: &str) -> Option<Piece> {
        Self::ALL.into_iter().find(|piece| piece.name() == name)
    }
}

/// The tiles that may follow the removal of a piece from a tile if all were occupied, by type and
/// tile. [`targets`] reads this table.
pub(super) static TARGETS: [[Mask; 64]; TYPES] = all_targets();

/// Returns the tiles, occupied or not, that the rules allow right after the removal of `piece` from
/// `tile`.
#[inline]
pub fn targets(piece: Piece, tile: Tile) -> Mask {
    TARGETS[piece as usize][(tile & 63) as usize]
}

const fn all_targets() -> [[Mask; 64]; TYPES] {
    let mut table = [[0; 64]; TYPES];
    let mut from = 0;
    while from < SIDE * SIDE {
        let mut to = 0;
        while to < SIDE * SIDE {
            let (r1, c1, r2, c2) = (from / SIDE, from % SIDE, to / SIDE, to % SIDE);
            let mut piece = 0;
            while piece < TYPES {
                if Piece::ALL[piece].steps((SIDE, SIDE), (r1, c1), (r2, c2)) {
                    table[piece][tile(r1, c1) as usize] |= 1 << tile(r2, c2);
                }
                piece += 1;
            }
            to += 1;
        }
        from += 1;
    }
    table
}

#[cfg(test)]
mod tests;
