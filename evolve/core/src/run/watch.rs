//! Events of a run, for its observers.

use super::state::{Gain, Phase};
use std::time::Duration;

/// Where a run stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Progress<'a> {
    /// Its phase.
    pub phase: &'a Phase,
    /// The generation being played, from 0.
    pub generation: u64,
    /// All generations, if the job says how many.
    pub generations: Option<u64>,
    /// Trials played so far.
    pub games: u64,
    /// Trials a second lately; 0 if not known yet.
    pub trials_per_second: f64,
    /// Best and mean objective of the last generation.
    pub latest: Option<(f64, f64)>,
    /// The values that the run recommends at present.
    pub incumbent: Vec<f64>,
    /// How the search works at present, in a few words.
    pub method: &'static str,
    /// The incumbent's difference from the baseline.
    pub gain: Option<Gain>,
    /// Failed trials that were counted.
    pub failures: u64,
    /// Trials that were capped.
    pub capped: u64,
    /// Time left, if there is an estimate.
    pub left: Option<Duration>,
    /// How much of the whole run is done, by time, what follows the search included: 0 to 1.
    pub share: f64,
}

/// An observer of a run.
pub trait Watch {
    /// Called between batches of trials, every few seconds at least.
    fn progress(&mut self, progress: &Progress<'_>);
}

/// An observer that ignores everything.
pub struct Nobody;

impl Watch for Nobody {
    fn progress(&mut self, _: &Progress<'_>) {}
}
