//! A Gaussian process over candidates and deals.
//!
//! The outcome of candidate `x` on deal `i` is modelled as `f(x) + level(i) + interaction(x, i) +
//! noise`. Similar candidates have similar `f`, by a Matern kernel of order 5/2 with a length for
//! each dimension. The level of a deal makes candidates that played the same deal comparable, as in
//! paired trials.
//!
//! An earlier run `r` has its own deals and mean, so it says nothing about levels. Its outcomes are
//! `f(x) + drift(r, x)` with additional noise. The variance of the drift is fitted, so a run that
//! disagrees with this one counts for less.

use super::encoding::Dimension;
use nalgebra::{Cholesky, DMatrix, DVector, Dyn};
use serde::{Deserialize, Serialize};

/// The prior variance of the mean of all outcomes, which are standardized.
const MEAN: f64 = 9.0;
/// Added to the diagonal so that the covariance matrix stays regular with equal trials.
const JITTER: f64 = 1e-8;

/// The hyperparameters of a process: length scales and variances.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Kernel {
    /// The length scale of each dimension.
    pub lengths: Vec<f64>,
    /// The variance of `f`, between candidates.
    pub signal: f64,
    /// The variance of the levels, between deals.
    pub level: f64,
    /// The variance of the interaction, between candidates on one deal.
    pub interaction: f64,
    /// The variance of the noise, between trials.
    pub noise: f64,
    /// Variances of each earlier run.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub earlier: Vec<Stray>,
}

/// The additional variances of an earlier run.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Stray {
    /// The variance of the drift, between candidates.
    pub drift: f64,
    /// The variance of the additional noise, between trials.
    pub noise: f64,
}

/// A trial: a candidate and a deal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ModelTrial {
    /// The candidate.
    pub values: Vec<f64>,
    /// Index of the deal in its run.
    pub deal: usize,
    /// 0 for this run, then the earlier ones.
    #[serde(default, skip_serializing_if = "is_this")]
    pub run: usize,
}

fn is_this(run: &usize) -> bool {
    *run == 0
}

/// The relation of two trials, apart from the similarity of their candidates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tie {
    /// The trials belong to different runs.
    None,
    /// The run.
    Run(usize),
    /// The run, and the deal in it.
    Deal(usize),
}

impl ModelTrial {
    /// A trial of this run.
    pub fn new(values: Vec<f64>, deal: usize) -> Self {
        ModelTrial { values, deal, run: 0 }
    }

    /// Returns whether the trial is on this deal of this run.
    pub fn is_on(&self, deal: usize) -> bool {
        self.run == 0 && self.deal == deal
    }

    /// Returns the relation to another trial.
    pub fn tie(&self, other: &ModelTrial) -> Tie {
        match (self.run == other.run, self.deal == other.deal) {
            (false, _) => Tie::None,
            (true, false) => Tie::Run(self.run),
            (true, true) => Tie::Deal(self.run),
        }
    }
}

/// Returns the value of the Matern kernel at a squared distance in units of the lengths, and its
/// slope in the squared distance, up to the factor -5/6.
pub fn matern(square: f64) -> (f64, f64) {
    let r = (5.0 * square).sqrt();
    let decay = libm::exp(-r);
    ((1.0 + r + r * r / 3.0) * decay, (1.0 + r) * decay)
}

impl Kernel {
    /// Returns the similarity of two candidates, from 0 to 1.
    pub fn likeness(&self, dimensions: &[Dimension], a: &[f64], b: &[f64]) -> f64 {
        let mut square = 0.0;
        for (((dimension, length), &a), &b) in dimensions.iter().zip(&self.lengths).zip(a).zip(b) {
            let distance = dimension.distance(a, b) / length;
            square += distance * distance;
        }
        matern(square).0
    }

    /// Returns the covariance, without noise, of the outcomes of two trials whose candidates have
    /// this similarity.
    pub fn covariance(&self, likeness: f64, tie: Tie) -> f64 {
        let (run, own) = match tie {
            Tie::None => return self.signal * likeness,
            Tie::Run(run) => (run, 0.0),
            Tie::Deal(run) => (run, self.level + self.interaction * likeness),
        };
        self.signal * likeness + MEAN + own + self.stray(run).drift * likeness
    }

    /// Returns the additional variances of a run; this run has none.
    pub fn stray(&self, run: usize) -> Stray {
        run.checked_sub(1).map_or(Stray { drift: 0.0, noise: 0.0 }, |earlier| self.earlier[earlier])
    }

    /// Returns the covariances of the outcomes of trials, whose candidates are `distinct`,
    /// including noise: the lower half of a matrix.
    pub fn covariances(&self, dimensions: &[Dimension], trials: &[ModelTrial], distinct: &Distinct) -> DMatrix<f64> {
        let n = trials.len();
        let alike = distinct.candidates.iter().map(|values| distinct.likeness(self, dimensions, values));
        let alike: Vec<Vec<f64>> = alike.collect();
        let mut covariances = DMatrix::zeros(n, n);
        for i in 0..n {
            for j in 0..=i {
                let likeness = alike[distinct.places[i]][distinct.places[j]];
                covariances[(i, j)] = self.covariance(likeness, trials[i].tie(&trials[j]));
            }
            covariances[(i, i)] += self.noise + self.stray(trials[i].run).noise + JITTER;
        }
        covariances
    }
}

