//! Mirrored positions: they have equal values, and the player makes mirrored moves in them.

use super::board::{Board, Cell};
use super::position::{Move, Position};

/// The reflections to apply; applying them twice restores the position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mirror<const FILES: usize, const RANKS: usize> {
    /// Swaps the first file with the last one, and so on.
    pub files: bool,
    /// Swaps the first rank with the last one, and so on.
    pub ranks: bool,
}

impl<const FILES: usize, const RANKS: usize> Mirror<FILES, RANKS> {
    /// Returns the reflections that bring a position into its standard form: the black king on the
    /// lower files and ranks. On a middle line the white king decides, or else the rook.
    pub fn to_standard(position: &Position<FILES, RANKS>) -> Self {
        let pieces = [position.black, position.king, position.rook].map(Board::<FILES, RANKS>::place);
        let is_upper = |line: i8, lines: usize| 2 * line > lines as i8 - 1;
        let is_middle = |line: i8, lines: usize| 2 * line == lines as i8 - 1;
        Mirror {
            files: pieces.iter().find(|at| !is_middle(at.0, FILES)).is_some_and(|at| is_upper(at.0, FILES)),
            ranks: pieces.iter().find(|at| !is_middle(at.1, RANKS)).is_some_and(|at| is_upper(at.1, RANKS)),
        }
    }

    /// Returns the mirrored cell.
    pub fn cell(self, cell: Cell) -> Cell {
        let (file, rank) = (usize::from(cell) % FILES, usize::from(cell) / FILES);
        let file = if self.files { FILES - 1 - file } else { file };
        let rank = if self.ranks { RANKS - 1 - rank } else { rank };
        (rank * FILES + file) as Cell
    }

    /// Returns the mirrored position.
    pub fn position(self, position: &Position<FILES, RANKS>) -> Position<FILES, RANKS> {
        Position { king: self.cell(position.king), rook: self.cell(position.rook), black: self.cell(position.black) }
    }

    /// Returns the mirrored move.
    pub fn step(self, step: Move) -> Move {
        match step {
            Move::King(cell) => Move::King(self.cell(cell)),
            Move::Rook(cell) => Move::Rook(self.cell(cell)),
        }
    }
}

/// Returns the standard form of a position, which all its mirror images share.
pub fn standard<const FILES: usize, const RANKS: usize>(position: &Position<FILES, RANKS>) -> Position<FILES, RANKS> {
    Mirror::to_standard(position).position(position)
}
