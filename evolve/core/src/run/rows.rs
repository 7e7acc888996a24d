//! The rows of a run's tables, and the names of these. Each is declared here once: the run writes it, reports read it.
//!
//! `docs/files.md` describes the columns. Some had other names before version 2 of the tables.

use crate::model::seed::Purpose;
use crate::search::FinalistKind;
use crate::statistics::Interval;
use serde::de::{Error, Unexpected};
use serde::{Deserialize, Deserializer, Serialize};
use std::fmt::Display;

/// The table of generations.
pub const GENERATIONS: &str = "generations.csv";
/// The table of comparisons with the starting weights.
pub const VALIDATION: &str = "validation.csv";
/// How fast generations went.
pub const TIMING: &str = "timing.csv";
/// The table of single trials, of programs only.
pub const TRIALS: &str = "trials.csv";
/// Their times.
pub const TRIAL_TIMES: &str = "trial-times.csv";

/// What trials were played for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stage {
    /// The search.
    #[default]
    Search,
    /// Checks on held-out games while the search goes on.
    HeldOut,
    /// The final round.
    Finalists,
    /// The verdict.
    Verdict,
}

impl From<Purpose> for Stage {
    fn from(purpose: Purpose) -> Self {
        match purpose {
            Purpose::HeldOut => Stage::HeldOut,
            Purpose::Finalists => Stage::Finalists,
            Purpose::Verdict => Stage::Verdict,
            _ => Stage::Search,
        }
    }
}

/// A generation; columns for each weight follow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct GenerationRow {
    /// Counted from 0.
    pub generation: u64,
    /// Games played up to and including this generation, those of checks too.
    #[serde(alias = "games")]
    pub games_played: u64,
    /// The best candidate's mean objective.
    #[serde(deserialize_with = "finite")]
    pub best: f64,
    /// The mean objective over the population.
    #[serde(deserialize_with = "finite")]
    pub mean: f64,
    /// The standard deviation of the objectives.
    #[serde(alias = "spread", default)]
    pub sd: f64,
    /// The mean standard deviation of the weights, in their scales.
    #[serde(default)]
    pub diversity: f64,
    /// The same of the standard deviations that the next generation is drawn with.
    #[serde(default)]
    pub step: f64,
}

/// How far a run was, and when.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TimeRow {
    /// The generation, from 0.
    pub generation: u64,
    /// Games played by its end.
    #[serde(alias = "games")]
    pub games_played: u64,
    /// Seconds spent on games by its end.
    #[serde(deserialize_with = "finite")]
    pub seconds: f64,
    /// The quotient of both.
    pub games_per_second: f64,
}

/// A policy on games that it was not selected on.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CheckRow {
    /// What the games were played for.
    pub stage: Stage,
    /// The generation that the policy is from; 0 for the starting weights.
    pub generation: u64,
    /// Games played until then, those of checks too.
    pub games_played: u64,
    /// Which policy.
    pub policy: FinalistKind,
    /// Games of this row.
    pub games: u64,
    /// The mean score.
    #[serde(default)]
    pub score: f64,
    /// The standard error of the mean score.
    #[serde(deserialize_with = "finite")]
    pub standard_error: f64,
    /// The mean objective.
    #[serde(alias = "mean", deserialize_with = "finite")]
    pub objective: f64,
    /// The mean difference to the starting weights on the same games.
    #[serde(deserialize_with = "finite")]
    pub difference: Option<f64>,
    /// The lower end of its 95 % interval.
    #[serde(deserialize_with = "finite")]
    pub low: Option<f64>,
    /// The upper end.
    #[serde(deserialize_with = "finite")]
    pub high: Option<f64>,
}

impl CheckRow {
    /// The mean difference to the starting weights on the same games.
    pub fn difference(&self) -> Option<Interval> {
        Some(Interval { mean: self.difference?, low: self.low?, high: self.high? })
    }
}

/// A trial of a program; a column for each parameter that evolves follows.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TrialRow {
    /// The trial, from 0.
    pub trial: u64,
    /// What it was played for.
    pub stage: Stage,
    /// The number of the deal among those of its stage.
    pub number: u64,
    /// The instance, where there is a list of them.
    pub instance: String,
    /// For which time it was played.
    pub repetition: u64,
    /// Every random choice of the deal follows from it.
    pub seed: u64,
    /// The contest's score.
    pub score: f64,
    /// What is optimized.
    pub objective: f64,
    /// The kind of failure; empty if it did not fail.
    pub failure: String,
    /// What was measured beside the score.
    pub parts: Parts,
    /// The groups that the deal belongs to, as `name=value`.
    #[serde(default)]
    pub kinds: String,
}

/// How long a trial took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TrialTimeRow {
    /// The trial, from 0.
    pub trial: u64,
    /// Seconds, if they were measured.
    pub seconds: Option<f64>,
}

/// What was measured beside a score: written as `name=value`, with spaces between. Names may hold `=`, and no spaces.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub struct Parts(pub Vec<(String, f64)>);

impl From<String> for Parts {
    fn from(text: String) -> Self {
        let part = |part: &str| {
            let (name, value) = part.rsplit_once('=')?;
            Some((name.to_string(), value.parse().ok()?))
        };
        Parts(text.split(' ').filter_map(part).collect())
    }
}

impl From<Parts> for String {
    fn from(parts: Parts) -> Self {
        named(parts.0.iter().map(|(name, value)| (name, value)))
    }
}

/// Names with their values, in a cell.
pub(super) fn named<V: Display>(all: impl IntoIterator<Item = (impl AsRef<str>, V)>) -> String {
    let named = |(name, value): (_, V)| format!("{}={value}", AsRef::<str>::as_ref(&name).replace(' ', ","));
    all.into_iter().map(named).collect::<Vec<_>>().join(" ")
}

/// A number that can be drawn, or none where there may be none.
fn finite<'de, D: Deserializer<'de>, N>(field: D) -> Result<N, D::Error>
where
    N: Deserialize<'de> + Into<Option<f64>> + Copy,
{
    let number = N::deserialize(field)?;
    match number.into() {
        Some(value) if !value.is_finite() => Err(D::Error::invalid_value(Unexpected::Float(value), &"a finite number")),
        _ => Ok(number),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_have_names_with_signs() {
        let parts = Parts::from("n=4=12.5 time=3".to_string());
        assert_eq!(parts.0, [("n=4".to_string(), 12.5), ("time".to_string(), 3.0)]);
        assert_eq!(String::from(parts), "n=4=12.5 time=3");
        assert_eq!(Parts::from(String::new()), Parts::default());
    }
}
