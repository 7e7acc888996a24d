//! The player: a full-width search a few moves deep, over the evaluation.
//!
//! The move is the one of the largest minimax value; of equal ones the one that is better on the
//! spot, then the first in the order of [`moves`]. Nothing else counts, neither the time nor the
//! game so far: a player that mates from every position does so in every game.

use super::board::{cells, Board, Cells};
use super::position::{Move, Position, State};
use super::symmetry::Mirror;
use super::weights::Weights;

/// The value of a mate on the board; each move of White until then takes 1 off.
pub const MATE: i32 = 1_000_000_000;

/// The value of a draw.
pub const DRAW: i32 = -MATE;

/// Values of the evaluation stay within this.
const LIMIT: f64 = 50_000_000.0;

/// The unit of the evaluation in values of the search.
const UNIT: f64 = 1000.0;

/// Returns the value of a position with Black to move and these replies, none of which takes the
/// rook.
#[inline]
pub fn leaf<const FILES: usize, const RANKS: usize>(
    weights: &Weights,
    position: &Position<FILES, RANKS>,
    replies: Cells,
) -> i32 {
    (weights.value(position, replies) * UNIT).clamp(-LIMIT, LIMIT) as i32
}

/// Returns a value one move of White earlier: a nearer mate is worth more.
#[inline]
pub fn later(value: i32) -> i32 {
    if value > MATE / 2 {
        value - 1
    } else {
        value
    }
}

/// Returns the value of a position with Black to move, from the value of the best line and the
/// position's own evaluation. A present advantage counts more than one within reach; otherwise
/// White could postpone it forever.
#[inline]
pub fn on_the_way(weights: &Weights, line: i32, on_the_spot: i32) -> i32 {
    if line.abs() > MATE / 2 {
        line
    } else {
        line + (weights.haste * f64::from(on_the_spot)) as i32
    }
}

/// Returns the legal moves of White in a fixed order: the rook's, then the king's, each by cell.
pub fn moves<const FILES: usize, const RANKS: usize>(position: &Position<FILES, RANKS>) -> impl Iterator<Item = Move> {
    cells(position.rook_moves()).map(Move::Rook).chain(cells(position.king_moves()).map(Move::King))
}

/// A player for successive games. It remembers its results, because the same positions recur: a
/// search costs only as much as its distinct positions.
#[derive(Clone, Debug)]
pub struct Player<const FILES: usize, const RANKS: usize> {
    weights: Weights,
    depth: usize,
    /// Values with Black to move, by the number of White's moves looked ahead, including the one
    /// just made.
    black: Vec<Values>,
    /// Values with White to move, by the number of White's moves looked ahead.
    white: Vec<Values>,
}

/// The values of all positions by number; [`UNKNOWN`] until computed.
type Values = Vec<i32>;

const UNKNOWN: i32 = i32::MIN;

impl<const FILES: usize, const RANKS: usize> Player<FILES, RANKS> {
    /// Returns a player with these weights that looks `depth` moves of White ahead, at least one.
    pub fn new(weights: Weights, depth: u32) -> Self {
        let depth = depth.max(1) as usize;
        let values = || vec![UNKNOWN; Board::<FILES, RANKS>::CELLS.pow(3)];
        Player {
            weights,
            depth,
            black: (0..depth).map(|_| values()).collect(),
            white: (1..depth).map(|_| values()).collect(),
        }
    }

    /// Returns White's move; `None` if there is none. The same position always gives the same move,
    /// and mirrored positions give mirrored moves.
    pub fn choose(&mut self, position: &Position<FILES, RANKS>) -> Option<Move> {
        let mirror = Mirror::to_standard(position);
        let position = mirror.position(position);
        let mut chosen = None;
        for step in moves(&position) {
            let after = position.after(step);
            let value = (self.black(&after, self.depth), self.black(&after, 1));
            if chosen.is_none_or(|(best, _)| value > best) {
                chosen = Some((value, step));
            }
        }
        chosen.map(|(_, step)| mirror.step(step))
    }

    /// Returns the value of a position with White to move and `left` moves to look ahead.
    fn white(&mut self, position: &Position<FILES, RANKS>, left: usize) -> i32 {
        let number = position.number();
        let known = self.white[left - 1][number];
        if known != UNKNOWN {
            return known;
        }
        let mut best = DRAW;
        for step in moves(position) {
            best = best.max(self.black(&position.after(step), left));
        }
        self.white[left - 1][number] = best;
        best
    }

    /// Returns the value of a position with Black to move, after the first of `left` moves of
    /// White.
    fn black(&mut self, position: &Position<FILES, RANKS>, left: usize) -> i32 {
        let number = position.number();
        let known = self.black[left - 1][number];
        if known != UNKNOWN {
            return known;
        }
        let value = match position.state() {
            State::Checkmate => MATE,
            State::Stalemate | State::RookLost => DRAW,
            State::Open(replies) if left == 1 => leaf(&self.weights, position, replies),
            State::Open(replies) => {
                let mut worst = MATE;
                for black in cells(replies) {
                    worst = worst.min(later(self.white(&Position { black, ..*position }, left - 1)));
                }
                let on_the_spot = self.black(position, 1);
                on_the_way(&self.weights, worst, on_the_spot)
            }
        };
        self.black[left - 1][number] = value;
        value
    }
}
