//! Candidates that follow the instance: the mean over some instances, each with values of its own.

use super::{ModelTrial, Process};
use crate::optimizer::auto::model::kernel::MEAN;
use crate::optimizer::auto::model::triangle::dot;

/// An instance, by its index, with the values that a candidate has there.
pub type Part = (usize, Vec<f64>);

/// The mean of `F` over instances.
#[derive(Clone, Debug)]
pub struct Mixture {
    parts: Vec<Part>,
    /// The mean, in units of the outcomes.
    pub mean: f64,
    /// The factor's inverse times the covariances with the trials.
    solved: Vec<f64>,
}

impl<'a> Process<'a> {
    /// Returns the same posterior with the outcome on one instance as its aim, instead of the mean
    /// over all.
    pub fn aimed_at(&self, instance: usize) -> Process<'a> {
        let mut aimed = Process { target: Some(instance), ..self.clone() };
        aimed.signals = aimed.trials.iter().map(|trial| aimed.signal_on(trial.run, trial.case)).collect();
        aimed
    }

    /// Returns the covariances of the outcome of a candidate on an instance with the trials,
    /// without the level.
    fn on_instance(&self, (instance, values): &Part) -> impl Iterator<Item = f64> {
        let likeness = self.distinct.likeness(self.kernel, self.dimensions, values, 0);
        let signals: Vec<f64> = (0..self.kin.cases())
            .map(|case| self.kernel.by_features().0 * self.kin.to_instance(case, *instance))
            .collect();
        let of = move |(trial, &place): (&ModelTrial, &usize)| match trial.run {
            0 => (self.kernel.signal + signals.get(trial.case).unwrap_or(&0.0)) * likeness[place] + MEAN,
            _ => self.kernel.signal * likeness[place],
        };
        self.trials.iter().zip(&self.distinct.places).map(of)
    }

    /// Returns the mean of a candidate on an instance, without the level.
    pub fn mean_on_instance(&self, part: &Part) -> f64 {
        self.on_instance(part).zip(&self.weights).map(|(covariance, weight)| covariance * weight).sum()
    }

    /// Returns the mean over parts, with what its variance needs.
    pub fn mixture(&self, parts: Vec<Part>) -> Mixture {
        let mut covariances = vec![0.0; self.trials.len()];
        for part in &parts {
            covariances.iter_mut().zip(self.on_instance(part)).for_each(|(sum, covariance)| *sum += covariance);
        }
        covariances.iter_mut().for_each(|sum| *sum /= parts.len() as f64);
        Mixture { mean: dot(&covariances, &self.weights), parts, solved: self.solve(covariances) }
    }

    fn covariance_of_mixtures(&self, a: &Mixture, b: &Mixture) -> f64 {
        let mut prior = 0.0;
        for (one, of_one) in &a.parts {
            for (other, of_other) in &b.parts {
                let signal = self.kernel.signal + self.kernel.by_features().0 * self.kin.of_instances(*one, *other);
                prior += signal * self.kernel.likeness(self.dimensions, of_one, of_other);
            }
        }
        prior / (a.parts.len() * b.parts.len()) as f64 + MEAN - dot(&a.solved, &b.solved)
    }

    /// Returns the variance of the difference of two mixtures.
    pub fn variance_between_mixtures(&self, a: &Mixture, b: &Mixture) -> f64 {
        let of = |a, b| self.covariance_of_mixtures(a, b);
        (of(a, a) + of(b, b) - 2.0 * of(a, b)).max(0.0)
    }

    /// Returns the share of each outcome in the difference of two mixtures, the first minus the
    /// second.
    pub fn shares_between_mixtures(&self, a: &Mixture, b: &Mixture) -> Vec<f64> {
        let mut shares: Vec<f64> = a.solved.iter().zip(&b.solved).map(|(a, b)| a - b).collect();
        self.triangle.solve_transposed(&mut shares);
        shares
    }
}
