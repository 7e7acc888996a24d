//! A Gaussian process over candidates and cases.
//!
//! The outcome of candidate `x` on case `i` is modelled as `f(x) + level(i) + interaction(x, i) +
//! noise`. Similar candidates have similar `f`, by a Matern kernel of order 5/2 with a length for
//! each dimension. The level of a case makes candidates that played the same case comparable, as in
//! paired trials. Where features of instances are known, levels and interactions are similar on
//! similar instances. `F(x)`, the aim of the search, is the mean over all its instances.
//!
//! An earlier run `r` has its own cases and mean, so it says nothing about levels. Its outcomes are
//! `f(x) + drift(r, x)` with additional noise. The variance of the drift is fitted, so a run that
//! disagrees with this one counts for less.

mod mixture;
mod offset;

pub use mixture::Part;
pub use offset::Offset;

use super::encoding::Dimension;
use super::kernel::{JITTER, Kernel, MEAN, Tie};
use super::kin::{Instances, Kin};
use super::triangle::{Triangle, dot, inverse_entry};
use super::wide::{add_squares, materns};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A trial: a candidate and a case.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ModelTrial {
    /// The candidate.
    pub values: Vec<f64>,
    /// Index of the case in its run.
    pub case: usize,
    /// 0 for this run, then the earlier ones.
    #[serde(default, skip_serializing_if = "is_this")]
    pub run: usize,
}

fn is_this(run: &usize) -> bool {
    *run == 0
}

impl ModelTrial {
    /// A trial of this run.
    pub fn new(values: Vec<f64>, case: usize) -> Self {
        ModelTrial { values, case, run: 0 }
    }

    /// Returns whether the trial is on this case of this run.
    pub fn is_on(&self, case: usize) -> bool {
        self.run == 0 && self.case == case
    }
}

/// The candidates of trials, each once: many trials repeat a candidate on another case.
#[derive(Clone, Default)]
pub struct Distinct {
    /// The candidates.
    pub candidates: Vec<Vec<f64>>,
    /// The index of each trial's candidate.
    pub places: Vec<usize>,
    /// The values of the candidates in each dimension.
    columns: Vec<Vec<f64>>,
}

impl Distinct {
    /// Returns the candidates of trials.
    pub fn of(trials: &[ModelTrial]) -> Self {
        let mut distinct = Distinct::default();
        trials.iter().for_each(|trial| distinct.add(trial));
        distinct
    }

    fn add(&mut self, trial: &ModelTrial) {
        let known = self.candidates.iter().position(|values| *values == trial.values);
        self.places.push(known.unwrap_or_else(|| {
            self.candidates.push(trial.values.clone());
            self.columns.resize(trial.values.len(), Vec::new());
            self.columns.iter_mut().zip(&trial.values).for_each(|(column, value)| column.push(*value));
            self.candidates.len() - 1
        }));
    }

    /// Returns the similarity of a candidate to each of these from `first` on, as
    /// [`Kernel::likeness`] does.
    fn likeness(&self, kernel: &Kernel, dimensions: &[Dimension], values: &[f64], first: usize) -> Vec<f64> {
        let mut all = vec![0.0; self.candidates.len() - first];
        for (((dimension, &length), &value), column) in
            dimensions.iter().zip(&kernel.lengths).zip(values).zip(&self.columns)
        {
            let others = &column[first..];
            if dimension.levels().is_none() {
                add_squares(&mut all, others, value, length);
                continue;
            }
            for (square, &other) in all.iter_mut().zip(others) {
                let distance = dimension.distance(value, other) / length;
                *square += distance * distance;
            }
        }
        materns(&mut all);
        all
    }
}

/// The posterior after some trials.
#[derive(Clone)]
pub struct Process<'a> {
    dimensions: &'a [Dimension],
    kernel: &'a Kernel,
    kin: Kin<'a>,
    trials: Vec<ModelTrial>,
    distinct: Distinct,
    /// The prior covariance of `F` with the outcome of each trial, for the same candidate and
    /// without the mean.
    signals: Vec<f64>,
    triangle: Triangle,
    outcomes: Vec<f64>,
    /// The inverse of the covariances times the outcomes; 0 for pending trials.
    weights: Vec<f64>,
    /// The instance that `F` is the outcome on; `None` for the mean over all.
    target: Option<usize>,
}