/// The candidates of trials, each once: many trials repeat a candidate on another deal.
#[derive(Default)]
pub struct Distinct {
    /// The candidates.
    pub candidates: Vec<Vec<f64>>,
    /// The index of each trial's candidate.
    pub places: Vec<usize>,
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
            self.candidates.len() - 1
        }));
    }

    /// Returns the similarity of a candidate to each of these.
    fn likeness(&self, kernel: &Kernel, dimensions: &[Dimension], values: &[f64]) -> Vec<f64> {
        self.candidates.iter().map(|other| kernel.likeness(dimensions, values, other)).collect()
    }
}

/// The posterior after some trials.
pub struct Process<'a> {
    dimensions: &'a [Dimension],
    kernel: &'a Kernel,
    trials: Vec<ModelTrial>,
    distinct: Distinct,
    factor: Cholesky<f64, Dyn>,
    /// The inverse of the covariances times the outcomes; 0 for pending trials.
    weights: DVector<f64>,
}

/// A candidate with its mean. Requested trials, whose outcomes are missing, do not change it.
#[derive(Clone, Debug)]
pub struct Met {
    /// The candidate.
    pub values: Vec<f64>,
    /// The mean of `f`, in units of the outcomes.
    pub mean: f64,
    /// The similarity to each distinct candidate so far.
    likeness: Vec<f64>,
    /// Covariances of `f` with the trials so far.
    covariances: DVector<f64>,
}

/// A candidate with its mean and variance.
#[derive(Clone, Debug)]
pub struct Known {
    /// The candidate.
    pub values: Vec<f64>,
    /// The mean of `f`, in units of the outcomes.
    pub mean: f64,
    /// The similarity to each distinct candidate.
    likeness: Vec<f64>,
    /// Covariances of `f` with the trials.
    covariances: DVector<f64>,
    /// The factor's inverse times these covariances.
    solved: DVector<f64>,
}

impl<'a> Process<'a> {
    /// Returns the posterior after trials with these outcomes.
    ///
    /// # Panics
    /// If there is no trial.
    pub fn new(dimensions: &'a [Dimension], kernel: &'a Kernel, trials: Vec<ModelTrial>, outcomes: &[f64]) -> Self {
        let distinct = Distinct::of(&trials);
        let factor = factor(kernel.covariances(dimensions, &trials, &distinct));
        let weights = factor.solve(&DVector::from_column_slice(outcomes));
        Process { dimensions, kernel, distinct, trials, factor, weights }
    }

    /// Returns whether a candidate was or is to be played on a deal.
    pub fn has(&self, values: &[f64], deal: usize) -> bool {
        self.trials.iter().any(|trial| trial.is_on(deal) && trial.values == values)
    }

    pub fn deals_of_trials(&self) -> impl Iterator<Item = usize> {
        self.trials.iter().map(|trial| trial.deal)
    }

    /// Returns the most probable unit of the variances, after trials with these outcomes.
    pub fn unit(&self, outcomes: &[f64]) -> f64 {
        let square: f64 = self.weights.iter().zip(outcomes).map(|(weight, outcome)| weight * outcome).sum();
        (square / outcomes.len() as f64).max(0.0)
    }

    /// Returns the residuals of the trials of one run: their outcomes without `f` and the level of
    /// the deal.
    pub fn residuals(&self) -> Vec<f64> {
        let Process { kernel, trials, distinct, weights, .. } = self;
        let alike: Vec<Vec<f64>> =
            distinct.candidates.iter().map(|values| distinct.likeness(kernel, self.dimensions, values)).collect();
        let of = |i: usize| {
            let on_deal = (0..trials.len()).filter(|&j| trials[j].deal == trials[i].deal);
            let together: f64 = on_deal.map(|j| alike[distinct.places[i]][distinct.places[j]] * weights[j]).sum();
            kernel.noise * weights[i] + kernel.interaction * together
        };
        (0..trials.len()).map(of).collect()
    }

    /// Returns the share of each outcome in the difference of `f` at two candidates, the first
    /// minus the second.
    pub fn shares_in_difference(&self, a: &Known, b: &Known) -> Vec<f64> {
        self.factor.solve(&(&a.covariances - &b.covariances)).data.into()
    }

    /// Returns the number of deals of this run.
    pub fn deals(&self) -> usize {
        self.trials.iter().filter(|trial| trial.run == 0).map(|trial| trial.deal + 1).max().unwrap_or(0)
    }

    /// Returns a candidate with the mean of `f`, which takes less time than [`known`](Self::known).
    pub fn met(&self, values: Vec<f64>) -> Met {
        let likeness = self.distinct.likeness(self.kernel, self.dimensions, &values);
        let covariances = DVector::from_iterator(self.trials.len(), self.covariances(&likeness, 0));
        Met { mean: covariances.dot(&self.weights), values, likeness, covariances }
    }

