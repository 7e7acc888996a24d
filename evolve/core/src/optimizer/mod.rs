//! Optimizers: they ask for trials and are told what came of them, and nothing else.
//!
//! An optimizer sees the [`Coordinate`]s of a space and objectives, larger ones better. It knows no problem, file,
//! thread or clock. Its state is data: with it and the run's seed everything that follows is determined, because random
//! numbers are streams by index.

pub mod auto;
pub mod bounds;
pub mod cma_es;
pub mod evolution_strategy;
pub mod families;
pub mod genetic;
pub mod mirrored;
pub mod racing;
pub mod recombination;
pub mod sampling;
pub mod selection;

use crate::document::Section;
use crate::key::Key;
use crate::space::Coordinate;
use crate::statistics::{mean, standard_deviation};
use serde_json::Value;

/// Searches a space by asking for trials and being told their objectives.
pub trait Optimizer: Send {
    /// The trials that it wants next. `used` is the used share of the run's limit, 0 to 1, for those who follow a
    /// schedule. Asking changes nothing: the same state and share give the same trials.
    fn ask(&self, used: f64) -> Ask;

    /// Takes the objective of each trial of [`ask`](Self::ask), in its order. All are finite.
    fn tell(&mut self, ask: &Ask, objectives: &[f64]) -> Option<Generation>;

    /// The generation that it asks for, from 0: how many were completed.
    fn generation(&self) -> u64;

    /// The centre of the search: the point that it would go by now.
    fn mean(&self) -> &[f64];

    /// The points that it would recommend now, by name, the mean first.
    fn recommended(&self) -> Vec<(&'static str, Vec<f64>)>;

    /// The standard deviation of the next samples in each coordinate.
    fn deviations(&self) -> Vec<f64>;

    /// Everything that it remembers, to go on from.
    fn state(&self) -> Value;
}

/// Trials that an optimizer wants.
#[derive(Clone, Debug, PartialEq)]
pub struct Ask {
    /// Points of the space.
    pub points: Vec<Vec<f64>>,
    /// The number of its first deal among those of the generation.
    pub first: usize,
    /// How many deals they play; new ones in every ask.
    pub deals: usize,
    /// Which point plays which deal, by their places, in the order of play.
    pub trials: Vec<(usize, usize)>,
}

impl Ask {
    /// Every point on every deal, deal by deal.
    pub fn all(points: Vec<Vec<f64>>, deals: usize) -> Self {
        let trials = (0..deals).flat_map(|deal| (0..points.len()).map(move |point| (point, deal))).collect();
        Ask { points, first: 0, deals, trials }
    }

    /// The mean objective of each point, summed in the order of play.
    pub fn means(&self, objectives: &[f64]) -> Vec<f64> {
        let mut sums = vec![(0.0, 0.0); self.points.len()];
        for (&(point, _), objective) in self.trials.iter().zip(objectives) {
            sums[point].0 += objective;
            sums[point].1 += 1.0;
        }
        sums.into_iter().map(|(sum, count)| if count > 0.0 { sum / count } else { f64::NEG_INFINITY }).collect()
    }
}

/// A generation that was completed.
#[derive(Clone, Debug, PartialEq)]
pub struct Generation {
    /// Its number, from 0.
    pub number: u64,
    /// The point that did best, and its mean objective. The best of many is partly the luckiest.
    pub best: (Vec<f64>, f64),
    /// The mean of the points' mean objectives.
    pub mean: f64,
    /// The sample standard deviation (divisor n - 1) of the points' mean objectives.
    pub spread: f64,
    /// The standard deviation (divisor n) of its points in each coordinate.
    pub deviations: Vec<f64>,
}

impl Generation {
    /// What there is to say of generation `number`, whose `points` have these mean objectives.
    pub fn of(number: u64, points: &[Vec<f64>], means: &[f64]) -> Self {
        let best = recombination::ranking(means)[0];
        let centre = mean_point(points, |value, _| value, &vec![0.0; points[best].len()]);
        let variances = mean_point(points, |value, centre| (value - centre) * (value - centre), &centre);
        Generation {
            number,
            best: (points[best].clone(), means[best]),
            mean: mean(means),
            spread: standard_deviation(means),
            deviations: variances.into_iter().map(f64::sqrt).collect(),
        }
    }
}

/// The mean over points, coordinate by coordinate, of what `of` makes of a value and of that at the same place of `around`.
/// Point by point, as the processor likes it: this is done in every generation.
fn mean_point(points: &[Vec<f64>], of: impl Fn(f64, f64) -> f64, around: &[f64]) -> Vec<f64> {
    let mut sums = vec![0.0; around.len()];
    for point in points {
        let values = point.iter().zip(around);
        sums.iter_mut().zip(values).for_each(|(sum, (&value, &around))| *sum += of(value, around));
    }
    sums.iter_mut().for_each(|sum| *sum /= points.len() as f64);
    sums
}

/// An optimizer that jobs can name.
pub struct Method {
    /// Its name in jobs.
    pub name: &'static str,
    /// What it does, for a person.
    pub meaning: &'static str,
    /// Its keys in `[evolution]`.
    pub keys: &'static [Key],
    /// Reads its keys.
    pub read: fn(&mut Section<'_>) -> Box<dyn Settings>,
}

/// The checked settings of an optimizer.
pub trait Settings: Send + Sync {
    /// The method that they are of.
    fn method(&self) -> &'static Method;

    /// Every key with its value in TOML.
    fn write(&self) -> Vec<(&'static str, String)>;

    /// Whether a run may be prolonged and still be as if it had been that long from the start. Those that follow a
    /// schedule over the run's limit say no.
    fn prolongs(&self) -> bool {
        true
    }

    /// Whether candidates that are clearly worse stop early; `None` if it could not race, because it ranks none.
    fn races(&self) -> Option<bool> {
        None
    }

    /// How many leaders of generations are worth a place in the final round.
    fn leaders(&self) -> usize {
        0
    }

    /// An optimizer at its start. Every random number follows from `seed`.
    fn start(&self, space: &[Coordinate], seed: u64) -> Box<dyn Optimizer>;

    /// An optimizer that goes on from its state.
    ///
    /// # Errors
    /// A message if this is not a state of these settings in this space.
    fn resume(&self, space: &[Coordinate], seed: u64, state: &Value) -> Result<Box<dyn Optimizer>, String>;
}

/// The optimizers that come with the project, in the order of listings.
pub static METHODS: [&Method; 5] =
    [&auto::METHOD, &genetic::METHOD, &evolution_strategy::METHOD, &cma_es::METHOD, &mirrored::METHOD];

#[cfg(test)]
mod tests;
