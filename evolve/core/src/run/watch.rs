//! The interface between a run and its observers.

use super::course::figures::Figures;
use crate::job::Stage;

#[derive(Clone, Debug, PartialEq)]
pub struct Progress {
    pub stage: Stage,
    pub figures: Figures,
    /// Recent trials per second; 0 if unknown.
    pub trials_per_second: f64,
    /// The best and mean objective of the last generation.
    pub latest: Option<(f64, f64)>,
    /// The values that the run recommends at present.
    pub incumbent: Vec<f64>,
    /// The current method of the search, in a few words.
    pub method: &'static str,
}

/// An observer of a run.
pub trait Watch {
    /// Receives the progress between batches of trials, at least every few seconds.
    fn progress(&mut self, progress: &Progress);

    /// Receives a warning about the trials before the first one, at once; the verdict repeats it.
    fn warning(&mut self, _text: &str) {}
}

/// An observer that ignores everything.
pub struct Nobody;

impl Watch for Nobody {
    fn progress(&mut self, _: &Progress) {}
}
