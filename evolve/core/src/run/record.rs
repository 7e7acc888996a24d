//! The lines of a run's log.

use super::rows::{GenerationRow, TrialRow, ValidationRow};
use serde::{Deserialize, Serialize};

/// The name of the log.
pub const LOG: &str = "log.jsonl";

/// A line of the log.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Record {
    /// A generation.
    Generation(GenerationRecord),
    /// A policy compared with the starting weights.
    Validation(ValidationRow),
    /// A trial of a program.
    Trial(TrialRecord),
}

/// The record of a generation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GenerationRecord {
    /// Its scores.
    pub row: GenerationRow,
    /// For each tuned weight: the value of the best candidate, the mean, the standard deviation.
    pub points: [Vec<f64>; 3],
    /// Seconds spent on trials by its end.
    pub seconds: f64,
}

/// The record of a trial.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TrialRecord {
    /// The outcome.
    pub row: TrialRow,
    /// The values of the tuned parameters, as the program receives them.
    pub values: Vec<String>,
    /// How long it took, if that was measured.
    pub seconds: Option<f64>,
}

impl Record {
    /// Trials played by its end.
    pub fn games(&self) -> u64 {
        match self {
            Record::Generation(of) => of.row.trials_played,
            Record::Validation(row) => row.trials_played,
            Record::Trial(of) => of.row.trial.saturating_add(1),
        }
    }
}
