//! The constraints of a problem in the verdict of a run: what the trials of the baseline and of the
//! finalist say about each.

use super::findings::{Feasibility, Finding, Findings, each, worst};
use crate::judgement::comparison::{Difference, Patience};
use crate::judgement::measured::Measured;
use crate::judgement::versus::Versus;
use evolve_search::model::constraint::Constraint;
use evolve_search::model::limit::Limit;
use evolve_search::model::problem::Problem;
use evolve_search::statistics::tail;
use serde::{Deserialize, Serialize};
use std::fmt;

/// The share of a verdict's two-sided error probability for the claim that the baseline breaks a
/// limit on a mean, over all such limits together. The rest is for the score.
const ON_MEANS: f64 = 0.2;

/// The results of baseline and finalist for all constraints.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ConstraintResults(Vec<ConstraintResult>);

/// The results of baseline and finalist for a constraint.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ConstraintResult {
    name: String,
    /// Its unit.
    unit: String,
    limit: Limit,
    start: Finding,
    /// `None` without a finalist.
    finalist: Option<Finding>,
    /// Whether the baseline clearly breaks it, more than the finalist.
    is_broken: bool,
}

impl ConstraintResults {
    /// Returns the results of a baseline without a finalist.
    pub fn of_baseline(problem: &dyn Problem, Findings(start): &Findings) -> Self {
        Self::new(problem, start, &[], &[])
    }

    /// Returns the results from trials of a test, played unit by unit, with an interim analysis
    /// after each batch. `error` is the two-sided error probability of the verdict.
    pub fn of_test(versus: Versus<'_>, error: f64) -> Self {
        let Versus { problem, units, baseline, candidate } = versus;
        let [start, finalist] = [baseline, candidate].map(|outcomes| Findings::of_test(problem, units, outcomes));
        Self::new(problem, &start.0, &finalist.0, &broken_by_baseline(versus, error))
    }

    fn new(problem: &dyn Problem, start: &[Finding], finalist: &[Finding], broken: &[bool]) -> Self {
        let of = |((place, constraint), &start): ((usize, Constraint), &Finding)| {
            let Constraint { name, unit, limit, .. } = constraint;
            let (finalist, is_broken) = (finalist.get(place).copied(), broken.get(place).copied().unwrap_or_default());
            ConstraintResult { name, unit: unit.to_string(), limit, start, finalist, is_broken }
        };
        ConstraintResults(problem.constraints().into_iter().enumerate().zip(start).map(of).collect())
    }

    pub fn iter(&self) -> impl Iterator<Item = &ConstraintResult> {
        self.0.iter()
    }

    /// Returns a line for each constraint.
    pub fn lines(&self) -> Vec<String> {
        self.iter().map(ToString::to_string).collect()
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns whether the baseline is feasible.
    pub fn baseline(&self) -> Feasibility {
        worst(self.iter().map(|one| &one.start))
    }

    /// Returns whether the finalist is feasible.
    pub fn finalist(&self) -> Feasibility {
        worst(self.iter().flat_map(|one| &one.finalist))
    }

    /// Returns whether the baseline clearly breaks a constraint, more than the finalist does.
    pub fn is_broken_by_baseline(&self) -> bool {
        self.iter().any(|one| one.is_broken)
    }

    /// Returns the constraints that the baseline clearly breaks, more than the finalist does.
    pub fn broken_by_baseline(&self) -> String {
        names(self.iter().filter(|one| one.is_broken)).unwrap_or_default()
    }

    /// Returns the sentence which says that the baseline stays, with the constraints that it
    /// breaks.
    pub fn baseline_stays(&self) -> String {
        let broken = names(self.iter().filter(|one| one.start.feasibility == Feasibility::Infeasible));
        let though = broken.map(|broken| format!(", though it breaks {broken}"));
        format!("The baseline stays{}.", though.unwrap_or_default())
    }

    /// Returns the reason why the finalist cannot be recommended, if it is not feasible.
    pub fn reason_against_finalist(&self) -> Option<String> {
        let of = |feasibility| {
            let is = move |one: &&ConstraintResult| one.finalist.is_some_and(|found| found.feasibility == feasibility);
            names(self.iter().filter(is))
        };
        let broken = of(Feasibility::Infeasible).map(|broken| format!("the finalist breaks {broken}"));
        broken
            .or_else(|| of(Feasibility::Unclear).map(|open| format!("it is not clear that the finalist holds {open}")))
    }

    /// Returns the confidence in the score of a verdict, in percent. Limits on means take a part of
    /// the [error](error_of_score).
    pub fn confidence(&self) -> f64 {
        if self.iter().any(|one| !one.limit.each) { 96.0 } else { 95.0 }
    }
}

fn names<'c>(all: impl Iterator<Item = &'c ConstraintResult>) -> Option<String> {
    let names: Vec<String> = all.map(|one| format!("`{} {}`", one.name, one.limit)).collect();
    (!names.is_empty()).then(|| names.join(" and "))
}

