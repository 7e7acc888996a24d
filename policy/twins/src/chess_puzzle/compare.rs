//! The position and the slow twin, side by side.

use super::twin::Twin;
use policy::chess_puzzle::board::{Cell, Piece};
use policy::chess_puzzle::position::Position;

/// The piece on top of a stack of the twin.
pub fn letter(twin: &Twin, row: usize, column: usize) -> Option<Piece> {
    Piece::from_letter(twin.top(row, column)?)
}

/// The place of a stack as the position counts it.
pub fn cell(twin: &Twin, (row, column): (usize, usize)) -> Cell {
    (row * twin.columns() + column) as Cell
}

/// Clicks on both sides; what shows then.
pub fn click(twin: &mut Twin, position: &mut Position, (row, column): (usize, usize)) -> Option<Piece> {
    twin.click(row, column);
    let revealed = letter(twin, row, column);
    position.click(cell(twin, (row, column)), revealed);
    revealed
}

/// Everything that the rules say of a game must be the same on both sides; gives what can be clicked.
pub fn compare(twin: &Twin, position: &Position) -> Vec<(usize, usize)> {
    let legal = twin.legal();
    let cells: Vec<Cell> = legal.iter().map(|&place| cell(twin, place)).collect();
    assert_eq!(position.legal(), cells);
    assert_eq!(position.score(), twin.score());
    assert_eq!(position.clicks() as usize, twin.clicks);
    legal
}
