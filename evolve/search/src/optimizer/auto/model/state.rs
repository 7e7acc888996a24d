//! The state of the model: its trials, and the requests in progress.

use super::Outcomes;
use super::encoding::Dimension;
use super::kernel::Kernel;
use super::kin::Instances;
use super::limits::Limited;
use super::process::ModelTrial;
use crate::document::is_default;
use crate::optimizer::{Again, is_count};
use serde::{Deserialize, Serialize};

/// The state of the model.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct State {
    /// Number of batches played.
    pub batches: u64,
    /// The features of the instances of the search, if they are known.
    #[serde(default, skip_serializing_if = "Instances::is_empty")]
    pub(super) instances: Instances,
    pub(super) trials: Vec<ModelTrial>,
    #[serde(flatten)]
    pub(super) outcomes: Outcomes,
    /// The limited quantities in each trial.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) quantities: Vec<Limited>,
    /// For each case, the generation and the index at which it was new, and its number.
    pub(super) cases: Vec<Again>,
    /// The expected outcome of the best candidate on each case, when the model was last asked.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) levels: Vec<f64>,
    pub(super) kernel: Option<Kernel>,
    /// Number of trials of the last fit.
    pub(super) fitted: usize,
    /// The coefficients of parameters that follow features, and the number of trials when they were
    /// chosen.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) coefficients: Vec<f64>,
    #[serde(default, skip_serializing_if = "is_default")]
    pub(super) followed: usize,
    /// The requests in progress, the oldest first.
    pub(super) requests: Vec<Request>,
}

/// A request in progress.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Request {
    pub(super) trials: Vec<ModelTrial>,
    /// Number of cases before it. Its new cases follow them.
    pub(super) known: usize,
    /// The objectives to beat on the cases before it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) rivals: Vec<Option<f64>>,
}

impl Request {
    /// Returns the number of cases with the new ones.
    pub(super) fn cases(&self) -> usize {
        self.trials.iter().map(|trial| trial.case + 1).fold(self.known, usize::max)
    }
}

impl State {
    /// Returns whether a state read from a file fits a space with these dimensions, the number of
    /// earlier runs, and a model of `most` trials.
    pub(super) fn fits(&self, dimensions: &[Dimension], earlier: usize, most: usize) -> bool {
        let features = self.instances.features();
        let is_trial = |trial: &ModelTrial| {
            trial.values.len() == dimensions.len()
                && trial.values.iter().all(|value| value.is_finite())
                && trial.case < self.cases.len()
                && trial.run == 0
        };
        let is_request = |request: &Request| {
            !request.trials.is_empty()
                && request.trials.iter().all(is_trial)
                && request.known <= self.cases.len()
                && request.rivals.iter().flatten().all(|rival| rival.is_finite())
                && (request.rivals.is_empty() || request.rivals.len() == request.known)
        };
        let is_kernel = |kernel: &Kernel, features: usize, earlier: usize| {
            let by_features = kernel.features.iter();
            let by_features = by_features.flat_map(|of| of.lengths.iter().chain([&of.signal, &of.level]));
            let variances = [kernel.signal, kernel.level, kernel.interaction, kernel.noise];
            let strays = kernel.earlier.iter().flat_map(|stray| [&stray.drift, &stray.noise]);
            kernel.lengths.len() == dimensions.len()
                && kernel.earlier.len() == earlier
                && kernel.features.as_ref().map_or(0, |of| of.lengths.len()) == features
                && kernel
                    .lengths
                    .iter()
                    .chain(&variances)
                    .chain(strays)
                    .chain(by_features)
                    .all(|&value| value.is_finite() && value > 0.0)
        };
        self.outcomes.fits(self.trials.len())
            && self.instances.fits()
            && self.levels.len() <= self.cases.len()
            && self.levels.iter().all(|level| level.is_finite())
            && is_count(self.batches)
            && self.trials.iter().all(is_trial)
            && self.kernel.iter().all(|kernel| is_kernel(kernel, features, earlier))
            && self.quantities.iter().all(|quantity| quantity.fits(self.trials.len(), |kernel| is_kernel(kernel, 0, 0)))
            && self.kernel.is_some() == (self.batches > 0)
            && self.trials.is_empty() == (self.batches == 0)
            && self.fitted <= self.trials.len()
            && self.followed <= self.trials.len()
            && self.coefficients.iter().all(|coefficient| coefficient.is_finite())
            && self.requests.is_empty() == (self.trials.len() >= most)
            && self.requests.iter().all(is_request)
    }
}
