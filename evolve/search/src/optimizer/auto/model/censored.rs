//! The outcomes of trials, and those among them for which only a lower bound is known.
//!
//! Each of these is replaced by its expected value above the bound, given all other outcomes
//! (Schmee and Hahn, "A simple method for regression analysis with censored data", 1979; for tuning
//! Hutter, Hoos and Leyton-Brown, "Bayesian optimization with censored response data", 2011, and
//! SMAC).

use super::process::{Before, ModelTrial, Process};
use super::triangle::{Triangle, inverse_entry};
use crate::optimizer::Told;
use crate::statistics::{below, density};
use serde::{Deserialize, Serialize};

/// Number of passes over the outcomes; each estimate affects the others.
const SWEEPS: usize = 20;
/// Number of standard deviations above the mean from which a bound is practically its own expected
/// value.
const FAR: f64 = 30.0;

/// The outcomes of trials, each a negated objective.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Outcomes {
    outcomes: Vec<f64>,
    /// The indices, in ascending order, of the trials that were capped: their outcomes are lower
    /// bounds.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    capped: Vec<usize>,
}

impl Outcomes {
    /// Adds the outcomes of a request.
    pub fn add(&mut self, told: &Told<'_>) {
        self.capped.extend(told.bounds.iter().map(|place| self.outcomes.len() + place));
        self.outcomes.extend(told.objectives.iter().map(|objective| -objective));
    }

    /// Returns the outcome or bound of each trial.
    pub fn values(&self) -> &[f64] {
        &self.outcomes
    }

    /// Returns the indices of the bounds.
    pub fn bounds(&self) -> &[usize] {
        &self.capped
    }

    /// Returns scaled outcomes of trials, with the bounds among them, and those at further indices,
    /// raised to their expected values.
    pub fn raised(
        &self,
        before: Before<'_>,
        trials: &[ModelTrial],
        scaled: Vec<f64>,
        further: impl IntoIterator<Item = usize>,
    ) -> Vec<f64> {
        let bounds: Vec<usize> = self.bounds().iter().copied().chain(further).collect();
        imputed(before, trials, scaled, &bounds)
    }

    /// Returns the first trials only.
    pub fn first(&self, trials: usize) -> Self {
        let capped = self.capped.iter().copied().filter(|&place| place < trials).collect();
        Outcomes { outcomes: self.outcomes[..trials].to_vec(), capped }
    }

    /// Returns whether data read from a file fits this number of trials.
    pub fn fits(&self, trials: usize) -> bool {
        self.outcomes.len() == trials
            && self.outcomes.iter().all(|outcome| outcome.is_finite())
            && self.capped.is_sorted_by(|a, b| a < b)
            && self.capped.last().is_none_or(|&last| last < trials)
    }
}

/// Returns the outcomes of trials, with those at the indices `at_bounds` raised from their bounds
/// to their expected values.
fn imputed(before: Before<'_>, trials: &[ModelTrial], outcomes: Vec<f64>, at_bounds: &[usize]) -> Vec<f64> {
    if at_bounds.is_empty() {
        return outcomes;
    }
    let process = Process::new(before, trials.to_vec(), &outcomes, Triangle::default());
    let (mut values, mut weights) = (outcomes, process.weights().to_vec());
    let factor = process.triangle().inverse();
    let column = |i: usize| (0..trials.len()).map(|j| inverse_entry(&factor, i.max(j), i.min(j))).collect();
    let columns: Vec<Vec<f64>> = at_bounds.iter().map(|&i| column(i)).collect();
    let bounds: Vec<f64> = at_bounds.iter().map(|&i| values[i]).collect();
    for _ in 0..SWEEPS {
        for ((&i, &bound), column) in at_bounds.iter().zip(&bounds).zip(&columns) {
            // Leave-one-out prediction from the other outcomes: Rasmussen and Williams, 2006,
            // equation 5.12.
            let variance = 1.0 / column[i];
            let mean = values[i] - variance * weights[i];
            let value = expected_above(bound, mean, variance.sqrt());
            let change = value - values[i];
            weights.iter_mut().zip(column).for_each(|(weight, entry)| *weight += change * entry);
            values[i] = value;
        }
    }
    values
}

/// Returns the mean of a normal distribution above a bound.
fn expected_above(bound: f64, mean: f64, deviation: f64) -> f64 {
    let z = (bound - mean) / deviation;
    if z > FAR {
        return bound;
    }
    let above = below(-z);
    (mean + deviation * density(z) / above).max(bound)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::space::Coordinate;
    use crate::optimizer::auto::model::encoding::dimensions;
    use crate::optimizer::auto::model::kernel::Kernel;
    use crate::optimizer::auto::model::kin::Instances;

    #[test]
    fn the_mean_above_a_bound_is_that_of_the_distribution() {
        // Half a normal distribution has the mean sqrt(2 / pi).
        assert!((expected_above(0.0, 0.0, 1.0) - 0.797_884_560_802_865_4).abs() < 1e-12);
        assert!((expected_above(3.0, 5.0, 0.1) - 5.0).abs() < 1e-12, "a bound that says nothing");
        for z in [5.0, 20.0, 29.9, 30.1, 1e6] {
            let beyond = expected_above(z, 0.0, 1.0) - z;
            assert!((0.0..=1.0 / z).contains(&beyond), "{z}: {beyond}");
        }
    }

    #[test]
    fn bounds_are_raised_by_what_others_say_and_exact_outcomes_stay() {
        let number = Coordinate::float(0.0, 0.1, 0.0, 1.0);
        let dimensions = dimensions(&[number]);
        let kernel = Kernel::of_one_number([1.0, 0.5, 0.05, 0.05]);
        let before =
            Before { dimensions: &dimensions, kernel: &kernel, instances: &Instances::default(), numbers: Vec::new() };
        let trial = |x: f64, case: usize| ModelTrial::new(vec![x], case);
        // The candidates to the right are worse and worse, and capped at 0.5.
        let trials: Vec<ModelTrial> = (0..10).map(|i| trial(f64::from(i) / 9.0, 0)).collect();
        let outcomes: Vec<f64> = (0..10).map(|i| (f64::from(i) / 4.0 - 1.0).min(0.5)).collect();
        let capped: Vec<usize> = (6..10).collect();
        let imputed = |capped: &[usize]| imputed(before.clone(), &trials, outcomes.clone(), capped);
        assert_eq!(imputed(&[]), outcomes);
        let values = imputed(&capped);
        assert_eq!(values[..6], outcomes[..6]);
        assert!(values[6..].iter().all(|&value| value > 0.6 && value < 3.0), "{values:?}");
        // One among much better ones is hardly above its bound.
        let alone = imputed(&[2]);
        assert!(alone[2] > outcomes[2] && alone[2] < outcomes[2] + 0.3, "{alone:?}");
    }
}
