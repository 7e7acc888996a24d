//! A walk uphill along noisy slopes: momentum, a step size that shrinks with the trials played, and
//! an average of places.
//!
//! A place is a vector in each coordinate's unit, with 0 at the start. The *length* of a
//! coordinate is the size of a step or perturbation in it, in the same unit. The caller decides the
//! lengths, and which coordinates move together.

use super::families::Families;
use crate::model::seed::{Split, generator, seed};
use crate::model::space::Coordinate;
use crate::optimizer::sampling::{directions, dot};
use crate::optimizer::{Ask, is_count, is_whole};
use serde::{Deserialize, Serialize};
use std::borrow::Borrow;
use std::sync::OnceLock;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Walk {
    /// The number of steps.
    pub generation: u64,
    /// The number of trials played for them.
    pub trials: u64,
    pub place: Vec<f64>,
    /// The average of past places, with more weight on later ones.
    pub average: Vec<f64>,
    /// The average of recent slopes, with more weight on newer ones; not yet corrected for its
    /// start at 0.
    momentum: Vec<f64>,
    /// The directions of the current generation, once they are drawn. Drawing them again for the
    /// step would double the cost of the search.
    #[serde(skip)]
    drawn: OnceLock<Vec<Vec<f64>>>,
}

/// The distribution of perturbations and steps.
pub struct Shape<'a> {
    /// The standard deviation in each coordinate.
    pub lengths: Vec<f64>,
    /// The families of correlated coordinates.
    pub families: &'a Families,
}

impl Shape<'_> {
    /// Transforms a vector of independent coordinates with variance 1 to this distribution.
    fn way(&self, mut direction: Vec<f64>) -> Vec<f64> {
        self.families.correlate(&mut direction);
        direction.iter_mut().zip(&self.lengths).for_each(|(value, length)| *value *= length);
        direction
    }
}

/// How a walk remembers slopes and places.
pub struct Memory {
    /// The factor by which the weight of past slopes decreases with each new one.
    pub momentum: f64,
    /// The weight of a place in the average grows with this power of the generation, so that the
    /// average forgets the start: with 3, the last third of the walk has 80 % of the weight; with
    /// 10, the last seventh.
    pub power: f64,
    /// The number of trials after which steps have shrunk by about a third, to 1 / sqrt(2).
    pub trials: f64,
}

/// The largest weight of a single pair, as a multiple of the root mean square over all pairs.
const MOST: f64 = 2.5;

impl Walk {
    /// Creates a walk at its start.
    pub fn new(coordinates: usize) -> Self {
        let zero = vec![0.0; coordinates];
        Walk {
            generation: 0,
            trials: 0,
            place: zero.clone(),
            average: zero.clone(),
            momentum: zero,
            drawn: OnceLock::new(),
        }
    }

    /// Requests candidates on both sides of the place, in `pairs` directions that follow from the
    /// run's seed and the generation. Each pair plays its own case.
    pub fn pairs(&self, pairs: usize, shape: &Shape<'_>, space: &[Coordinate], run: u64) -> Ask {
        let mut points = Vec::with_capacity(2 * pairs);
        for direction in self.drawn.get_or_init(|| self.directions(pairs, run)) {
            let way = shape.way(direction.clone());
            for sign in [1.0, -1.0] {
                let place = self.place.iter().zip(&way).map(|(x, way)| x + sign * way);
                points.push(point(place, space));
            }
        }
        let trials = (0..2 * pairs).map(|i| (i, i / 2)).collect();
        Ask { points, cases: pairs, numbers: Vec::new(), again: Vec::new(), trials, rivals: Vec::new() }
    }

    fn directions(&self, pairs: usize, run: u64) -> Vec<Vec<f64>> {
        let mut random = generator(seed(run, Split::Variation, self.generation, 0));
        directions(pairs, self.place.len(), &mut random)
    }

    /// Makes a step of about `step` lengths in each coordinate, from the objectives of the
    /// [`pairs`](Self::pairs). The generation has played `trials` trials in total.
    pub fn step(
        &mut self,
        objectives: &[f64],
        (step, memory): (f64, &Memory),
        shape: &Shape<'_>,
        space: &[Coordinate],
        run: u64,
        trials: usize,
    ) {
        let differences: Vec<f64> = objectives.chunks(2).map(|pair| pair[0] - pair[1]).collect();
        let directions = self.drawn.take().unwrap_or_else(|| self.directions(differences.len(), run));
        let slope = slope(&differences, &directions);
        let step = step / (1.0 + self.trials as f64 / memory.trials).sqrt();
        self.generation += 1;
        self.trials += trials as u64;
        let &Memory { momentum, power, .. } = memory;
        let correction = 1.0 - libm::pow(momentum, self.generation as f64);
        let share = (1.0 + power) / (self.generation as f64 + power);
        self.momentum.iter_mut().zip(&slope).for_each(|(m, slope)| *m = momentum * *m + (1.0 - momentum) * slope);
        let way = shape.way(self.momentum.iter().map(|m| step * m / correction).collect());
        for (j, coordinate) in space.iter().enumerate() {
            let there = self.place[j] + way[j];
            let Coordinate { start, unit, min, max, .. } = *coordinate;
            self.place[j] = there.clamp((min - start) / unit, (max - start) / unit);
            self.average[j] += share * (self.place[j] - self.average[j]);
        }
    }

    /// Returns whether a deserialized state fits `n` coordinates.
    pub fn fits(&self, n: usize) -> bool {
        is_count(self.generation)
            && is_count(self.trials)
            && [&self.place, &self.average, &self.momentum].iter().all(|values| is_whole(values, n))
    }
}

/// Converts a place to a point of the space.
pub fn point(place: impl IntoIterator<Item = impl Borrow<f64>>, space: &[Coordinate]) -> Vec<f64> {
    let at = |(x, coordinate): (_, &Coordinate)| {
        coordinate.clamp(coordinate.start + *Borrow::<f64>::borrow(&x) * coordinate.unit)
    };
    place.into_iter().zip(space).map(at).collect()
}

/// Limits a length, so that it can change whole numbers and choices, and does not leave the range
/// at once.
pub fn within(length: f64, coordinate: &Coordinate) -> f64 {
    let Coordinate { unit, min, max, least, .. } = *coordinate;
    length.min((max - min) / (4.0 * unit)).max(least / unit)
}

/// Returns the ascent direction: the mean of the directions, weighted by the differences between
/// their two ends. For differences of pure noise, its coordinates have variance 1.
fn slope(differences: &[f64], directions: &[Vec<f64>]) -> Vec<f64> {
    let mut slope = vec![0.0; directions[0].len()];
    let typical = (dot(differences, differences) / differences.len() as f64).sqrt();
    if typical > 0.0 {
        let weights: Vec<f64> = differences.iter().map(|d| (d / typical).clamp(-MOST, MOST)).collect();
        let norm = dot(&weights, &weights).sqrt();
        for (weight, direction) in weights.iter().zip(directions) {
            slope.iter_mut().zip(direction).for_each(|(slope, e)| *slope += weight / norm * e);
        }
    }
    slope
}
