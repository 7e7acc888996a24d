//! Optimizers, which request trials and receive their objectives.
//!
//! An optimizer works on the [`Coordinate`]s of a [`Space`] and on objectives, where larger is
//! better. It does not depend on problems, files, threads or clocks. Its state is data: random
//! numbers are streams by index, so the state and the seed of the run determine all further
//! requests.

mod allowed;
mod auto;
mod genetic;
pub mod landscape;
pub mod sampling;
mod told;

use crate::document::{Fault, Section};
use crate::model::parameter::Prior;
use crate::model::space::{Coordinate, Space};
use crate::statistics::{Interval, mean, standard_deviation};
use allowed::Allowed;
pub use auto::BUDGETS;
use landscape::Landscape;
use schemars::Schema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::fmt;
use thiserror::Error;
pub use told::{Quantity, Told};

/// Searches a space by requesting trials and receiving their objectives.
pub trait Optimizer: Send {
    /// Returns the trials of the next generation. Repeated calls return the same trials.
    fn ask(&self) -> Ask;

    /// Returns the generations after the next one whose trials are already known, in order, because
    /// they do not depend on the objectives before them. Their trials can be played while trials of
    /// the next generation are in progress.
    fn ahead(&self) -> Vec<Ask> {
        Vec::new()
    }

    /// Receives the outcomes of the trials of [`ask`](Self::ask).
    fn tell(&mut self, ask: &Ask, told: &Told<'_>) -> Generation;

    /// Returns the number of completed generations, which is the number of the requested one, from
    /// 0.
    fn generation(&self) -> u64;

    /// Returns the centre of the search, its current recommendation.
    fn mean(&self) -> &[f64];

    /// Returns the points that the optimizer would recommend now, the mean first.
    fn recommended(&self) -> Vec<(FinalistKind, Vec<f64>)>;

    /// Estimates from a model of the outcomes how much better the mean is than the start, with a 95
    /// % confidence interval; `None` without a model.
    fn gain(&self) -> Option<Interval> {
        None
    }

    /// Returns the landscape around the mean as the model knows it; `None` without a model.
    fn landscape(&self) -> Option<Landscape> {
        None
    }

    /// Describes the current method in a few words.
    fn method(&self) -> &'static str;

    /// Returns the standard deviation of the next samples in each coordinate.
    fn deviations(&self) -> Vec<f64>;

    /// Returns the complete state, to resume from.
    fn state(&self) -> Value;
}

/// The cases that a search may request.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Cases {
    /// Any number of different cases.
    #[default]
    Many,
    /// This number of different cases: a candidate has one outcome on each, so repeating a trial
    /// gives no information.
    Few(u64),
    /// A single case of this kind.
    One,
}

impl Cases {
    /// Returns the number of different cases.
    pub fn different(self) -> u64 {
        match self {
            Cases::Many => u64::MAX,
            Cases::Few(different) => different,
            Cases::One => 1,
        }
    }
}

/// The trials that a search can expect.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Terms {
    /// The cases that it may request.
    pub cases: Cases,
    /// The largest number of trials of the run.
    pub trials: u64,
}

impl Terms {
    /// Returns whether the run has at most this number of trials.
    fn is_within(&self, trials: u64) -> bool {
        self.trials <= trials
    }
}

/// The kinds of finalists, displayed as their names in files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FinalistKind {
    /// The start of the search.
    #[default]
    Baseline,
    Mean,
    /// The current point of the search, later than its mean.
    Last,
    /// The best member of a population.
    Elite,
    /// The recommendation of a model, after which another search continued.
    Model,
}

impl fmt::Display for FinalistKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(f)
    }
}

/// The trials that an optimizer requests.
#[derive(Clone, Debug, PartialEq)]
pub struct Ask {
    pub points: Vec<Vec<f64>>,
    pub cases: usize,
    /// Their numbers among all cases of the search; empty for the next ones.
    pub numbers: Vec<u64>,
    /// Cases of earlier generations, indexed after the new ones.
    pub again: Vec<Again>,
    /// The trials as (point, case) indices, in the order of play.
    pub trials: Vec<(usize, usize)>,
    /// The objective to beat on each case of `again`: the incumbent's, or the best on the case;
    /// `None` on a case without outcomes. Empty if the optimizer knows none.
    pub rivals: Vec<Option<f64>>,
}

