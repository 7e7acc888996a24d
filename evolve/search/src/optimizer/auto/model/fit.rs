//! Fitting the hyperparameters of the process to outcomes: the most probable lengths and variances.

use super::encoding::Dimension;
use super::kernel::{ByFeatures, JITTER, Kernel, Stray, Tie, matern};
use super::kin::Instances;
use super::process::ModelTrial;
use super::triangle::{Triangle, dot, inverse_entry};
use super::wide::materns;
use crate::optimizer::Cases;
use std::collections::BTreeMap;

/// Number of steps of the first fit, and of a fit that starts from an earlier one.
const FIRST: usize = 40;
const AGAIN: usize = 15;
/// Number of trials below which every fit also starts from the prior means.
pub const FEW: usize = 60;
/// Natural logarithms of lengths lie in this range.
const LENGTHS: (f64, f64) = (-3.506_557_897_319_982, 3.401_197_381_662_155);
/// Standard deviations of the prior of the logarithm of a length. If noise hides the effects, a
/// wide prior allows lengths far beyond the ranges, and the model extrapolates with too little
/// doubt.
pub const NARROW: f64 = 0.35;
pub const WIDE: f64 = 1.0;
/// Natural logarithms of variances lie in this range.
const VARIANCES: (f64, f64) = (-14.0, 7.0);
/// Means and standard deviations of the priors of the logarithms of variances: signal, level,
/// interaction, noise.
type Priors = [(f64, f64); 4];
const PRIORS: Priors = [(0.0, 1.0), (-0.5, 1.5), (-1.0, 1.5), (-1.5, 1.5)];
/// The same if a candidate has a single outcome: there is neither noise nor another case.
const EXACT: Priors = [(0.0, 1.0), (-0.5, 1.5), (-10.0, 1.0), (-12.0, 1.0)];

/// The same for the length of each feature, and for the signal and the level that follow features.
const FEATURE: (f64, f64) = (-0.356_674_943_938_732_4, 1.0);
const BY_FEATURES: [(f64, f64); 2] = [(-1.5, 1.5), (-1.0, 1.5)];

/// The same for an earlier run's drift and noise: most earlier runs have the same problem, some
/// another one.
const EARLIER: [(f64, f64); 2] = [(-3.0, 1.5), (-3.0, 1.5)];

fn priors(cases: Cases) -> &'static Priors {
    if cases == Cases::One { &EXACT } else { &PRIORS }
}

impl Kernel {
    fn of(dimensions: usize, features: usize, logarithms: &[f64]) -> Self {
        let (lengths, variances) = logarithms.split_at(dimensions);
        let [signal, level, interaction, noise] = [0, 1, 2, 3].map(|i| libm::exp(variances[i]));
        let (of_features, earlier) = variances[PRIORS.len()..].split_at(by_features(features));
        let all = |of: &[f64]| -> Vec<f64> { of.iter().map(|&length| libm::exp(length)).collect() };
        let features = (features > 0).then(|| ByFeatures {
            lengths: all(&of_features[..features]),
            signal: libm::exp(of_features[features]),
            level: libm::exp(of_features[features + 1]),
        });
        let stray = |of: &[f64]| Stray { drift: libm::exp(of[0]), noise: libm::exp(of[1]) };
        let earlier = earlier.chunks(EARLIER.len()).map(stray).collect();
        Kernel { lengths: all(lengths), signal, level, interaction, noise, features, earlier }
    }

    fn logarithms(&self) -> Vec<f64> {
        let variances = [self.signal, self.level, self.interaction, self.noise];
        let features = self.features.iter();
        let features: Vec<f64> =
            features.flat_map(|of| of.lengths.iter().copied().chain([of.signal, of.level])).collect();
        let earlier: Vec<f64> = self.earlier.iter().flat_map(|stray| [stray.drift, stray.noise]).collect();
        let all = self.lengths.iter().chain(&variances).chain(&features).chain(&earlier);
        all.map(|&value| libm::log(value)).collect()
    }
}

/// Returns the number of hyperparameters for this number of features.
fn by_features(features: usize) -> usize {
    if features > 0 { features + BY_FEATURES.len() } else { 0 }
}

