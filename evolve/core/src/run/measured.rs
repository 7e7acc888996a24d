//! What is compared: finalists, and what counts of their outcomes.

use crate::comparison::Units;
use crate::config::Job;
use crate::optimizer::FinalistKind;
use crate::seed::Purpose;
use crate::statistics::Estimate;
use serde::{Deserialize, Serialize};

/// What counts of an outcome.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Measured {
    /// What is optimized.
    pub objective: f64,
    /// The contest's score.
    pub score: f64,
}

/// One of those among whom the final round chooses.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Finalist {
    /// Which point of the search it is.
    pub kind: FinalistKind,
    /// The generation that it is from.
    pub generation: u64,
    /// All values.
    pub weights: Vec<f64>,
}

/// How much better one candidate is than another on the first deals of a purpose, by the means of units that are
/// independent.
pub fn difference(job: &Job, purpose: Purpose, of: &[Measured], start: &[Measured]) -> Estimate {
    let differences: Vec<f64> = of.iter().zip(start).map(|(of, start)| of.objective - start.objective).collect();
    let units = Units::of(job.source.problem, purpose, differences.len());
    Estimate::of(&units.means_by_number(&differences))
}

/// The contest's scores.
pub fn scores(of: &[Measured]) -> Vec<f64> {
    of.iter().map(|measured| measured.score).collect()
}

/// What is optimized.
pub fn objectives(of: &[Measured]) -> Vec<f64> {
    of.iter().map(|measured| measured.objective).collect()
}
