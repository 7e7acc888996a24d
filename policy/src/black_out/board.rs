//! The rules: squares, segments, moves.

/// Rows of the board.
pub const ROWS: usize = 5;
/// Columns of the board.
pub const COLUMNS: usize = 6;
/// Squares of the board.
pub const SQUARES: u32 = (ROWS * COLUMNS) as u32;
/// The number of segments: 21 in each row and 15 in each column; single squares count once.
pub const SEGMENTS: usize = 165;
/// The largest number of moves in a game.
pub const LONGEST: u32 = SQUARES;

/// A set of squares: bit `6 * row + column`, both from 0. A position is the set of its black
/// squares; nothing else matters, not even whose turn it is.
pub type Squares = u32;

/// All squares: the position at the end of a game.
pub const ALL: Squares = (1 << SQUARES) - 1;
/// The squares of the first row.
pub const ROW: Squares = (1 << COLUMNS) - 1;

/// Adjacent squares in one row or column, from the first to the last one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Segment {
    /// Row and column, from 0, of the first square.
    pub from: (u8, u8),
    /// Row and column, from 0, of the last square.
    pub to: (u8, u8),
    /// All squares of the segment.
    pub squares: Squares,
    /// Its first and its last square.
    pub ends: Squares,
}

/// All segments, in the order of their first, then of their last square.
pub static SEGMENT: [Segment; SEGMENTS] = segments();

const fn segments() -> [Segment; SEGMENTS] {
    let mut all = [Segment { from: (0, 0), to: (0, 0), squares: 0, ends: 0 }; SEGMENTS];
    let mut count = 0;
    let mut first = 0;
    while first < ROWS * COLUMNS {
        let mut last = first;
        while last < ROWS * COLUMNS {
            let (r1, c1) = ((first / COLUMNS) as u8, (first % COLUMNS) as u8);
            let (r2, c2) = ((last / COLUMNS) as u8, (last % COLUMNS) as u8);
            if let Some(segment) = segment((r1, c1), (r2, c2)) {
                all[count] = segment;
                count += 1;
            }
            last += 1;
        }
        first += 1;
    }
    assert!(count == SEGMENTS);
    all
}

/// Returns the segment between two squares, each given by row and column from 0; `None` if they are
/// off the board, not in one line or in the wrong order.
pub const fn segment(from: (u8, u8), to: (u8, u8)) -> Option<Segment> {
    let is_on_board = (to.0 as usize) < ROWS && (to.1 as usize) < COLUMNS;
    let is_in_order = from.0 <= to.0 && from.1 <= to.1;
    let is_straight = from.0 == to.0 || from.1 == to.1;
    if !(is_on_board && is_in_order && is_straight) {
        return None;
    }
    let mut squares = 0;
    let mut row = from.0;
    while row <= to.0 {
        let mut column = from.1;
        while column <= to.1 {
            squares |= square(row, column);
            column += 1;
        }
        row += 1;
    }
    Some(Segment { from, to, squares, ends: square(from.0, from.1) | square(to.0, to.1) })
}

/// Returns the set of one square, given by row and column from 0.
pub const fn square(row: u8, column: u8) -> Squares {
    1 << (row as usize * COLUMNS + column as usize)
}

/// Returns the number of free squares.
pub const fn free(black: Squares) -> u32 {
    SQUARES - black.count_ones()
}

/// Returns the moves that lead to different positions, as indices into [`SEGMENT`]. Black squares
/// at an end of a segment add nothing, so the segments with two free ends stand for all legal
/// moves.
pub fn moves(black: Squares) -> impl Iterator<Item = usize> {
    (0..SEGMENTS).filter(move |&i| black & SEGMENT[i].ends == 0)
}

/// Returns the move that blackens all free squares at once, as an index into [`SEGMENT`].
pub fn finish(black: Squares) -> Option<usize> {
    moves(black).find(|&i| black | SEGMENT[i].squares == ALL)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn segments_are_the_straight_ones() {
        assert_eq!(SEGMENT[0].squares, 1);
        assert_eq!(SEGMENT.iter().filter(|s| s.squares.count_ones() == 1).count(), 30);
        assert_eq!(SEGMENT.iter().filter(|s| s.squares.count_ones() == 6).count(), 5);
        assert_eq!(segment((1, 5), (4, 5)).unwrap().squares, square(1, 5) | square(2, 5) | square(3, 5) | square(4, 5));
        for (from, to) in [((0, 0), (1, 1)), ((0, 1), (0, 0)), ((0, 0), (0, 6)), ((0, 0), (5, 0)), ((9, 9), (9, 9))] {
            assert_eq!(segment(from, to), None);
        }
    }

    #[test]
    fn moves_lead_to_different_positions_and_to_all_that_can_be_reached() {
        for seed in 0..2000u32 {
            let black = seed.wrapping_mul(0x9e37_79b9) & ALL;
            let mut reached: Vec<Squares> = moves(black).map(|i| black | SEGMENT[i].squares).collect();
            reached.sort_unstable();
            assert!(reached.windows(2).all(|pair| pair[0] != pair[1]));
            let mut expected: Vec<Squares> =
                SEGMENT.iter().map(|s| black | s.squares).filter(|&next| next != black).collect();
            expected.sort_unstable();
            expected.dedup();
            assert_eq!(reached, expected);
        }
    }
}
