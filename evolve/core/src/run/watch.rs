//! The interface between a run and its observers.

use super::state::{Gain, Phase};
use std::time::Duration;

/// The progress of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Progress<'a> {
    /// The current phase.
    pub phase: &'a Phase,
    /// The generation being played, from 0.
    pub generation: u64,
    /// The total number of generations, if the job limits it.
    pub generations: Option<u64>,
    /// Trials played so far.
    pub trials: u64,
    /// Recent trials per second; 0 if unknown.
    pub trials_per_second: f64,
    /// The best and mean objective of the last generation.
    pub latest: Option<(f64, f64)>,
    /// The values that the run recommends at present.
    pub incumbent: Vec<f64>,
    /// The current method of the search, in a few words.
    pub method: &'static str,
    /// The incumbent's difference from the baseline.
    pub gain: Option<Gain>,
    /// The number of failed trials that the run counted.
    pub failures: u64,
    /// The number of capped trials.
    pub capped: u64,
    /// The estimated time left, if known.
    pub left: Option<Duration>,
    /// The completed share of the run by time, from 0 to 1, including the stages after the search.
    pub share: f64,
}

/// An observer of a run.
pub trait Watch {
    /// Receives the progress between batches of trials, at least every few seconds.
    fn progress(&mut self, progress: &Progress<'_>);
}

/// An observer that ignores everything.
pub struct Nobody;

impl Watch for Nobody {
    fn progress(&mut self, _: &Progress<'_>) {}
}
