//! The trials and seconds that a run has spent, over all stages.

use super::{Phase, is_count, is_time};
use crate::job::ByStage;
use crate::model::trial::Outcome;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// The counters of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Counters {
    /// Trials played so far, including those of the current round.
    pub trials: ByStage<u64>,
    /// Failed trials that were counted.
    pub failures: ByStage<u64>,
    /// Trials that were capped.
    pub capped: u64,
    /// Seconds of work, limited by `time`.
    pub seconds: f64,
}

impl Counters {
    /// Adds the outcomes of a batch in `phase` that took `elapsed`.
    pub(super) fn add<'o>(&mut self, phase: &Phase, outcomes: impl Iterator<Item = &'o Outcome>, elapsed: Duration) {
        for outcome in outcomes {
            *self.trials.of(phase) += 1;
            *self.failures.of(phase) += u64::from(outcome.failure.is_some());
            self.capped += u64::from(outcome.capped);
        }
        self.seconds += elapsed.as_secs_f64();
    }

    /// Returns whether counters read from a file are plausible.
    pub(super) fn fits(&self) -> bool {
        self.trials.numbers().into_iter().chain(self.failures.numbers()).all(is_count) && is_time(self.seconds)
    }
}

impl ByStage<u64> {
    /// Returns the trials of the stage of a phase; a complete run ended with its test.
    pub(in crate::run) fn of(&mut self, phase: &Phase) -> &mut u64 {
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
