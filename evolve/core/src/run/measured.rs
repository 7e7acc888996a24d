//! What is compared: finalists, and what counts of their outcomes.

use crate::comparison::{Difference, Units, rates};
use crate::config::Job;
use crate::optimizer::FinalistKind;
use crate::problem::Problem;
use crate::seed::Purpose;
use crate::statistics::Estimate;
use crate::trial::Outcome;
use serde::{Deserialize, Serialize};

/// What counts of an outcome.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Measured {
    /// What is optimized.
    pub objective: f64,
    /// The contest's score.
    pub score: f64,
    /// Whether the trial failed and counted all the same.
    #[serde(default, skip_serializing_if = "is_false")]
    pub failed: bool,
}

impl From<&Outcome> for Measured {
    fn from(outcome: &Outcome) -> Self {
        Measured { objective: outcome.objective, score: outcome.score, failed: outcome.failure.is_some() }
    }
}

fn is_false(value: &bool) -> bool {
    !value
}

/// One of those among whom the final round chooses.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Finalist {
    /// Which point of the search it is.
    pub kind: FinalistKind,
    /// The generation that it is from.
    pub generation: u64,
    /// All values.
    pub weights: Vec<f64>,
    /// How many evolving parameters change outcomes, and so differ from the start; `None` if that is not known.
    #[serde(default)]
    pub matter: Option<usize>,
}

/// The differences of two candidates on the same deals, deal by deal, the first less the second.
pub fn differences(problem: &dyn Problem, of: &[Measured], other: &[Measured]) -> Vec<Difference> {
    let by_ratio = problem.is_rated_by_ratio();
    let difference = |(of, other): (&Measured, &Measured)| {
        let rates = rates(by_ratio, &[of.objective, other.objective]);
        Difference { value: rates[0] - rates[1], failed: [of.failed, other.failed] }
    };
    of.iter().zip(other).map(difference).collect()
}

/// How much better one candidate is than another on the first deals of a purpose, by the means of units that are
/// independent.
pub fn difference(job: &Job, purpose: Purpose, of: &[Measured], other: &[Measured]) -> Estimate {
    let differences = differences(&*job.source.problem, of, other);
    let units = Units::of(&*job.source.problem, purpose, differences.len());
    let values = units.observations_by_number(&differences).into_iter().map(|difference| difference.value);
    Estimate::of(&values.collect::<Vec<_>>())
}

/// The contest's scores.
pub fn scores(of: &[Measured]) -> Vec<f64> {
    of.iter().map(|measured| measured.score).collect()
}

/// What is optimized.
pub fn objectives(of: &[Measured]) -> Vec<f64> {
    of.iter().map(|measured| measured.objective).collect()
}
