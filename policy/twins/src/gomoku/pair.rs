//! Compares the position with the slow twin.

use super::twin::{Board, Mark};
use policy::gomoku::board::alone;
use policy::gomoku::board::{coordinates, Cell, Side};
use policy::gomoku::position::Position;

/// A position and its twin.
pub struct Pair {
    /// The position.
    pub fast: Position,
    /// Its twin.
    pub slow: Board,
    /// The stones in order of play.
    pub moves: Vec<(Cell, Side)>,
}

impl Default for Pair {
    fn default() -> Self {
        Self::new()
    }
}

impl Pair {
    /// The empty board.
    pub fn new() -> Self {
        Pair { fast: Position::new(), slow: Board::new(), moves: Vec::new() }
    }

    /// Puts a stone.
    pub fn put(&mut self, cell: Cell, side: Side) {
        self.fast.put(cell, side);
        let (x, y) = coordinates(cell);
        self.slow.set(x as i64, y as i64, if side == Side::Black { Mark::First } else { Mark::Second });
        self.moves.push((cell, side));
    }

    /// Takes the last stone back, and returns it.
    pub fn take(&mut self) -> (Cell, Side) {
        let (cell, side) = self.moves.pop().unwrap();
        self.fast.take(cell, side);
        let (x, y) = coordinates(cell);
        self.slow.set(x as i64, y as i64, Mark::Nothing);
        (cell, side)
    }

    /// Returns whether the game is over.
    pub fn is_over(&self) -> bool {
        self.fast.has_five(Side::Black) || self.fast.has_five(Side::White) || self.fast.is_full()
    }

    /// Checks that both implementations agree on the position.
    pub fn compare(&self) {
        for (side, mark) in [(Side::Black, Mark::First), (Side::White, Mark::Second)] {
            assert_eq!(self.fast.has_five(side), self.slow.has_five(mark));
            let completing = self.slow.completing(mark);
            let (first, second) = self.fast.fives(side);
            let found: Vec<_> = [first, second].into_iter().flatten().map(xy).collect();
            assert_eq!(found.len(), completing.len().min(2));
            assert!(found.iter().all(|cell| completing.contains(cell)));
        }
        for stones in 1..5 {
            let rows = self.slow.rows();
            let lines = rows.iter().filter(|row| {
                row.iter().filter(|&&mark| mark == Mark::Second).count() == stones && !row.contains(&Mark::First)
            });
            let state = alone(Side::White, stones as u8);
            assert_eq!(lines.count(), usize::from(self.fast.tally(state)));
            assert_eq!(self.fast.lines(state).count(), usize::from(self.fast.tally(state)));
        }
    }
}

/// Returns the coordinates of a cell as the twin counts them.
pub fn xy(cell: Cell) -> (i64, i64) {
    let (x, y) = coordinates(cell);
    (x as i64, y as i64)
}
