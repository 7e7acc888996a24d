//! The test of a candidate's constraints, by its trials of one stage.
//!
//! A limit on the mean is tested like a difference from the baseline: a [`Comparison`] of the
//! distances to the limit, one-sided, with the same units, interim analyses and corrections. A
//! failed trial has no value. It counts as exactly at the limit, so that it cannot move the mean
//! across the limit.

use crate::judgement::comparison::{Comparison, Difference, Looks, Patience, Units};
use crate::judgement::measured::{Measured, Measuring};
use evolve_search::model::constraint::Constraint;
use evolve_search::model::limit::{Limit, Side, with_unit};
use evolve_search::model::problem::Problem;
use evolve_search::model::seed::Split;
use evolve_search::model::trial::Outcome;
use evolve_search::statistics::{Interval, digits, quantile};
use serde::{Deserialize, Serialize};
use std::fmt;

/// The one-sided error probability.
const ERROR: f64 = 0.05;

/// Whether a candidate satisfies a constraint, or all constraints of its problem, in the order from
/// best to worst.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Feasibility {
    /// It does: the whole confidence interval, or every trial, is within the limit.
    Feasible,
    /// Undecided: the limit lies within the interval.
    Unclear,
    /// It does not: the whole interval, or at least one trial, is beyond the limit.
    Infeasible,
}

/// The result of each constraint of a problem for a candidate, from its trials.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Findings(pub(super) Vec<Finding>);

/// The result of one constraint for a candidate, from its trials.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Finding {
    /// Whether the candidate satisfies it.
    pub(super) feasibility: Feasibility,
    /// The mean or, if the limit applies to each trial, the value farthest out.
    value: f64,
    /// The end of the one-sided 95 % confidence interval of the mean, on the side that decides: the
    /// better end if the constraint is broken, otherwise the worse one. `None` if there is no
    /// interval.
    bound: Option<f64>,
    /// Number of trials with a value, and how many of these are beyond the limit.
    trials: [usize; 2],
}

impl Findings {
    /// Returns the findings from the first trials of a split, in the order of their numbers.
    pub fn of(problem: &dyn Problem, split: Split, outcomes: &[Measured]) -> Self {
        let units = Units::of(problem, split, outcomes.len());
        let looks = Looks::once(2.0 * ERROR, units.count);
        Findings(each(problem, outcomes, &looks, |slacks| units.observations_by_number(slacks)))
    }

    /// Returns the findings from trials of a test, played unit by unit, with an interim analysis
    /// after each batch.
    pub fn of_test(problem: &dyn Problem, units: Units, outcomes: &[Measured]) -> Self {
        let looks = units.looks(2.0 * ERROR, Patience::None);
        Findings(each(problem, outcomes, &looks, |slacks| units.observations(0, slacks)))
    }

    /// Returns a line for each constraint of the problem, from whole outcomes of a candidate as in
    /// [`Findings::of_test`].
    pub fn lines_of(problem: &dyn Problem, units: Units, outcomes: &[Outcome]) -> Vec<String> {
        let measuring = Measuring::new(problem, false);
        let measured: Vec<Measured> = outcomes.iter().map(|outcome| measuring.of(outcome)).collect();
        Findings::of_test(problem, units, &measured).lines(problem)
    }

    /// Returns whether the candidate is feasible: the worst answer of all constraints, if there are
    /// any.
    pub fn feasibility(&self) -> Feasibility {
        worst(&self.0)
    }

    /// Returns a line for each constraint of the problem.
    pub fn lines(&self, problem: &dyn Problem) -> Vec<String> {
        let line = |(Constraint { name, unit, limit, .. }, finding): (&Constraint, &Finding)| {
            format!("{name}: {}", finding.text(limit, unit))
        };
        problem.constraints().iter().zip(&self.0).map(line).collect()
    }
}

pub(super) fn each(
    problem: &dyn Problem,
    outcomes: &[Measured],
    looks: &Looks,
    observe: impl Fn(&[Difference]) -> Vec<Difference>,
) -> Vec<Finding> {
    let is_exact = problem.is_exact(outcomes.len());
    let of = |(place, Constraint { limit, .. }): (usize, &Constraint)| {
        let slack = |one: &Measured| one.quantities.get(place).map(|&value| limit.slack(value));
        Finding::of(limit, &outcomes.iter().map(slack).collect::<Vec<_>>(), looks, &observe, is_exact)
    };
    problem.constraints().iter().enumerate().map(of).collect()
}

/// Returns the worst answer; [`Feasibility::Feasible`] if there are none.
pub(super) fn worst<'f>(all: impl IntoIterator<Item = &'f Finding>) -> Feasibility {
    all.into_iter().map(|finding| finding.feasibility).max().unwrap_or(Feasibility::Feasible)
}

