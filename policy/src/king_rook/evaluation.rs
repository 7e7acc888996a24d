//! The evaluation of a position with Black to move.
//!
//! White mates by driving the black king to an edge, with the rook's line as a fence and the white
//! king to push. Each axis of the board offers such a plan, and the better one counts.

use super::board::{Board, Cells};
use super::position::Position;
use super::weights::Weights;

/// The coordinates of the three pieces on one axis.
#[derive(Clone, Copy)]
struct Axis {
    lines: i8,
    king: i8,
    rook: i8,
    black: i8,
}

impl Axis {
    /// Returns the number of lines that the rook's line leaves to the black king; all of them if
    /// the king is on that line.
    #[inline]
    fn width(&self) -> i8 {
        match self.black - self.rook {
            0 => self.lines,
            ..0 => self.rook,
            _ => self.lines - 1 - self.rook,
        }
    }

    /// Returns the number of lines from the black king to the nearer end.
    #[inline]
    fn end(&self) -> i8 {
        self.black.min(self.lines - 1 - self.black)
    }

    /// Returns the number of lines from the black king to the end on its side of the rook's line.
    #[inline]
    fn edge(&self) -> i8 {
        match self.black - self.rook {
            0 => self.end(),
            ..0 => self.black,
            _ => self.lines - 1 - self.black,
        }
    }

    /// Returns the number of lines by which the white king is past the rook's line, seen from the
    /// black king; negative on the same side.
    #[inline]
    fn beyond(&self) -> i8 {
        match self.black - self.rook {
            0 => -(self.king - self.rook).abs(),
            ..0 => self.king - self.rook,
            _ => self.rook - self.king,
        }
    }

    /// Returns the direction of the far end from the black king; 0 from a middle line.
    #[inline]
    fn far(&self) -> i8 {
        (self.lines - 1 - 2 * self.black).signum()
    }
}

fn flag(is_so: bool) -> f64 {
    f64::from(u8::from(is_so))
}

impl Weights {
    /// Returns the value of a position with Black to move, where Black has these `replies` and none
    /// takes the rook.
    #[inline]
    pub fn value<const FILES: usize, const RANKS: usize>(&self, at: &Position<FILES, RANKS>, replies: Cells) -> f64 {
        let [king, rook, black] = [at.king, at.rook, at.black].map(Board::<FILES, RANKS>::place);
        let files = Axis { lines: FILES as i8, king: king.0, rook: rook.0, black: black.0 };
        let ranks = Axis { lines: RANKS as i8, king: king.1, rook: rook.1, black: black.1 };
        let replies = replies.count_ones();
        self.strip(&files, &ranks, replies).max(self.strip(&ranks, &files, replies))
    }

    /// Returns the value of a position for the plan to press the black king against an edge of one
    /// axis.
    #[inline]
    fn strip(&self, across: &Axis, along: &Axis, replies: u32) -> f64 {
        let lines = |axis: &Axis| ((axis.king - axis.black).abs(), (axis.rook - axis.black).abs());
        let ((kings_across, rook_across), (kings_along, rook_along)) = (lines(across), lines(along));
        let (width, length, edge, beyond) = (across.width(), along.width(), across.edge(), across.beyond());
        let apart = kings_across.max(kings_along);
        let guarded = (across.king - across.rook).abs().max((along.king - along.rook).abs()) == 1;
        let gap = width - 1 - edge;
        let facing = |steps: i8| kings_across == 2 && kings_along == steps;
        let on_rook_line = rook_across == 0;
        let (king_side, rook_side) = (along.king - along.black, along.rook - along.black);
        let is_between = (along.king - along.rook) * -rook_side > 0 && (along.king - along.rook).abs() < rook_along;
        let v = |number: i8| f64::from(number);

        self.strip_width * v(width)
            + self.strip_one * flag(width == 1)
            + self.on_rook_line * flag(on_rook_line)
            + self.room_length * v(length)
            + self.room_area * f64::from(i16::from(width) * i16::from(length))
            + self.edge * v(edge)
            + self.gap * v(gap)
            + self.no_gap * flag(gap == 0)
            + self.end * v(along.end())
            + self.at_end * flag(along.end() == 0)
            + self.kings_apart * v(apart)
            + self.kings_along * v(kings_along)
            + self.kings_across * v(kings_across)
            + self.wide_apart * f64::from(i16::from(apart) * i16::from(width))
            + self.facing * flag(facing(0))
            + self.facing_check * flag(facing(0) && on_rook_line)
            + self.knight * flag(facing(1))
            + self.diagonal * flag(facing(2))
            + self.inside * flag(beyond < 0)
            + self.depth_inside * v((-beyond).max(0))
            + self.beside * flag(beyond == 0)
            + self.blocked * flag(beyond == 0 && is_between)
            + self.beyond * v((beyond - 1).max(0))
            + self.king_ahead * v((king_side * along.far()).clamp(-2, 2))
            + self.rook_ahead * flag(rook_side * along.far() > 0)
            + self.rook_opposite * flag(rook_side * king_side < 0)
            + self.rook_away * v(rook_along.min(4))
            + self.rook_guarded * flag(guarded)
            + self.rook_attacked * flag(rook_across.max(rook_along) == 1)
            + self.rook_near * flag(rook_across.max(rook_along) == 2 && !guarded)
            + self.replies * f64::from(replies)
            + self.only_reply * flag(replies == 1)
    }
}