/// A candidate with its mean. Requested trials, whose outcomes are missing, do not change it.
#[derive(Clone, Debug)]
pub struct Met {
    /// The candidate.
    pub values: Vec<f64>,
    /// The mean of `F`, in units of the outcomes.
    pub mean: f64,
    /// The similarity to each distinct candidate so far.
    likeness: Vec<f64>,
    /// Covariances of `F` with the trials so far.
    covariances: Vec<f64>,
}

/// A candidate with its mean and variance.
#[derive(Clone, Debug)]
pub struct Assessed {
    /// The candidate.
    pub values: Vec<f64>,
    /// The mean of `F`, in units of the outcomes.
    pub mean: f64,
    /// The similarity to each distinct candidate.
    likeness: Vec<f64>,
    /// The factor's inverse times the covariances of `F` with the trials.
    solved: Vec<f64>,
}

/// The trials of a case, and their part in the weights of the others.
pub struct OfCase {
    /// The indices of its trials.
    pub trials: Vec<usize>,
    weights: Vec<f64>,
}

/// The prior of a process: its kernel, the dimensions of candidates, and the instances of cases.
#[derive(Clone)]
pub struct Before<'a> {
    pub dimensions: &'a [Dimension],
    pub kernel: &'a Kernel,
    pub instances: &'a Instances,
    /// The number of each case of this run, which decides its instance.
    pub numbers: Vec<u64>,
}

impl<'a> Process<'a> {
    /// Returns the posterior after trials with these outcomes. `triangle` has the first rows of the
    /// factor, if they are known.
    pub fn new(before: Before<'a>, trials: Vec<ModelTrial>, outcomes: &[f64], triangle: Triangle) -> Self {
        let Before { dimensions, kernel, instances, numbers } = before;
        let kin = Kin::new(instances, kernel, numbers.into_iter());
        let mut process = Process {
            dimensions,
            kernel,
            kin,
            distinct: Distinct::default(),
            trials: Vec::with_capacity(trials.len()),
            signals: Vec::new(),
            triangle,
            outcomes: outcomes.to_vec(),
            weights: Vec::new(),
            target: None,
        };
        trials.into_iter().for_each(|trial| process.push(trial));
        process.weights = outcomes.to_vec();
        process.triangle.solve(&mut process.weights);
        process.triangle.solve_transposed(&mut process.weights);
        process
    }

    /// Returns the factor of the covariances of the first trials.
    pub fn triangle(&self) -> &Triangle {
        &self.triangle
    }

    /// Returns the number of trials, requested ones included.
    pub fn count(&self) -> usize {
        self.trials.len()
    }

    /// Adds a trial to the covariances.
    fn push(&mut self, trial: ModelTrial) {
        let n = self.trials.len();
        self.distinct.add(&trial);
        if n >= self.triangle.rows() {
            let likeness = self.distinct.likeness(self.kernel, self.dimensions, &trial.values, 0);
            let of = |(other, &place): (&ModelTrial, &usize)| {
                self.kernel.covariance(likeness[place], tie(&trial, other, &self.kin))
            };
            let own = self.kernel.covariance(1.0, Tie::Case(trial.run));
            let own = own + self.kernel.noise + self.kernel.stray(trial.run).noise + JITTER;
            let row: Vec<f64> = self.trials.iter().zip(&self.distinct.places).map(of).chain([own]).collect();
            self.triangle.push(&row, JITTER);
        }
        self.signals.push(self.signal_on(trial.run, trial.case));
        self.trials.push(trial);
    }

    /// Returns whether a candidate was or is to be played on a case.
    pub fn has(&self, values: &[f64], case: usize) -> bool {
        self.trials.iter().any(|trial| trial.is_on(case) && trial.values == values)
    }

    /// Returns the most probable unit of the variances, after trials with these outcomes.
    pub fn unit(&self, outcomes: &[f64]) -> f64 {
        (dot(&self.weights, outcomes) / outcomes.len() as f64).max(0.0)
    }

