//! CMA-ES: normal mutations whose whole covariance adapts.
//!
//! The equations are those of Hansen, "The CMA evolution strategy: a tutorial" (2016), with active updates (bad candidates
//! take variance away). The diagonal variant keeps independent coordinates and learns faster (Ros and Hansen, "A simple
//! modification in CMA-ES achieving linear time and space complexity", 2008). Everything here is in units of each
//! coordinate's scale.

mod eigen;
mod matrix;
mod rates;

use super::sampling::{dot, normal};
use super::{Ask, Generation, Method, Optimizer, bounds, recombination};
use crate::key::Takes;
use crate::seed::{Purpose, generator, seed};
use crate::space::Coordinate;
use eigen::Axes;
use matrix::{Matrix, diagonal};
use rates::Rates;
use serde::{Deserialize, Serialize};
use serde_json::Value;

crate::choices! {
    /// What of the covariance adapts.
    pub enum Covariance {
        /// All of it.
        Full = "full",
        /// The variance of each coordinate.
        Diagonal = "diagonal",
    }
}

crate::settings! {
    /// The settings of CMA-ES.
    pub struct Settings {
        population: usize = "36", Takes::Integer(4, 100_000),
            "candidates a generation. Without noise 4 + 3 ln(parameters) is enough";
        games: usize = "16", Takes::Integer(1, 1_000_000),
            "games that each candidate plays in a generation, the same for all, new ones every generation";
        covariance: Covariance = "\"full\"", Takes::Choice(Covariance::NAMES),
            "what adapts: variances and correlations, or each parameter's variance alone, which takes fewer games";
        step: f64 = "1.0", Takes::Number(1e-6, 1e6),
            "standard deviation of the first mutations, in units of each parameter's scale";
    }
}

/// CMA-ES, as jobs name it.
pub static METHOD: Method = Method {
    name: "cma-es",
    meaning: "covariance matrix adaptation: normal mutations that learn which directions pay, full or diagonal",
    keys: Settings::KEYS,
    read: |section| Box::new(Settings::read(section)),
};

impl super::Settings for Settings {
    fn method(&self) -> &'static Method {
        &METHOD
    }

    fn write(&self) -> Vec<(&'static str, String)> {
        Settings::write(self)
    }

    fn races(&self) -> Option<bool> {
        Some(false)
    }

    fn start(&self, space: &[Coordinate], seed: u64) -> Box<dyn Optimizer> {
        Box::new(CmaEs::new(space, self, seed))
    }

    fn resume(&self, space: &[Coordinate], seed: u64, state: &Value) -> Result<Box<dyn Optimizer>, String> {
        let state = State::deserialize(state).map_err(|error| error.to_string())?;
        let axes = state.fits(space.len(), self).then(|| state.covariance.axes()).flatten();
        let axes = axes.ok_or("it is of another job, or contradicts itself")?;
        let rates = Rates::new(space.len(), self);
        Ok(Box::new(CmaEs { space: space.to_vec(), settings: self.clone(), seed, rates, axes, state }))
    }
}

/// CMA-ES.
struct CmaEs {
    space: Vec<Coordinate>,
    settings: Settings,
    seed: u64,
    rates: Rates,
    /// The axes of the state's covariance.
    axes: Axes,
    state: State,
}

/// Everything that it remembers between two generations.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct State {
    generation: u64,
    mean: Vec<f64>,
    /// The step size, common to all directions.
    step: f64,
    covariance: Matrix,
    /// The way that successive generations went, as it would be of independent coordinates of variance 1.
    step_path: Vec<f64>,
    /// The same with the covariance that it has.
    path: Vec<f64>,
}

/// The step stays within these factors of its first value, so that a flat stretch cannot blow it up.
const STEP_RANGE: (f64, f64) = (1e-9, 1e6);
/// No coordinate's standard deviation leaves this range, in units of its scale: below it mutations could not be told from
/// rounding, above it they leave all ranges.
const DEVIATION_RANGE: (f64, f64) = (1e-9, 1e6);

