//! The test of a candidate's constraints, by its trials of one stage.
//!
//! A limit on the mean is tested like a difference from the baseline: a [`Comparison`] of the
//! distances to the limit, one-sided, with the same units, interim analyses and corrections. A
//! failed trial has no value. It counts as exactly at the limit, so that it cannot move the mean
//! across the limit.

use crate::judgement::comparison::{Comparison, Difference, Looks, Patience, Units};
use crate::judgement::measured::Measured;
use crate::model::constraint::{Constraint, Limit, Side, with_unit};
use crate::model::problem::Problem;
use crate::model::seed::Split;
use crate::statistics::{Interval, digits, quantile, tail};
use serde::{Deserialize, Serialize};
use std::fmt;

/// The one-sided error probability.
const ERROR: f64 = 0.05;

/// The share of a verdict's two-sided error probability for the claim that the baseline breaks a
/// limit on a mean, over all such limits together. The rest is for the score.
const ON_MEANS: f64 = 0.2;

/// The answer for a constraint, in the order from best to worst.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Holding {
    /// The constraint is held: the whole confidence interval, or every trial, is within the limit.
    Held,
    /// Undecided: the limit lies within the interval.
    Open,
    /// The constraint is broken: the whole interval, or at least one trial, is beyond the limit.
    Broken,
}

/// The result of a candidate's trials for one constraint.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Held {
    /// The answer.
    pub answer: Holding,
    /// The mean or, if the limit applies to each trial, the value farthest out.
    value: f64,
    /// The end of the one-sided 95 % confidence interval of the mean, on the side that decides: the
    /// better end if the constraint is broken, otherwise the worse one. `None` if there is no
    /// interval.
    bound: Option<f64>,
    /// Number of trials with a value, and how many of these are beyond the limit.
    trials: [usize; 2],
}

/// Returns the result for each constraint from the first trials of a split, in the order of their
/// numbers.
pub fn held(problem: &dyn Problem, split: Split, outcomes: &[Measured]) -> Vec<Held> {
    let units = Units::of(problem, split, outcomes.len());
    let looks = Looks::once(2.0 * ERROR, units.count);
    each(problem, outcomes, &looks, |slacks| units.observations_by_number(slacks))
}

/// Returns the result for each constraint from trials of a test, played unit by unit, with an
/// interim analysis after each batch.
pub fn held_in_test(problem: &dyn Problem, units: Units, outcomes: &[Measured]) -> Vec<Held> {
    each(problem, outcomes, &units.looks(2.0 * ERROR, Patience::None), |slacks| units.observations(0, slacks))
}

/// Returns, for each constraint, whether the baseline clearly breaks it, more than the finalist
/// does, from trials of a test as in [`held_in_test`]. `error` is the two-sided error probability
/// of the verdict.
///
/// A mean must lie beyond its limit, with its part of the share for means. A limit on each trial
/// can be broken by bad luck in a single trial, so the baseline must be beyond it on significantly
/// more deals than the finalist (exact McNemar test). This test needs no share of the error: where
/// it claims anything by chance, the finalist breaks the limit as well.
pub fn broken_by_baseline(
    problem: &dyn Problem,
    units: Units,
    error: f64,
    [baseline, finalist]: &[Vec<Measured>; 2],
) -> Vec<bool> {
    let constraints = problem.constraints();
    let (on_each, on_means) = constraints.iter().partition::<Vec<_>, _>(|one| one.limit.each);
    let each_looks = units.looks(error / on_each.len().max(1) as f64, Patience::None);
    let mean_looks = units.looks(error * ON_MEANS / on_means.len().max(1) as f64, Patience::None);
    let of_means = each(problem, baseline, &mean_looks, |slacks| units.observations(0, slacks));
    let is_beyond = |limit: &Limit, one: &Measured, place: usize| Some(limit.slack(*one.held.get(place)?) < 0.0);
    let of = |(place, (Constraint { limit, .. }, of_mean)): (usize, (&Constraint, Held))| {
        if problem.traits().is_one_deal() || !limit.each {
            return of_mean.answer == Holding::Broken;
        }
        let pairs: Vec<Difference> = baseline
            .iter()
            .zip(finalist)
            .map(|(one, other)| {
                let [one, other] = [one, other].map(|of| is_beyond(limit, of, place));
                Difference {
                    value: 0.0,
                    failed: [one == Some(true) && other.is_some(), other == Some(true) && one.is_some()],
                }
            })
            .collect();
        let pairs = units.observations(0, &pairs);
        let only = |side: usize| pairs.iter().filter(|pair| pair.failed[side] && !pair.failed[1 - side]).count();
        let z = each_looks.boundaries(pairs.len()).map(|[_, z]| z);
        z.is_some_and(|z| at_least(only(0), only(0) + only(1)) <= 0.5 * tail(z))
    };
    constraints.iter().zip(of_means).enumerate().map(of).collect()
}

