//! Deals, trials and outcomes.

use crate::model::seed::{Split, seed};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::fmt;
use std::time::Duration;

/// The largest number, up or down, that a score or an objective may be: sums of squares of them stay finite.
pub const LARGEST: f64 = 1e150;

/// Whether a score or objective is finite and within range.
pub fn is_usable(number: f64) -> bool {
    number.abs() <= LARGEST
}

/// A deal: a game dealt from a seed, or an instance of a problem. It belongs to exactly one split.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Deal {
    /// The split that it belongs to.
    pub split: Split,
    /// Its number among the deals of that split, in the order in which a run comes to them. Problems with a list of
    /// instances go through it by this number.
    pub number: u64,
    /// Every random choice of the deal follows from it.
    pub seed: u64,
}

impl Deal {
    /// The deals of a measurement outside the search: the first `count` of a split. The seed of each follows from
    /// the run's seed and its number alone.
    pub fn first(run: u64, split: Split, count: usize) -> Vec<Deal> {
        (0..count as u64).map(|number| Self::at(run, split, number)).collect()
    }

    /// The deal with this number among those of [`first`](Self::first).
    pub fn at(run: u64, split: Split, number: u64) -> Deal {
        Deal { split, number, seed: seed(run, split, 0, number) }
    }

    /// Whether those who are compared on it play in the other order.
    pub fn is_swapped(&self) -> bool {
        self.seed & 1 == 1
    }

    /// The order in which `count` candidates play it, by bits of its seed: each is equally often first, and equally
    /// often before as after another. A slow first trial, because a file is not in memory yet, or a machine that slows
    /// down then puts no candidate at a disadvantage.
    pub fn order(&self, count: usize) -> impl Iterator<Item = usize> + use<> {
        let (is_reversed, first) = (self.is_swapped(), (self.seed >> 1) as usize % count.max(1));
        // Of two, the direction alone says who is first.
        let first = if count > 2 { first } else { 0 };
        (0..count).map(move |i| if is_reversed { count - 1 - i } else { i }).map(move |i| (first + i) % count)
    }
}

/// The names of the numbers and groups in a problem's outcomes, in their order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Metrics {
    /// Of [`Outcome::parts`], such as `tiles`.
    pub parts: Vec<String>,
    /// Of [`Outcome::kinds`], such as `layers`.
    pub kinds: Vec<String>,
}

impl Metrics {
    /// Metrics of these names.
    pub fn new(parts: &[&str], kinds: &[&str]) -> Self {
        let owned = |names: &[&str]| names.iter().map(|&name| name.to_string()).collect();
        Metrics { parts: owned(parts), kinds: owned(kinds) }
    }
}

/// The outcome of one trial: one candidate on one deal.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Outcome {
    /// The contest's score in the contest's own unit.
    pub score: f64,
    /// The objective; larger is better. It differs from the score where a score is minimized, or shaped so that the
    /// search has a slope to follow.
    pub objective: f64,
    /// How the score splits and further numbers, one for each of the problem's [`Metrics::parts`].
    pub parts: Vec<f64>,
    /// The group that the instance belongs to, one for each of the problem's [`Metrics::kinds`]: reports give the mean
    /// score of each group.
    pub kinds: Vec<String>,
    /// How long it took, where that was measured. It does not reproduce.
    pub time: Option<Duration>,
    /// The failure, if the trial failed and counts.
    pub failure: Option<Failure>,
    /// Whether the trial was stopped because a rival needs far less on the deal. Score and objective are then those at the
    /// stop: the candidate's own are no better.
    pub capped: bool,
}

impl Outcome {
    /// The outcome whose score is its objective.
    pub fn of(score: f64) -> Self {
        Outcome { score, objective: score, ..Outcome::default() }
    }

    /// The same with parts of the score.
    #[must_use]
    pub fn parts(self, parts: impl Into<Vec<f64>>) -> Self {
        Outcome { parts: parts.into(), ..self }
    }

    /// The same with one more group that the instance belongs to.
    #[must_use]
    pub fn kind(mut self, kind: impl Into<String>) -> Self {
        self.kinds.push(kind.into());
        self
    }

    /// The same with another objective.
    #[must_use]
    pub fn objective(self, objective: f64) -> Self {
        Outcome { objective, ..self }
    }
}

/// Why a trial has no score.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Failure {
    /// Its kind in a word or two, to count by: `time limit`, `crash`, `no score`.
    pub kind: Cow<'static, str>,
    /// The cause, and how to reproduce it.
    pub message: String,
}

impl Failure {
    /// A failure of a kind.
    pub fn new(kind: impl Into<Cow<'static, str>>, message: impl Into<String>) -> Self {
        Failure { kind: kind.into(), message: message.into() }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.kind, self.message)
    }
}

impl std::error::Error for Failure {}

/// Why a trial has no outcome.
#[derive(Clone, Debug, PartialEq)]
pub enum PlayError {
    /// It was given up on request, which says nothing about the candidate.
    Stopped,
    /// A failure that ends the run.
    Fatal(Failure),
}

impl From<Failure> for PlayError {
    fn from(failure: Failure) -> Self {
        PlayError::Fatal(failure)
    }
}

impl fmt::Display for PlayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PlayError::Stopped => f.write_str("the trial was given up"),
            PlayError::Fatal(failure) => failure.fmt(f),
        }
    }
}

impl std::error::Error for PlayError {}
