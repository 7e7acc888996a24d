//! Fitting the hyperparameters again, to a part of the trials if there are many.

use super::Model;
use super::fit::{self, PlayedTrials};
use super::process::ModelTrial;
use crate::model::seed::{Split, generator, seed};
use rand::RngExt;
use std::collections::BTreeMap;

/// Largest number of trials of a fit; half of them are the best ones.
const LARGEST_FIT: usize = 200;
const FIT: u64 = (1 << 32) + 1;

impl Model {
    pub(super) fn fit(&mut self) {
        let outcomes = match &self.state.kernel {
            Some(kernel) => self.outcomes(kernel),
            // Bounds count as outcomes until there is a model.
            None => self.standardized(),
        };
        let state = &self.state;
        let n = state.trials.len();
        let above = self.above_levels();
        let order = self.represented(self.fitted_trials(n, |i| above[i]), &above);
        let mut trials: Vec<ModelTrial> = order.iter().map(|&i| state.trials[i].clone()).collect();
        let mut of: Vec<f64> = order.iter().map(|&i| outcomes[i]).collect();
        trials.extend(self.earlier.beside(n).map(|known| known.trial.clone()));
        of.extend(&outcomes[n..]);
        let numbers = self.numbers();
        let (instances, spread) = (&self.state.instances, fit::NARROW);
        let played = PlayedTrials { trials: &trials, outcomes: &of, instances, numbers: &numbers, spread };
        let fitted = fit::fit(&self.dimensions, self.cases, self.earlier.runs(), played, state.kernel.as_ref());
        self.state.kernel = Some(fitted.0);
        self.state.fitted = n;
        let start = self.start();
        let mut quantities = std::mem::take(&mut self.state.quantities);
        for quantity in &mut quantities {
            let few = |n: usize, rank: &dyn Fn(usize) -> f64| self.fitted_trials(n, rank);
            quantity.fit(&self.dimensions, self.cases, &self.state.trials, &start, few);
        }
        self.state.quantities = quantities;
    }

    /// Returns the indices of the trials of a fit among `n` trials, in ascending order: if there
    /// are too many, half of them are those with the least `rank`, and the others are drawn.
    pub(super) fn fitted_trials(&self, n: usize, rank: impl Fn(usize) -> f64) -> Vec<usize> {
        let mut order: Vec<usize> = (0..n).collect();
        if n > LARGEST_FIT {
            order.sort_by(|&a, &b| rank(a).total_cmp(&rank(b)));
            let mut random = generator(seed(self.seed, Split::Variation, self.state.batches, FIT));
            for place in LARGEST_FIT / 2..LARGEST_FIT {
                let other = random.random_range(place as u32..n as u32) as usize;
                order.swap(place, other);
            }
            order.truncate(LARGEST_FIT);
            order.sort_unstable();
        }
        order
    }

    /// Returns trials with one more of each case that has none: the one least above its level.
    fn represented(&self, mut order: Vec<usize>, above: &[f64]) -> Vec<usize> {
        let trials = &self.state.trials;
        if order.len() == trials.len() {
            return order;
        }
        let mut has = vec![false; self.state.cases.len()];
        order.iter().for_each(|&i| has[trials[i].case] = true);
        let mut best: BTreeMap<usize, usize> = BTreeMap::new();
        for (i, trial) in trials.iter().enumerate().filter(|(_, trial)| !has[trial.case]) {
            let best = best.entry(trial.case).or_insert(i);
            if above[i] < above[*best] {
                *best = i;
            }
        }
        order.extend(best.into_values());
        order.sort_unstable();
        order
    }
}