/// Returns the error probability that a verdict with these constraints leaves for the score.
pub fn error_of_score(problem: &dyn Problem, error: f64) -> f64 {
    let has_means = problem.constraints().iter().any(|one| !one.limit.each);
    if has_means { error * (1.0 - ON_MEANS) } else { error }
}

/// Returns the probability of at least `heads` heads in `tosses` tosses of a fair coin.
fn at_least(heads: usize, tosses: usize) -> f64 {
    let log = |n: usize| libm::lgamma(n as f64 + 1.0);
    let of = |k: usize| libm::exp(log(tosses) - log(k) - log(tosses - k) - tosses as f64 * std::f64::consts::LN_2);
    (heads..=tosses).map(of).sum()
}

fn each(
    problem: &dyn Problem,
    outcomes: &[Measured],
    looks: &Looks,
    observe: impl Fn(&[Difference]) -> Vec<Difference>,
) -> Vec<Held> {
    let is_exact = problem.is_exact(outcomes.len());
    let of = |(place, Constraint { limit, .. }): (usize, &Constraint)| {
        let slack = |one: &Measured| one.held.get(place).map(|&value| limit.slack(value));
        Held::of(limit, &outcomes.iter().map(slack).collect::<Vec<_>>(), looks, &observe, is_exact)
    };
    problem.constraints().iter().enumerate().map(of).collect()
}

/// Returns the worst answer; [`Holding::Held`] if there are none.
pub fn worst<'h>(all: impl IntoIterator<Item = &'h Held>) -> Holding {
    all.into_iter().map(|held| held.answer).max().unwrap_or(Holding::Held)
}

