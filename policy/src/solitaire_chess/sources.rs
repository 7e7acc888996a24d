//! Operations on whole sets of tiles, without branches where possible: the tiles that lead to a set
//! in one step, and the tiles to which a set leads.

use super::alphabet::Alphabet;
use super::board::{row_column, targets, tile, tiles, Mask, Piece, Tile, LEFT, SIDE, TOP, TYPES};

/// Returns the tiles from which the rules allow a step to a tile of `set` after the removal of
/// `piece`.
#[inline(always)]
pub fn sources(piece: Piece, set: Mask) -> Mask {
    ways(piece, set).once
}

/// Returns the tiles, occupied or not, one step away from those of `set`, where the tiles show
/// these `types`.
#[inline(always)]
pub fn onward(types: &[Mask; TYPES], alphabet: Alphabet, set: Mask) -> Mask {
    let [one, two, three, four, rooks, bishops, queens, knights] = *types;
    // Steps of numbers and knights work in both directions.
    let both = |piece: Piece, own: Mask| if alphabet.contains(piece) { sources(piece, set & own) } else { 0 };
    let found = both(Piece::One, one)
        | both(Piece::Two, two)
        | both(Piece::Three, three)
        | both(Piece::Four, four)
        | both(Piece::Knight, knights);
    if !alphabet.has_lines() {
        return found;
    }
    found | row_and_column_ends(set & (rooks | queens)) | diagonal_ends(set & (bishops | queens))
}

const BOTTOM: Mask = TOP << 50;
const RIGHT: Mask = LEFT << 5;

/// Returns the tiles at the ends of the rows and columns of a set's tiles, each as seen from
/// another tile.
#[inline(always)]
fn row_and_column_ends(set: Mask) -> Mask {
    // The addition carries to a separate bit of a row if any tile of it is in the set.
    let left = ((set & !LEFT) + 62 * LEFT) >> 6 & LEFT;
    let right = ((set & !RIGHT) + 31 * LEFT) & RIGHT;
    let top = one_to_five(set, |set, rows| set >> (10 * rows)) & TOP;
    let bottom = one_to_five(set, |set, rows| set << (10 * rows)) & BOTTOM;
    left | right | top | bottom
}

/// Returns the tiles at the ends of the diagonals of a set's tiles, each as seen from another tile.
#[inline(always)]
fn diagonal_ends(set: Mask) -> Mask {
    // No diagonal in that direction ends in the excluded corners, but shifts beyond a side might
    // come back there.
    const TOP_RIGHT: Mask = (TOP | RIGHT) & !1;
    const BOTTOM_LEFT: Mask = (BOTTOM | LEFT) & !(1 << 55);
    one_to_five(set, |set, steps| set >> (11 * steps)) & (TOP | LEFT)
        | one_to_five(set, |set, steps| set << (11 * steps)) & (BOTTOM | RIGHT)
        | one_to_five(set, |set, steps| set >> (9 * steps)) & TOP_RIGHT
        | one_to_five(set, |set, steps| set << (9 * steps)) & BOTTOM_LEFT
}

/// Returns the union of a set after one, two, three, four and five steps.
#[inline(always)]
fn one_to_five(set: Mask, steps: impl Fn(Mask, u32) -> Mask) -> Mask {
    let one = steps(set, 1);
    let two = one | steps(one, 1);
    two | steps(two, 2) | steps(one, 4)
}

/// Counts up to two for every tile at once.
#[derive(Clone, Copy, Debug, Default)]
pub struct Twice {
    /// The tiles counted at least once.
    pub once: Mask,
    /// The tiles counted at least twice.
    pub twice: Mask,
}

impl Twice {
    /// The count in which no tile is counted.
    pub const NONE: Twice = Twice::of(0);

    /// Counts each tile of a set once.
    #[inline(always)]
    pub const fn of(set: Mask) -> Self {
        Twice { once: set, twice: 0 }
    }

    /// Adds the counts of each tile.
    #[inline(always)]
    pub const fn plus(self, other: Twice) -> Self {
        Twice { once: self.once | other.once, twice: self.twice | other.twice | self.once & other.once }
    }

    /// Adds the counts moved by this number of places up and down.
    #[inline(always)]
    fn both_ways(self, places: usize) -> Self {
        let (up, down) = (self.once << places, self.once >> places);
        Twice { once: up | down, twice: up & down | self.twice << places | self.twice >> places }
    }
}

