//! The lines of a run's log.

use super::rows::{CheckRow, GenerationRow, TrialRow};
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
    Check(CheckRow),
    /// A trial of a program.
    Trial(TrialRecord),
}

/// What is recorded of a generation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GenerationRecord {
    /// Its scores.
    pub row: GenerationRow,
    /// Of each weight that evolves: the value of the best candidate, that of the mean, the standard deviation.
    pub points: [Vec<f64>; 3],
    /// Seconds spent on trials by its end.
    pub seconds: f64,
}

/// What is recorded of a trial.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TrialRecord {
    /// What came of it.
    pub row: TrialRow,
    /// The values of the parameters that evolve, as the program is told.
    pub values: Vec<String>,
    /// How long it took, if that was measured.
    pub seconds: Option<f64>,
}

impl Record {
    /// Trials played by its end.
    pub fn games(&self) -> u64 {
        match self {
            Record::Generation(of) => of.row.games_played,
            Record::Check(row) => row.games_played,
            Record::Trial(of) => of.row.trial.saturating_add(1),
        }
    }
}
