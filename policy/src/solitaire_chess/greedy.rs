//! The greedy player, which looks one removal ahead.
//!
//! A quick evaluation, with the board's prospects before the removals, finds the candidates. If the
//! choice is in doubt, a close evaluation of each candidate, with the prospects after it, decides.

use super::board::{tiles, Piece, Tile};
use super::evaluation::{pair, Board, Evaluation};
use super::player::Searcher;
use super::position::Position;
use crate::clock::Clock;

/// The largest number of removals with a close evaluation.
const MOST: usize = 3;

/// The margin from which all candidates, up to the largest number, are evaluated closely.
pub const ANY: u32 = 1000;

/// The player with its working memory.
#[derive(Debug)]
pub struct Greedy {
    margin: f64,
    /// Two boards before a removal, used alternately, and one board after it for each close
    /// evaluation.
    boards: [Board; 2 + MOST],
    /// The index of the board that differs least from the next one: after the last removal, or
    /// before it.
    nearest: usize,
}

#[derive(Clone, Copy)]
struct Candidate {
    tile: Tile,
    piece: Piece,
    value: f64,
}

impl Greedy {
    /// Creates a player that evaluates closely all removals within `margin` points of the best.
    pub fn new(margin: u32) -> Box<Self> {
        let margin = if margin < ANY { f64::from(margin) } else { f64::INFINITY };
        Box::new(Greedy { margin, boards: Default::default(), nearest: 0 })
    }
}

impl Searcher for Greedy {
    fn choose(&mut self, position: &Position, evaluation: &Evaluation, _: &Clock) -> Option<Tile> {
        let legal = position.legal();
        let (tiers, bonus) = (*position.tiers(), position.bonus());
        let material = evaluation.material(&tiers);
        let now = usize::from(self.nearest == 0);
        let (board, nearest) = pair(&mut self.boards, now, self.nearest);
        self.nearest = now;
        evaluation.survey(board, nearest, *position.visible(), tiers, material);
        // If all of them are evaluated closely, the quick evaluation is unnecessary.
        let all = self.margin == f64::INFINITY && legal.count_ones() as usize <= MOST;
        let none = Candidate { tile: tiles(legal).next()?, piece: Piece::One, value: f64::NEG_INFINITY };
        let mut best = none;
        let mut candidates = [none; MOST];
        let mut count = 0;
        for tile in tiles(legal) {
            let Some(piece) = board.piece(tile) else { continue };
            let mut candidate = Candidate { tile, piece, value: 0.0 };
            if !all {
                let removal = evaluation.judge(board, bonus, tile, piece);
                candidate.value = f64::from(removal.points) + removal.future;
                if removal.next == 0 {
                    // The game ends here, so a close evaluation is unnecessary.
                    if candidate.beats(&best) {
                        best = candidate;
                    }
                    continue;
                }
            }
            let worse = |other: &Candidate| other.value < candidate.value;
            if let Some(place) = candidates.iter().position(worse) {
                candidates[place..].rotate_right(1);
                candidates[place] = candidate;
                count = MOST.min(count + 1);
            }
        }
        let far = |candidate: &Candidate| candidate.value < candidates[0].value - self.margin;
        let in_doubt = candidates[..count].iter().position(far).unwrap_or(count);
        // The best removal that continues the game is far ahead of the others.
        let is_clear = in_doubt == 1 && count > 1;
        for (i, mut candidate) in candidates.into_iter().take(in_doubt).enumerate() {
            if !is_clear {
                let (after, near) = pair(&mut self.boards, 2 + i, now);
                evaluation.survey_after(after, near, *position.visible(), &tiers, material, candidate.tile);
                let removal = evaluation.judge_closely(after, bonus, candidate.tile, candidate.piece);
                candidate.value = f64::from(removal.points) + removal.future;
            }
            if candidate.beats(&best) {
                best = candidate;
                self.nearest = if is_clear { now } else { 2 + i };
            }
        }
        Some(best.tile)
    }
}

impl Candidate {
    /// Returns whether the removal is better than the best so far, or equally good on a lower tile.
    fn beats(&self, best: &Candidate) -> bool {
        self.value > best.value || self.value == best.value && self.tile < best.tile
    }
}

#[cfg(test)]
mod tests;
