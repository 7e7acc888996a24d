//! Fitting the hyperparameters of the process to outcomes: the most probable lengths and variances.

use super::encoding::Dimension;
use super::process::{Kernel, ModelTrial, Stray, Tie, factor, matern};
use crate::search::Deals;
use nalgebra::{DMatrix, DVector};

/// Number of steps of the first fit, and of a fit that starts from an earlier one.
const FIRST: usize = 40;
const AGAIN: usize = 15;
/// Number of trials below which every fit also starts from the prior means.
pub const FEW: usize = 60;
/// Natural logarithms of lengths lie in this range.
const LENGTHS: (f64, f64) = (-3.506_557_897_319_982, 3.401_197_381_662_155);
/// Natural logarithms of variances lie in this range.
const VARIANCES: (f64, f64) = (-14.0, 7.0);
/// Means and standard deviations of the priors of the logarithms of variances: signal, level,
/// interaction, noise.
type Priors = [(f64, f64); 4];
const PRIORS: Priors = [(0.0, 1.0), (-0.5, 1.5), (-2.5, 1.5), (-1.5, 1.5)];
/// The same if a candidate has a single outcome: there is neither noise nor another deal.
const EXACT: Priors = [(0.0, 1.0), (-0.5, 1.5), (-10.0, 1.0), (-12.0, 1.0)];

/// The same for an earlier run's drift and noise: most earlier runs have the same problem, some
/// another one.
const EARLIER: [(f64, f64); 2] = [(-3.0, 1.5), (-3.0, 1.5)];

fn priors(deals: Deals) -> &'static Priors {
    if deals == Deals::One { &EXACT } else { &PRIORS }
}

impl Kernel {
    fn of(dimensions: usize, logarithms: &[f64]) -> Self {
        let (lengths, variances) = logarithms.split_at(dimensions);
        let [signal, level, interaction, noise] = [0, 1, 2, 3].map(|i| libm::exp(variances[i]));
        let stray = |of: &[f64]| Stray { drift: libm::exp(of[0]), noise: libm::exp(of[1]) };
        let earlier = variances[PRIORS.len()..].chunks(EARLIER.len()).map(stray).collect();
        let lengths = lengths.iter().map(|&length| libm::exp(length)).collect();
        Kernel { lengths, signal, level, interaction, noise, earlier }
    }

    fn logarithms(&self) -> Vec<f64> {
        let variances = [self.signal, self.level, self.interaction, self.noise];
        let earlier: Vec<f64> = self.earlier.iter().flat_map(|stray| [stray.drift, stray.noise]).collect();
        self.lengths.iter().chain(&variances).chain(&earlier).map(|&value| libm::log(value)).collect()
    }
}

/// Returns the means and standard deviations of the priors of the logarithms. Distances grow with
/// the number of dimensions.
fn logarithms(dimensions: usize, priors: &Priors, earlier: usize) -> Vec<(f64, f64)> {
    let length = (libm::log(0.5 * (dimensions as f64 / 3.0).max(1.0).sqrt()), 1.0);
    let strays = std::iter::repeat_n(EARLIER, earlier).flatten();
    std::iter::repeat_n(length, dimensions).chain(*priors).chain(strays).collect()
}

/// Fits a kernel to outcomes of trials of this run and of earlier runs, starting from an earlier
/// kernel if there is one. Returns it with the logarithm of its density.
pub fn fit(
    dimensions: &[Dimension],
    deals: Deals,
    earlier_runs: usize,
    trials: &[ModelTrial],
    outcomes: &[f64],
    earlier: Option<&Kernel>,
) -> (Kernel, f64) {
    let priors = priors(deals);
    let data = Data::new(dimensions, logarithms(dimensions.len(), priors, earlier_runs), trials, outcomes);
    let prior: Vec<f64> = data.priors.iter().map(|(mean, _)| *mean).collect();
    let fitted = match earlier {
        None => data.ascend(prior, FIRST),
        Some(earlier) => {
            let again = data.ascend(earlier.logarithms(), AGAIN);
            let anew = (trials.len() < FEW).then(|| data.ascend(prior, FIRST));
            anew.into_iter().fold(again, |best, other| if other.1 > best.1 { other } else { best })
        }
    };
    (Kernel::of(dimensions.len(), &fitted.0), fitted.1)
}

