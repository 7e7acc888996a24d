//! The covariance of the outcomes of trials.

use super::encoding::Dimension;
use serde::{Deserialize, Serialize};

/// The prior variance of the mean of all outcomes, which are standardized.
pub const MEAN: f64 = 9.0;
/// Added to the diagonal so that the covariance matrix stays regular with equal trials.
pub const JITTER: f64 = 1e-8;

/// The hyperparameters of a process: length scales and variances.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Kernel {
    /// The length scale of each dimension.
    pub lengths: Vec<f64>,
    /// The variance of the effect that candidates have on all instances.
    pub signal: f64,
    /// The variance of the levels, between cases.
    pub level: f64,
    /// The variance of the interaction, between candidates on one case.
    pub interaction: f64,
    /// The variance of the noise, between trials.
    pub noise: f64,
    /// Variances that follow the features of instances.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub features: Option<ByFeatures>,
    /// Variances of each earlier run.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub earlier: Vec<Stray>,
}

/// The hyperparameters of what follows the features of instances.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ByFeatures {
    /// The length scale of each feature.
    pub lengths: Vec<f64>,
    /// The variance of the effect of candidates, between instances.
    pub signal: f64,
    /// The variance of the levels.
    pub level: f64,
}

/// The additional variances of an earlier run.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Stray {
    /// The variance of the drift, between candidates.
    pub drift: f64,
    /// The variance of the additional noise, between trials.
    pub noise: f64,
}

/// The relation of two trials, apart from the similarity of their candidates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Tie {
    /// The trials belong to different runs.
    None,
    /// The run, and the similarity of the instances.
    Run(usize, f64),
    /// The run, and the case in it.
    Case(usize),
}

/// Returns the value of the Matern kernel at a squared distance in units of the lengths, and its
/// slope in the squared distance, up to the factor -5/6.
pub fn matern(square: f64) -> (f64, f64) {
    let r = (5.0 * square).sqrt();
    let decay = libm::exp(-r);
    ((1.0 + r + r * r / 3.0) * decay, (1.0 + r) * decay)
}

impl Kernel {
    /// Returns the similarity of two candidates, from 0 to 1.
    pub fn likeness(&self, dimensions: &[Dimension], a: &[f64], b: &[f64]) -> f64 {
        let mut square = 0.0;
        for (((dimension, length), &a), &b) in dimensions.iter().zip(&self.lengths).zip(a).zip(b) {
            let distance = dimension.distance(a, b) / length;
            square += distance * distance;
        }
        matern(square).0
    }

    /// Returns the covariance, without noise, of the outcomes of two trials whose candidates have
    /// this similarity.
    pub fn covariance(&self, likeness: f64, tie: Tie) -> f64 {
        let (signal, level) = self.by_features();
        match tie {
            Tie::None => self.signal * likeness,
            Tie::Run(run, alike) => {
                let own = (signal * alike + self.stray(run).drift) * likeness;
                self.signal * likeness + MEAN + level * alike + own
            }
            Tie::Case(run) => {
                // Nothing is known of the instances of earlier runs.
                let (signal, level) = if run == 0 { (signal, level) } else { (0.0, 0.0) };
                let own = self.level + level + (self.interaction + signal) * likeness;
                self.signal * likeness + MEAN + own + self.stray(run).drift * likeness
            }
        }
    }

    /// Returns the variances of effects and levels that follow features.
    pub fn by_features(&self) -> (f64, f64) {
        self.features.as_ref().map_or((0.0, 0.0), |features| (features.signal, features.level))
    }

    /// Returns the additional variances of a run; this run has none.
    pub fn stray(&self, run: usize) -> Stray {
        run.checked_sub(1).map_or(Stray { drift: 0.0, noise: 0.0 }, |earlier| self.earlier[earlier])
    }
}

#[cfg(test)]
impl Kernel {
    /// Returns a kernel of one number, by the variances of effect, level, interaction and noise.
    pub fn of_one_number([signal, level, interaction, noise]: [f64; 4]) -> Self {
        Kernel { lengths: vec![0.3], signal, level, interaction, noise, features: None, earlier: Vec::new() }
    }
}
