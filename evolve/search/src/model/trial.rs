//! Cases, trials and outcomes.

use crate::model::seed::{Split, seed};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::time::{Duration, SystemTime};
use thiserror::Error;

/// The largest absolute value of a score or an objective, for which sums of squares stay finite.
pub const LARGEST: f64 = 1e150;

/// Returns whether a score or objective is finite and within range.
pub fn is_usable(number: f64) -> bool {
    number.abs() <= LARGEST
}

/// A case: a game dealt from a seed, or an instance of a problem. It belongs to exactly one split.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Case {
    pub split: Split,
    /// The number of the case within its split, in the order in which a run plays cases. Problems
    /// with a list of instances index it by this number.
    pub number: u64,
    /// The seed of every random choice in the case.
    pub seed: u64,
}

impl Case {
    /// Returns the first `count` cases of a split. The seed of each follows only from the run's
    /// seed, the split and the case's number.
    pub fn first(run: u64, split: Split, count: usize) -> Vec<Case> {
        (0..count as u64).map(|number| Self::at(run, split, number)).collect()
    }

    /// Returns one case of [`first`](Self::first), by its number.
    pub fn at(run: u64, split: Split, number: u64) -> Case {
        Case { split, number, seed: seed(run, split, 0, number) }
    }

    /// Returns the instance among those of the split, of which cases use one after another; empty
    /// if none are listed.
    pub fn instance(&self, names: &[String]) -> String {
        let place = self.number.checked_rem(names.len() as u64);
        place.map_or_else(String::new, |place| names[place as usize].clone())
    }
}

/// Returns whether candidates play a case in reverse order, by its place among the cases that they
/// play: every other one.
pub fn is_swapped(place: usize) -> bool {
    place % 2 == 1
}

/// Returns the order in which `count` candidates play a case, by its place among the cases that
/// they play. Two candidates alternate as A B, B A, A B. Each is then first equally often, and
/// follows itself as often as the other one. No candidate is at a disadvantage if the first trial
/// of a case is slow because a file is not cached, if the machine slows down, or if a trial slows
/// the next one. Of several candidates, each is first equally often, and as often before as after
/// each other one.
pub fn order(place: usize, count: usize) -> impl Iterator<Item = usize> + use<> {
    let (is_reversed, first) = (is_swapped(place), place / 2 % count.max(1));
    // Of two candidates, the direction alone decides which is first.
    let first = if count > 2 { first } else { 0 };
    (0..count).map(move |i| if is_reversed { count - 1 - i } else { i }).map(move |i| (first + i) % count)
}

/// The column of tables that says whether a trial was [capped](Outcome::capped).
pub const CAPPED: &str = "capped";

/// The name of the column and of the group that tell instances apart.
pub const INSTANCE: &str = "instance";

/// The names of the numbers and groups in a problem's outcomes, in order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Metrics {
    /// The names of [`Outcome::metrics`], such as `tiles`.
    pub names: Vec<String>,
    /// The names of [`Outcome::groups`], such as `layers`.
    pub groups: Vec<String>,
    /// The number of scenarios of a trial, if it plays several. Their scores are the last of its
    /// metrics, in the order of [`Outcome::scenarios`].
    pub scenarios: usize,
}

impl Metrics {
    pub fn new(names: &[&str], groups: &[&str]) -> Self {
        let owned = |names: &[&str]| names.iter().map(|&name| name.to_string()).collect();
        Metrics { names: owned(names), groups: owned(groups), scenarios: 0 }
    }
}