/// A case of an earlier generation, to be played again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Again {
    /// The generation in which the case was new.
    pub generation: u64,
    /// The index of the case among the new cases of that generation.
    pub place: u64,
    /// The number of the case among all cases of the search.
    pub number: u64,
}

impl Ask {
    /// Requests every point on every case, case by case.
    pub fn all(points: Vec<Vec<f64>>, cases: usize) -> Self {
        let trials = (0..cases).flat_map(|case| (0..points.len()).map(move |point| (point, case))).collect();
        Ask { points, cases, numbers: Vec::new(), again: Vec::new(), trials, rivals: Vec::new() }
    }

    /// Returns the cases of a request of generation `generation`, the new ones first. The search
    /// has played `known` cases before it.
    pub fn all_cases(&self, generation: u64, known: u64) -> impl Iterator<Item = Again> {
        let number = move |place: u64| self.numbers.get(place as usize).copied().unwrap_or(known + place);
        let new = (0..self.cases as u64).map(move |place| Again { generation, place, number: number(place) });
        new.chain(self.again.iter().copied())
    }

    /// Returns the largest difference between two objectives on one case.
    pub fn spread(&self, objectives: &[f64]) -> f64 {
        let mut ranges = vec![(f64::INFINITY, f64::NEG_INFINITY); self.cases + self.again.len()];
        for (&(_, case), &objective) in self.trials.iter().zip(objectives) {
            let (low, high) = ranges[case];
            ranges[case] = (low.min(objective), high.max(objective));
        }
        ranges.into_iter().map(|(low, high)| high - low).fold(0.0, f64::max)
    }

    /// Returns the mean objective of each point, summed in the order of play.
    pub fn means(&self, objectives: &[f64]) -> Vec<f64> {
        let mut sums = vec![(0.0, 0.0); self.points.len()];
        for (&(point, _), objective) in self.trials.iter().zip(objectives) {
            sums[point].0 += objective;
            sums[point].1 += 1.0;
        }
        sums.into_iter().map(|(sum, count)| if count > 0.0 { sum / count } else { f64::NEG_INFINITY }).collect()
    }
}

/// A summary of a completed generation.
#[derive(Clone, Debug, PartialEq)]
pub struct Generation {
    /// The number of the generation, from 0.
    pub number: u64,
    /// The point with the best mean objective, and that objective, which is biased upwards by luck.
    pub best: (Vec<f64>, f64),
    /// The mean of the points' mean objectives.
    pub mean: f64,
    /// The sample standard deviation (divisor n - 1) of the points' mean objectives.
    pub spread: f64,
    /// The standard deviation (divisor n) of the points in each coordinate.
    pub deviations: Vec<f64>,
}