/// Returns the means and standard deviations of the priors of the logarithms. Distances grow with
/// the number of dimensions.
fn logarithms(dimensions: usize, spread: f64, priors: &Priors, features: usize, earlier: usize) -> Vec<(f64, f64)> {
    let length = (libm::log(0.5 * (dimensions as f64 / 3.0).max(1.0).sqrt()), spread);
    let of_features = std::iter::repeat_n(FEATURE, features).chain(BY_FEATURES).take(by_features(features));
    let strays = std::iter::repeat_n(EARLIER, earlier).flatten();
    std::iter::repeat_n(length, dimensions).chain(*priors).chain(of_features).chain(strays).collect()
}

/// The trials of a fit.
#[derive(Clone, Copy)]
pub struct PlayedTrials<'a> {
    pub trials: &'a [ModelTrial],
    pub outcomes: &'a [f64],
    /// The instances, if their features count, and the number of each case.
    pub instances: &'a Instances,
    pub numbers: &'a [u64],
    /// The standard deviation of the prior of the logarithms of lengths: [`NARROW`] or [`WIDE`].
    pub spread: f64,
}

/// Fits a kernel to outcomes of trials of this run and of earlier runs, starting from an earlier
/// kernel if there is one. Returns it with the logarithm of its density.
pub fn fit(
    dimensions: &[Dimension],
    cases: Cases,
    earlier_runs: usize,
    played: PlayedTrials<'_>,
    earlier: Option<&Kernel>,
) -> (Kernel, f64) {
    let features = played.instances.features();
    let priors = logarithms(dimensions.len(), played.spread, priors(cases), features, earlier_runs);
    let data = Data::new(dimensions, priors, played);
    let prior: Vec<f64> = data.priors.iter().map(|(mean, _)| *mean).collect();
    let fitted = match earlier {
        None => data.ascend(prior, FIRST),
        Some(earlier) => {
            let again = data.ascend(earlier.logarithms(), AGAIN);
            let anew = (played.trials.len() < FEW).then(|| data.ascend(prior, FIRST));
            anew.into_iter().fold(again, |best, other| if other.1 > best.1 { other } else { best })
        }
    };
    (Kernel::of(dimensions.len(), features, &fitted.0), fitted.1)
}

/// Trials, prepared for fits.
struct Data {
    dimensions: usize,
    features: usize,
    /// The prior of each logarithm.
    priors: Vec<(f64, f64)>,
    outcomes: Vec<f64>,
    /// The run of each trial.
    runs: Vec<usize>,
    /// The squared distance in each dimension of each pair of trials, the later trial first.
    squares: Vec<f64>,
    relations: Vec<Relation>,
    /// The squared distance in each feature of each pair of different instances.
    between: Vec<f64>,
}

/// The relation of a pair of trials.
#[derive(Clone, Copy)]
enum Relation {
    Runs,
    /// The same run, and the pair of instances, if their features are known and differ.
    Run(usize, Instance),
    Case(usize),
}

/// The relation of the instances of a pair of trials.
#[derive(Clone, Copy)]
enum Instance {
    Unknown,
    Same,
    Pair(usize),
}

impl Data {
    fn new(dimensions: &[Dimension], priors: Vec<(f64, f64)>, played: PlayedTrials<'_>) -> Self {
        let PlayedTrials { trials, outcomes, instances, numbers, .. } = played;
        let instance = |trial: &ModelTrial| {
            let number = numbers.get(trial.case).filter(|_| trial.run == 0);
            number.and_then(|&number| instances.of_case(number))
        };
        let of_trials: Vec<Option<usize>> = trials.iter().map(instance).collect();
        let (mut pairs, mut between) = (BTreeMap::new(), Vec::new());
        let (mut squares, mut relations) = (Vec::new(), Vec::new());
        for (i, a) in trials.iter().enumerate() {
            for (j, b) in trials[..i].iter().enumerate() {
                let mut of_instances = || match (of_trials[i], of_trials[j]) {
                    (Some(a), Some(b)) if a == b => Instance::Same,
                    (Some(a), Some(b)) => {
                        let new = pairs.len();
                        Instance::Pair(*pairs.entry((a.max(b), a.min(b))).or_insert_with(|| {
                            between.extend(instances.squares(a, b));
                            new
                        }))
                    }
                    _ => Instance::Unknown,
                };
                relations.push(match (a.run == b.run, a.case == b.case) {
                    (false, _) => Relation::Runs,
                    (true, false) => Relation::Run(a.run, of_instances()),
                    (true, true) => Relation::Case(a.run),
                });
                squares.extend(dimensions.iter().enumerate().map(|(d, dimension)| {
                    let distance = dimension.distance(a.values[d], b.values[d]);
                    distance * distance
                }));
            }
        }
        Data {
            dimensions: dimensions.len(),
            features: instances.features(),
            priors,
            outcomes: outcomes.to_vec(),
            runs: trials.iter().map(|trial| trial.run).collect(),
            squares,
            relations,
            between,
        }
    }