/// The outcome of one trial: one candidate on one case.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Outcome {
    /// The score in the unit of the contest.
    pub score: f64,
    /// The objective; larger is better. It differs from the score where the score is minimized, or
    /// shaped to give the search a slope to follow.
    pub objective: f64,
    /// The metrics: parts of the score and further numbers, one for each of the problem's
    /// [`Metrics::names`]; empty if the trial did not tell them, because it failed or was capped.
    pub metrics: Vec<f64>,
    /// The groups of the instance, one for each of the problem's [`Metrics::groups`], each empty if
    /// the trial did not tell it. Reports show the mean score of each group.
    pub groups: Vec<String>,
    /// The duration of the trial, if measured. It differs between repetitions.
    pub time: Option<Duration>,
    /// The time at which the trial began, if known. It differs between repetitions.
    pub started: Option<SystemTime>,
    /// The failure, if the trial failed and its failure counts as a result rather than ending the
    /// run.
    pub failure: Option<Failure>,
    /// The objective in each scenario, if a trial plays several; the objective is their mean.
    pub scenarios: Vec<f64>,
    /// Whether the trial was stopped because its cost on the case exceeds a rival's by far. Score
    /// and objective are then the bounds at that time: the true values are no better.
    pub capped: bool,
}

impl Outcome {
    /// Creates an outcome whose objective is its score.
    pub fn of(score: f64) -> Self {
        Outcome { score, objective: score, ..Outcome::default() }
    }

    /// Returns the time of a run of the program: the mean over the scenarios.
    pub fn time_of_run(&self) -> Option<Duration> {
        self.time.map(|time| time / self.scenarios.len().max(1) as u32)
    }

    /// Sets the metrics.
    #[must_use]
    pub fn metrics(self, metrics: impl Into<Vec<f64>>) -> Self {
        Outcome { metrics: metrics.into(), ..self }
    }

    /// Adds a group of the instance.
    #[must_use]
    pub fn group(mut self, group: impl Into<String>) -> Self {
        self.groups.push(group.into());
        self
    }

    /// Sets the objective.
    #[must_use]
    pub fn objective(self, objective: f64) -> Self {
        Outcome { objective, ..self }
    }
}

/// The kind of a failure. Those of a candidate, up to `Scorer`, can count as results.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FailureKind {
    /// The program ended with a status other than 0.
    #[serde(rename = "exit code")]
    Exit,
    /// A signal terminated the program, as after a crash.
    Signal,
    /// The program took too much time.
    #[serde(rename = "time limit")]
    Time,
    /// The program took too much memory.
    #[serde(rename = "memory limit")]
    Memory,
    /// The program printed too much.
    #[serde(rename = "output limit")]
    Output,
    /// The output has no score.
    #[serde(rename = "no score")]
    Score,
    /// The output marks the answer as wrong.
    #[serde(rename = "wrong answer")]
    Wrong,
    /// The scorer failed.
    Scorer,
    /// The program cannot be started.
    Start,
    /// An input cannot be read.
    Input,
    /// A folder or file of the trial cannot be written.
    Folder,
    /// The score has no objective on the scale.
    Scale,
    /// The player panicked.
    Panic,
}

impl fmt::Display for FailureKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(f)
    }
}

/// The reason why a trial has no score.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Error)]
#[error("{kind}{}: {message}{}", self.at(), self.advice())]
pub struct Failure {
    /// The kind, used in counts.
    pub kind: FailureKind,
    /// The instance of the trial and, if there are several, the scenario, where the failure belongs
    /// to one.
    pub instance: Option<String>,
    /// The cause, and how to reproduce the failure.
    pub message: String,
    /// More about the cause, and advice.
    pub advice: Option<String>,
}

impl Failure {
    /// Creates a failure that belongs to no instance.
    pub fn new(kind: FailureKind, message: impl Into<String>) -> Self {
        Failure { kind, instance: None, message: message.into(), advice: None }
    }

    fn advice(&self) -> String {
        self.advice.as_ref().map_or_else(String::new, |advice| format!("; {advice}"))
    }

    /// Returns ` on instance 7`, or nothing if the failure belongs to no instance.
    pub fn at(&self) -> String {
        self.instance.as_ref().map_or_else(String::new, |instance| format!(" on instance {instance}"))
    }
}

/// The reason why a trial has no outcome.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum PlayError {
    /// The trial was stopped on request, which says nothing about the candidate.
    #[error("the trial was given up")]
    Stopped,
    /// A failure that ends the run.
    #[error("{0}")]
    Fatal(Failure),
}

impl From<Failure> for PlayError {
    fn from(failure: Failure) -> Self {
        PlayError::Fatal(failure)
    }
}
