//! The part of an outcome that comparisons use, and paired differences of such outcomes.

use crate::job::Job;
use crate::judgement::comparison::{Difference, Units, rates};
use crate::model::constraint::Constraint;
use crate::model::problem::Problem;
use crate::model::seed::Split;
use crate::model::trial::{Outcome, is_usable};
use crate::statistics::Estimate;
use serde::{Deserialize, Serialize};

/// The part of an outcome that comparisons use.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Measured {
    /// The objective.
    pub objective: f64,
    /// The contest's score.
    pub score: f64,
    /// Whether the trial failed and was counted.
    #[serde(default, skip_serializing_if = "is_false")]
    pub failed: bool,
    /// Whether the trial was capped: objective and score are bounds.
    #[serde(default, skip_serializing_if = "is_false")]
    pub capped: bool,
    /// The quantity of each constraint; empty if the problem has none, or the trial failed or was capped.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub held: Vec<f64>,
}

impl Measured {
    /// The part with the quantities of these constraints.
    pub fn of(outcome: &Outcome, constraints: &[Constraint]) -> Self {
        let measured = Self::from(outcome);
        let is_whole = !measured.failed && !measured.capped;
        let values = constraints.iter().map(|constraint| outcome.parts.get(constraint.part).copied());
        let held: Option<Vec<f64>> = values.filter(|_| is_whole).collect();
        Measured { held: held.unwrap_or_default(), ..measured }
    }

    /// Returns whether data read from a file is plausible for a problem with this number of constraints.
    pub fn fits(&self, constraints: usize) -> bool {
        is_usable(self.objective)
            && (self.held.is_empty() || self.held.len() == constraints)
            && self.held.iter().all(|&value| is_usable(value))
    }
}

impl From<&Outcome> for Measured {
    fn from(outcome: &Outcome) -> Self {
        Measured {
            objective: outcome.objective,
            score: outcome.score,
            failed: outcome.failure.is_some(),
            capped: outcome.capped,
            held: Vec::new(),
        }
    }
}

fn is_false(value: &bool) -> bool {
    !value
}

/// Returns the differences of two candidates on the same deals, deal by deal, the first minus the second.
pub fn differences(problem: &dyn Problem, of: &[Measured], other: &[Measured]) -> Vec<Difference> {
    let by_ratio = problem.traits().by_ratio;
    let difference = |(of, other): (&Measured, &Measured)| {
        let rates = rates(by_ratio, &[of.objective, other.objective]);
        Difference { value: rates[0] - rates[1], failed: [of.failed, other.failed] }
    };
    of.iter().zip(other).map(difference).collect()
}

/// Returns the differences of two candidates from whole outcomes.
pub fn differences_of(problem: &dyn Problem, of: &[Outcome], other: &[Outcome]) -> Vec<Difference> {
    let [of, other] = [of, other].map(|all| all.iter().map(Measured::from).collect::<Vec<_>>());
    differences(problem, &of, &other)
}

/// Estimates how much better the first candidate is than the other on the first deals of a split, from the means of
/// independent units.
pub fn difference(job: &Job, split: Split, of: &[Measured], other: &[Measured]) -> Estimate {
    let differences = differences(&*job.source.problem, of, other);
    let units = Units::of(&*job.source.problem, split, differences.len());
    let values = units.observations_by_number(&differences).into_iter().map(|difference| difference.value);
    Estimate::of(&values.collect::<Vec<_>>())
}

/// Returns whether differences of objectives are differences of the contest's scores, so that one of them is enough.
pub fn are_scores<'a>(problem: &dyn Problem, mut all: impl Iterator<Item = &'a Measured>) -> bool {
    !problem.traits().by_ratio && all.all(|measured| measured.objective == measured.score)
}

/// Returns the differences of the contest's scores, deal by deal, the first minus the second.
pub fn differences_of_scores(of: &[Measured], other: &[Measured]) -> Vec<Difference> {
    of.iter().zip(other).map(|(of, other)| Difference::of(of.score - other.score)).collect()
}

/// Returns the contest's scores.
pub fn scores(of: &[Measured]) -> Vec<f64> {
    of.iter().map(|measured| measured.score).collect()
}

/// Returns the number of trials that failed and were counted.
pub fn failures(of: &[Measured]) -> usize {
    of.iter().filter(|measured| measured.failed).count()
}

/// Returns the objectives.
pub fn objectives(of: &[Measured]) -> Vec<f64> {
    of.iter().map(|measured| measured.objective).collect()
}