    /// Returns the covariances of `f`, at a candidate with these similarities, with the trials from
    /// `first` on.
    fn covariances(&self, likeness: &[f64], first: usize) -> impl Iterator<Item = f64> {
        let mean = |trial: &ModelTrial| if trial.run == 0 { MEAN } else { 0.0 };
        let trials = self.trials.iter().zip(&self.distinct.places).skip(first);
        trials.map(move |(trial, &place)| self.kernel.signal * likeness[place] + mean(trial))
    }

    /// Returns a candidate with the variance of `f`.
    pub fn known(&self, met: Met) -> Known {
        let Met { values, mean, mut likeness, covariances } = met;
        // Trials requested since then.
        let new = &self.distinct.candidates[likeness.len()..];
        likeness.extend(new.iter().map(|other| self.kernel.likeness(self.dimensions, &values, other)));
        let later = self.covariances(&likeness, covariances.len());
        let covariances = DVector::from_iterator(self.trials.len(), covariances.iter().copied().chain(later));
        let solved = self.solve(&covariances);
        Known { values, mean, likeness, covariances, solved }
    }

    /// Returns the factor's inverse times a vector.
    fn solve(&self, vector: &DVector<f64>) -> DVector<f64> {
        let mut solved = vector.clone();
        self.factor.l_dirty().solve_lower_triangular_mut(&mut solved);
        solved
    }

    /// Returns the covariance of `f` at two candidates.
    pub fn covariance(&self, a: &Known, b: &Known) -> f64 {
        let likeness = self.kernel.likeness(self.dimensions, &a.values, &b.values);
        self.kernel.signal * likeness + MEAN - a.solved.dot(&b.solved)
    }

    /// Returns the variance of `f` at a candidate.
    pub fn variance(&self, of: &Known) -> f64 {
        (self.kernel.signal + MEAN - of.solved.norm_squared()).max(0.0)
    }

    /// Returns the variance of the difference of `f` at two candidates.
    pub fn variance_between(&self, a: &Known, b: &Known) -> f64 {
        (self.variance(a) + self.variance(b) - 2.0 * self.covariance(a, b)).max(0.0)
    }

    /// Returns the variance of an outcome of a candidate on a deal whose level is known.
    pub fn variance_of_outcome(&self, of: &Known) -> f64 {
        self.variance(of) + self.kernel.interaction + self.kernel.noise
    }

    /// Returns the reduction in the variance of a candidate's difference from a rival, or of its
    /// mean without one, by a trial of the candidate on a deal.
    pub fn told(&self, of: &Known, rival: Option<&Known>, deal: usize) -> f64 {
        let kernel = self.kernel;
        let mut outcome = of.covariances.clone();
        for ((covariance, trial), &place) in outcome.iter_mut().zip(&self.trials).zip(&self.distinct.places) {
            if trial.is_on(deal) {
                *covariance += kernel.level + kernel.interaction * of.likeness[place];
            }
        }
        let solved = self.solve(&outcome);
        let prior = kernel.signal + MEAN + kernel.level + kernel.interaction + kernel.noise;
        let variance = prior - solved.norm_squared();
        let difference = match rival {
            Some(rival) => {
                let likeness = kernel.likeness(self.dimensions, &of.values, &rival.values);
                kernel.signal * (1.0 - likeness) - solved.dot(&of.solved) + solved.dot(&rival.solved)
            }
            None => kernel.signal + MEAN - solved.dot(&of.solved),
        };
        difference * difference / variance.max(kernel.noise)
    }

    /// Adds a trial without its outcome: the posterior mean stays, and the variance shrinks.
    pub fn expect(&mut self, trial: ModelTrial) {
        let n = self.trials.len();
        let covariance = |other: &ModelTrial| {
            let likeness = self.kernel.likeness(self.dimensions, &trial.values, &other.values);
            self.kernel.covariance(likeness, trial.tie(other))
        };
        let own = self.kernel.covariance(1.0, Tie::Deal(0)) + self.kernel.noise + JITTER;
        let column = DVector::from_iterator(n + 1, self.trials.iter().map(covariance).chain([own]));
        self.factor = self.factor.insert_column(n, column);
        self.weights = self.weights.clone().push(0.0);
        self.distinct.add(&trial);
        self.trials.push(trial);
    }
}

/// Returns the factor of a matrix of covariances, given by its lower half.
pub fn factor(covariances: DMatrix<f64>) -> Cholesky<f64, Dyn> {
    let mut jitter = 1e-6;
    loop {
        let mut matrix = covariances.clone();
        if let Some(factor) = Cholesky::new(matrix.clone()) {
            return factor;
        }
        // Rounding made it indefinite.
        matrix.fill_diagonal(0.0);
        let diagonal = covariances.diagonal().add_scalar(jitter);
        matrix.set_diagonal(&diagonal);
        if let Some(factor) = Cholesky::new(matrix) {
            return factor;
        }
        jitter *= 10.0;
    }
}