impl Finding {
    /// Tests a limit. `slacks` holds, for each trial, its distance from the limit, positive within;
    /// `None` without a value.
    fn of(
        limit: &Limit,
        slacks: &[Option<f64>],
        looks: &Looks,
        observe: impl Fn(&[Difference]) -> Vec<Difference>,
        is_exact: bool,
    ) -> Self {
        let known = || slacks.iter().flatten();
        let trials = [known().count(), known().filter(|&&slack| slack < 0.0).count()];
        if limit.each || trials[0] == 0 {
            let least = known().copied().reduce(f64::min);
            let feasibility = match least {
                None => Feasibility::Unclear,
                Some(slack) if slack < 0.0 => Feasibility::Infeasible,
                Some(_) => Feasibility::Feasible,
            };
            return Finding { feasibility, value: limit.value(least.unwrap_or(0.0)), bound: None, trials };
        }
        let mut comparison = Comparison::new(looks.clone(), 0.0);
        let all: Vec<Difference> = slacks.iter().map(|slack| Difference::of(slack.unwrap_or(0.0))).collect();
        observe(&all).into_iter().for_each(|one| comparison.add(one));
        let Interval { mean, low, high } = if is_exact { comparison.exact() } else { comparison.interval() };
        let feasibility = match () {
            () if low >= 0.0 => Feasibility::Feasible,
            () if high < 0.0 => Feasibility::Infeasible,
            () => Feasibility::Unclear,
        };
        let decisive = if feasibility == Feasibility::Infeasible { high } else { low };
        let bound = Some(limit.value(decisive)).filter(|bound| bound.is_finite() && !is_exact);
        Finding { feasibility, value: limit.value(mean), bound, trials }
    }

    /// Returns the figures, the limit, and the answer.
    pub(super) fn text(&self, limit: &Limit, unit: &str) -> String {
        format!("{} {limit}: {}", self.figures(limit, unit), self.feasibility)
    }

    fn figures(&self, limit: &Limit, unit: &str) -> String {
        let Finding { value, bound, trials: [trials, beyond], .. } = *self;
        let error = bound.map_or(0.0, |bound| (bound - value).abs() / quantile(1.0 - ERROR));
        let digits = digits(error, value);
        let figure = with_unit(value, digits, unit);
        let largest = if limit.side == Side::AtMost { "largest" } else { "smallest" };
        match bound {
            _ if trials == 0 => "no trial with a value".to_string(),
            Some(bound) => format!("{figure} (95 % confidence bound {bound:.digits$})"),
            None if limit.each && beyond > 0 => {
                format!("{figure} (the {largest} of {trials} trials, {beyond} beyond the limit)")
            }
            None if limit.each => format!("{figure} (the {largest} of {trials} trials)"),
            None => figure,
        }
    }
}

impl fmt::Display for Feasibility {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Feasibility::Feasible => "held",
            Feasibility::Unclear => "not clear",
            Feasibility::Infeasible => "broken",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the result for a candidate's values in a single analysis; `None` marks a failed
    /// trial.
    fn judged(limit: &str, values: &[Option<f64>]) -> Finding {
        let limit: Limit = limit.parse().unwrap();
        let slacks: Vec<Option<f64>> = values.iter().map(|value| value.map(|value| limit.slack(value))).collect();
        let units = Units { count: values.len(), cases: values.len(), instances: false };
        Finding::of(&limit, &slacks, &Looks::once(0.1, values.len()), |all| units.observations(0, all), false)
    }

    fn noisy(mean: f64) -> Vec<Option<f64>> {
        (0..40).map(|i| Some(mean + if i % 2 == 0 { 10.0 } else { -10.0 })).collect()
    }

    #[test]
    fn a_mean_is_judged_by_its_bound() {
        for (mean, answer) in [
            (90.0, Feasibility::Feasible),
            (99.0, Feasibility::Unclear),
            (101.0, Feasibility::Unclear),
            (110.0, Feasibility::Infeasible),
        ] {
            assert_eq!(judged("<= 100", &noisy(mean)).feasibility, answer, "{mean}");
            assert_eq!(judged(">= -100", &noisy(-mean)).feasibility, answer, "{mean}");
        }
        // Student's t of 39 degrees of freedom and 5 % is 1.6849; the standard error is 10.127 over
        // the root of 40.
        let bound = judged("<= 100", &noisy(90.0)).bound.unwrap();
        assert!((bound - 90.0 - 1.6849 * 10.127_394 / 40f64.sqrt()).abs() < 1e-3, "{bound}");
        assert_eq!(
            judged("<= 100", &[Some(100.0); 6]).feasibility,
            Feasibility::Feasible,
            "the limit itself is allowed"
        );
        assert_eq!(judged("<= 100", &[Some(1.0); 5]).feasibility, Feasibility::Unclear, "too few for any claim");
    }

    #[test]
    fn one_trial_breaks_a_limit_on_each() {
        let mut values = vec![Some(90.0); 30];
        assert_eq!(judged("each <= 100", &values).feasibility, Feasibility::Feasible);
        values[17] = Some(101.0);
        let broken = judged("each <= 100", &values);
        assert_eq!((broken.feasibility, broken.value, broken.trials), (Feasibility::Infeasible, 101.0, [30, 1]));
        assert_eq!(judged("<= 100", &values).feasibility, Feasibility::Feasible, "its mean holds");
    }

    #[test]
    fn failed_trials_neither_hold_nor_break() {
        let mixed: Vec<Option<f64>> = (0..40).map(|i| (i % 2 == 0).then_some(80.0)).collect();
        let found = judged("<= 100", &mixed);
        assert_eq!((found.feasibility, found.value, found.trials), (Feasibility::Feasible, 90.0, [20, 0]));
        for limit in ["<= 100", "each <= 100"] {
            assert_eq!(judged(limit, &[None; 40]).feasibility, Feasibility::Unclear, "nothing is known");
        }
    }
}
