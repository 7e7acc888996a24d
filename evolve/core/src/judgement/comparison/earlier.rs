//! Evidence on a difference from outside its own observations: earlier observations, and outcomes
//! of the search near the first candidate. Also: the events that the observations can have missed.

use super::Difference;
use evolve_search::statistics::{median, standard_deviation};
use serde::{Deserialize, Serialize};

/// Failures or large losses of candidates similar to the first one, on cases that the second one
/// did not play.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Near {
    /// The share of trials that failed or lost as much.
    pub share: f64,
    /// The largest cost of one, as a negative difference.
    pub worst: f64,
}

impl Near {
    /// Returns whether a candidate without such a trial on `cases` cases could still have this rate
    /// of them: at this rate, at least 1 % of all samples of this size have none. A smaller sample
    /// would let too many claims pass.
    pub(super) fn is_likely(&self, cases: usize) -> bool {
        libm::pow(1.0 - self.share, cases as f64) >= 0.01
    }
}

/// A loss is large if it is this many standard deviations below the median, and this many times as
/// far from it as the largest gain. Noise with equal tails on both sides has none.
const LARGE: f64 = 4.0;
const UNEVEN: f64 = 2.0;

/// Returns the largest loss among some values, if it is large, and the share of losses of half its
/// size.
pub fn large_loss(values: &[f64]) -> Option<Near> {
    let middle = if values.is_empty() { return None } else { median(values) };
    let least = values.iter().copied().fold(f64::INFINITY, f64::min) - middle;
    let most = values.iter().copied().fold(f64::NEG_INFINITY, f64::max) - middle;
    let is_large = least < -LARGE * standard_deviation(values) && -least > UNEVEN * most;
    let count = values.iter().filter(|&&value| value - middle <= 0.5 * least).count();
    is_large.then(|| Near { share: count as f64 / values.len() as f64, worst: least })
}

/// The probability of a sample without an event that the sample does not rule out.
const UNSEEN: f64 = 0.05;

/// A loss that would cancel a gain, and that the observations can have missed.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Unseen {
    /// The largest rate of an event that was never observed, at 95 % confidence.
    pub rate: f64,
    pub loss: f64,
    /// Whether a loss of this size was seen anywhere in the run.
    pub is_seen: bool,
    /// The rate at which the loss cancels the gain.
    pub cancels: f64,
}

impl Unseen {
    /// Returns the number of observations without the loss that would exclude the rate at which it
    /// cancels the gain.
    pub fn needed(&self) -> u64 {
        (libm::log(UNSEEN) / libm::log(1.0 - self.cancels)).ceil() as u64
    }
}

/// Returns the largest rate of an event that is consistent, at 95 % confidence, with this many
/// observations without one.
pub fn unseen(observations: usize) -> f64 {
    1.0 - libm::pow(UNSEEN, 1.0 / observations.max(1) as f64)
}

/// Differences that were observed in the selection and the last validation, of the same two
/// candidates or of candidates close to them. They inform the shape of the distribution and the
/// rate of failures; the reported mean never uses them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EarlierDifferences {
    pub differences: Vec<Difference>,
    /// The failures of candidates similar to the first one.
    pub near: Option<Near>,
    /// The large losses of candidates similar to the first one.
    pub lost: Option<Near>,
    /// The largest loss that was seen.
    pub seen: f64,
}
