//! A slow second implementation of the rules, with a board of booleans.

use std::collections::BTreeMap;

/// Black squares by row and column.
pub type Board = [[bool; 6]; 5];

/// The row and column, from 0, of the first and the last square of a move.
pub type Move = [usize; 4];

/// Returns all legal moves.
pub fn moves(board: &Board) -> Vec<Move> {
    let mut moves = Vec::new();
    for r1 in 0..5 {
        for c1 in 0..6 {
            for r2 in r1..5 {
                for c2 in c1..6 {
                    let is_straight = r1 == r2 || c1 == c2;
                    if is_straight && play(board, [r1, c1, r2, c2]) != *board {
                        moves.push([r1, c1, r2, c2]);
                    }
                }
            }
        }
    }
    moves
}

/// Returns the board after a move.
pub fn play(board: &Board, [r1, c1, r2, c2]: Move) -> Board {
    let mut board = *board;
    for row in &mut board[r1..=r2] {
        for square in &mut row[c1..=c2] {
            *square = true;
        }
    }
    board
}

/// Returns whether all squares are black.
pub fn is_over(board: &Board) -> bool {
    board.iter().flatten().all(|&is_black| is_black)
}

/// Returns whether the side to move loses against best play. `known` caches results.
pub fn is_lost(board: &Board, known: &mut BTreeMap<Board, bool>) -> bool {
    if let Some(&is_lost) = known.get(board) {
        return is_lost;
    }
    let is_lost = !moves(board).into_iter().any(|step| is_lost(&play(board, step), known));
    known.insert(*board, is_lost);
    is_lost
}
