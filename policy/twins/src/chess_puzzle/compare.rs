//! Compares the position with the slow twin.

use super::twin::Twin;
use policy::chess_puzzle::board::{Cell, Piece};
use policy::chess_puzzle::position::Position;

/// Returns the piece on top of a stack of the twin.
pub fn letter(twin: &Twin, row: usize, column: usize) -> Option<Piece> {
    Piece::from_letter(twin.top(row, column)?)
}

/// Returns the cell of the position for a stack.
pub fn cell(twin: &Twin, (row, column): (usize, usize)) -> Cell {
    (row * twin.columns() + column) as Cell
}

/// Clicks in both implementations, and returns the revealed piece.
pub fn click(twin: &mut Twin, position: &mut Position, (row, column): (usize, usize)) -> Option<Piece> {
    twin.click(row, column);
    let revealed = letter(twin, row, column);
    position.click(cell(twin, (row, column)), revealed);
    revealed
}

/// Checks that both implementations agree on a game. Returns the legal clicks.
pub fn compare(twin: &Twin, position: &Position) -> Vec<(usize, usize)> {
    let legal = twin.legal();
    let cells: Vec<Cell> = legal.iter().map(|&place| cell(twin, place)).collect();
    assert_eq!(position.legal(), cells);
    assert_eq!(position.score(), twin.score());
    assert_eq!(position.clicks() as usize, twin.clicks);
    legal
}
