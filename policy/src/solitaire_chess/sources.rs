//! Whole sets of tiles at once, and without a branch where it can be: the tiles from which one of a set is a step away,
//! and those that are a step away from it.

use super::board::{row_column, targets, tile, tiles, Mask, Piece, Tile, SIDE, TYPES};
use super::prospects::Alphabet;

/// The tiles from which the rules allow to go on to a tile of `set` once a `piece` was removed there.
#[inline(always)]
pub fn sources(piece: Piece, set: Mask) -> Mask {
    match piece {
        Piece::One => around::<1>(set),
        Piece::Two => around::<2>(set),
        Piece::Three => around::<3>(set),
        Piece::Four => around::<4>(set),
        Piece::Rook => LINES[0].ending(set),
        Piece::Bishop => LINES[1].ending(set),
        Piece::Queen => LINES[2].ending(set),
        Piece::Knight => {
            let (near, far) = (set << 1 | set >> 1, set << 2 | set >> 2);
            near << 20 | near >> 20 | far << 10 | far >> 10
        }
    }
}

/// For the numbers, the tiles that many steps from a tile of `set` in any of eight directions. What crosses the left
/// or the right edge falls between the rows.
#[inline(always)]
fn around<const STEPS: usize>(set: Mask) -> Mask {
    let beside = set << STEPS | set >> STEPS;
    let row = beside | set;
    beside | row << (10 * STEPS) | row >> (10 * STEPS)
}

/// The tiles, occupied or not, that are a step away from those of `set` where the tiles show these `types`.
#[inline(always)]
pub fn onward(types: &[Mask; TYPES], alphabet: Alphabet, set: Mask) -> Mask {
    let [one, two, three, four, rooks, bishops, queens, knights] = *types;
    // The steps of numbers and knights lead both ways.
    let both = |piece: Piece, own: Mask| if alphabet.contains(piece) { sources(piece, set & own) } else { 0 };
    let mut found = both(Piece::One, one)
        | both(Piece::Two, two)
        | both(Piece::Three, three)
        | both(Piece::Four, four)
        | both(Piece::Knight, knights);
    for tile in tiles(set & (rooks | bishops | queens)) {
        found |= targets(line(types, tile), tile);
    }
    found
}

/// Which of rook, bishop and queen a tile shows that shows one of them.
#[inline(always)]
pub fn line(types: &[Mask; TYPES], tile: Tile) -> Piece {
    let [.., bishops, queens, _] = *types;
    [Piece::Rook, Piece::Bishop, Piece::Queen][((bishops >> tile & 1) + 2 * (queens >> tile & 1)) as usize]
}

/// Counts to two for every tile at once.
#[derive(Clone, Copy, Debug, Default)]
pub struct Twice {
    /// The tiles counted at least once.
    pub once: Mask,
    /// The tiles counted at least twice.
    pub twice: Mask,
}

impl Twice {
    /// Counts each tile of a set.
    #[inline(always)]
    pub fn add(&mut self, set: Mask) {
        self.add_all(Twice { once: set, twice: 0 });
    }

    /// Counts each tile as often as the other did.
    #[inline(always)]
    pub fn add_all(&mut self, other: Twice) {
        self.twice |= self.once & other.once | other.twice;
        self.once |= other.once;
    }

    /// Each tile moved by so many places, up and down.
    #[inline(always)]
    fn both_ways(self, places: usize) -> Self {
        let (up, down) = (self.once << places, self.once >> places);
        Twice { once: up | down, twice: up & down | self.twice << places | self.twice >> places }
    }
}

/// Counts for each tile the tiles of `set` that are a step away, for a `piece` whose steps lead both ways: a number or
/// the knight.
///
/// # Panics
/// If it is another piece.
#[inline(always)]
pub fn neighbours(piece: Piece, set: Mask) -> Twice {
    let set = Twice { once: set, twice: 0 };
    match piece {
        Piece::One => neighbours_around::<1>(set),
        Piece::Two => neighbours_around::<2>(set),
        Piece::Three => neighbours_around::<3>(set),
        Piece::Four => neighbours_around::<4>(set),
        Piece::Knight => {
            let mut found = set.both_ways(1).both_ways(20);
            found.add_all(set.both_ways(2).both_ways(10));
            found
        }
        _ => unreachable!("the steps of {piece:?} lead to the edge only"),
    }
}

#[inline(always)]
fn neighbours_around<const STEPS: usize>(set: Twice) -> Twice {
    let mut found = set.both_ways(STEPS);
    let mut row = found;
    row.add_all(set);
    found.add_all(row.both_ways(10 * STEPS));
    found
}

/// For rook, bishop or queen, whose steps end on the edge: by the tiles of one side (bit `i` for the `i`-th) all tiles
/// from which one of them is a step away.
struct Lines {
    top: [Mask; 64],
    bottom: [Mask; 64],
    /// Without the corners, as are those on the right.
    left: [Mask; 16],
    right: [Mask; 16],
}

static LINES: [Lines; 3] = [Lines::of(Piece::Rook), Lines::of(Piece::Bishop), Lines::of(Piece::Queen)];

impl Lines {
    const fn of(piece: Piece) -> Lines {
        let mut lines = Lines { top: [0; 64], bottom: [0; 64], left: [0; 16], right: [0; 16] };
        let mut set = 0;
        while set < 64 {
            let mut i = 0;
            while i < SIDE {
                if set >> i & 1 == 1 {
                    lines.top[set] |= ending_at(piece, tile(0, i));
                    lines.bottom[set] |= ending_at(piece, tile(SIDE - 1, i));
                    if set < 16 {
                        lines.left[set] |= ending_at(piece, tile(1 + i, 0));
                        lines.right[set] |= ending_at(piece, tile(1 + i, SIDE - 1));
                    }
                }
                i += 1;
            }
            set += 1;
        }
        lines
    }

    #[inline(always)]
    fn ending(&self, set: Mask) -> Mask {
        self.top[(set & 63) as usize]
            | self.bottom[(set >> 50 & 63) as usize]
            | self.left[inner_column(set >> 10)]
            | self.right[inner_column(set >> 15)]
    }
}

const fn ending_at(piece: Piece, to: Tile) -> Mask {
    let mut found = 0;
    let mut from = 0;
    while from < SIDE * SIDE {
        let (row, column) = (from / SIDE, from % SIDE);
        if piece.steps((SIDE, SIDE), (row, column), row_column(to)) {
            found |= 1 << tile(row, column);
        }
        from += 1;
    }
    found
}

/// Bits 0, 10, 20 and 30 side by side: the factor brings each to its place above bit 27, and no two to the same.
#[inline(always)]
fn inner_column(set: Mask) -> usize {
    const COLUMN: Mask = 1 | 1 << 10 | 1 << 20 | 1 << 30;
    ((set & COLUMN).wrapping_mul(1 << 27 | 1 << 18 | 1 << 9 | 1) >> 27 & 0b1111) as usize
}

#[cfg(test)]
mod tests;
