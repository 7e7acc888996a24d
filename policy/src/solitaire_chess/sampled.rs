//! Beam searches over sampled completions: the hidden tiles are dealt at random several times, each
//! deal is searched as if it were known, and the first removal with the best mean over the deals is
//! chosen.
//!
//! Every removal has its own beam: a common beam would drop all but the best of them after a few
//! removals, and their results until then mean little. Removals that are much worse on the visible
//! tiles are not searched.

use super::beam::{Beam, Known, Settings};
use super::board::{tiles, Piece, Tile};
use super::evaluation::Evaluation;
use super::player::Searcher;
use super::position::{Position, TIERS};
use crate::clock::Clock;
use crate::random::SplitMix64;

/// The player with its working memory.
#[derive(Debug)]
pub struct Sampled {
    beam: Beam,
    samples: u32,
}

impl Sampled {
    /// Creates a player that searches `samples` completions for each move with a beam.
    pub fn new(beam: Settings, samples: u32) -> Self {
        Sampled { beam: Beam::new(beam), samples }
    }

    /// Returns the removals that are searched over completions, in the order in which they look
    /// best, each with the sum of its values. A removal without a rival on the visible tiles is
    /// returned alone, with its value on these.
    pub fn values(&mut self, position: &Position, evaluation: &Evaluation, clock: &Clock) -> Vec<(Tile, f64)> {
        let visible = Known::visible(position, evaluation);
        let legal = tiles(position.legal());
        let mut candidates: Vec<(Tile, f64)> =
            legal.map(|tile| (tile, self.beam.value(position, tile, &visible, evaluation, clock))).collect();
        candidates.sort_by(|(_, a), (_, b)| b.total_cmp(a));
        let best = candidates[0].1;
        candidates.retain(|&(_, value)| value >= best - NEAR);
        candidates.truncate(MOST);
        if candidates.len() > 1 {
            for candidate in &mut candidates {
                candidate.1 = 0.0;
            }
            // The same position always has the same completions.
            let mut random = SplitMix64::new(position.seed());
            for _ in 0..self.samples {
                let known = complete(&visible, position, evaluation, &mut random);
                // A completion counts for all removals or for none.
                let values =
                    candidates.iter().map(|&(tile, _)| self.beam.value(position, tile, &known, evaluation, clock));
                let values: Vec<f64> = values.collect();
                if clock.is_over() {
                    break;
                }
                for (candidate, value) in candidates.iter_mut().zip(values) {
                    candidate.1 += value;
                }
            }
        }
        candidates
    }
}

impl Searcher for Sampled {
    /// Returns the removal with the best mean over the completions; `None` if there is none. If the
    /// clock runs out, uses the completions searched so far.
    fn choose(&mut self, position: &Position, evaluation: &Evaluation, clock: &Clock) -> Option<Tile> {
        if evaluation.alphabet().size() == 1 {
            return self.beam.choose(position, evaluation, clock);
        }
        let values = self.values(position, evaluation, clock);
        // Of equal removals, the first one wins: without completions, the one that looked best.
        values.into_iter().reduce(|best, other| if other.1 > best.1 { other } else { best }).map(|(tile, _)| tile)
    }
}

/// The largest deficit in points on the visible tiles, compared with the best removal, with which a
/// removal is searched further.
const NEAR: f64 = 10.0;
/// The largest number of removals that are searched further.
const MOST: usize = 4;

/// Completes the visible pieces by random pieces on all hidden layers.
fn complete(visible: &Known, position: &Position, evaluation: &Evaluation, random: &mut SplitMix64) -> Known {
    let mut alphabet = [Piece::One; 8];
    let mut types = 0;
    for piece in evaluation.alphabet().pieces() {
        alphabet[types] = piece;
        types += 1;
    }
    let mut known = visible.clone();
    let [bronze, silver, _] = *position.tiers();
    for (layer, hidden) in [(1, bronze), (2, bronze | silver)] {
        debug_assert!(layer < TIERS);
        for tile in tiles(hidden) {
            let piece = alphabet[random.below(types as u32) as usize];
            known.0[layer][piece as usize] |= 1 << tile;
        }
    }
    known
}
