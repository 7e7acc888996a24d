//! What counts of outcomes, and differences of candidates by it.

use crate::job::Job;
use crate::judgement::comparison::{Difference, Units, rates};
use crate::model::problem::Problem;
use crate::model::seed::Purpose;
use crate::model::trial::Outcome;
use crate::statistics::Estimate;
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

/// The differences of two candidates on the same deals, deal by deal, the first less the second.
pub fn differences(problem: &dyn Problem, of: &[Measured], other: &[Measured]) -> Vec<Difference> {
    let by_ratio = problem.is_rated_by_ratio();
    let difference = |(of, other): (&Measured, &Measured)| {
        let rates = rates(by_ratio, &[of.objective, other.objective]);
        Difference { value: rates[0] - rates[1], failed: [of.failed, other.failed] }
    };
    of.iter().zip(other).map(difference).collect()
}

/// The same by all that came of them.
pub fn differences_of(problem: &dyn Problem, of: &[Outcome], other: &[Outcome]) -> Vec<Difference> {
    let [of, other] = [of, other].map(|all| all.iter().map(Measured::from).collect::<Vec<_>>());
    differences(problem, &of, &other)
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
