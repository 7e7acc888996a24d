//! CMA-ES: normally distributed mutations with an adaptive covariance matrix.
//!
//! Equations are numbered as in Hansen, "The CMA evolution strategy: a tutorial" (2016). Updates
//! are active: bad candidates reduce variance. All lengths are in each coordinate's unit,
//! which is also the first step size.

mod eigen;
mod rates;

use crate::model::seed::{Split, generator, seed};
use crate::model::space::Coordinate;
use crate::optimizer::sampling::{dot, normal};
use crate::optimizer::{StateError, clamp, is_count, is_whole, ranking};
use eigen::Axes;
use rates::Rates;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The CMA-ES algorithm.
pub struct CmaEs {
    space: Vec<Coordinate>,
    /// The number of candidates in a generation.
    population: usize,
    seed: u64,
    rates: Rates,
    /// The principal axes of the covariance.
    axes: Axes,
    state: State,
}

/// The complete state between two generations.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct State {
    generation: u64,
    mean: Vec<f64>,
    /// The step size, common to all directions.
    step: f64,
    /// The rows of the covariance matrix.
    covariance: Vec<Vec<f64>>,
    /// The path of successive generations, transformed to independent coordinates of variance 1.
    step_path: Vec<f64>,
    /// The same path with its covariance.
    path: Vec<f64>,
}

/// The range of the step size, so that a flat region cannot make it diverge.
const STEP_RANGE: (f64, f64) = (1e-9, 1e6);
/// The range of each coordinate's standard deviation, in its unit: smaller mutations
/// vanish in rounding, and larger ones leave all ranges.
const DEVIATION_RANGE: (f64, f64) = (1e-9, 1e6);

impl CmaEs {
    /// Creates a search at its start.
    pub fn start(space: &[Coordinate], population: usize, seed: u64) -> Self {
        let n = space.len();
        let axes = Axes::of_coordinates(vec![1.0; n]);
        let state = State {
            generation: 0,
            mean: space.iter().map(|coordinate| coordinate.start).collect(),
            step: 1.0,
            covariance: axes.directions.clone(),
            step_path: vec![0.0; n],
            path: vec![0.0; n],
        };
        let rates = Rates::new(n, population);
        let mut this = CmaEs { space: space.to_vec(), population, seed, rates, axes, state };
        this.keep_in_range();
        this
    }

    /// Resumes a search from its state.
    ///
    /// # Errors
    /// If the state does not fit this space.
    pub fn resume(space: &[Coordinate], population: usize, seed: u64, state: &Value) -> Result<Self, StateError> {
        let state = State::deserialize(state)?;
        let axes = if state.fits(space.len()) { eigen::axes(&state.covariance) } else { None };
        let axes = axes.ok_or(StateError::Inconsistent)?;
        let rates = Rates::new(space.len(), population);
        Ok(CmaEs { space: space.to_vec(), population, seed, rates, axes, state })
    }

    /// Returns the complete state.
    pub fn state(&self) -> Value {
        serde_json::to_value(&self.state).expect("a state consists of numbers")
    }

    /// Returns the number of completed generations.
    pub fn generation(&self) -> u64 {
        self.state.generation
    }

    /// Returns the centre of the search.
    pub fn mean(&self) -> &[f64] {
        &self.state.mean
    }

    /// Returns the standard deviation of the candidates in each coordinate.
    pub fn deviations(&self) -> Vec<f64> {
        let variances = self.state.covariance.iter().enumerate().map(|(i, row)| row[i]);
        variances.zip(&self.space).map(|(variance, of)| self.state.step * variance.sqrt() * of.unit).collect()
    }

    /// Returns the candidates of the next generation.
    pub fn points(&self) -> Vec<Vec<f64>> {
        let CmaEs { space, axes, state, .. } = self;
        let mut random = generator(seed(self.seed, Split::Variation, state.generation, 0));
        let mut draw = || {
            let white: Vec<f64> = space.iter().map(|_| normal(&mut random)).collect();
            let mutation = axes.transform(&white, |deviation| deviation);
            let at = |((mean, mutation), coordinate): ((&f64, &f64), &Coordinate)| {
                mean + coordinate.unit * state.step * mutation
            };
            let mut point: Vec<f64> = state.mean.iter().zip(&mutation).zip(space).map(at).collect();
            clamp(&mut point, space);
            point
        };
        (0..self.population).map(|_| draw()).collect()
    }

    /// Receives the objective of each of the [`points`](Self::points).
    pub fn tell(&mut self, points: &[Vec<f64>], objectives: &[f64]) {
        let best_first: Vec<&[f64]> = ranking(objectives).into_iter().map(|i| points[i].as_slice()).collect();
        self.update(&best_first);
    }

