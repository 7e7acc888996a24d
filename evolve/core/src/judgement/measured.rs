//! The part of an outcome that comparisons use, and paired differences of such outcomes.

use crate::job::Job;
use crate::judgement::comparison::{Difference, Units};
use evolve_search::document::is_default;
use evolve_search::model::constraint::Constraint;
use evolve_search::model::problem::Problem;
use evolve_search::model::rating::Rating;
use evolve_search::model::seed::Split;
use evolve_search::model::trial::{INSTANCE, Outcome};
use evolve_search::statistics::{Estimate, mean};
use serde::{Deserialize, Serialize};

/// The part of an outcome that comparisons use.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Measured {
    pub objective: f64,
    /// The contest's score.
    pub score: f64,
    /// Whether the trial failed and was counted.
    #[serde(default, skip_serializing_if = "is_default")]
    pub failed: bool,
    /// Whether the trial was capped: objective and score are bounds.
    #[serde(default, skip_serializing_if = "is_default")]
    pub capped: bool,
    /// The quantity of each constraint; empty if the problem has none, or the trial failed or was
    /// capped.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub quantities: Vec<f64>,
    /// The objective in each scenario, if a trial plays several.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub scenarios: Vec<f64>,
    /// The groups of the instance, without the instance itself, in a test; empty elsewhere.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub groups: Vec<String>,
}

/// Reads what counts of the outcomes of a problem.
pub struct Measuring {
    constraints: Vec<Constraint>,
    /// The number of groups of an instance, besides the instance itself, that are kept.
    groups: usize,
}

impl Measuring {
    /// Reads outcomes of a problem, with the groups of instances or without.
    pub fn new(problem: &dyn Problem, with_groups: bool) -> Self {
        let names = if with_groups { problem.metrics().groups } else { Vec::new() };
        // A list of instances is the last group.
        let groups = names.iter().take_while(|name| *name != INSTANCE).count();
        Measuring { constraints: problem.constraints(), groups }
    }

    /// Returns what counts of an outcome.
    pub fn of(&self, outcome: &Outcome) -> Measured {
        let measured = Measured::of_scores(outcome);
        let values = self.constraints.iter().map(|constraint| outcome.metrics.get(constraint.metric).copied());
        let quantities: Option<Vec<f64>> = values.filter(|_| measured.is_whole()).collect();
        let groups = outcome.groups.iter().take(self.groups).cloned().collect();
        Measured { quantities: quantities.unwrap_or_default(), groups, ..measured }
    }
}

impl Measured {
    /// Reads only the scores of an outcome: no quantities of constraints, and no groups.
    pub fn of_scores(outcome: &Outcome) -> Self {
        Measured {
            objective: outcome.objective,
            score: outcome.score,
            failed: outcome.failure.is_some(),
            capped: outcome.capped,
            quantities: Vec::new(),
            scenarios: outcome.scenarios.clone(),
            groups: Vec::new(),
        }
    }

    /// Returns whether the trial reached a score of its own: it neither failed nor was capped.
    fn is_whole(&self) -> bool {
        !self.failed && !self.capped
    }

    /// Returns whether score and objective are only bounds.
    pub fn is_bound(&self) -> bool {
        self.capped
    }
}

/// Returns the [rates](Rating::rates) of candidates on one case. Ratios are rated within each
/// scenario, and averaged over all of them: the mean of several ratios to one candidate's scores
/// would favour the others, if scores are noisy.
pub fn rated(rating: Rating, all: &[&Measured]) -> Vec<f64> {
    let count = all.iter().map(|one| one.scenarios.len()).min().unwrap_or(0);
    if !rating.is_ratio() || count == 0 {
        return rating.rates(&all.iter().map(|one| one.objective).collect::<Vec<_>>());
    }
    let mut sums = vec![0.0; all.len()];
    for scenario in 0..count {
        let objectives: Vec<f64> = all.iter().map(|one| one.scenarios[scenario]).collect();
        sums.iter_mut().zip(rating.rates(&objectives)).for_each(|(sum, rate)| *sum += rate);
    }
    sums.iter().map(|sum| sum / count as f64).collect()
}