    /// Returns each case with trials, for [`without_cases`](Self::without_cases). This takes much
    /// more time than the sums.
    pub fn cases_with_trials(&self, offset: &Offset) -> Vec<OfCase> {
        let mut cases: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        self.trials.iter().enumerate().for_each(|(i, trial)| cases.entry(trial.case).or_default().push(i));
        if cases.len() == 1 {
            // Without them, nothing remains.
            let of = |trials| OfCase { trials, weights: self.outcomes.clone() };
            return cases.into_values().map(of).collect();
        }
        let inverse = self.triangle.inverse();
        let of = |trials: Vec<usize>| {
            // In the inverse of the covariances, the block of the case.
            let mut block = Triangle::default();
            for (count, &i) in trials.iter().enumerate() {
                let entry = |&j: &usize| offset.inverse((i, j), inverse_entry(&inverse, i, j));
                block.push(&trials[..=count].iter().map(entry).collect::<Vec<f64>>(), JITTER);
            }
            let mut weights: Vec<f64> = trials.iter().map(|&i| self.weights[i]).collect();
            block.solve(&mut weights);
            block.solve_transposed(&mut weights);
            OfCase { trials, weights }
        };
        cases.into_values().map(of).collect()
    }

    /// Returns what remains of a sum of outcomes with these shares without the trials of one case,
    /// for each case with trials: the sum that the other trials alone would predict, from the same
    /// kernel.
    pub fn without_cases(&self, cases: &[OfCase], shares: &[f64]) -> Vec<f64> {
        let all: f64 = dot(shares, &self.outcomes);
        let without = |OfCase { trials, weights }: &OfCase| {
            all - trials.iter().zip(weights).map(|(&i, weight)| shares[i] * weight).sum::<f64>()
        };
        cases.iter().map(without).collect()
    }

    /// Returns the residuals of the trials of one run: their outcomes without `F` and the level of
    /// the case.
    pub fn residuals(&self) -> Vec<f64> {
        let Process { kernel, trials, distinct, weights, .. } = self;
        let alike = distinct.candidates.iter().map(|values| distinct.likeness(kernel, self.dimensions, values, 0));
        let alike: Vec<Vec<f64>> = alike.collect();
        let (by_features, _) = kernel.by_features();
        let of = |i: usize| {
            let of_pair = |j: usize| {
                let is_same = trials[j].case == trials[i].case;
                let instances = if is_same { 1.0 } else { self.kin.between(trials[i].case, trials[j].case) };
                let own = if is_same { kernel.interaction } else { 0.0 };
                let apart = by_features * (instances - self.kin.typical(trials[j].case));
                let (a, b) = (distinct.places[i], distinct.places[j]);
                (own + apart) * alike[a][b] * weights[j]
            };
            kernel.noise * weights[i] + (0..trials.len()).map(of_pair).sum::<f64>()
        };
        (0..trials.len()).map(of).collect()
    }

    /// Returns the share of each outcome in the difference of `F` at two candidates, the first
    /// minus the second.
    pub fn shares_in_difference(&self, a: &Assessed, b: &Assessed) -> Vec<f64> {
        let mut shares: Vec<f64> = a.solved.iter().zip(&b.solved).map(|(a, b)| a - b).collect();
        self.triangle.solve_transposed(&mut shares);
        shares
    }

    /// Adds a case without trials, so that trials on it can be compared with others.
    pub fn add_case(&mut self, number: u64) {
        self.kin.add(number);
    }

    /// Returns the instance of a case, if its features are known.
    pub fn instance_of(&self, case: usize) -> Option<usize> {
        self.kin.instance(case)
    }

    /// Returns the prior covariance of `F` with an outcome of the same candidate on a case of a
    /// run, without the mean.
    fn signal_on(&self, run: usize, case: usize) -> f64 {
        let alike = match self.target {
            _ if run > 0 => 0.0,
            None => self.kin.typical(case),
            Some(instance) => self.kin.to_instance(case, instance),
        };
        self.kernel.signal + self.kernel.by_features().0 * alike
    }

    /// Returns a candidate with the mean of `F`, which takes less time than
    /// [`assessed`](Self::assessed).
    pub fn met(&self, values: Vec<f64>) -> Met {
        let likeness = self.distinct.likeness(self.kernel, self.dimensions, &values, 0);
        let covariances: Vec<f64> = self.covariances(&likeness, 0).collect();
        Met { mean: dot(&covariances, &self.weights), values, likeness, covariances }
    }

    /// Returns the weights of the trials in expected outcomes.
    pub fn weights(&self) -> &[f64] {
        &self.weights
    }

