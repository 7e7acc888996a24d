//! Compares the board as a mask with the slow twin.

use super::twin::{self, Board, Move};
use policy::black_out::board::{self, moves, square, Squares, ALL, SEGMENT};
use std::collections::BTreeSet;

/// Returns the black squares of the twin.
pub fn squares(board: &Board) -> Squares {
    let mut black = 0;
    for (r, row) in board.iter().enumerate() {
        for (c, &is_black) in row.iter().enumerate() {
            if is_black {
                black |= square(r as u8, c as u8);
            }
        }
    }
    black
}

/// Checks that both implementations agree on a board. Returns the legal moves.
pub fn compare(board: &Board, black: Squares) -> Vec<Move> {
    assert_eq!(squares(board), black);
    assert_eq!(twin::is_over(board), black == ALL);
    let legal = twin::moves(board);
    let expected: BTreeSet<Squares> = legal.iter().map(|&step| squares(&twin::play(board, step))).collect();
    let reached: BTreeSet<Squares> = moves(black).map(|i| black | SEGMENT[i].squares).collect();
    assert_eq!(reached, expected);
    assert_eq!(board::finish(black).is_some(), expected.contains(&ALL));
    legal
}
