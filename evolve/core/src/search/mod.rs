//! Optimizers: they ask for trials and receive outcomes, and nothing else.
//!
//! An optimizer works on the [`Coordinate`]s of a [`Space`] and on objectives, where larger is better. It knows no problem,
//! file, thread or clock. Its state is data: state and run seed determine everything that follows, because random
//! numbers are streams by index.

mod allowed;
mod auto;
mod genetic;
pub mod sampling;

use crate::document::{Faults, Section};
use crate::model::parameter::Prior;
use crate::model::space::{Coordinate, Space};
use crate::statistics::{Interval, mean, standard_deviation};
use allowed::Allowed;
use schemars::Schema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::fmt;

/// Searches a space by asking for trials and receiving their objectives.
pub trait Optimizer: Send {
    /// The trials of its next generation. Asking changes nothing: the same state gives the same trials.
    fn ask(&self) -> Ask;

    /// Takes the objective of each trial of [`ask`](Self::ask), in its order. All are finite. Those at the places `capped`, in
    /// ascending order, are upper bounds: these trials were stopped because a rival is clearly better. Who ranks candidates
    /// can take a bound for the objective: all candidates on a deal have the same one, so that none passes a better one.
    fn tell(&mut self, ask: &Ask, objectives: &[f64], capped: &[usize]) -> Generation;

    /// The generation that it asks for, from 0: how many were completed.
    fn generation(&self) -> u64;

    /// The centre of the search: its current recommendation.
    fn mean(&self) -> &[f64];

    /// The points that it would recommend now, the mean first.
    fn recommended(&self) -> Vec<(FinalistKind, Vec<f64>)>;

    /// How much better the mean's objective is than the start's, with its 95 % interval, by a model of the outcomes; `None`
    /// if it has none.
    fn gain(&self) -> Option<Interval> {
        None
    }

    /// How it searches at present, in a few words.
    fn method(&self) -> &'static str;

    /// The standard deviation of the next samples in each coordinate.
    fn deviations(&self) -> Vec<f64>;

    /// Its whole memory, to resume from.
    fn state(&self) -> Value;
}

/// The deals that a search may ask for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Deals {
    /// As many as it likes.
    #[default]
    Many,
    /// All deals are the same and a candidate has one outcome, so that a repeated trial tells nothing.
    One,
}

/// Kinds of finalists. Displayed as their names in files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FinalistKind {
    /// The start of the search.
    #[default]
    Baseline,
    /// The mean of the search.
    Mean,
    /// Where the search is now, later than its mean.
    Last,
    /// The best member of a population.
    Elite,
}

impl fmt::Display for FinalistKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            FinalistKind::Baseline => "baseline",
            FinalistKind::Mean => "mean",
            FinalistKind::Last => "last",
            FinalistKind::Elite => "elite",
        })
    }
}

/// The trials that an optimizer requests.
#[derive(Clone, Debug, PartialEq)]
pub struct Ask {
    /// Points of the space.
    pub points: Vec<Vec<f64>>,
    /// Number of new deals.
    pub deals: usize,
    /// Deals of earlier generations, whose places come after the new ones.
    pub again: Vec<Again>,
    /// Indices of point and deal, in the order of play.
    pub trials: Vec<(usize, usize)>,
    /// The objective of the incumbent, or of who is the best of those who played it, on each deal of `again`, where the
    /// optimizer knows it; else empty.
    pub rivals: Vec<f64>,
}

/// A deal of an earlier generation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Again {
    /// The generation in which it was new.
    pub generation: u64,
    /// Its place among the new deals of that generation.
    pub place: u64,
    /// Its number among the deals of the search.
    pub number: u64,
}

impl Ask {
    /// Every point on every deal, deal by deal.
    pub fn all(points: Vec<Vec<f64>>, deals: usize) -> Self {
        let trials = (0..deals).flat_map(|deal| (0..points.len()).map(move |point| (point, deal))).collect();
        Ask { points, deals, again: Vec::new(), trials, rivals: Vec::new() }
    }

