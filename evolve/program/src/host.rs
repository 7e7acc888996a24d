//! Trials that somebody else plays, such as a function of the process that speaks to `evolve serve`.

use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// The answer to a trial.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// The score, and metrics by name.
    Score(f64, BTreeMap<String, f64>),
    /// It failed, for this reason; that counts as the job's `on_failure` says for `exit`.
    Failed(String),
}

/// Plays trials, several at the same time.
pub trait Host: Send + Sync {
    /// Plays the trial that a worker would read as this object; `None` if the run is to stop.
    fn play(&self, trial: Map<String, Value>) -> Option<Answer>;
}