    /// Returns the expected outcomes of a candidate on a new case by several weights of the trials.
    pub fn means(&self, values: &[f64], weights: &[Vec<f64>]) -> Vec<f64> {
        let likeness = self.distinct.likeness(self.kernel, self.dimensions, values, 0);
        let covariances: Vec<f64> = self.covariances(&likeness, 0).collect();
        weights.iter().map(|weights| dot(&covariances, weights)).collect()
    }

    /// Returns the expected outcome of a candidate on a case.
    pub fn on_case(&self, met: &Met, case: usize) -> f64 {
        dot(&self.outcome(&met.likeness, case), &self.weights)
    }

    /// Returns the covariances of `F`, at a candidate with these similarities, with the trials from
    /// `first` on.
    fn covariances(&self, likeness: &[f64], first: usize) -> impl Iterator<Item = f64> {
        let mean = |trial: &ModelTrial| if trial.run == 0 { MEAN } else { 0.0 };
        let trials = self.trials.iter().zip(&self.distinct.places).zip(&self.signals).skip(first);
        trials.map(move |((trial, &place), signal)| signal * likeness[place] + mean(trial))
    }

    /// Returns the covariances of the outcome of a candidate with these similarities, on a case,
    /// with all trials.
    fn outcome(&self, likeness: &[f64], case: usize) -> Vec<f64> {
        let of = |(trial, &place): (&ModelTrial, &usize)| {
            let tie = match (trial.run, trial.case == case) {
                (0, true) => Tie::Case(0),
                (0, false) => Tie::Run(0, self.kin.between(trial.case, case)),
                _ => Tie::None,
            };
            self.kernel.covariance(likeness[place], tie)
        };
        self.trials.iter().zip(&self.distinct.places).map(of).collect()
    }

    /// Returns a candidate with the variance of `F`.
    pub fn assessed(&self, met: Met) -> Assessed {
        self.all_assessed(vec![met]).swap_remove(0)
    }

    /// Returns candidates with their variances, which takes less time than one by one.
    pub fn all_assessed(&self, all: Vec<Met>) -> Vec<Assessed> {
        let mut all: Vec<Met> = all.into_iter().map(|met| self.caught_up(met)).collect();
        let mut solved: Vec<Vec<f64>> = all.iter_mut().map(|met| std::mem::take(&mut met.covariances)).collect();
        self.triangle.solve_all(&mut solved);
        let of = |(Met { values, mean, likeness, .. }, solved)| Assessed { values, mean, likeness, solved };
        all.drain(..).zip(solved).map(of).collect()
    }

    /// Adds the trials requested since a candidate was met.
    fn caught_up(&self, met: Met) -> Met {
        let Met { values, mean, mut likeness, mut covariances } = met;
        likeness.extend(self.distinct.likeness(self.kernel, self.dimensions, &values, likeness.len()));
        let later: Vec<f64> = self.covariances(&likeness, covariances.len()).collect();
        covariances.extend(later);
        Met { values, mean, likeness, covariances }
    }

    /// Returns the factor's inverse times a vector.
    fn solve(&self, mut vector: Vec<f64>) -> Vec<f64> {
        self.triangle.solve(&mut vector);
        vector
    }

    /// Returns the prior variance of `F`, without the mean.
    fn signal(&self) -> f64 {
        let alike = if self.target.is_some() { 1.0 } else { self.kin.mean() };
        self.kernel.signal + self.kernel.by_features().0 * alike
    }

    /// Returns the covariance of `F` at two candidates.
    pub fn covariance(&self, a: &Assessed, b: &Assessed) -> f64 {
        let likeness = self.kernel.likeness(self.dimensions, &a.values, &b.values);
        self.signal() * likeness + MEAN - dot(&a.solved, &b.solved)
    }

    /// Returns the variance of `F` at a candidate.
    pub fn variance(&self, of: &Assessed) -> f64 {
        (self.signal() + MEAN - dot(&of.solved, &of.solved)).max(0.0)
    }

    /// Returns the variance of the difference of `F` at two candidates.
    pub fn variance_between(&self, a: &Assessed, b: &Assessed) -> f64 {
        (self.variance(a) + self.variance(b) - 2.0 * self.covariance(a, b)).max(0.0)
    }