/// Returns the differences of two candidates on the same cases, case by case, the first minus the
/// second.
pub fn differences(problem: &dyn Problem, of: &[Measured], other: &[Measured]) -> Vec<Difference> {
    let rating = problem.rating();
    let difference = |(of, other): (&Measured, &Measured)| {
        let rates = rated(rating, &[of, other]);
        Difference { value: rates[0] - rates[1], failed: [of.failed, other.failed] }
    };
    of.iter().zip(other).map(difference).collect()
}

/// Returns the differences of two candidates from whole outcomes.
pub fn differences_of(problem: &dyn Problem, of: &[Outcome], other: &[Outcome]) -> Vec<Difference> {
    let [of, other] = [of, other].map(|all| all.iter().map(Measured::of_scores).collect::<Vec<_>>());
    differences(problem, &of, &other)
}

/// Estimates how much better the first candidate is than the other on the first cases of a split,
/// from the means of independent units.
pub fn difference(job: &Job, split: Split, of: &[Measured], other: &[Measured]) -> Estimate {
    let differences = differences(&*job.problem, of, other);
    let units = Units::of(&*job.problem, split, differences.len());
    let values = units.observations_by_number(&differences).into_iter().map(|difference| difference.value);
    Estimate::of(&values.collect::<Vec<_>>())
}

/// Returns whether differences of objectives are differences of the contest's scores with this
/// sign.
pub fn are_scores<'a>(problem: &dyn Problem, sign: f64, mut all: impl Iterator<Item = &'a Measured>) -> bool {
    !problem.rating().is_ratio() && all.all(|measured| measured.objective == sign * measured.score)
}

/// The loss of a score that becomes ten times worse, where objectives are logarithms.
pub const TENFOLD: f64 = std::f64::consts::LN_10;

/// Returns a loss that must be thought possible, though none was seen: the whole objective where
/// objectives are ratios, a score ten times worse where they are logarithms, else as much as the
/// baseline's objective is from 0 in the mean.
pub fn possible_loss(problem: &dyn Problem, baseline: &[Measured]) -> f64 {
    match problem.rating() {
        Rating::Ratio => 1.0,
        Rating::Objective if problem.goal().is_some_and(|goal| goal.logarithm) => TENFOLD,
        Rating::Objective => mean(&baseline.iter().map(|measured| measured.objective.abs()).collect::<Vec<_>>()),
    }
}

/// Returns the differences of the contest's scores, case by case, the first minus the second.
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

pub fn objectives(of: &[Measured]) -> Vec<f64> {
    of.iter().map(|measured| measured.objective).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use evolve_search::model::seed::generator;
    use evolve_search::optimizer::sampling::normal;

    /// Two candidates with equally distributed scores in six scenarios of different sizes.
    #[test]
    fn ratios_of_equal_candidates_are_no_gain_in_several_scenarios() {
        let mut random = generator(5);
        let mut one = || {
            let score = |size: i32| f64::powi(4.0, size) * libm::exp(0.3 * normal(&mut random));
            let scenarios: Vec<f64> = (0..6).map(score).collect();
            Measured { objective: mean(&scenarios), scenarios, ..Measured::default() }
        };
        let differences: Vec<f64> = (0..4000)
            .map(|_| {
                let rates = rated(Rating::Ratio, &[&one(), &one()]);
                rates[0] - rates[1]
            })
            .collect();
        let estimate = Estimate::of(&differences);
        assert!(estimate.mean.abs() < 3.0 * estimate.standard_error, "{estimate:?}");
        // A failure in one of two scenarios costs half, at any sizes.
        let of = |scenarios: [f64; 2]| Measured { scenarios: scenarios.to_vec(), ..Measured::default() };
        assert_eq!(rated(Rating::Ratio, &[&of([0.0, 7.0]), &of([1000.0, 7.0])]), [0.5, 1.0]);
    }
}