/// Trials, prepared for fits.
struct Data {
    dimensions: usize,
    /// The prior of each logarithm.
    priors: Vec<(f64, f64)>,
    outcomes: DVector<f64>,
    /// The run of each trial.
    runs: Vec<usize>,
    /// The squared distance in each dimension of each pair of trials, the later trial first.
    squares: Vec<f64>,
    ties: Vec<Tie>,
}

impl Data {
    fn new(dimensions: &[Dimension], priors: Vec<(f64, f64)>, trials: &[ModelTrial], outcomes: &[f64]) -> Self {
        let (mut squares, mut ties) = (Vec::new(), Vec::new());
        for (i, a) in trials.iter().enumerate() {
            for b in &trials[..i] {
                ties.push(a.tie(b));
                squares.extend(dimensions.iter().enumerate().map(|(d, dimension)| {
                    let distance = dimension.distance(a.values[d], b.values[d]);
                    distance * distance
                }));
            }
        }
        Data {
            dimensions: dimensions.len(),
            priors,
            outcomes: DVector::from_column_slice(outcomes),
            runs: trials.iter().map(|trial| trial.run).collect(),
            squares,
            ties,
        }
    }

    /// Returns the logarithm of the posterior density, up to a constant, and its slope.
    fn density(&self, logarithms: &[f64]) -> (f64, Vec<f64>) {
        let (n, d) = (self.outcomes.len(), self.dimensions);
        let kernel = Kernel::of(d, logarithms);
        let inverse_squares: Vec<f64> = kernel.lengths.iter().map(|length| 1.0 / (length * length)).collect();
        let mut covariances = DMatrix::zeros(n, n);
        let mut likeness = Vec::with_capacity(self.ties.len());
        let mut pair = 0;
        for i in 0..n {
            for j in 0..i {
                let squares = &self.squares[pair * d..(pair + 1) * d];
                let square: f64 = squares.iter().zip(&inverse_squares).map(|(a, b)| a * b).sum();
                let (alike, slope) = matern(square);
                likeness.push((alike, slope));
                covariances[(i, j)] = kernel.covariance(alike, self.ties[pair]);
                pair += 1;
            }
            let run = self.runs[i];
            covariances[(i, i)] =
                kernel.covariance(1.0, Tie::Deal(run)) + kernel.noise + kernel.stray(run).noise + 1e-8;
        }
        let factor = factor(covariances);
        let weights = factor.solve(&self.outcomes);
        let half_log_determinant: f64 = factor.l_dirty().diagonal().iter().map(|&x| libm::log(x)).sum();
        let inverse = factor.inverse();
        let mut density = -0.5 * self.outcomes.dot(&weights) - half_log_determinant;
        // The slope in a logarithm is half the trace of (weights weights' - inverse) times the
        // slope of the covariances.
        let mut slope = vec![0.0; self.priors.len()];
        let [signal, level, interaction, noise] = [kernel.signal, kernel.level, kernel.interaction, kernel.noise];
        let stray = |run: usize| d + PRIORS.len() + EARLIER.len() * (run - 1);
        let mut pair = 0;
        for i in 0..n {
            for j in 0..i {
                let pull = weights[i] * weights[j] - inverse[(i, j)];
                let (alike, slope_of_matern) = likeness[pair];
                let (run, same) = match self.ties[pair] {
                    Tie::None => (0, 0.0),
                    Tie::Run(run) => (run, 0.0),
                    Tie::Deal(run) => (run, 1.0),
                };
                let drift = kernel.stray(run).drift;
                // The slope of the Matern kernel in the logarithm of a length is this times the
                // squared distance.
                let steep = pull * (signal + same * interaction + drift) * (5.0 / 3.0) * slope_of_matern;
                let squares = &self.squares[pair * d..(pair + 1) * d];
                for ((slope, square), inverse) in slope.iter_mut().zip(squares).zip(&inverse_squares) {
                    *slope += steep * square * inverse;
                }
                slope[d] += pull * signal * alike;
                slope[d + 1] += pull * same * level;
                slope[d + 2] += pull * same * interaction * alike;
                if run > 0 {
                    slope[stray(run)] += pull * drift * alike;
                }
                pair += 1;
            }
            let pull = 0.5 * (weights[i] * weights[i] - inverse[(i, i)]);
            slope[d] += pull * signal;
            slope[d + 1] += pull * level;
            slope[d + 2] += pull * interaction;
            slope[d + 3] += pull * noise;
            if self.runs[i] > 0 {
                let (place, of) = (stray(self.runs[i]), kernel.stray(self.runs[i]));
                slope[place] += pull * of.drift;
                slope[place + 1] += pull * of.noise;
            }
        }
        for ((slope, x), (mean, deviation)) in slope.iter_mut().zip(logarithms).zip(&self.priors) {
            let z = (x - mean) / deviation;
            density -= 0.5 * z * z;
            *slope -= z / deviation;
        }
        (density, slope)
    }

