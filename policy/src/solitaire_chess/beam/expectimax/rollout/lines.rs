//! The lines of play that the search found, with what rollouts make of their values. They are for whoever asks
//! why; no player needs them.

use super::super::super::super::evaluation::Evaluation;
use super::super::super::super::position::Position;
use super::super::super::lines::Found;
use super::super::super::Known;
use super::Rollout;
use crate::clock::Clock;

impl Rollout {
    /// The best line for each first removal that the search follows to its end, in the order of their tiles.
    pub fn alternatives(&mut self, position: &Position, known: &Known, evaluation: &Evaluation) -> Vec<Found> {
        let mut found = self.search.alternatives(position, known, evaluation);
        let mut values = [f64::NEG_INFINITY; 64];
        for found in &found {
            values[found.first as usize] = found.value;
        }
        self.compare(position, evaluation, &mut values, &Clock::UNLIMITED);
        for found in &mut found {
            found.value = values[found.first as usize];
        }
        found
    }
}