/// Returns the figures of the finalist, if there is one, and of the baseline, each against the
/// limit.
impl fmt::Display for ConstraintResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ConstraintResult { name, unit, limit, start, finalist, .. } = self;
        match finalist {
            Some(found) => write!(f, "{name}: {}; baseline {}", found.text(limit, unit), start.text(limit, unit)),
            None => write!(f, "{name}: baseline {}", start.text(limit, unit)),
        }
    }
}

/// Returns, for each constraint, whether the baseline clearly breaks it, more than the finalist
/// does, from trials of a test as in [`Findings::of_test`]. `error` is the two-sided error
/// probability of the verdict.
///
/// A mean must lie beyond its limit, with its part of the share for means. A limit on each trial
/// can be broken by bad luck in a single trial, so the baseline must be beyond it on significantly
/// more cases than the finalist (exact McNemar test). This test needs no share of the error: where
/// it claims anything by chance, the finalist breaks the limit as well. Where the trials are all
/// there is, one beyond the limit breaks it.
fn broken_by_baseline(versus: Versus<'_>, error: f64) -> Vec<bool> {
    let Versus { problem, units, baseline, candidate: finalist } = versus;
    let constraints = problem.constraints();
    let (on_each, on_means) = constraints.iter().partition::<Vec<_>, _>(|one| one.limit.each);
    let each_looks = units.looks(error / on_each.len().max(1) as f64, Patience::None);
    let mean_looks = units.looks(error * ON_MEANS / on_means.len().max(1) as f64, Patience::None);
    let of_means = each(problem, baseline, &mean_looks, |slacks| units.observations(0, slacks));
    let is_beyond = |limit: &Limit, one: &Measured, place: usize| Some(limit.slack(*one.quantities.get(place)?) < 0.0);
    let of = |(place, (Constraint { limit, .. }, of_mean)): (usize, (&Constraint, Finding))| {
        if problem.is_exact(baseline.len()) || !limit.each {
            return of_mean.feasibility == Feasibility::Infeasible;
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judgement::comparison::Units;
    use evolve_search::model::behaviour::{Behaviour, Variation};
    use evolve_search::model::seed::Split;

    /// A problem with these limits, each on the part of the same index. It may list a number of
    /// instances, which the search and the test share.
    struct Limited(Vec<&'static str>, Option<usize>);

    impl Problem for Limited {
        fn name(&self) -> &str {
            "limited"
        }

        fn parameters(&self) -> Vec<evolve_search::model::parameter::Parameter> {
            Vec::new()
        }

        fn constraints(&self) -> Vec<Constraint> {
            let of = |(metric, limit): (usize, &&str)| Constraint {
                name: format!("m{metric}"),
                metric,
                unit: "",
                limit: limit.parse().unwrap(),
            };
            self.0.iter().enumerate().map(of).collect()
        }

        fn instances(&self, _: Split) -> Option<Vec<String>> {
            self.1.map(|count| (0..count).map(|instance| instance.to_string()).collect())
        }

        fn behaviour(&self) -> Behaviour {
            Behaviour { variation: Variation::Instances, ..Behaviour::default() }
        }

        fn open(
            &self,
            _: evolve_search::model::problem::Context,
        ) -> Result<Box<dyn evolve_search::model::problem::Session>, evolve_search::model::problem::OpenError> {
            unreachable!("it is never played")
        }
    }

    /// Returns whether the baseline breaks the limits, from a function of the candidate and the
    /// case.
    fn broken(limits: &[&'static str], cases: usize, value: impl Fn(usize, usize) -> f64) -> Vec<bool> {
        broken_by(&Limited(limits.to_vec(), None), cases, value)
    }

    fn broken_by(problem: &Limited, cases: usize, value: impl Fn(usize, usize) -> f64) -> Vec<bool> {
        let [baseline, candidate] = [0, 1].map(|side| {
            let one = |case| Measured { quantities: vec![value(side, case); problem.0.len()], ..Measured::default() };
            (0..cases).map(one).collect::<Vec<_>>()
        });
        let units = Units { count: cases, cases, instances: false };
        broken_by_baseline(Versus { problem, units, baseline: &baseline, candidate: &candidate }, 0.05)
    }

    #[test]
    fn a_limit_on_each_is_broken_by_more_than_bad_luck() {
        let beyond =
            |times: usize| move |side: usize, case: usize| if side == 0 && case < times { 101.0 } else { 90.0 };
        // Six cases on which only the baseline is beyond have a probability of 1 in 64, five 1 in
        // 32.
        for (times, is_broken) in [(1, false), (5, false), (6, true), (30, true)] {
            assert_eq!(broken(&["each <= 100"], 30, beyond(times)), [is_broken], "{times}");
        }
        // Two limits share the error.
        assert_eq!(broken(&["each <= 100", "each <= 95"], 30, beyond(6)), [false, false]);
        assert_eq!(broken(&["each <= 100", "each <= 95"], 30, beyond(7)), [true, true]);
        // A finalist that is beyond as often shows nothing.
        assert_eq!(
            broken(&["each <= 100"], 30, |side, case| if (case + side) % 2 == 0 { 101.0 } else { 90.0 }),
            [false]
        );
    }

    #[test]
    fn a_limit_on_each_is_broken_by_one_of_all_instances() {
        let beyond = |side: usize, case: usize| if side == 0 && case == 0 { 101.0 } else { 90.0 };
        for (listed, is_broken) in [(None, false), (Some(3), true), (Some(4), false)] {
            assert_eq!(broken_by(&Limited(vec!["each <= 100"], listed), 3, beyond), [is_broken], "{listed:?}");
        }
    }

    #[test]
    fn a_limit_on_a_mean_is_broken_with_a_share_of_the_error() {
        let mean = |mean: f64| move |_: usize, case: usize| mean + if case.is_multiple_of(2) { 10.0 } else { -10.0 };
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
        use evolve_search::model::seed::generator;
        use rand::RngExt;
        for (cases, rate) in [(33, 0.02), (33, 0.1), (166, 0.01), (300, 0.005), (300, 0.02)] {
            let claims = (0..1000).filter(|&run| {
                let mut random = generator(run);
                let values: Vec<[f64; 2]> = (0..cases)
                    .map(|_| [(); 2].map(|()| if random.random::<f64>() < rate { 101.0 } else { 90.0 }))
                    .collect();
                let of = |side: usize, case: usize| values[case][side];
                values.iter().all(|pair| pair[1] < 100.0) && broken(&["each <= 100"], cases, of) == [true]
            });
            assert!(claims.count() <= 10, "{cases} {rate}");
        }
    }
}
