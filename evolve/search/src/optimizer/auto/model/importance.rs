//! The importance of parameters: their shares in the variance of the mean effect over the space, on
//! the scale on which the search moves. A functional analysis of variance by samples of which some
//! coordinates are exchanged (Saltelli et al., "Variance based sensitivity analysis of model
//! output", 2010).
//!
//! The ranges are a jackknife: they show how much a share depends on the trials, by leaving out
//! each of [`GROUPS`] groups of them with the same kernel (Efron, 1982). They are no confidence
//! intervals: where a search stayed in a part of the space, the truth lies outside more often than
//! in 5 % of runs. The covariances of a sample with the trials, which take most of the time, serve
//! all groups.

use super::Model;
use super::encoding::Dimension;
use super::gain::jackknife;
use super::kernel::Kernel;
use super::process::{ModelTrial, Process};
use super::requests::SOBOL;
use super::triangle::Triangle;
use crate::model::seed::{Split, seed};
use crate::optimizer::landscape::Share;
use crate::statistics::{Interval, mean};

/// The number of samples of the space.
const SAMPLES: u32 = 1024;
/// The number of the most important parameters whose pairs are examined.
const PAIRED: usize = 6;
/// The largest dimension of the sequence of samples.
const MOST_DIMENSIONS: u32 = 256;
/// The number of groups of trials.
const GROUPS: usize = 20;

/// The mean effects at samples, after all trials and without each group.
type Means = Vec<Vec<f64>>;

/// The mean effects at two samples of the space.
struct Samples {
    a: Means,
    b: Means,
}

impl Model {
    /// Returns the share of each parameter, then of each pair of the most important ones; none if
    /// the mean effect is the same everywhere.
    pub fn shares_of_variance(&self, kernel: &Kernel, outcomes: &[f64]) -> Vec<Share> {
        let count = self.dimensions.len() as u32;
        if 2 * count > MOST_DIMENSIONS {
            return Vec::new();
        }
        let process = self.process_of(kernel, self.state.trials.clone(), outcomes);
        let weights = self.weights_of_groups(kernel, outcomes, &process);
        let means = |points: &[Vec<f64>]| -> Means {
            let of_points: Vec<Vec<f64>> = points.iter().map(|values| process.means(values, &weights)).collect();
            (0..weights.len()).map(|group| of_points.iter().map(|of| of[group]).collect()).collect()
        };
        let scramble = seed(self.seed, Split::Variation, 0, SOBOL) as u32;
        let share = |i: u32, d: u32| f64::from(sobol_burley::sample(i, d, scramble));
        let sample = |first: u32| -> Vec<Vec<f64>> {
            let at = |i: u32| {
                self.dimensions.iter().zip(first..).map(|(of, d): (&Dimension, u32)| of.at(share(i, d))).collect()
            };
            (0..SAMPLES).map(at).collect()
        };
        let (a, b) = (sample(0), sample(count));
        // The values of `a` with some coordinates from `b`.
        let exchanged = |which: &[usize]| {
            let mut points = a.clone();
            points.iter_mut().zip(&b).for_each(|(a, b)| which.iter().for_each(|&d| a[d] = b[d]));
            means(&points)
        };
        let samples = Samples { a: means(&a), b: means(&b) };
        if samples.variance(0) <= 0.0 {
            return Vec::new();
        }
        let alone: Vec<Means> = (0..count as usize).map(|d| exchanged(&[d])).collect();
        let totals: Vec<f64> = alone.iter().map(|of| samples.total(of)).collect();
        let main: Vec<Vec<f64>> = alone.iter().map(|of| samples.closed(of)).collect();
        let places = self.space.tuned_indices();
        let of_one = |(&place, of): (&usize, &Vec<f64>)| Share { place, other: None, share: with_interval(of) };
        let mut shares: Vec<Share> = places.iter().zip(&main).map(of_one).collect();
        let mut first: Vec<usize> = (0..count as usize).collect();
        first.sort_by(|&i, &j| totals[j].total_cmp(&totals[i]));
        first.truncate(PAIRED);
        first.sort_unstable();
        for (i, &one) in first.iter().enumerate() {
            for &other in &first[i + 1..] {
                let closed = samples.closed(&exchanged(&[one, other])).into_iter();
                let beyond =
                    closed.zip(main[one].iter().zip(&main[other])).map(|(pair, (one, other))| pair - one - other);
                let share = with_interval(&beyond.collect::<Vec<_>>());
                shares.push(Share { place: places[one], other: Some(places[other]), share });
            }
        }
        shares
    }

    /// Returns the weights of the trials in mean effects: with all trials, then with each group at
    /// weight 0.
    fn weights_of_groups(&self, kernel: &Kernel, outcomes: &[f64], process: &Process<'_>) -> Vec<Vec<f64>> {
        let trials = &self.state.trials;
        let groups = GROUPS.min(trials.len());
        let without = |group: usize| {
            let kept: Vec<usize> = (0..trials.len()).filter(|i| i % groups != group).collect();
            let own: Vec<ModelTrial> = kept.iter().map(|&i| trials[i].clone()).collect();
            let outcomes: Vec<f64> = kept.iter().map(|&i| outcomes[i]).collect();
            let part = Process::new(self.before(kernel), own, &outcomes, Triangle::default());
            let mut weights = vec![0.0; trials.len()];
            kept.iter().zip(part.weights()).for_each(|(&i, &weight)| weights[i] = weight);
            weights
        };
        std::iter::once(process.weights().to_vec()).chain((0..groups).map(without)).collect()
    }
}

impl Samples {
    /// Returns the mean and the variance of the effect, after all trials or without a group.
    fn moments(&self, group: usize) -> (f64, f64) {
        let all: Vec<f64> = self.a[group].iter().chain(&self.b[group]).copied().collect();
        let middle = mean(&all);
        (middle, mean(&all.iter().map(|y| (y - middle) * (y - middle)).collect::<Vec<_>>()))
    }

    fn variance(&self, group: usize) -> f64 {
        self.moments(group).1
    }

    /// Returns the share of the exchanged parameters, with what they do together: after all trials,
    /// and without each group.
    fn closed(&self, exchanged: &Means) -> Vec<f64> {
        let of = |(group, of): (usize, &Vec<f64>)| {
            let (middle, variance) = self.moments(group);
            let (a, b) = (&self.a[group], &self.b[group]);
            let parts = (0..of.len()).map(|i| (b[i] - middle) * (of[i] - a[i]));
            if variance > 0.0 { parts.sum::<f64>() / (of.len() as f64 * variance) } else { 0.0 }
        };
        exchanged.iter().enumerate().map(of).collect()
    }

    /// Returns the share of the exchanged parameter with all its interactions, after all trials.
    fn total(&self, exchanged: &Means) -> f64 {
        let squares = exchanged[0].iter().zip(&self.a[0]).map(|(x, a)| (x - a) * (x - a));
        squares.sum::<f64>() / (2.0 * exchanged[0].len() as f64 * self.variance(0))
    }
}

/// Returns a share after all trials, with its range by the shares without each group.
fn with_interval(shares: &[f64]) -> Interval {
    let (share, without) = (shares[0], &shares[1..]);
    let (variance, quantile) = jackknife(without);
    let half = if without.len() < 2 { 1.0 } else { quantile * variance.sqrt() };
    Interval { mean: share, low: share - half, high: share + half }.map(|of| of.clamp(0.0, 1.0))
}
