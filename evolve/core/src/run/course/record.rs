//! The records of a run's log, one on each line.

use super::rows::{GenerationRow, TrialRow, ValidationRow};
use serde::{Deserialize, Serialize};

/// A line of the log.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Record {
    Generation(GenerationRecord),
    /// The comparison of a candidate with the baseline.
    Validation(ValidationRow),
    /// The outcome of a trial of a program.
    Trial(TrialRecord),
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GenerationRecord {
    /// The scores of the generation.
    pub row: GenerationRow,
    /// For each tuned parameter: the value of the best candidate, the mean, the standard deviation.
    pub points: [Vec<f64>; 3],
    /// The seconds spent on trials up to the end of the generation.
    pub seconds: f64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TrialRecord {
    /// The outcome of the trial.
    pub row: TrialRow,
    /// The values of the tuned parameters, as the program receives them.
    pub values: Vec<String>,
    /// The duration of the trial, if it was measured.
    pub seconds: Option<f64>,
    /// The time at which it began, as in RFC 3339, if it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub started: Option<String>,
    /// The objective in each scenario, if there are several.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub scenarios: Vec<f64>,
}

impl Record {
    /// Returns the number of trials played by the time of the record.
    pub fn trials(&self) -> u64 {
        match self {
            Record::Generation(of) => of.row.trials_played,
            Record::Validation(row) => row.trials_played,
            Record::Trial(of) => of.row.trial.saturating_add(1),
        }
    }
}
