//! The values that sampled completions decide by, with where their lines end. They are for whoever asks why; no player
//! needs them.

use super::super::beam::lines::{End, Found};
use super::super::beam::Known;
use super::super::board::{tiles, Tile};
use super::super::evaluation::Evaluation;
use super::super::position::Position;
use super::{complete, Sampled, MOST, NEAR};
use crate::random::SplitMix64;

impl Sampled {
    /// The removals that are searched over completions, with the mean of their best lines there, in the order in which
    /// they look best; only one if all others look much worse on the visible tiles.
    pub fn alternatives(&mut self, position: &Position, known: &Known, evaluation: &Evaluation) -> Vec<Found> {
        let found = |first: Tile, end: End| Found { first, value: end.value(evaluation), end, path: Vec::new() };
        if evaluation.alphabet().size() == 1 {
            return self.beam.alternatives(position, known, evaluation);
        }
        let legal = tiles(position.legal());
        let mut candidates: Vec<Found> =
            legal.map(|tile| found(tile, self.beam.best_end(position, tile, known, evaluation))).collect();
        candidates.sort_by(|a, b| b.value.total_cmp(&a.value));
        let best = candidates[0].value;
        let count = candidates.iter().take(MOST).take_while(|candidate| candidate.value >= best - NEAR).count();
        if count == 1 || self.samples == 0 {
            return candidates;
        }
        candidates.truncate(count);
        let mut random = SplitMix64::new(position.seed());
        let mut ends: Vec<Vec<End>> = vec![Vec::new(); count];
        for _ in 0..self.samples {
            let known = complete(known, position, evaluation, &mut random);
            for (candidate, ends) in candidates.iter().zip(&mut ends) {
                ends.push(self.beam.best_end(position, candidate.first, &known, evaluation));
            }
        }
        candidates.into_iter().zip(ends).map(|(candidate, ends)| found(candidate.first, End::Any(ends))).collect()
    }
}
