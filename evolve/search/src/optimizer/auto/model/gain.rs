//! The gain of a candidate over the start, as it is shown: in the unit of the objective.
//!
//! The search reduces outcomes that are much worse than most, often the start's own, so a
//! difference of its process is too small. Here, only outcomes much worse than the start's are
//! reduced. The lengths and the ratios of variances come from the search; the unit is fitted to
//! these outcomes. Trials of earlier runs do not count.
//!
//! A start that is far worse than the process expects has an offset of its own, so that it is not
//! drawn towards the rest.
//!
//! The variance has two parts: the process's own, if its kernel is right, and a robust one, by
//! leaving out one instance after another (the jackknife: Efron, 1982, with the same kernel). The
//! gain differs between instances, of which a search has played few, and the start on fewer still.
//! So the start's instances count with Student's quantile for their number, and the others with the
//! quantile for theirs.

use super::process::{Assessed, ModelTrial, OfCase, Offset, Part, Process};
use crate::statistics::{Interval, Z95, mean, student};
use std::cell::OnceCell;

/// The gains of candidates over the start, in a process after trials of one run.
pub struct Gains<'a> {
    process: Process<'a>,
    start: Assessed,
    offset: Offset,
    residuals: Vec<f64>,
    /// The unit of the process's variances.
    unit: f64,
    /// The cases for the jackknife, computed at the first use.
    cases: OnceCell<Vec<OfCase>>,
}

impl<'a> Gains<'a> {
    /// Prepares gains over the start, in a process after trials with these outcomes.
    pub fn new(mut process: Process<'a>, outcomes: &[f64], start: &[f64]) -> Self {
        let offset = process.offset(start);
        let start = process.assessed(process.met(start.to_vec()));
        let (residuals, unit) = (process.residuals(), process.unit(outcomes));
        Gains { process, start, offset, residuals, unit, cases: OnceCell::new() }
    }

    fn cases(&self) -> &[OfCase] {
        self.cases.get_or_init(|| self.process.cases_with_trials(&self.offset))
    }

    /// Returns the interval of a difference from the start with these shares and variance.
    fn interval(&self, mean: f64, shares: &[f64], variance: f64) -> Interval {
        let Gains { process, offset, unit, .. } = self;
        let without = process.without_cases(self.cases(), &offset.included(shares));
        // The squares of half widths: of the instances of the start, and of the others.
        let (mut own, mut others) = (Vec::new(), Vec::new());
        for (case, square) in self.cases().iter().zip(squares(&without)) {
            if offset.has_any(&case.trials) { own.push(square) } else { others.push(square) }
        }
        let of_instances = |squares: Vec<f64>| {
            let quantile = if squares.len() < 2 { Z95 } else { student(Z95, squares.len() - 1) };
            quantile * quantile * squares.iter().sum::<f64>()
        };
        let of_process = Z95 * Z95 * unit * (variance + offset.variance(shares));
        let half = (of_process + of_instances(own) + of_instances(others)).sqrt();
        Interval { mean, low: mean - half, high: mean + half }
    }

    /// Returns the gain of a candidate with its 95 % interval.
    pub fn of(&self, values: &[f64]) -> Interval {
        let Gains { process, start, offset, .. } = self;
        if values == start.values {
            return Interval::default();
        }
        let of = process.assessed(process.met(values.to_vec()));
        let shares = process.shares_in_difference(start, &of);
        self.interval(start.mean + offset.mean - of.mean, &shares, process.variance_between(start, &of))
    }

    /// Returns the gain of one candidate over another with its 95 % interval; both follow the
    /// instance.
    pub fn of_parts(&self, start: Vec<Part>, of: Vec<Part>) -> Interval {
        let Gains { process, offset, .. } = self;
        let (start, of) = (process.mixture(start), process.mixture(of));
        let shares = process.shares_between_mixtures(&start, &of);
        let variance = process.variance_between_mixtures(&start, &of);
        self.interval(start.mean + offset.mean - of.mean, &shares, variance)
    }

    /// Returns the mean gain of a candidate, which takes less time than [`of`](Self::of).
    pub fn mean_of(&self, values: Vec<f64>) -> f64 {
        match values == self.start.values {
            true => 0.0,
            false => self.start.mean + self.offset.mean - self.process.met(values).mean,
        }
    }

    /// Returns the gain in each trial of the process, without the level of its case.
    pub fn of_trials(&self, trials: &[ModelTrial]) -> Vec<f64> {
        let of = |(trial, rest): (&ModelTrial, &f64)| self.mean_of(trial.values.clone()) - rest;
        trials.iter().zip(&self.residuals).map(of).collect()
    }
}

