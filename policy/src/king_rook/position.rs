//! The rules: the moves of the three pieces and the end of the game.

use super::board::{Board, Cell, Cells};

/// The cells of white king, white rook and black king. The caller keeps track of whose move it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Position<const FILES: usize, const RANKS: usize> {
    /// The white king.
    pub king: Cell,
    /// The white rook.
    pub rook: Cell,
    /// The black king.
    pub black: Cell,
}

/// A position of the contest's game.
pub type Contest = Position<10, 9>;

/// A move of White.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Move {
    /// The king moves to this cell.
    King(Cell),
    /// The rook moves to this cell.
    Rook(Cell),
}

/// The state of Black, to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// The black king can move to these cells; it cannot take the rook.
    Open(Cells),
    /// The black king can take the rook: White can no longer win.
    RookLost,
    /// Black has no move and is not in check: a draw.
    Stalemate,
    /// White has won.
    Checkmate,
}

impl<const FILES: usize, const RANKS: usize> Position<FILES, RANKS> {
    /// Returns the position with the pieces on these cells. The error is the reason for which the
    /// position is illegal, whichever side is to move.
    pub fn new(king: Cell, rook: Cell, black: Cell) -> Result<Self, &'static str> {
        if king == rook || rook == black || black == king {
            Err("two pieces are on one cell")
        } else if Board::<FILES, RANKS>::neighbours(king) >> black & 1 == 1 {
            Err("the kings are side by side")
        } else {
            Ok(Position { king, rook, black })
        }
    }

    /// Returns the position's index into a table of all positions: below the cube of the number of
    /// cells.
    #[inline]
    pub fn number(&self) -> usize {
        let size = Board::<FILES, RANKS>::CELLS;
        (usize::from(self.king) * size + usize::from(self.rook)) * size + usize::from(self.black)
    }

    /// Returns whether the rook attacks the black king.
    #[inline]
    pub fn is_check(&self) -> bool {
        self.covered() >> self.black & 1 == 1
    }

    /// Returns the cells that the rook attacks through the black king: a king cannot hide behind
    /// itself.
    #[inline]
    pub fn covered(&self) -> Cells {
        Board::<FILES, RANKS>::rook_attacks(self.rook, 1 << self.king)
    }

    /// Returns the cells to which the black king can move; they include the rook's cell if it can
    /// be taken.
    #[inline]
    pub fn black_moves(&self) -> Cells {
        let beside = Board::<FILES, RANKS>::neighbours;
        beside(self.black) & !beside(self.king) & !self.covered()
    }

    /// Returns the cells to which the white king can move.
    #[inline]
    pub fn king_moves(&self) -> Cells {
        let beside = Board::<FILES, RANKS>::neighbours;
        beside(self.king) & !beside(self.black) & !(1 << self.rook)
    }

    /// Returns the cells to which the rook can move.
    #[inline]
    pub fn rook_moves(&self) -> Cells {
        let kings = 1 << self.king | 1 << self.black;
        Board::<FILES, RANKS>::rook_attacks(self.rook, kings) & !kings
    }

    /// Returns the position after a move of White.
    #[inline]
    pub fn after(&self, step: Move) -> Self {
        match step {
            Move::King(king) => Position { king, ..*self },
            Move::Rook(rook) => Position { rook, ..*self },
        }
    }

    /// Returns whether a move of White is legal.
    pub fn allows(&self, step: Move) -> bool {
        match step {
            Move::King(cell) => self.king_moves() >> cell & 1 == 1,
            Move::Rook(cell) => self.rook_moves() >> cell & 1 == 1,
        }
    }

    /// The state of Black, to move.
    #[inline]
    pub fn state(&self) -> State {
        let moves = self.black_moves();
        if moves >> self.rook & 1 == 1 {
            State::RookLost
        } else if moves != 0 {
            State::Open(moves)
        } else if self.is_check() {
            State::Checkmate
        } else {
            State::Stalemate
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position(text: &str) -> Contest {
        let mut cells = text.split(' ').map(|name| Board::<10, 9>::cell(name).unwrap());
        let mut next = || cells.next().unwrap();
        Position::new(next(), next(), next()).unwrap()
    }

    fn names(set: Cells) -> String {
        super::super::board::cells(set).map(Board::<10, 9>::name).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn endings() {
        // White king, rook, black king.
        assert_eq!(position("a3 c1 a1").state(), State::Checkmate);
        assert_eq!(position("b3 b2 a1").state(), State::Stalemate);
        assert_eq!(position("j9 b2 a1").state(), State::RookLost);
        assert_eq!(position("j9 b1 a1").state(), State::RookLost);
        let State::Open(replies) = position("c3 c1 a1").state() else { panic!("Black has moves") };
        assert_eq!(names(replies), "a2");
    }

    #[test]
    fn the_white_king_shields_the_black_one() {
        let shielded = position("e4 e1 e6");
        assert!(!shielded.is_check());
        assert_eq!(names(shielded.black_moves()), "d6 f6 d7 e7 f7");
        let open = position("d4 e1 e6");
        assert!(open.is_check());
        assert_eq!(names(open.black_moves()), "f5 d6 f6 d7 f7");
    }

    #[test]
    fn moves_of_white_stop_at_both_kings() {
        let position = position("c1 c3 c6");
        assert_eq!(names(position.rook_moves()), "c2 a3 b3 d3 e3 f3 g3 h3 i3 j3 c4 c5");
        assert_eq!(names(position.king_moves()), "b1 d1 b2 c2 d2");
        assert!(!position.allows(Move::King(0)) && position.allows(Move::Rook(12)));
    }

    #[test]
    fn impossible_positions_are_refused() {
        for (king, rook, black) in [(0, 0, 5), (0, 5, 5), (5, 0, 5), (0, 50, 1), (0, 50, 11)] {
            assert!(Contest::new(king, rook, black).is_err());
        }
        assert!(Contest::new(0, 1, 2).is_ok());
    }
}