    /// Returns the variance of an outcome of a candidate on a case whose level is known.
    pub fn variance_of_outcome(&self, of: &Assessed) -> f64 {
        let apart = self.kernel.by_features().0 * (1.0 - self.kin.mean());
        self.variance(of) + apart + self.kernel.interaction + self.kernel.noise
    }

    /// Returns the reduction in the variance of a candidate's mean by a trial on a case.
    pub fn told(&self, of: &Assessed, case: usize) -> f64 {
        let solved = self.solve(self.outcome(&of.likeness, case));
        let prior = self.kernel.covariance(1.0, Tie::Case(0)) + self.kernel.noise;
        let mean = self.signal_on(0, case) + MEAN - dot(&solved, &of.solved);
        mean * mean / (prior - dot(&solved, &solved)).max(self.kernel.noise)
    }

    /// Compares two candidates by further trials.
    pub fn duel<'d>(&'d self, of: &'d Assessed, rival: &'d Assessed) -> Duel<'d> {
        let likeness = self.kernel.likeness(self.dimensions, &of.values, &rival.values);
        Duel { process: self, of, rival, apart: 1.0 - likeness, shares: self.shares_in_difference(of, rival) }
    }

    /// Adds a trial without its outcome: the posterior mean stays, and the variance shrinks.
    pub fn expect(&mut self, trial: ModelTrial) {
        self.push(trial);
        self.weights.push(0.0);
    }
}

/// Two candidates, and what further trials would tell about the difference of their `F`.
pub struct Duel<'a> {
    process: &'a Process<'a>,
    of: &'a Assessed,
    rival: &'a Assessed,
    /// The distance of the candidates: 1 minus their similarity.
    apart: f64,
    /// The share of each outcome in the difference.
    shares: Vec<f64>,
}

impl Duel<'_> {
    /// Returns the covariances of a trial of the first candidate on a case, or of the difference of
    /// a pair there, with all trials.
    fn outcome(&self, case: usize, is_pair: bool) -> Vec<f64> {
        let Duel { process, of, rival, .. } = self;
        let mut outcome = process.outcome(&of.likeness, case);
        if is_pair {
            let others = process.outcome(&rival.likeness, case);
            outcome.iter_mut().zip(&others).for_each(|(outcome, other)| *outcome -= other);
        }
        outcome
    }

    /// Returns the covariance of the difference with a further trial or pair.
    fn covariance(&self, outcome: &[f64], case: usize, is_pair: bool) -> f64 {
        let prior = self.process.signal_on(0, case) * self.apart;
        (if is_pair { 2.0 * prior } else { prior }) - dot(outcome, &self.shares)
    }

    /// Returns the square of the covariance of the difference with a further trial or pair.
    /// [`told`](Self::told) divides it by a variance that hardly differs between cases.
    pub fn promise(&self, case: usize, is_pair: bool) -> f64 {
        let covariance = self.covariance(&self.outcome(case, is_pair), case, is_pair);
        covariance * covariance
    }

    /// Returns the reduction in the variance of the difference by a trial of the first candidate on
    /// a case, or by a trial of each there.
    pub fn told(&self, case: usize, is_pair: bool) -> f64 {
        let kernel = self.process.kernel;
        let outcome = self.outcome(case, is_pair);
        let covariance = self.covariance(&outcome, case, is_pair);
        let solved = self.process.solve(outcome);
        let (prior, noise) = match is_pair {
            false => (kernel.covariance(1.0, Tie::Case(0)) + kernel.noise, kernel.noise),
            true => {
                let signals = kernel.signal + kernel.by_features().0 + kernel.interaction;
                (2.0 * (signals * self.apart + kernel.noise), 2.0 * kernel.noise)
            }
        };
        covariance * covariance / (prior - dot(&solved, &solved)).max(noise)
    }
}

