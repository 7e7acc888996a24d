//! Trials that a host plays, such as the process that talks to `evolve serve`.

use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// The answer to a trial.
#[derive(Clone, Debug, PartialEq)]
pub enum HostAnswer {
    /// The score, and metrics by name.
    Score(f64, BTreeMap<String, f64>),
    /// A failure with its reason, which counts as the job's `on_failure` for `exit`.
    Failed(String),
}

/// Plays trials, several of them simultaneously.
pub trait Host: Send + Sync {
    /// Plays the trial described by the object that a worker would read. Returns `None` if the run is to stop.
    fn play(&self, trial: Map<String, Value>) -> Option<HostAnswer>;
}