/// Returns the variance of an estimate by the estimates without one instance or group each, and the
/// quantile for their number. A single one says nothing about others.
pub fn jackknife(without: &[f64]) -> (f64, f64) {
    let count = without.len();
    if count < 2 {
        return (0.0, Z95);
    }
    (squares(without).iter().sum(), student(Z95, count - 1))
}

/// Returns the part of each instance or group in that variance.
fn squares(without: &[f64]) -> Vec<f64> {
    let (middle, count) = (mean(without), without.len() as f64);
    without.iter().map(|x| (count - 1.0) / count * (x - middle) * (x - middle)).collect()
}

#[cfg(test)]
pub(super) mod tests {
    use crate::model::parameter::Parameter;
    use crate::model::seed::{Split, generator, seed};
    use crate::model::space::Space;
    use crate::optimizer::auto::small::Small;
    use crate::optimizer::sampling::normal;
    use crate::optimizer::{Again, Cases, Optimizer, Terms, Told};
    use crate::statistics::Interval;

    /// Searches a function with noise of this standard deviation, and levels of instances ten times
    /// as large. Returns the space, the search and the number of its trials.
    pub fn searched(
        parameters: Vec<Parameter>,
        noise: f64,
        trials: usize,
        run: u64,
        score: fn(&[f64]) -> f64,
    ) -> (Space, Small, usize) {
        let start: Vec<f64> = parameters.iter().map(|parameter| parameter.start).collect();
        let places = (0..start.len()).collect();
        let space = Space::new(parameters, start, places);
        let mut search = Small::start(&space, Terms { cases: Cases::Many, trials: 450 }, run);
        let mut played = 0;
        while played < trials {
            let (ask, generation) = (search.ask(), search.generation());
            let cases: Vec<Again> = ask.all_cases(generation, 0).collect();
            let outcome = |(place, &(point, case)): (usize, &(usize, usize))| {
                let Again { generation: of, place: number, .. } = cases[case];
                let level = 10.0 * noise * normal(&mut generator(seed(run, Split::Search, of, number)));
                let luck = noise * normal(&mut generator(seed(run, Split::Test, generation, place as u64)));
                score(&space.candidate(&ask.points[point])) + level + luck
            };
            let objectives: Vec<f64> = ask.trials.iter().enumerate().map(outcome).collect();
            played += objectives.len();
            search.tell(&ask, &Told::of(&objectives));
        }
        (space, search, played)
    }

    /// Returns the gain by the model in such a search, and the true one.
    fn gains(
        parameters: Vec<Parameter>,
        noise: f64,
        trials: usize,
        run: u64,
        score: fn(&[f64]) -> f64,
    ) -> Option<(Interval, f64)> {
        let (space, search, _) = searched(parameters, noise, trials, run, score);
        let best = space.candidate(search.mean());
        search.gain().map(|gain| (gain, score(&best) - score(space.start())))
    }

    fn bowl(x: &[f64]) -> f64 {
        -x.iter().map(|x| 50.0 * (x - 0.7) * (x - 0.7)).sum::<f64>()
    }

    fn far_from_best() -> Vec<Parameter> {
        (0..3).map(|i| Parameter::float(format!("x_{i}"), 0.0, 1.0, 0.15)).collect()
    }

    /// The start is among the worst candidates, whose outcomes the search reduces.
    #[test]
    fn a_large_gain_is_not_reduced() {
        let line = || vec![Parameter::int("k", 1, 20, 5)];
        let (gain, truth) = gains(line(), 0.0, 60, 1, |x| 3.0 * x[0]).unwrap();
        assert!(truth == 45.0 && (gain.mean - truth).abs() < 0.1, "{gain:?}");
        assert!(gain.low <= truth && truth <= gain.high, "{gain:?}");
        for run in 1..=3 {
            let (gain, truth) = gains(far_from_best(), 0.0, 60, run, bowl).unwrap();
            assert!((gain.mean / truth - 1.0).abs() < 0.1, "{gain:?} {truth}");
        }
    }

    #[test]
    fn the_interval_contains_the_true_gain() {
        let runs = (1..=10).filter_map(|run| gains(far_from_best(), 1.0, 80, run, bowl));
        let hits: Vec<bool> = runs.map(|(gain, truth)| gain.low <= truth && truth <= gain.high).collect();
        assert!(hits.len() == 10 && hits.iter().filter(|&&hit| hit).count() >= 8, "{hits:?}");
    }
}
