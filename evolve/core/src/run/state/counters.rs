//! The trials and seconds that a run has spent, over all stages.

use super::{Phase, is_count, is_time};
use crate::model::trial::Outcome;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// The counters of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Counters {
    /// Trials played so far.
    pub trials: Trials,
    /// Failed trials that were counted.
    pub failures: u64,
    /// Trials that were capped.
    pub capped: u64,
    /// Seconds of work, limited by `time`.
    pub seconds: f64,
}

/// Trials by stage, with the current round.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Trials {
    /// The baseline on held-out instances, before the search.
    pub baseline: u64,
    /// The search.
    pub search: u64,
    /// The validations of the search's mean.
    pub validation: u64,
    /// The selection.
    pub selection: u64,
    /// The search for parameters without effect.
    pub effects: u64,
    /// The held-out test.
    pub test: u64,
}

impl Counters {
    /// Adds the outcomes of a batch in `phase` that took `elapsed`.
    pub(super) fn add(&mut self, phase: &Phase, outcomes: &[Outcome], elapsed: Duration) {
        *self.trials.of(phase) += outcomes.len() as u64;
        self.failures += outcomes.iter().filter(|outcome| outcome.failure.is_some()).count() as u64;
        self.capped += outcomes.iter().filter(|outcome| outcome.capped).count() as u64;
        self.seconds += elapsed.as_secs_f64();
    }

    /// Returns whether counters read from a file are plausible.
    pub(super) fn fits(&self) -> bool {
        self.trials.by_stage().into_iter().all(is_count) && is_time(self.seconds)
    }
}

impl Trials {
    /// Returns the number of trials of all stages.
    pub fn all(&self) -> u64 {
        self.by_stage().into_iter().fold(0, u64::saturating_add)
    }

    fn by_stage(&self) -> [u64; 6] {
        let Trials { baseline, search, validation, selection, effects, test } = *self;
        [baseline, search, validation, selection, effects, test]
    }

    /// Returns the trials of the stage of a phase; a complete run ended with its test.
    pub(super) fn of(&mut self, phase: &Phase) -> &mut u64 {
        match phase {
            Phase::Baseline => &mut self.baseline,
            Phase::Search => &mut self.search,
            Phase::Validation => &mut self.validation,
            Phase::Selection => &mut self.selection,
            Phase::Effects(..) => &mut self.effects,
            Phase::Test(_) | Phase::Done { .. } => &mut self.test,
        }
    }
}