/// Counts, for each tile, the tiles of `set` that are one step away for a `piece` on it.
#[inline(always)]
pub fn ways(piece: Piece, set: Mask) -> Twice {
    match piece {
        Piece::One => ways_around::<1>(set),
        Piece::Two => ways_around::<2>(set),
        Piece::Three => ways_around::<3>(set),
        Piece::Four => ways_around::<4>(set),
        Piece::Rook => LINES[0].ways(set),
        Piece::Bishop => LINES[1].ways(set),
        Piece::Queen => LINES[2].ways(set),
        Piece::Knight => {
            let set = Twice::of(set);
            set.both_ways(1).both_ways(20).plus(set.both_ways(2).both_ways(10))
        }
    }
}

/// Counts for numbers. Steps across the left or right edge end between the rows.
#[inline(always)]
fn ways_around<const STEPS: usize>(set: Mask) -> Twice {
    let set = Twice::of(set);
    let beside = set.both_ways(STEPS);
    beside.plus(beside.plus(set).both_ways(10 * STEPS))
}

/// Counts, for each tile, the tiles of `set` from which it is one step away, where `set` shows
/// `piece`.
#[inline(always)]
pub fn visits(piece: Piece, set: Mask) -> Twice {
    match piece {
        Piece::Rook | Piece::Bishop | Piece::Queen => {
            tiles(set).fold(Twice::NONE, |found, tile| found.plus(Twice::of(targets(piece, tile))))
        }
        // Steps of numbers and knights work in both directions.
        _ => ways(piece, set),
    }
}

/// Tables for rook, bishop or queen, whose steps end on the edge: for the tiles of one side (bit
/// `i` for the `i`-th), how many of them are one step away from each tile.
struct Lines {
    top: [Twice; 64],
    bottom: [Twice; 64],
    /// The left side without the corners; the right side is the same.
    left: [Twice; 16],
    right: [Twice; 16],
}

static LINES: [Lines; 3] = [Lines::of(Piece::Rook), Lines::of(Piece::Bishop), Lines::of(Piece::Queen)];

impl Lines {
    const fn of(piece: Piece) -> Lines {
        let none = Twice::NONE;
        let mut lines = Lines { top: [none; 64], bottom: [none; 64], left: [none; 16], right: [none; 16] };
        let mut set = 0;
        while set < 64 {
            let mut i = 0;
            while i < SIDE {
                if set >> i & 1 == 1 {
                    lines.top[set] = lines.top[set].plus(ending_at(piece, tile(0, i)));
                    lines.bottom[set] = lines.bottom[set].plus(ending_at(piece, tile(SIDE - 1, i)));
                    if set < 16 {
                        lines.left[set] = lines.left[set].plus(ending_at(piece, tile(1 + i, 0)));
                        lines.right[set] = lines.right[set].plus(ending_at(piece, tile(1 + i, SIDE - 1)));
                    }
                }
                i += 1;
            }
            set += 1;
        }
        lines
    }

    #[inline(always)]
    fn ways(&self, set: Mask) -> Twice {
        let top = self.top[(set & 63) as usize];
        let bottom = self.bottom[(set >> 50 & 63) as usize];
        let left = self.left[inner_column(set >> 10)];
        let right = self.right[inner_column(set >> 15)];
        top.plus(bottom).plus(left.plus(right))
    }
}

const fn ending_at(piece: Piece, to: Tile) -> Twice {
    let mut found = 0;
    let mut from = 0;
    while from < SIDE * SIDE {
        let (row, column) = (from / SIDE, from % SIDE);
        if piece.steps((SIDE, SIDE), (row, column), row_column(to)) {
            found |= 1 << tile(row, column);
        }
        from += 1;
    }
    Twice::of(found)
}

/// Moves bits 0, 10, 20 and 30 next to each other: the factor brings each to a different place from
/// bit 27 on.
#[inline(always)]
fn inner_column(set: Mask) -> usize {
    const COLUMN: Mask = 1 | 1 << 10 | 1 << 20 | 1 << 30;
    ((set & COLUMN).wrapping_mul(1 << 27 | 1 << 18 | 1 << 9 | 1) >> 27 & 0b1111) as usize
}

#[cfg(test)]
mod tests;