impl CmaEs {
    fn new(space: &[Coordinate], settings: &Settings, seed: u64) -> Self {
        let n = space.len();
        let variances = vec![1.0; n];
        let covariance = match settings.covariance {
            Covariance::Full => Matrix::Full(Axes::of_coordinates(variances.clone()).directions),
            Covariance::Diagonal => Matrix::Diagonal(variances.clone()),
        };
        let mean = space.iter().map(|coordinate| coordinate.start).collect();
        let zero = vec![0.0; n];
        let state = State { generation: 0, mean, step: settings.step, covariance, step_path: zero.clone(), path: zero };
        let rates = Rates::new(n, settings);
        let axes = Axes::of_coordinates(variances);
        let mut this = CmaEs { space: space.to_vec(), settings: settings.clone(), seed, rates, axes, state };
        this.keep_in_range();
        this
    }

    /// Moves to where the better candidates are, and adapts to the way that led there. `points` stand from best to worst.
    fn update(&mut self, points: &[&[f64]]) {
        let CmaEs { space, rates, axes, state, .. } = self;
        let n = space.len();
        // Each candidate's mutation in units of the step.
        let mutations: Vec<Vec<f64>> = points
            .iter()
            .map(|point| {
                let of =
                    |((x, mean), coordinate): ((&f64, &f64), &Coordinate)| (x - mean) / (coordinate.scale * state.step);
                point.iter().zip(&state.mean).zip(space.iter()).map(of).collect()
            })
            .collect();
        let parents = rates.parents();
        let way = recombination::mean(mutations.iter().take(parents), &rates.weights[..parents]);
        for ((mean, way), coordinate) in state.mean.iter_mut().zip(&way).zip(space.iter()) {
            *mean += coordinate.scale * state.step * way;
        }
        bounds::clamp(&mut state.mean, space);

        // Cumulative step-size adaptation, equations 43 and 44.
        let white = axes.transform(&way, |deviation| 1.0 / deviation);
        let gain = (rates.step * (2.0 - rates.step) * rates.effective).sqrt();
        for (path, white) in state.step_path.iter_mut().zip(&white) {
            *path = (1.0 - rates.step) * *path + gain * white;
        }
        let length = dot(&state.step_path, &state.step_path).sqrt();
        let generations = (state.generation + 1) as f64;
        let grown = (1.0 - libm::pow(1.0 - rates.step, 2.0 * generations)).sqrt();
        // While the step is about to grow a lot the covariance does not: equation 45 and its comment.
        let moves = length / grown < (1.4 + 2.0 / (n as f64 + 1.0)) * rates.blind;
        let gain = if moves { (rates.path * (2.0 - rates.path) * rates.effective).sqrt() } else { 0.0 };
        for (path, way) in state.path.iter_mut().zip(&way) {
            *path = (1.0 - rates.path) * *path + gain * way;
        }

        // Equations 46 and 47: a mutation that takes variance away counts as one of the expected length.
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
        match &mut state.covariance {
            Matrix::Diagonal(variances) => {
                for (i, variance) in variances.iter_mut().enumerate() {
                    *variance = entry(i, i, *variance);
                }
            }
            Matrix::Full(rows) => {
                let below = |(i, row): (usize, &Vec<f64>)| -> Vec<f64> {
                    row[..=i].iter().enumerate().map(|(j, &old)| entry(i, j, old)).collect()
                };
                let lower: Vec<Vec<f64>> = rows.iter().enumerate().map(below).collect();
                *rows = (0..n).map(|i| (0..n).map(|j| lower[i.max(j)][i.min(j)]).collect()).collect();
            }
        }
        let growth = libm::exp((rates.step / rates.damping * (length / rates.blind - 1.0)).min(1.0));
        state.step *= growth;
        state.generation += 1;
        self.keep_in_range();
    }

