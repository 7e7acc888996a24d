//! The default optimizer: the number of coordinates and the number of trials decide the method.
//!
//! In a small space, random points find better regions, and the covariance of good candidates can
//! be learned. In a large space, neither works, but a walk along noisy slopes keeps improving with
//! more trials.

mod around;
mod cma_es;
mod families;
mod large;
mod medium;
mod model;
mod reach;
mod small;
mod staged;
mod walk;

use super::{Method, Optimizer, StateError, Terms, TooLarge, at_priors};
use crate::document::schema;
use crate::document::text::table;
use crate::model::space::Space;
use large::{Large, Length, MIDDLE, SHORT};
use medium::Medium;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use small::{Noisy, Small};
use staged::Second;

/// The settings of the default optimizer, which needs none.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(default)]
pub struct Settings {
    /// earlier runs to learn from, in spaces of up to 40 dimensions: folders of runs; CSV files
    /// with a column for each parameter, for `score` and, if there is one, for `instance`; or
    /// exports of Optuna's `trials_dataframe()`; see [how it searches](searching.md#earlier-runs)
    #[schemars(length(max = 10), inner(length(min = 1)))]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    learn_from: Vec<String>,
    /// candidates that the search plays first, right after the start, such as `[{ k = 3 }]`, in
    /// spaces of up to 40 dimensions; parameters that one does not name have their start
    #[schemars(length(max = 20))]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    first: Vec<Map<String, Value>>,
}

/// Checks that the space is small enough for a key that only the model understands.
fn within(space: &Space, key: &'static str, instead: &'static str) -> Result<(), TooLarge> {
    match space.dimensions() {
        ..=MEDIUM => Ok(()),
        count => Err(TooLarge { key, instead, most: MEDIUM, count }),
    }
}

/// The state of a search, tagged with its first method.
#[derive(Serialize, Deserialize)]
#[serde(tag = "method", rename_all = "lowercase")]
enum State {
    Small(staged::State),
    Medium(staged::State),
    Large(large::State),
}

/// The default optimizer as a method that jobs can name.
pub static METHOD: Method = Method {
    name: "auto",
    meaning: "up to 16 dimensions: a Gaussian process, in runs of more than 1500 trials for 300 of them, then CMA-ES. More dimensions: mirrored sampling, with a \
        step size measured for each parameter; with up to 40 dimensions and 1,000 trials (or `learn_from` or `first`), a Gaussian \
        process comes first",
    keys: schema::of::<Settings>,
    read: |section| Ok(Box::new(section.part::<Settings>()?)),
};

/// The largest number of coordinates in a small space.
const MOST_COORDINATES: usize = 16;
/// The largest number of coordinates in a space of medium size. With 68, the model is behind
/// mirrored sampling.
const MEDIUM: usize = 40;
/// The largest number of trials of a run that begins with the model in a space of medium size. With
/// more trials, mirrored sampling from the start is better in the end.
const MEDIUM_TRIALS: u64 = 1_000;
/// The budgets at which `auto` changes its method, ascending: up to each, it searches in another
/// way than above.
pub const BUDGETS: [u64; 5] = [Large::SHORT_RUN, MEDIUM_TRIALS, Noisy::SHORT_RUN, SHORT, MIDDLE];

impl super::Settings for Settings {
    fn method(&self) -> &'static Method {
        &METHOD
    }

    fn write(&self) -> Map<String, Value> {
        table(self)
    }

    fn learns_from(&self) -> Option<&[String]> {
        Some(&self.learn_from)
    }

    fn can_learn(&self, space: &Space) -> Result<(), TooLarge> {
        within(space, "learn_from", "start where the earlier run ended with `weights.start`")
    }

    fn first(&self, space: &Space) -> Result<&[Map<String, Value>], TooLarge> {
        if !self.first.is_empty() {
            within(space, "first", "start at one of these candidates")?;
        }
        Ok(&self.first)
    }

    fn start(&self, space: &Space, terms: Terms, seed: u64) -> Box<dyn Optimizer> {
        // Only a model learns from earlier trials, and from candidates that are far apart.
        let is_modelled = terms.is_within(MEDIUM_TRIALS) || !(self.learn_from.is_empty() && self.first.is_empty());
        match space.dimensions() {
            ..=MOST_COORDINATES => Box::new(Small::start(space, terms, seed)),
            ..=MEDIUM if is_modelled => Box::new(Medium::start(space, terms, seed)),
            _ => Box::new(Large::new(&at_priors(space.coordinates()), Length::of(terms), seed)),
        }
    }

    fn resume(&self, space: &Space, terms: Terms, seed: u64, state: &Value) -> Result<Box<dyn Optimizer>, StateError> {
        // A resumed run may have other limits than at its start, so the state decides.
        Ok(match State::deserialize(state)? {
            State::Small(state) => Box::new(Small::resume(space, terms.cases, seed, state)?),
            State::Medium(state) => Box::new(Medium::resume(space, terms.cases, seed, state)?),
            State::Large(state) => Box::new(Large::resumed(&at_priors(space.coordinates()), seed, state)?),
        })
    }
}