    /// Ascends by resilient backpropagation (Rprop; for Gaussian processes Blum and Riedmiller,
    /// 2013), which uses only the signs of slopes. Returns the best point and its density.
    fn ascend(&self, from: Vec<f64>, steps: usize) -> (Vec<f64>, f64) {
        const STEP: f64 = 0.2;
        const RANGE: (f64, f64) = (1e-3, 1.0);
        let mut place = from;
        let mut sizes = vec![STEP; place.len()];
        let mut before = vec![0.0; place.len()];
        let mut best = (place.clone(), f64::NEG_INFINITY);
        for _ in 0..steps {
            let (density, slope) = self.density(&place);
            if density > best.1 {
                best = (place.clone(), density);
            }
            for i in 0..place.len() {
                let turn = slope[i] * before[i];
                let factor = if turn > 0.0 {
                    1.2
                } else if turn < 0.0 {
                    0.5
                } else {
                    1.0
                };
                sizes[i] = (sizes[i] * factor).clamp(RANGE.0, RANGE.1);
                before[i] = if turn < 0.0 { 0.0 } else { slope[i] };
                let (low, high) = if i < self.dimensions { LENGTHS } else { VARIANCES };
                let way = if before[i] > 0.0 {
                    1.0
                } else if before[i] < 0.0 {
                    -1.0
                } else {
                    0.0
                };
                place[i] = (place[i] + way * sizes[i]).clamp(low, high);
            }
        }
        best
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::space::Coordinate;
    use crate::search::auto::model::encoding::dimensions;

    #[test]
    fn slopes_are_those_of_the_density() {
        let number = Coordinate::float(0.0, 0.1, 0.0, 1.0);
        let dimensions = dimensions(&[number; 2]);
        let trials: Vec<ModelTrial> = (0..9)
            .map(|i| {
                let trial = ModelTrial::new(vec![f64::from(i) / 9.0, f64::from(i * i % 7) / 7.0], i as usize % 3);
                // The last ones are of two earlier runs.
                ModelTrial { run: (i as usize).saturating_sub(4).div_ceil(2), ..trial }
            })
            .collect();
        let outcomes: Vec<f64> = (0..9).map(|i| f64::from(i * 5 % 9) / 3.0 - 1.0).collect();
        let data = Data::new(&dimensions, logarithms(2, &PRIORS, 2), &trials, &outcomes);
        let place = [-0.7, 0.2, 0.3, -0.4, -2.0, -1.2, -0.5, -1.5, -2.5, -0.9];
        let (_, slope) = data.density(&place);
        for i in 0..place.len() {
            let at = |by: f64| {
                let mut moved = place;
                moved[i] += by;
                data.density(&moved).0
            };
            let measured = (at(1e-5) - at(-1e-5)) / 2e-5;
            assert!((slope[i] - measured).abs() < 1e-5, "{i}: {} {measured}", slope[i]);
        }
    }
}