    /// Returns the logarithm of the posterior density, up to a constant, and its slope.
    fn density(&self, logarithms: &[f64]) -> (f64, Vec<f64>) {
        let (n, d, features) = (self.outcomes.len(), self.dimensions, self.features);
        let kernel = Kernel::of(d, features, logarithms);
        let inverse_squares: Vec<f64> = kernel.lengths.iter().map(|length| 1.0 / (length * length)).collect();
        let of_features = kernel.features.iter().flat_map(|of| &of.lengths);
        let inverse_of_features: Vec<f64> = of_features.map(|length| 1.0 / (length * length)).collect();
        let scaled = |squares: &[f64], inverse: &[f64]| squares.iter().zip(inverse).map(|(a, b)| a * b).sum::<f64>();
        let alike: Vec<(f64, f64)> =
            self.between.chunks(features.max(1)).map(|squares| matern(scaled(squares, &inverse_of_features))).collect();
        let of_instances = |instance: Instance| match instance {
            Instance::Unknown => (0.0, 0.0),
            Instance::Same => (1.0, 0.0),
            Instance::Pair(pair) => alike[pair],
        };
        let tie = |relation: Relation| match relation {
            Relation::Runs => Tie::None,
            Relation::Run(run, instance) => Tie::Run(run, of_instances(instance).0),
            Relation::Case(run) => Tie::Case(run),
        };
        let mut likeness: Vec<f64> = match d {
            0 => vec![0.0; self.relations.len()],
            _ => self.squares.chunks(d).map(|squares| scaled(squares, &inverse_squares)).collect(),
        };
        let slopes = materns(&mut likeness);
        let mut factor = Triangle::default();
        let mut pairs = likeness.iter().zip(&self.relations);
        for (i, &run) in self.runs.iter().enumerate() {
            let row = pairs.by_ref().take(i).map(|(&alike, &relation)| kernel.covariance(alike, tie(relation)));
            let own = kernel.covariance(1.0, Tie::Case(run)) + kernel.noise + kernel.stray(run).noise + JITTER;
            factor.push(&row.chain([own]).collect::<Vec<f64>>(), JITTER);
        }
        let mut weights = self.outcomes.clone();
        factor.solve(&mut weights);
        factor.solve_transposed(&mut weights);
        let inverse = factor.inverse();
        let mut density = -0.5 * dot(&self.outcomes, &weights) - factor.log_determinant();
        // The slope in a logarithm is half the trace of (weights weights' - inverse) times the
        // slope of the covariances.
        let mut slope = vec![0.0; self.priors.len()];
        let Kernel { signal, level, interaction, noise, .. } = kernel;
        let (by_features, level_by_features) = kernel.by_features();
        let of_features = d + PRIORS.len();
        let stray = |run: usize| of_features + self::by_features(features) + EARLIER.len() * (run - 1);
        let mut pair = 0;
        for i in 0..n {
            for j in 0..i {
                let pull = weights[i] * weights[j] - inverse_entry(&inverse, i, j);
                let (alike, slope_of_matern) = (likeness[pair], slopes[pair]);
                // The similarity of instances counts in this run only.
                let (run, same, (instances, slope_of_instances)) = match self.relations[pair] {
                    Relation::Runs => (0, 0.0, (0.0, 0.0)),
                    Relation::Run(run, instance) => (run, 0.0, of_instances(instance)),
                    Relation::Case(run) => (run, 1.0, if run == 0 { (1.0, 0.0) } else { (0.0, 0.0) }),
                };
                let drift = kernel.stray(run).drift;
                // The slope of the Matern kernel in the logarithm of a length is this times the
                // squared distance.
                let signals = signal + same * interaction + drift + by_features * instances;
                let steep = pull * signals * (5.0 / 3.0) * slope_of_matern;
                let squares = &self.squares[pair * d..(pair + 1) * d];
                for ((slope, square), inverse) in slope.iter_mut().zip(squares).zip(&inverse_squares) {
                    *slope += steep * square * inverse;
                }
                slope[d] += pull * signal * alike;
                slope[d + 1] += pull * same * level;
                slope[d + 2] += pull * same * interaction * alike;
                if features > 0 {
                    if let Relation::Run(_, Instance::Pair(place)) = self.relations[pair] {
                        let steep = pull * (by_features * alike + level_by_features) * (5.0 / 3.0) * slope_of_instances;
                        let squares = &self.between[place * features..(place + 1) * features];
                        for f in 0..features {
                            slope[of_features + f] += steep * squares[f] * inverse_of_features[f];
                        }
                    }
                    slope[of_features + features] += pull * by_features * alike * instances;
                    slope[of_features + features + 1] += pull * level_by_features * instances;
                }
                if run > 0 {
                    slope[stray(run)] += pull * drift * alike;
                }
                pair += 1;
            }
            let pull = 0.5 * (weights[i] * weights[i] - inverse_entry(&inverse, i, i));
            slope[d] += pull * signal;
            slope[d + 1] += pull * level;
            slope[d + 2] += pull * interaction;
            slope[d + 3] += pull * noise;
            if self.runs[i] > 0 {
                let (place, of) = (stray(self.runs[i]), kernel.stray(self.runs[i]));
                slope[place] += pull * of.drift;
                slope[place + 1] += pull * of.noise;
            } else if features > 0 {
                slope[of_features + features] += pull * by_features;
                slope[of_features + features + 1] += pull * level_by_features;
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
                let is_feature = (self.dimensions + PRIORS.len()..).take(self.features).any(|feature| feature == i);
                let (low, high) = if i < self.dimensions || is_feature { LENGTHS } else { VARIANCES };
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
    use crate::model::features::{Feature, Features, Values};
    use crate::model::space::Coordinate;
    use crate::optimizer::auto::model::encoding::dimensions;

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
        let feature = |name: &str, values| Feature { name: name.to_string(), values };
        let features = Features::new(vec![
            feature("n", Values::Numbers(vec![1.0, 2.0, 5.0])),
            feature("kind", Values::Words(["a", "b", "a"].map(String::from).to_vec())),
        ]);
        let place = [-0.7, 0.2, 0.3, -0.4, -2.0, -1.2, -0.5, -1.5, -2.5, -0.9];
        let with_features = [-0.7, 0.2, 0.3, -0.4, -2.0, -1.2, 0.1, -0.6, -0.8, 0.4, -0.5, -1.5, -2.5, -0.9];
        for (features, place) in [(Features::default(), &place[..]), (features, &with_features)] {
            let instances = Instances::of(&features);
            let priors = logarithms(2, WIDE, &PRIORS, instances.features(), 2);
            let (instances, numbers) = (&instances, &[2, 0, 1]);
            let played = PlayedTrials { trials: &trials, outcomes: &outcomes, instances, numbers, spread: WIDE };
            let data = Data::new(&dimensions, priors, played);
            let (_, slope) = data.density(place);
            for i in 0..place.len() {
                let at = |by: f64| {
                    let mut moved = place.to_vec();
                    moved[i] += by;
                    data.density(&moved).0
                };
                let measured = (at(1e-5) - at(-1e-5)) / 2e-5;
                assert!((slope[i] - measured).abs() < 1e-5, "{i}: {} {measured}", slope[i]);
            }
        }
    }
}