    /// Keeps step and covariance within what can be computed with, and what still moves whole numbers and choices, and
    /// finds the covariance's axes.
    fn keep_in_range(&mut self) {
        let CmaEs { space, settings, axes, state, .. } = self;
        let (min, max) = STEP_RANGE;
        state.step = state.step.clamp(min * settings.step, max * settings.step);
        let (min, max) = DEVIATION_RANGE;
        let factor = |(variance, coordinate): (f64, &Coordinate)| {
            let deviation = state.step * variance.max(0.0).sqrt();
            let wanted = deviation.clamp(min.max(coordinate.least / coordinate.scale), max);
            if wanted == deviation { 1.0 } else { wanted / deviation.max(1e-150) }
        };
        let factors: Vec<f64> = state.covariance.variances().zip(space.iter()).map(factor).collect();
        state.covariance.stretch(&factors);
        match state.covariance.axes() {
            Some(found) => *axes = found,
            // Rounding has eaten the smallest axis, after very many generations: correlations are learnt anew.
            None => {
                let floor = |variance: f64| if variance > 1e-200 { variance } else { 1.0 };
                let variances: Vec<f64> = state.covariance.variances().map(floor).collect();
                *axes = Axes::of_coordinates(variances.iter().map(|variance| variance.sqrt()).collect());
                state.covariance = match state.covariance {
                    Matrix::Diagonal(_) => Matrix::Diagonal(variances),
                    Matrix::Full(_) => Matrix::Full(diagonal(&variances)),
                };
            }
        }
    }
}

impl State {
    /// Whether a state read from a file is one of `n` coordinates and these settings.
    fn fits(&self, n: usize, settings: &Settings) -> bool {
        let is_whole = |values: &[f64]| values.len() == n && values.iter().all(|value| value.is_finite());
        self.generation < 1 << 60
            && is_whole(&self.mean)
            && is_whole(&self.step_path)
            && is_whole(&self.path)
            && self.step.is_finite()
            && self.step > 0.0
            && self.covariance.fits(n, settings.covariance)
    }
}

impl Optimizer for CmaEs {
    fn ask(&self, _used: f64) -> Ask {
        let CmaEs { space, settings, axes, state, .. } = self;
        let mut random = generator(seed(self.seed, Purpose::Variation, state.generation, 0));
        let points = (0..settings.population)
            .map(|_| {
                let white: Vec<f64> = space.iter().map(|_| normal(&mut random)).collect();
                let mutation = axes.transform(&white, |deviation| deviation);
                let at = |((mean, mutation), coordinate): ((&f64, &f64), &Coordinate)| {
                    mean + coordinate.scale * state.step * mutation
                };
                let mut point: Vec<f64> = state.mean.iter().zip(&mutation).zip(space).map(at).collect();
                bounds::clamp(&mut point, space);
                point
            })
            .collect();
        Ask::all(points, settings.games)
    }

    fn tell(&mut self, ask: &Ask, objectives: &[f64]) -> Option<Generation> {
        let means = ask.means(objectives);
        let generation = Generation::of(self.state.generation, &ask.points, &means);
        let ranking = recombination::ranking(&means);
        let points: Vec<&[f64]> = ranking.iter().map(|&i| ask.points[i].as_slice()).collect();
        self.update(&points);
        Some(generation)
    }

    fn generation(&self) -> u64 {
        self.state.generation
    }

    fn mean(&self) -> &[f64] {
        &self.state.mean
    }

    fn recommended(&self) -> Vec<(&'static str, Vec<f64>)> {
        vec![("mean", self.state.mean.clone())]
    }

    fn deviations(&self) -> Vec<f64> {
        let deviation =
            |(variance, coordinate): (f64, &Coordinate)| self.state.step * variance.sqrt() * coordinate.scale;
        self.state.covariance.variances().zip(&self.space).map(deviation).collect()
    }

    fn state(&self) -> Value {
        serde_json::to_value(&self.state).expect("a state is numbers")
    }
}

#[cfg(test)]
mod tests;
