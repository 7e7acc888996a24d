//! The trials and seconds that a run has spent, and how its trials ended.

use crate::job::{ByStage, Stage};
use evolve_search::model::trial::Outcome;
use serde::{Deserialize, Serialize};

/// The trials and seconds that a run has spent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Counters {
    /// Trials so far, including the current schedule.
    pub trials: ByStage<u64>,
    /// Failed trials that were counted.
    pub failures: ByStage<u64>,
    /// Trials that were capped.
    pub capped: u64,
    /// The seconds of the longest trial.
    #[serde(default)]
    pub longest: ByStage<f64>,
    /// Seconds of work, limited by `time`.
    pub seconds: f64,
}

impl Counters {
    /// Adds a trial of a stage, apart from its part in the work.
    pub(super) fn add(&mut self, stage: Stage, outcome: &Outcome) {
        self.trials[stage] += 1;
        self.failures[stage] += u64::from(outcome.failure.is_some());
        self.capped += u64::from(outcome.capped);
        let seconds = outcome.time_of_run().map_or(0.0, |time| time.as_secs_f64());
        self.longest[stage] = self.longest[stage].max(seconds);
    }
}

/// The trials that ended without a score of their own, as programs read it. Before the first
/// checkpoint, their numbers are unknown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Ends {
    /// The number of failed trials that were counted.
    pub failures: Option<u64>,
    pub capped: Option<u64>,
}

impl Ends {
    pub(super) fn of(counters: &Counters) -> Self {
        Ends { failures: Some(counters.failures.total()), capped: Some(counters.capped) }
    }

    /// Returns the numbers in words, the more important one first, such as `3 failed`; `None` in
    /// place of none.
    pub fn in_words(&self) -> [Option<String>; 2] {
        [(self.failures, "failed"), (self.capped, "capped")].map(|(count, how)| {
            let count = count.filter(|&count| count > 0)?;
            Some(format!("{count} {how}"))
        })
    }
}
