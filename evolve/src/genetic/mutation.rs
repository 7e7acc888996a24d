//! Mutations: normal deviates, whose standard deviation is a step common to all weights times each weight's scale.
//!
//! Both adapt to the mutations that made the parents, as in evolution strategies with weighted recombination. The
//! step grows while successive generations keep going the same way, and shrinks while they go back and forth
//! (cumulative step-size adaptation; Hansen and Ostermeier, "Completely derandomized self-adaptation in evolution
//! strategies", 2001). A weight's scale follows the mean square of the successful mutations of that weight
//! (Ros and Hansen, "A simple modification in CMA-ES achieving linear time and space complexity", 2008, without
//! its rank-one term).

use super::normal::normal;
use super::{Adapt, Member, Settings, Space};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};

/// The state of the mutations.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Mutation {
    /// Common to all weights.
    step: f64,
    /// Each weight's own scale, in its unit.
    scales: Vec<f64>,
    /// The way that successive generations went, in standard deviations of each weight.
    path: Vec<f64>,
}

/// The step stays within these factors of its first value, so that a flat stretch cannot blow it up.
const STEP_RANGE: std::ops::RangeInclusive<f64> = 1e-3..=1e3;

impl Mutation {
    /// The first mutations: the declared scales.
    pub fn new(space: &Space, settings: &Settings) -> Self {
        let scales: Vec<f64> = space.evolving().map(|weight| weight.scale).collect();
        Mutation { step: settings.step, path: vec![0.0; scales.len()], scales }
    }

    /// A mutation of `base` within the ranges of the weights.
    pub fn mutate(&self, base: Vec<f64>, space: &Space, settings: &Settings, random: &mut ChaCha8Rng) -> Member {
        let mut genome = base;
        let mut mutation = Vec::with_capacity(genome.len());
        for ((value, weight), scale) in genome.iter_mut().zip(space.evolving()).zip(&self.scales) {
            let deviation = self.step * scale;
            let before = *value;
            if settings.rate >= 1.0 || random.random::<f64>() < settings.rate {
                *value = (before + deviation * normal(random)).clamp(weight.min, weight.max);
            }
            mutation.push((*value - before) / deviation);
        }
        Member { genome, mutation: Some(mutation) }
    }

    /// Adapts to the parents, better ones first, and how much each counts. Members older than this generation say
    /// nothing about its mutations.
    pub fn adapt(&mut self, parents: &[&Member], shares: &[f64], settings: &Settings) {
        if settings.adapt == Adapt::Nothing {
            return;
        }
        // A parent drawn more than once is one mutation that counts more: as several, it would seem less noisy.
        let mut mutations: Vec<(&[f64], f64)> = Vec::with_capacity(parents.len());
        for (&parent, &share) in parents.iter().zip(shares) {
            let Some(mutation) = parent.mutation.as_deref() else { continue };
            match mutations.iter_mut().find(|(other, _)| std::ptr::eq(*other, mutation)) {
                Some((_, sum)) => *sum += share,
                None => mutations.push((mutation, share)),
            }
        }
        let total: f64 = mutations.iter().map(|(_, share)| share).sum();
        if total <= 0.0 {
            return;
        }
        let n = self.scales.len() as f64;
        // The number of equal parents whose mean is as noisy as this weighted one.
        let effective = total * total / mutations.iter().map(|(_, share)| share * share).sum::<f64>();
        let learn_path = (effective + 2.0) / (n + effective + 5.0);
        let damping = 1.0 + 2.0 * f64::max(0.0, ((effective - 1.0) / (n + 1.0)).sqrt() - 1.0) + learn_path;
        let learn_scales =
            (2.0 * (effective - 2.0 + 1.0 / effective) / ((n + 2.0) * (n + 2.0) + effective) * (n + 2.0) / 3.0)
                .clamp(0.0, 1.0);
        // What one deviate contributes when selection is blind, and the length of the path then.
        let expected = settings.rate;
        let blind = (expected * n).sqrt() * (1.0 - 1.0 / (4.0 * n) + 1.0 / (21.0 * n * n));
        for i in 0..self.scales.len() {
            let mean: f64 = mutations.iter().map(|(mutation, share)| share / total * mutation[i]).sum();
            let square: f64 = mutations.iter().map(|(mutation, share)| share / total * mutation[i] * mutation[i]).sum();
            self.path[i] =
                (1.0 - learn_path) * self.path[i] + (learn_path * (2.0 - learn_path) * effective).sqrt() * mean;
            if settings.adapt == Adapt::Weights {
                self.scales[i] *= (1.0 - learn_scales + learn_scales * square / expected).sqrt();
            }
        }
        let length = self.path.iter().map(|x| x * x).sum::<f64>().sqrt();
        let growth = libm::exp((learn_path / damping * (length / blind - 1.0)).min(1.0));
        let (min, max) = (STEP_RANGE.start() * settings.step, STEP_RANGE.end() * settings.step);
        self.step = (self.step * growth).clamp(min, max);
    }

    /// Whether a state read from a file is one of `n` weights.
    pub fn fits(&self, n: usize) -> bool {
        let is_positive = |x: &f64| x.is_finite() && *x > 0.0;
        is_positive(&self.step)
            && self.scales.len() == n
            && self.scales.iter().all(is_positive)
            && self.path.len() == n
            && self.path.iter().all(|x| x.is_finite())
    }
}
