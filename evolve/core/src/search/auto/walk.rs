//! A walk uphill by noisy slopes: momentum, a step that shrinks as games go by, and the average of where it has been.
//!
//! A place is in units of each coordinate's scale, 0 being the start. How far one step and one perturbation reach in a
//! coordinate is its *length*, in the same unit; the caller decides it, and which coordinates go together.

use super::families::Families;
use crate::model::seed::{Split, generator, seed};
use crate::model::space::Coordinate;
use crate::search::sampling::{directions, dot};
use crate::search::{Ask, is_count, is_whole};
use serde::{Deserialize, Serialize};
use std::borrow::Borrow;
use std::sync::OnceLock;

/// The walk's state.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Walk {
    /// How many steps were made.
    pub generation: u64,
    /// How many games they took.
    pub games: u64,
    /// Where it is.
    pub place: Vec<f64>,
    /// The average of where it has been, later places counting more.
    pub average: Vec<f64>,
    /// The average of recent slopes, newer ones counting more; not yet corrected for having started at 0.
    momentum: Vec<f64>,
    /// The directions of the generation under way, once somebody asked for them: to draw them again for the step would
    /// double what the search costs.
    #[serde(skip)]
    drawn: OnceLock<Vec<Vec<f64>>>,
}

/// The shape of perturbations and of steps.
pub struct Shape<'a> {
    /// Their standard deviation in each coordinate.
    pub lengths: Vec<f64>,
    /// Which coordinates correlate.
    pub families: &'a Families,
}

impl Shape<'_> {
    /// A way of this shape, made of one whose coordinates have variance 1 and know nothing of each other.
    fn way(&self, mut direction: Vec<f64>) -> Vec<f64> {
        self.families.correlate(&mut direction);
        direction.iter_mut().zip(&self.lengths).for_each(|(value, length)| *value *= length);
        direction
    }
}

/// Factor by which the weight of past slopes decreases with each new one.
const MOMENTUM: f64 = 0.9;
/// The average's weight of a place grows with this power of the generation: it forgets where the walk came from, and still
/// averages over the last third of it.
const POWER: f64 = 3.0;
/// No single pair counts more than this many times the root mean square of all.
const MOST: f64 = 2.5;
/// How many games it takes until steps are shorter by a third.
const GAMES: f64 = 3200.0;

impl Walk {
    /// A walk at its start.
    pub fn new(coordinates: usize) -> Self {
        let zero = vec![0.0; coordinates];
        Walk {
            generation: 0,
            games: 0,
            place: zero.clone(),
            average: zero.clone(),
            momentum: zero,
            drawn: OnceLock::new(),
        }
    }

    /// Candidates on either side of the place, in `pairs` directions that follow from the run's seed and the generation;
    /// each pair plays a deal of its own.
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
        Ask { points, deals: pairs, again: Vec::new(), trials, rivals: Vec::new() }
    }

    fn directions(&self, pairs: usize, run: u64) -> Vec<Vec<f64>> {
        let mut random = generator(seed(run, Split::Variation, self.generation, 0));
        directions(pairs, self.place.len(), &mut random)
    }

    /// A step of about `step` lengths in each coordinate, by the objectives of the [`pairs`](Self::pairs), after `games`
    /// games in all.
    pub fn step(
        &mut self,
        objectives: &[f64],
        step: f64,
        shape: &Shape<'_>,
        space: &[Coordinate],
        run: u64,
        games: usize,
    ) {
        let differences: Vec<f64> = objectives.chunks(2).map(|pair| pair[0] - pair[1]).collect();
        let directions = self.drawn.take().unwrap_or_else(|| self.directions(differences.len(), run));
        let slope = slope(&differences, &directions);
        let step = step / (1.0 + self.games as f64 / GAMES).sqrt();
        self.generation += 1;
        self.games += games as u64;
        let correction = 1.0 - libm::pow(MOMENTUM, self.generation as f64);
        let share = (1.0 + POWER) / (self.generation as f64 + POWER);
        self.momentum.iter_mut().zip(&slope).for_each(|(m, slope)| *m = MOMENTUM * *m + (1.0 - MOMENTUM) * slope);
        let way = shape.way(self.momentum.iter().map(|m| step * m / correction).collect());
        for (j, coordinate) in space.iter().enumerate() {
            let there = self.place[j] + way[j];
            let Coordinate { start, scale, min, max, .. } = *coordinate;
            self.place[j] = there.clamp((min - start) / scale, (max - start) / scale);
            self.average[j] += share * (self.place[j] - self.average[j]);
        }
    }

    /// Whether a state read from a file is one of `n` coordinates.
    pub fn fits(&self, n: usize) -> bool {
        is_count(self.generation)
            && is_count(self.games)
            && [&self.place, &self.average, &self.momentum].iter().all(|values| is_whole(values, n))
    }
}

/// The point of a place.
pub fn point(place: impl IntoIterator<Item = impl Borrow<f64>>, space: &[Coordinate]) -> Vec<f64> {
    let at = |(x, coordinate): (_, &Coordinate)| {
        coordinate.clamp(coordinate.start + *Borrow::<f64>::borrow(&x) * coordinate.scale)
    };
    place.into_iter().zip(space).map(at).collect()
}

/// A length that still moves whole numbers and choices, and does not leave the range at once.
pub fn within(length: f64, coordinate: &Coordinate) -> f64 {
    let Coordinate { scale, min, max, least, .. } = *coordinate;
    length.min((max - min) / (4.0 * scale)).max(least / scale)
}

/// The ascent direction: the mean direction, weighted by the difference between its two ends. If the differences are
/// pure noise, its coordinates have variance 1.
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