impl Generation {
    /// Summarizes generation `number`, whose `points` have these mean objectives.
    pub fn of(number: u64, points: &[Vec<f64>], means: &[f64]) -> Self {
        let best = ranking(means)[0];
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

/// Returns the indices of objectives from best to worst; equal ones keep their order.
fn ranking(objectives: &[f64]) -> Vec<usize> {
    let mut ranking: Vec<usize> = (0..objectives.len()).collect();
    ranking.sort_by(|&a, &b| objectives[b].total_cmp(&objectives[a]));
    ranking
}

/// Returns the coordinates for a search that has no model of priors. Instead, each prior sets the
/// start and the first step size.
fn at_priors(space: &[Coordinate]) -> Vec<Coordinate> {
    let of = |coordinate: &Coordinate| match coordinate.prior {
        None => *coordinate,
        Some(Prior { mean, deviation }) => Coordinate { start: coordinate.clamp(mean), unit: deviation, ..*coordinate },
    };
    space.iter().map(of).collect()
}

/// Clamps every coordinate to its range.
fn clamp(point: &mut [f64], space: &[Coordinate]) {
    point.iter_mut().zip(space).for_each(|(value, coordinate)| *value = coordinate.clamp(*value));
}

/// Returns whether deserialized values are finite and `n` in number.
fn is_whole(values: &[f64], n: usize) -> bool {
    values.len() == n && values.iter().all(|value| value.is_finite())
}

/// Returns whether a deserialized count is small enough that additions do not overflow.
pub(crate) fn is_count(count: u64) -> bool {
    count < 1 << 60
}

/// Applies `of` to each value and the value of `around` at the same index, and averages the results
/// over points, coordinate by coordinate. Every generation calls it; the loop over points is the
/// outer one, because that is faster.
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
    /// The name in jobs.
    pub name: &'static str,
    /// Description for people.
    pub meaning: &'static str,
    /// The schema of the keys in `[search]`.
    pub keys: fn() -> Schema,
    /// Reads the keys, among others in the section.
    pub read: fn(&Section<'_>) -> Result<Box<dyn Settings>, Fault>,
}

/// A space with too many dimensions for a key of the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error(
    "`{key}` takes a space of at most {most} dimensions, and this one has {count}: tune fewer parameters, or {instead}"
)]
pub struct TooLarge {
    /// The key that needs a smaller space.
    pub key: &'static str,
    /// What to do without this key.
    pub instead: &'static str,
    /// The largest number of dimensions.
    pub most: usize,
    /// The number of dimensions.
    pub count: usize,
}

/// The reason why an optimizer cannot resume from a state.
#[derive(Debug, Error)]
pub enum StateError {
    /// The state belongs to other settings or another space, or contradicts itself.
    #[error("the optimizer's state belongs to another job, or is inconsistent")]
    Inconsistent,
    /// The state does not have the form of this optimizer's states.
    #[error("not a state of the optimizer: {0}")]
    Form(#[from] serde_json::Error),
}

/// The checked settings of an optimizer.
pub trait Settings: Send + Sync {
    /// Returns the method that these settings belong to.
    fn method(&self) -> &'static Method;

    /// Returns every key with its value.
    fn write(&self) -> Map<String, Value>;

    /// Returns the number of points in a generation, if the settings fix it.
    fn points(&self) -> Option<usize> {
        None
    }

    /// Returns the earlier runs to learn from; `None` if the method cannot learn. The space then
    /// holds their trials.
    fn learns_from(&self) -> Option<&[String]> {
        None
    }

    /// Checks that the method can learn in a space.
    ///
    /// # Errors
    /// If the space is too large.
    fn can_learn(&self, _space: &Space) -> Result<(), TooLarge> {
        Ok(())
    }

    /// Returns the candidates to play first, as values by the names of parameters; the space then
    /// holds them.
    ///
    /// # Errors
    /// If it cannot play them first in this space.
    fn first(&self, _space: &Space) -> Result<&[Map<String, Value>], TooLarge> {
        Ok(&[])
    }

    /// Creates an optimizer at its start, whose random numbers follow from `seed`. It may request
    /// forbidden points, which [`start`] repairs.
    fn start(&self, space: &Space, terms: Terms, seed: u64) -> Box<dyn Optimizer>;

    /// Resumes an optimizer from its state.
    ///
    /// # Errors
    /// If the state does not belong to these settings in this space.
    fn resume(&self, space: &Space, terms: Terms, seed: u64, state: &Value) -> Result<Box<dyn Optimizer>, StateError>;
}

/// Creates an optimizer at its start, whose points are all allowed.
pub fn start(settings: &dyn Settings, space: &Space, terms: Terms, seed: u64) -> Box<dyn Optimizer> {
    Allowed::within(space, settings.start(space, terms, seed))
}

/// Resumes an optimizer from its state, with all points allowed.
///
/// # Errors
/// If the state does not belong to these settings in this space.
pub fn resume(
    settings: &dyn Settings,
    space: &Space,
    terms: Terms,
    seed: u64,
    state: &Value,
) -> Result<Box<dyn Optimizer>, StateError> {
    Ok(Allowed::within(space, settings.resume(space, terms, seed, state)?))
}

/// The built-in optimizers, in the order of listings.
pub static METHODS: [&Method; 2] = [&auto::METHOD, &genetic::METHOD];

#[cfg(test)]
mod tests;