    /// Moves the mean towards the better candidates, and adapts step and covariance. `points` are
    /// ordered from best to worst.
    fn update(&mut self, points: &[&[f64]]) {
        let CmaEs { space, rates, axes, state, .. } = self;
        let n = space.len();
        // Each candidate's mutation, in units of the step.
        let mutations: Vec<Vec<f64>> = points
            .iter()
            .map(|point| {
                let of =
                    |((x, mean), coordinate): ((&f64, &f64), &Coordinate)| (x - mean) / (coordinate.unit * state.step);
                point.iter().zip(&state.mean).zip(space.iter()).map(of).collect()
            })
            .collect();
        let parents = rates.parents();
        let mut way = vec![0.0; n];
        for (mutation, weight) in mutations[..parents].iter().zip(&rates.weights) {
            way.iter_mut().zip(mutation).for_each(|(way, value)| *way += weight * value);
        }
        for ((mean, way), coordinate) in state.mean.iter_mut().zip(&way).zip(space.iter()) {
            *mean += coordinate.unit * state.step * way;
        }
        clamp(&mut state.mean, space);

        // Cumulative step-size adaptation, equations 43 and 44.
        let white = axes.transform(&way, |deviation| 1.0 / deviation);
        let gain = (rates.step * (2.0 - rates.step) * rates.effective).sqrt();
        for (path, white) in state.step_path.iter_mut().zip(&white) {
            *path = (1.0 - rates.step) * *path + gain * white;
        }
        let length = dot(&state.step_path, &state.step_path).sqrt();
        let generations = (state.generation + 1) as f64;
        let grown = (1.0 - libm::pow(1.0 - rates.step, 2.0 * generations)).sqrt();
        // While the step size is about to grow a lot, the path of the covariance stalls: equation
        // 45 and its comment.
        let moves = length / grown < (1.4 + 2.0 / (n as f64 + 1.0)) * rates.blind;
        let gain = if moves { (rates.path * (2.0 - rates.path) * rates.effective).sqrt() } else { 0.0 };
        for (path, way) in state.path.iter_mut().zip(&way) {
            *path = (1.0 - rates.path) * *path + gain * way;
        }

        // Equations 46 and 47: a mutation with a negative weight is scaled to the expected length.
        let counts: Vec<f64> = mutations
            .iter()
            .zip(&rates.weights)
            .map(|(mutation, &weight)| {
                if weight >= 0.0 {
                    return weight;
                }
                let white = axes.transform(mutation, |deviation| 1.0 / deviation);
                weight * n as f64 / dot(&white, &white).max(1e-12)
            })
            .collect();
        let lost = if moves { 0.0 } else { rates.path * (2.0 - rates.path) };
        let kept = 1.0 + rates.rank_one * lost - rates.rank_one - rates.rank_mu * rates.weights.iter().sum::<f64>();
        let entry = |i: usize, j: usize, old: f64| {
            let of_mutations: f64 =
                counts.iter().zip(&mutations).map(|(count, mutation)| count * mutation[i] * mutation[j]).sum();
            kept * old + rates.rank_one * state.path[i] * state.path[j] + rates.rank_mu * of_mutations
        };
        let below = |(i, row): (usize, &Vec<f64>)| -> Vec<f64> {
            row[..=i].iter().enumerate().map(|(j, &old)| entry(i, j, old)).collect()
        };
        let lower: Vec<Vec<f64>> = state.covariance.iter().enumerate().map(below).collect();
        state.covariance = (0..n).map(|i| (0..n).map(|j| lower[i.max(j)][i.min(j)]).collect()).collect();
        let growth = libm::exp((rates.step / rates.damping * (length / rates.blind - 1.0)).min(1.0));
        state.step *= growth;
        state.generation += 1;
        self.keep_in_range();
    }

    /// Keeps step and covariance within the range of reliable arithmetic, and large enough to
    /// change whole numbers and choices. Then computes the axes of the covariance.
    fn keep_in_range(&mut self) {
        let CmaEs { space, axes, state, .. } = self;
        let (min, max) = STEP_RANGE;
        state.step = state.step.clamp(min, max);
        let (min, max) = DEVIATION_RANGE;
        let factor = |(i, coordinate): (usize, &Coordinate)| {
            let deviation = state.step * state.covariance[i][i].max(0.0).sqrt();
            let wanted = deviation.clamp(min.max(coordinate.least / coordinate.unit), max);
            if wanted == deviation { 1.0 } else { wanted / deviation.max(1e-150) }
        };
        let factors: Vec<f64> = space.iter().enumerate().map(factor).collect();
        for (row, by_row) in state.covariance.iter_mut().zip(&factors) {
            row.iter_mut().zip(&factors).for_each(|(value, by_column)| *value *= by_row * by_column);
        }
        *axes = eigen::axes(&state.covariance).unwrap_or_else(|| {
            // After very many generations, rounding has destroyed the smallest axis: restart
            // without correlations.
            let floor = |variance: f64| if variance > 1e-200 { variance } else { 1.0 };
            let variances: Vec<f64> = (0..space.len()).map(|i| floor(state.covariance[i][i])).collect();
            state.covariance = diagonal(&variances);
            Axes::of_coordinates(variances.into_iter().map(f64::sqrt).collect())
        });
    }
}

/// Returns a diagonal matrix as rows.
fn diagonal(values: &[f64]) -> Vec<Vec<f64>> {
    let row = |i: usize| (0..values.len()).map(|j| if i == j { values[i] } else { 0.0 }).collect();
    (0..values.len()).map(row).collect()
}

impl State {
    /// Returns whether a deserialized state fits `n` coordinates.
    fn fits(&self, n: usize) -> bool {
        is_count(self.generation)
            && [&self.mean, &self.step_path, &self.path].iter().all(|values| is_whole(values, n))
            && self.step.is_finite()
            && self.step > 0.0
            && self.covariance.len() == n
            && self.covariance.iter().all(|row| is_whole(row, n))
    }
}

#[cfg(test)]
mod tests;
