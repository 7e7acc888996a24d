//! Mutations: normal deviates, whose standard deviation is a step common to all coordinates times each one's scale.
//!
//! Both adapt to the mutations that made the parents, as in evolution strategies with weighted recombination. The
//! step grows while successive generations keep going the same way, and shrinks while they go back and forth
//! (cumulative step-size adaptation; Hansen and Ostermeier, "Completely derandomized self-adaptation in evolution
//! strategies", 2001). A coordinate's scale follows the mean square of its successful mutations
//! (Ros and Hansen, "A simple modification in CMA-ES achieving linear time and space complexity", 2008, without
//! its rank-one term).

use super::{Adapt, Member, Settings};
use crate::optimizer::sampling::normal;
use crate::space::Coordinate;
use chacha20::ChaCha8Rng;
use rand::RngExt;
use serde::{Deserialize, Serialize};

/// The state of the mutations.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Mutation {
    /// Common to all coordinates.
    step: f64,
    /// Each coordinate's own scale, in its unit.
    scales: Vec<f64>,
    /// The way that successive generations went, in standard deviations of each coordinate.
    path: Vec<f64>,
}

/// The step stays within these factors of its first value, so that a flat stretch cannot blow it up.
const STEP_RANGE: std::ops::RangeInclusive<f64> = 1e-3..=1e3;
/// A scale stays within these factors of the declared one: it neither vanishes in a long run, where mutations could not
/// be told from rounding any more, nor grows past all ranges.
const SCALE_RANGE: std::ops::RangeInclusive<f64> = 1e-4..=1e4;
/// The most of a scale that one generation replaces. With few coordinates the formula gives up to 1, and a generation
/// whose parents happened not to mutate a coordinate would erase its scale.
const MOST_LEARNT: f64 = 0.8;

impl Mutation {
    /// The first mutations: the declared scales.
    pub fn new(space: &[Coordinate], settings: &Settings) -> Self {
        let scales: Vec<f64> = space.iter().map(|coordinate| coordinate.scale).collect();
        Mutation { step: settings.step, path: vec![0.0; scales.len()], scales }
    }

    /// The standard deviation of each coordinate's mutations.
    pub fn deviations(&self, space: &[Coordinate]) -> Vec<f64> {
        let deviation = |(scale, coordinate): (&f64, &Coordinate)| (self.step * scale).max(coordinate.least);
        self.scales.iter().zip(space).map(deviation).collect()
    }

    /// A mutation of `base` within the ranges of the coordinates.
    pub fn mutate(&self, base: Vec<f64>, space: &[Coordinate], settings: &Settings, random: &mut ChaCha8Rng) -> Member {
        let mut point = base;
        let mut mutation = Vec::with_capacity(point.len());
        for ((value, coordinate), deviation) in point.iter_mut().zip(space).zip(self.deviations(space)) {
            let before = *value;
            if settings.rate >= 1.0 || random.random::<f64>() < settings.rate {
                *value = coordinate.clamp(before + deviation * normal(random));
            }
            mutation.push((*value - before) / deviation);
        }
        Member { point, mutation: Some(mutation) }
    }

    /// Adapts to the parents, better ones first, and how much each counts. Members older than this generation say
    /// nothing about its mutations.
    pub fn adapt(&mut self, parents: &[&Member], shares: &[f64], space: &[Coordinate], settings: &Settings) {
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
        let expected = settings.rate;
        // A scale learns from those parents that mutated its coordinate.
        let mutated = (effective * expected).max(1.0);
        let learn_scales = (2.0 * (mutated - 2.0 + 1.0 / mutated) / ((n + 2.0) * (n + 2.0) + mutated) * (n + 2.0)
            / 3.0)
            .clamp(0.0, MOST_LEARNT);
        // The length of the path when selection is blind; what one deviate contributes is `expected`.
        let blind = (expected * n).sqrt() * (1.0 - 1.0 / (4.0 * n) + 1.0 / (21.0 * n * n));
        for (i, coordinate) in space.iter().enumerate() {
            let mean: f64 = mutations.iter().map(|(mutation, share)| share / total * mutation[i]).sum();
            let square: f64 = mutations.iter().map(|(mutation, share)| share / total * mutation[i] * mutation[i]).sum();
            self.path[i] =
                (1.0 - learn_path) * self.path[i] + (learn_path * (2.0 - learn_path) * effective).sqrt() * mean;
            if settings.adapt == Adapt::Weights {
                let (min, max) = (SCALE_RANGE.start() * coordinate.scale, SCALE_RANGE.end() * coordinate.scale);
                let scale = self.scales[i] * (1.0 - learn_scales + learn_scales * square / expected).sqrt();
                self.scales[i] = scale.clamp(min, max);
            }
        }
        let length = self.path.iter().map(|x| x * x).sum::<f64>().sqrt();
        let growth = libm::exp((learn_path / damping * (length / blind - 1.0)).min(1.0));
        let (min, max) = (STEP_RANGE.start() * settings.step, STEP_RANGE.end() * settings.step);
        self.step = (self.step * growth).clamp(min, max);
    }

    /// Whether a state read from a file is one of `n` coordinates.
    pub fn fits(&self, n: usize) -> bool {
        let is_positive = |x: &f64| x.is_finite() && *x > 0.0;
        is_positive(&self.step)
            && self.scales.len() == n
            && self.scales.iter().all(is_positive)
            && self.path.len() == n
            && self.path.iter().all(|x| x.is_finite())
    }
}