impl Held {
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
            let answer = match least {
                None => Holding::Open,
                Some(slack) if slack < 0.0 => Holding::Broken,
                Some(_) => Holding::Held,
            };
            return Held { answer, value: limit.value(least.unwrap_or(0.0)), bound: None, trials };
        }
        let mut comparison = Comparison::new(looks.clone(), 0.0);
        let all: Vec<Difference> = slacks.iter().map(|slack| Difference::of(slack.unwrap_or(0.0))).collect();
        observe(&all).into_iter().for_each(|one| comparison.add(one));
        let Interval { mean, low, high } = if is_exact { comparison.exact() } else { comparison.interval() };
        let answer = match () {
            () if low >= 0.0 => Holding::Held,
            () if high < 0.0 => Holding::Broken,
            () => Holding::Open,
        };
        let decisive = if answer == Holding::Broken { high } else { low };
        let bound = Some(limit.value(decisive)).filter(|bound| bound.is_finite() && !is_exact);
        Held { answer, value: limit.value(mean), bound, trials }
    }

    pub fn figures(&self, limit: &Limit, unit: &str) -> String {
        let Held { value, bound, trials: [trials, beyond], .. } = *self;
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

impl fmt::Display for Holding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Holding::Held => "held",
            Holding::Open => "not clear",
            Holding::Broken => "broken",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the result for a candidate's values in a single analysis; `None` marks a failed
    /// trial.
    fn judged(limit: &str, values: &[Option<f64>]) -> Held {
        let limit: Limit = limit.parse().unwrap();
        let slacks: Vec<Option<f64>> = values.iter().map(|value| value.map(|value| limit.slack(value))).collect();
        let units = Units { count: values.len(), deals: values.len(), instances: false };
        Held::of(&limit, &slacks, &Looks::once(0.1, values.len()), |all| units.observations(0, all), false)
    }

    fn noisy(mean: f64) -> Vec<Option<f64>> {
        (0..40).map(|i| Some(mean + if i % 2 == 0 { 10.0 } else { -10.0 })).collect()
    }

    #[test]
    fn a_mean_is_judged_by_its_bound() {
        for (mean, answer) in
            [(90.0, Holding::Held), (99.0, Holding::Open), (101.0, Holding::Open), (110.0, Holding::Broken)]
        {
            assert_eq!(judged("<= 100", &noisy(mean)).answer, answer, "{mean}");
            assert_eq!(judged(">= -100", &noisy(-mean)).answer, answer, "{mean}");
        }
        // Student's t of 39 degrees of freedom and 5 % is 1.6849; the standard error is 10.127 over
        // the root of 40.
        let bound = judged("<= 100", &noisy(90.0)).bound.unwrap();
        assert!((bound - 90.0 - 1.6849 * 10.127_394 / 40f64.sqrt()).abs() < 1e-3, "{bound}");
        assert_eq!(judged("<= 100", &[Some(100.0); 6]).answer, Holding::Held, "the limit itself is allowed");
        assert_eq!(judged("<= 100", &[Some(1.0); 5]).answer, Holding::Open, "too few for any claim");
    }

    #[test]
    fn one_trial_breaks_a_limit_on_each() {
        let mut values = vec![Some(90.0); 30];
        assert_eq!(judged("each <= 100", &values).answer, Holding::Held);
        values[17] = Some(101.0);
        let broken = judged("each <= 100", &values);
        assert_eq!((broken.answer, broken.value, broken.trials), (Holding::Broken, 101.0, [30, 1]));
        assert_eq!(judged("<= 100", &values).answer, Holding::Held, "its mean holds");
    }

    #[test]
    fn failed_trials_neither_hold_nor_break() {
        let mixed: Vec<Option<f64>> = (0..40).map(|i| (i % 2 == 0).then_some(80.0)).collect();
        let held = judged("<= 100", &mixed);
        assert_eq!((held.answer, held.value, held.trials), (Holding::Held, 90.0, [20, 0]));
        for limit in ["<= 100", "each <= 100"] {
            assert_eq!(judged(limit, &[None; 40]).answer, Holding::Open, "nothing is known");
        }
    }

    /// A problem with these limits, each on the part of the same index.
    struct Limited(Vec<&'static str>);

    impl Problem for Limited {
        fn name(&self) -> &str {
            "limited"
        }

        fn parameters(&self) -> Vec<crate::model::parameter::Parameter> {
            Vec::new()
        }

        fn constraints(&self) -> Vec<Constraint> {
            let of = |(part, limit): (usize, &&str)| Constraint {
                name: format!("m{part}"),
                part,
                unit: "",
                limit: limit.parse().unwrap(),
            };
            self.0.iter().enumerate().map(of).collect()
        }

        fn open(
            &self,
            _: crate::model::problem::Context,
        ) -> Result<Box<dyn crate::model::problem::Session>, crate::model::problem::OpenError> {
            unreachable!("it is never played")
        }
    }

    /// Returns whether the baseline breaks the limits, from a function of the candidate and the
    /// deal.
    fn broken(limits: &[&'static str], deals: usize, value: impl Fn(usize, usize) -> f64) -> Vec<bool> {
        let all = [0, 1].map(|side| {
            let one = |deal| Measured { held: vec![value(side, deal); limits.len()], ..Measured::default() };
            (0..deals).map(one).collect::<Vec<_>>()
        });
        let units = Units { count: deals, deals, instances: false };
        broken_by_baseline(&Limited(limits.to_vec()), units, 0.05, &all)
    }

    #[test]
    fn a_limit_on_each_is_broken_by_more_than_bad_luck() {
        let beyond =
            |times: usize| move |side: usize, deal: usize| if side == 0 && deal < times { 101.0 } else { 90.0 };
        // Six deals on which only the baseline is beyond have a probability of 1 in 64, five 1 in
        // 32.
        for (times, is_broken) in [(1, false), (5, false), (6, true), (30, true)] {
            assert_eq!(broken(&["each <= 100"], 30, beyond(times)), [is_broken], "{times}");
        }
        // Two limits share the error.
        assert_eq!(broken(&["each <= 100", "each <= 95"], 30, beyond(6)), [false, false]);
        assert_eq!(broken(&["each <= 100", "each <= 95"], 30, beyond(7)), [true, true]);
        // A finalist that is beyond as often shows nothing.
        assert_eq!(
            broken(&["each <= 100"], 30, |side, deal| if (deal + side) % 2 == 0 { 101.0 } else { 90.0 }),
            [false]
        );
    }

    #[test]
    fn a_limit_on_a_mean_is_broken_with_a_share_of_the_error() {
        let mean = |mean: f64| move |_: usize, deal: usize| mean + if deal.is_multiple_of(2) { 10.0 } else { -10.0 };
        // A standard error is 1.85; the bound of a single limit lies 2.58 of Student's t with 29
        // degrees of freedom, 2.76, away.
        assert_eq!(broken(&["<= 100"], 30, mean(105.0)), [false]);
        assert_eq!(broken(&["<= 100"], 30, mean(105.2)), [true]);
        assert_eq!(broken(&["<= 100", "<= 101"], 30, mean(105.2)), [false, false]);
    }

    /// Baseline and finalist go beyond the limit equally often. The finalist is recommended only if
    /// it never does.
    #[test]
    fn equal_candidates_hardly_ever_differ_in_the_limits_that_they_break() {
        use crate::model::seed::generator;
        use rand::RngExt;
        for (deals, rate) in [(33, 0.02), (33, 0.1), (166, 0.01), (300, 0.005), (300, 0.02)] {
            let claims = (0..1000).filter(|&run| {
                let mut random = generator(run);
                let values: Vec<[f64; 2]> = (0..deals)
                    .map(|_| [(); 2].map(|()| if random.random::<f64>() < rate { 101.0 } else { 90.0 }))
                    .collect();
                let of = |side: usize, deal: usize| values[deal][side];
                values.iter().all(|pair| pair[1] < 100.0) && broken(&["each <= 100"], deals, of) == [true]
            });
            assert!(claims.count() <= 10, "{deals} {rate}");
        }
    }
}
