//! Beam search over sampled completions: the hidden tiles are dealt at random several times, each deal is searched
//! as if it were known, and the first removal with the best mean over the deals is made.

use super::beam::{best, Beam, Known, Settings};
use super::board::{tiles, Piece, Tile};
use super::evaluation::Evaluation;
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
    /// A player that searches `samples` completions a move with a beam.
    pub fn new(beam: Settings, samples: u32) -> Self {
        Sampled { beam: Beam::new(beam), samples }
    }

    /// The removal with the best mean over the completions, `None` if there is none. When the clock runs out it is
    /// the mean over the completions searched so far.
    pub fn choose(&mut self, position: &Position, evaluation: &Evaluation, clock: &Clock) -> Option<Tile> {
        let visible = Known::visible(position, evaluation);
        let legal = position.legal();
        if legal & legal.wrapping_sub(1) == 0 || evaluation.alphabet().size() == 1 {
            return self.beam.choose(position, evaluation, clock);
        }
        let mut random = SplitMix64::new(seed(position));
        let mut sums = [0.0; 64];
        for sample in 0..self.samples.max(1) {
            if sample > 0 && clock.is_over() {
                break;
            }
            let known = complete(&visible, position, evaluation, &mut random);
            let values = self.beam.values(position, &known, evaluation, clock);
            // A first removal that fell out of the beam is worth no more than the worst that stayed in.
            let worst = values.iter().copied().filter(|value| value.is_finite()).fold(f64::INFINITY, f64::min);
            for tile in tiles(legal) {
                let value = values[tile as usize];
                sums[tile as usize] += if value.is_finite() { value } else { worst };
            }
        }
        best(legal, &sums)
    }
}

/// A seed that the position fixes, so that the same position is always searched over the same completions.
fn seed(position: &Position) -> u64 {
    position
        .visible()
        .iter()
        .chain(position.tiers())
        .fold(u64::from(position.bonus()), |seed, &set| SplitMix64::new(seed ^ set).next_u64())
}

/// What is visible, and a random piece everywhere below.
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