/// Returns the relation of two trials.
fn tie(a: &ModelTrial, b: &ModelTrial, kin: &Kin<'_>) -> Tie {
    match (a.run == b.run, a.case == b.case) {
        (false, _) => Tie::None,
        (true, true) => Tie::Case(a.run),
        (true, false) if a.run == 0 => Tie::Run(0, kin.between(a.case, b.case)),
        (true, false) => Tie::Run(a.run, 0.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::features::{Feature, Features, Values};
    use crate::model::space::Coordinate;
    use crate::optimizer::auto::model::encoding::dimensions;
    use crate::optimizer::auto::model::kernel::ByFeatures;

    #[test]
    fn what_trials_tell_is_how_much_the_variance_shrinks() {
        let dimensions = dimensions(&[Coordinate::float(0.0, 0.1, 0.0, 1.0)]);
        let numbers = Values::Numbers(vec![1.0, 2.0, 5.0, 6.0]);
        let instances = Instances::of(&Features::new(vec![Feature { name: "n".to_string(), values: numbers }]));
        let features = ByFeatures { lengths: vec![0.5], signal: 0.4, level: 0.3 };
        for features in [None, Some(features)] {
            let kernel = Kernel { features, ..Kernel::of_one_number([1.0, 0.8, 0.2, 0.1]) };
            let before =
                Before { dimensions: &dimensions, kernel: &kernel, instances: &instances, numbers: vec![2, 0] };
            let played = [(0.1, 0), (0.5, 0), (0.5, 1), (0.9, 1), (0.2, 0)];
            let trials: Vec<ModelTrial> = played.iter().map(|&(x, case)| ModelTrial::new(vec![x], case)).collect();
            let process = || {
                let outcomes = [0.3, -0.2, 0.1, 0.5, 0.2];
                let mut process = Process::new(before.clone(), trials.clone(), &outcomes, Triangle::default());
                process.add_case(3);
                process
            };
            let knows = |process: &Process<'_>| [0.5, 0.9].map(|x| process.assessed(process.met(vec![x])));
            for case in 0..3 {
                let first = process();
                let [a, b] = knows(&first);
                let (duel, variance) = (first.duel(&a, &b), first.variance_between(&a, &b));
                let after = |trials: &[f64]| {
                    let mut process = process();
                    trials.iter().for_each(|&x| process.expect(ModelTrial::new(vec![x], case)));
                    let [a, b] = knows(&process);
                    process.variance_between(&a, &b)
                };
                let (single, pair) = (duel.told(case, false), duel.told(case, true));
                assert!((variance - after(&[0.5]) - single).abs() < 1e-6, "{case}: {variance} {single}");
                // The difference of a pair says at most what its two outcomes say.
                let by_both = variance - after(&[0.5, 0.9]);
                assert!(pair > 0.0 && pair <= by_both + 1e-9, "{case}: {pair} {by_both}");
                let mean = first.variance(&a) - {
                    let mut process = process();
                    process.expect(ModelTrial::new(vec![0.5], case));
                    let [a, _] = knows(&process);
                    process.variance(&a)
                };
                assert!((first.told(&a, case) - mean).abs() < 1e-6, "{case}");
                // On a new instance, two trials say more than twice as much.
                assert!(case < 2 || pair > 2.0 * single, "{pair} {single}");
            }
        }
    }

    #[test]
    fn a_sum_without_a_case_is_that_of_the_other_trials() {
        let dimensions = dimensions(&[Coordinate::float(0.0, 0.1, 0.0, 1.0)]);
        let kernel = Kernel::of_one_number([1.0, 0.8, 0.2, 0.1]);
        let before =
            Before { dimensions: &dimensions, kernel: &kernel, instances: &Instances::NONE, numbers: Vec::new() };
        let played = [(0.1, 0, 0.3), (0.5, 1, -0.2), (0.5, 0, 0.1), (0.9, 2, 0.5), (0.2, 1, 0.2)];
        let process = |without: Option<usize>| {
            let kept: Vec<_> = played.iter().filter(|of| Some(of.1) != without).collect();
            let trials = kept.iter().map(|of| ModelTrial::new(vec![of.0], of.1)).collect();
            let outcomes: Vec<f64> = kept.iter().map(|of| of.2).collect();
            Process::new(before.clone(), trials, &outcomes, Triangle::default())
        };
        let difference = |process: &Process<'_>| process.met(vec![0.2]).mean - process.met(vec![0.8]).mean;
        let all = process(None);
        let [a, b] = [0.2, 0.8].map(|x| all.assessed(all.met(vec![x])));
        // No trial has this candidate.
        let cases = all.cases_with_trials(&all.clone().offset(&[0.7]));
        let without = all.without_cases(&cases, &all.shares_in_difference(&a, &b));
        for (case, without) in without.iter().enumerate() {
            assert!((without - difference(&process(Some(case)))).abs() < 1e-6, "{case}");
        }
        assert_eq!(without.len(), 3);
    }
}