    /// The generation in which a deal is new, and its place there; this request is for `generation`.
    pub fn origin(&self, place: usize, generation: u64) -> (u64, u64) {
        match place.checked_sub(self.deals) {
            None => (generation, place as u64),
            Some(earlier) => (self.again[earlier].generation, self.again[earlier].place),
        }
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
    /// Summary of generation `number`, whose `points` have these mean objectives.
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

/// The places of objectives from best to worst; equal ones in their order.
fn ranking(objectives: &[f64]) -> Vec<usize> {
    let mut ranking: Vec<usize> = (0..objectives.len()).collect();
    ranking.sort_by(|&a, &b| objectives[b].total_cmp(&objectives[a]));
    ranking
}

/// Coordinates as a search without a model starts from priors: at their means, with their deviations as its first step.
fn at_priors(space: &[Coordinate]) -> Vec<Coordinate> {
    let of = |coordinate: &Coordinate| match coordinate.prior {
        None => *coordinate,
        Some(Prior { mean, deviation }) => {
            Coordinate { start: coordinate.clamp(mean), scale: deviation, ..*coordinate }
        }
    };
    space.iter().map(of).collect()
}

/// Moves every coordinate into its range.
fn clamp(point: &mut [f64], space: &[Coordinate]) {
    point.iter_mut().zip(space).for_each(|(value, coordinate)| *value = coordinate.clamp(*value));
}

/// Whether values read from a file are finite values of `n` coordinates.
fn is_whole(values: &[f64], n: usize) -> bool {
    values.len() == n && values.iter().all(|value| value.is_finite())
}

/// Whether a count read from a file is small enough to be counted on.
fn is_count(count: u64) -> bool {
    count < 1 << 60
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
    /// Description for people.
    pub meaning: &'static str,
    /// Its keys in `[evolution]`.
    pub keys: fn() -> Schema,
    /// Reads its keys, once they are checked against the schema.
    pub read: fn(&Section<'_>) -> Result<Box<dyn Settings>, Faults>,
}

/// The checked settings of an optimizer.
pub trait Settings: Send + Sync {
    /// The method that they are of.
    fn method(&self) -> &'static Method;

    /// Every key with its value.
    fn write(&self) -> Map<String, Value>;

    /// Points of a generation, if they do not go by the space.
    fn points(&self) -> Option<usize> {
        None
    }

    /// The earlier runs that it learns from, whose trials the space then comes with.
    ///
    /// # Errors
    /// A message if it cannot learn in this space.
    fn learns_from(&self, _space: &Space) -> Result<&[String], String> {
        Ok(&[])
    }

    /// An optimizer at its start. Every random number follows from `seed`. It may ask for forbidden points: [`start`]
    /// repairs them.
    fn start(&self, space: &Space, deals: Deals, seed: u64) -> Box<dyn Optimizer>;

    /// Resumes an optimizer from its state.
    ///
    /// # Errors
    /// A message if the state does not belong to these settings in this space.
    fn resume(&self, space: &Space, deals: Deals, seed: u64, state: &Value) -> Result<Box<dyn Optimizer>, String>;
}

/// An optimizer at its start, whose points are all allowed.
pub fn start(settings: &dyn Settings, space: &Space, deals: Deals, seed: u64) -> Box<dyn Optimizer> {
    Allowed::within(space, settings.start(space, deals, seed))
}

/// Resumes such an optimizer from its state.
///
/// # Errors
/// A message if the state does not belong to these settings in this space.
pub fn resume(
    settings: &dyn Settings,
    space: &Space,
    deals: Deals,
    seed: u64,
    state: &Value,
) -> Result<Box<dyn Optimizer>, String> {
    Ok(Allowed::within(space, settings.resume(space, deals, seed, state)?))
}

/// Every key with its value of settings that are a derived struct.
///
/// # Panics
/// If they are none.
pub fn written(settings: &impl Serialize) -> Map<String, Value> {
    match serde_json::to_value(settings) {
        Ok(Value::Object(keys)) => keys,
        _ => panic!("settings are a struct"),
    }
}

/// The optimizers that come with the project, in the order of listings.
pub static METHODS: [&Method; 2] = [&auto::METHOD, &genetic::METHOD];

#[cfg(test)]
mod tests;
