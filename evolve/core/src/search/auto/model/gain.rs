//! The gain of a candidate over the start, as it is shown: in the unit of the objective.
//!
//! The search reduces outcomes that are much worse than most, often the start's own, so a
//! difference of its process is too small. Here, only outcomes much worse than the start's are
//! reduced. The lengths and the ratios of variances come from the search; the unit is fitted to
//! these outcomes. Trials of earlier runs do not count.
//!
//! The variance has two parts: the process's own, if its kernel is right, and a robust one, by
//! leaving out one instance after another (the jackknife: Efron, 1982, with the same kernel). The
//! gain differs between instances, of which a search has played few, so the quantile is Student's
//! for their number. Far from the optimum, such an interval contained the true gain in 90 to 99 % of
//! runs, where the process's own did so in 23 to 52 %.

use super::process::{Assessed, ModelTrial, OfCase, Part, Process};
use crate::statistics::{Interval, Z95, mean, student};
use std::cell::OnceCell;

/// The gains of candidates over the start, in a process after trials of one run.
pub struct Gains<'a> {
    process: &'a Process<'a>,
    start: Assessed,
    residuals: Vec<f64>,
    /// The unit of the process's variances.
    unit: f64,
    /// The cases for the jackknife, computed at the first use.
    cases: OnceCell<Vec<OfCase>>,
}

impl<'a> Gains<'a> {
    /// Prepares gains over the start, in a process after trials with these outcomes.
    pub fn new(process: &'a Process<'a>, outcomes: &[f64], start: &[f64]) -> Self {
        let start = process.assessed(process.met(start.to_vec()));
        Gains { process, start, residuals: process.residuals(), unit: process.unit(outcomes), cases: OnceCell::new() }
    }

    fn cases(&self) -> &[OfCase] {
        self.cases.get_or_init(|| self.process.cases_with_trials())
    }

    /// Returns the gain of a candidate with its 95 % interval.
    pub fn of(&self, values: &[f64]) -> Interval {
        let Gains { process, start, unit, .. } = self;
        let of = process.assessed(process.met(values.to_vec()));
        let mean = start.mean - of.mean;
        let without = process.without_cases(self.cases(), &process.shares_in_difference(start, &of));
        let (jackknife, quantile) = jackknife(&without);
        let half = quantile * (unit * process.variance_between(start, &of) + jackknife).sqrt();
        Interval { mean, low: mean - half, high: mean + half }
    }

    /// Returns the gain of one candidate over another with its 95 % interval; both follow the
    /// instance.
    pub fn of_parts(&self, start: Vec<Part>, of: Vec<Part>) -> Interval {
        let Gains { process, unit, .. } = self;
        let (start, of) = (process.mixture(start), process.mixture(of));
        let mean = start.mean - of.mean;
        let without = process.without_cases(self.cases(), &process.shares_between_mixtures(&start, &of));
        let (jackknife, quantile) = jackknife(&without);
        let half = quantile * (unit * process.variance_between_mixtures(&start, &of) + jackknife).sqrt();
        Interval { mean, low: mean - half, high: mean + half }
    }

    /// Returns the mean gain of a candidate, which takes less time than [`of`](Self::of).
    pub fn mean_of(&self, values: Vec<f64>) -> f64 {
        self.start.mean - self.process.met(values).mean
    }

    /// Returns the gain in each trial of the process, without the level of its case.
    pub fn of_trials(&self, trials: &[ModelTrial]) -> Vec<f64> {
        let of =
            |(trial, rest): (&ModelTrial, &f64)| self.start.mean - self.process.met(trial.values.clone()).mean - rest;
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
    let middle = mean(without);
    let squares: f64 = without.iter().map(|x| (x - middle) * (x - middle)).sum();
    ((count - 1) as f64 / count as f64 * squares, student(Z95, count - 1))
}

#[cfg(test)]
pub(super) mod tests {
    use crate::model::parameter::Parameter;
    use crate::model::seed::{Split, generator, seed};
    use crate::model::space::Space;
    use crate::search::auto::small::Small;
    use crate::search::sampling::normal;
    use crate::search::{Cases, Optimizer, Terms, Told};
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
            let outcome = |(place, &(point, case)): (usize, &(usize, usize))| {
                let (of, number) = ask.origin(case, generation);
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
