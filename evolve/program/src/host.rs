//! Trials that a host plays, such as the process that talks to `evolve serve`.

use evolve_search::model::trial::Case;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::time::Duration;

/// The placeholder of the function in the command of a job whose trials a host plays.
pub const FUNCTION: &str = "function";

/// A trial in one scenario.
pub struct HostTrial<'a> {
    pub case: &'a Case,
    /// The index of the scenario.
    pub scenario: usize,
    pub values: &'a [f64],
    /// The object that a worker would read.
    pub object: Map<String, Value>,
}

/// The answer to a trial.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum HostAnswer {
    /// The score, and metrics by name.
    Score(f64, BTreeMap<String, f64>),
    /// A failure with its reason, which counts as the job's `on_failure` for `exit`.
    Failed(String),
}

/// Plays trials, several of them simultaneously.
pub trait Host: Send + Sync {
    /// Plays a trial. Returns the answer with the run time, or `None` if the run is to stop.
    fn play(&self, trial: HostTrial<'_>) -> Option<(HostAnswer, Duration)>;
}
