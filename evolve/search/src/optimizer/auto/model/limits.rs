//! Constraints in the model: a process for each, over the limited quantity.
//!
//! Like objectives, quantities have a level for each case, so a candidate on a demanding case is
//! not mistaken for one that breaks the constraint. The search multiplies the promise of a
//! candidate by the probability that it holds all constraints (Gardner et al., "Bayesian
//! optimization with inequality constraints", 2014), here after one more trial.

use super::encoding::Dimension;
use super::fit::{self, PlayedTrials};
use super::kernel::Kernel;
use super::kin::Instances;
use super::process::{Assessed, Before, ModelTrial, Process};
use super::squash::reduced;
use super::triangle::Triangle;
use crate::model::limit::{Limit, MARGIN, Side};
use crate::model::trial::is_usable;
use crate::optimizer::{Cases, Quantity};
use crate::statistics::{below, mean, standard_deviation};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A candidate holds a constraint if its mean is within the limit by this many standard deviations.
const CLEAR: f64 = 1.0;
/// The largest number of the start's held-out trials that count.
const START: usize = 30;
/// The cases of these trials, which no other trial plays, are numbered from here.
const HELD_OUT: usize = usize::MAX / 2;
/// The largest logarithm of a factor between quantities that counts.
const MOST: f64 = 30.0;
/// The largest distance beyond a limit that counts, so that penalties are finite.
const FARTHEST: f64 = 1e9;

/// Features of instances do not count for quantities.
static FEATURELESS: Instances = Instances::NONE;

/// A limited quantity with its trials.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Limited {
    limit: Limit,
    /// The number of trials of the test.
    test: usize,
    /// The quantity in each trial; `None` if it failed.
    values: Vec<Option<f64>>,
    /// The same of the start's held-out trials.
    start: Vec<f64>,
    #[serde(default)]
    scale: Scale,
    kernel: Option<Kernel>,
}

/// The trials of a constraint that have a value, prepared for a process.
struct Prepared {
    trials: Vec<ModelTrial>,
    /// The quantity on a scale, negated if the limit is a lower one, and standardized: the larger,
    /// the worse.
    outcomes: Vec<f64>,
    /// The limit in the same unit.
    limit: f64,
    /// The unit.
    unit: f64,
    scale: Scale,
    /// The logarithm of the factor between the densities of outcomes and of quantities.
    density: f64,
}

/// The scale on which the effects of candidates and cases add up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Scale {
    /// The quantity itself.
    #[default]
    Linear,
    /// Its logarithm: demanding cases take a multiple of it, as is usual for memory and time.
    Log,
}

impl Limited {
    /// Returns a quantity without trials.
    pub fn new(quantity: &Quantity) -> Self {
        let start = quantity.start.iter().take(START).copied().collect();
        Limited {
            limit: quantity.limit,
            test: quantity.test,
            values: Vec::new(),
            start,
            scale: Scale::Linear,
            kernel: None,
        }
    }

    /// Returns the quantity with its first trials only.
    pub fn first(&self, trials: usize) -> Self {
        Limited { values: self.values[..trials].to_vec(), ..self.clone() }
    }

    /// Adds the trials of a request.
    pub fn tell(&mut self, quantity: &Quantity) {
        self.test = quantity.test;
        self.values.extend(&quantity.values);
    }

    /// Returns whether data read from a file fits this number of trials and dimensions.
    pub fn fits(&self, trials: usize, is_kernel: impl Fn(&Kernel) -> bool) -> bool {
        self.values.len() == trials
            && self.start.len() <= START
            && self.values.iter().flatten().chain(&self.start).all(|&value| is_usable(value))
            && self.kernel.iter().all(is_kernel)
    }

    /// Fits the scale and the kernel to trials. If there are too many, `few` selects those with the
    /// least ranks.
    pub fn fit(
        &mut self,
        dimensions: &[Dimension],
        cases: Cases,
        trials: &[ModelTrial],
        start: &[f64],
        few: impl Fn(usize, &dyn Fn(usize) -> f64) -> Vec<usize>,
    ) {
        let fitted = |scale: Scale| {
            let Prepared { trials, outcomes, limit, density, .. } = self.prepared(scale, trials, start)?;
            // Trials close to the limit matter most.
            let order = few(trials.len(), &|i| (outcomes[i] - limit).abs());
            let trials: Vec<ModelTrial> = order.iter().map(|&i| trials[i].clone()).collect();
            let outcomes: Vec<f64> = order.iter().map(|&i| outcomes[i]).collect();
            let earlier = self.kernel.as_ref().filter(|_| self.scale == scale);
            let (instances, spread) = (&FEATURELESS, fit::WIDE);
            let played = PlayedTrials { trials: &trials, outcomes: &outcomes, instances, numbers: &[], spread };
            let (kernel, of_outcomes) = fit::fit(dimensions, cases, 0, played, earlier);
            Some((of_outcomes + density, scale, kernel))
        };
        let is_new = self.kernel.is_none() || trials.len() < fit::FEW;
        let scales = [Scale::Linear, Scale::Log].into_iter().filter(|&scale| is_new || scale == self.scale);
        let best = scales.filter_map(fitted).reduce(|best, other| if other.0 > best.0 { other } else { best });
        if let Some((_, scale, kernel)) = best {
            (self.scale, self.kernel) = (scale, Some(kernel));
        }
    }

    /// Prepares the trials of the search, and the held-out trials of the start; `None` if no trial
    /// has a value, or one has none on this scale, or they differ by too much to compute with.
    fn prepared(&self, scale: Scale, trials: &[ModelTrial], start: &[f64]) -> Option<Prepared> {
        let known = trials.iter().zip(&self.values).filter_map(|(trial, value)| Some((trial.clone(), (*value)?)));
        let held_out = self.start.iter().zip(HELD_OUT..);
        let held_out = held_out.map(|(&value, case)| (ModelTrial::new(start.to_vec(), case), value));
        let (trials, values): (Vec<_>, Vec<_>) = known.chain(held_out).unzip();
        let least = values.iter().copied().fold(self.limit.number, f64::min);
        if values.is_empty() || (scale == Scale::Log && least <= 0.0) {
            return None;
        }
        let on_scale = |value: f64| if scale == Scale::Log { libm::log(value) } else { value };
        let worse = |value: f64| self.sign() * on_scale(value);
        let limit = worse(self.limit.number);
        let slopes = if scale == Scale::Log { values.iter().map(|&value| libm::log(value)).sum() } else { 0.0 };
        // Only values beyond the limit are reduced.
        let outcomes = reduced(&values.into_iter().map(worse).collect::<Vec<f64>>(), limit, 0.0);
        let (centre, deviation) = (mean(&outcomes), standard_deviation(&outcomes));
        let unit = if deviation > 0.0 { deviation } else { (limit - centre).abs().max(1e-9) };
        if !unit.is_finite() {
            return None;
        }
        let density = -slopes - outcomes.len() as f64 * libm::log(unit);
        let outcomes = outcomes.iter().map(|outcome| (outcome - centre) / unit).collect();
        Some(Prepared { trials, outcomes, limit: (limit - centre) / unit, unit, scale, density })
    }

    /// Returns 1 if larger quantities are worse, or else -1.
    fn sign(&self) -> f64 {
        if self.limit.side == Side::AtMost { 1.0 } else { -1.0 }
    }

    /// Returns the posterior; `None` if nothing is known.
    fn bound<'a>(&'a self, dimensions: &'a [Dimension], trials: &[ModelTrial], start: &[f64]) -> Option<Bound<'a>> {
        // A first value without a logarithm comes before the next fit.
        let prepared =
            self.prepared(self.scale, trials, start).or_else(|| self.prepared(Scale::Linear, trials, start))?;
        let Prepared { trials, outcomes, limit, unit, scale, .. } = prepared;
        let kernel = self.kernel.as_ref()?;
        let before = Before { dimensions, kernel, instances: &FEATURELESS, numbers: Vec::new() };
        let process = Process::new(before, trials.clone(), &outcomes, Triangle::default());
        let rests =
            trials.iter().zip(&outcomes).map(|(trial, outcome)| outcome - process.met(trial.values.clone()).mean);
        if self.limit.each {
            // The trial farthest above the mean of its candidate shows how far means have to stay
            // away.
            let farthest = rests.fold(0.0, f64::max);
            let is_broken = |(_, outcome): &(&ModelTrial, &f64)| **outcome > limit;
            let broken = trials.iter().zip(&outcomes).filter(is_broken).map(|(trial, _)| trial.values.clone());
            return Some(Bound { process, limit: limit - farthest, broken: broken.collect() });
        }
        // The test needs a distance from the limit.
        let deviation = unit * (kernel.level + kernel.interaction + kernel.noise).sqrt();
        let errors = MARGIN / (self.test.max(1) as f64).sqrt();
        let mut margin = errors * deviation;
        if scale == Scale::Log {
            // The mean of a quantity is larger than the exponential of its mean logarithm, by a
            // factor that the cases show (Duan, "Smearing estimate", 1983).
            let mut by_case: BTreeMap<usize, Vec<f64>> = BTreeMap::new();
            trials.iter().zip(rests).for_each(|(trial, rest)| by_case.entry(trial.case).or_default().push(rest));
            let factors =
                by_case.values().map(|rests| libm::exp((self.sign() * unit * mean(rests)).clamp(-MOST, MOST)));
            let smeared = self.sign() * libm::log(mean(&factors.collect::<Vec<f64>>()));
            margin = smeared + libm::log1p(errors * libm::expm1((deviation * deviation).min(MOST)).sqrt());
        }
        Some(Bound { process, limit: limit - margin / unit, broken: Vec::new() })
    }
}

/// The posterior of all constraints.
#[derive(Clone)]
pub struct Limits<'a> {
    bounds: Vec<Bound<'a>>,
}

/// The posterior of a constraint.
#[derive(Clone)]
struct Bound<'a> {
    process: Process<'a>,
    /// The largest mean that holds it.
    limit: f64,
    /// The candidates with a trial beyond a limit on each trial.
    broken: Vec<Vec<f64>>,
}

/// The model's expectation that a candidate satisfies the constraints.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Prospect {
    /// Whether it clearly satisfies all of them.
    pub is_feasible: bool,
    /// Whether it clearly breaks one of them.
    pub is_infeasible: bool,
    /// The probability that it holds all of them clearly after one more trial; 1 if it already
    /// does.
    pub chance: f64,
    /// The natural logarithm of the probability that it holds all of them.
    pub log: f64,
}

impl Bound<'_> {
    fn assessed(&self, values: &[f64]) -> Assessed {
        self.process.assessed(self.process.met(values.to_vec()))
    }

    fn is_broken(&self, values: &[f64]) -> bool {
        self.broken.iter().any(|other| other == values)
    }
}

impl Prospect {
    /// Without constraints.
    const FREE: Prospect = Prospect { is_feasible: true, is_infeasible: false, chance: 1.0, log: 0.0 };

    /// Returns the order of two candidates with these means, the better one first: those that hold
    /// all constraints by their means, the others by their probability to hold them.
    pub fn order(a: (f64, Prospect), b: (f64, Prospect)) -> std::cmp::Ordering {
        let by_chance = || b.1.log.total_cmp(&a.1.log);
        let by_mean = || a.0.total_cmp(&b.0);
        b.1.is_feasible
            .cmp(&a.1.is_feasible)
            .then_with(|| if a.1.is_feasible { by_mean() } else { by_chance().then_with(by_mean) })
    }
}

impl<'a> Limits<'a> {
    /// Returns the posterior of limited quantities after these trials.
    pub fn new(dimensions: &'a [Dimension], quantities: &'a [Limited], trials: &[ModelTrial], start: &[f64]) -> Self {
        let bounds = quantities.iter().filter_map(|quantity| quantity.bound(dimensions, trials, start));
        Limits { bounds: bounds.collect() }
    }

    /// Adds a trial without its outcome.
    pub fn expect(&mut self, trial: &ModelTrial) {
        self.bounds.iter_mut().for_each(|bound| bound.process.expect(trial.clone()));
    }

    /// Returns how far the means of a candidate are beyond the limits, 0 if they are within.
    pub fn distance(&self, values: &[f64]) -> f64 {
        self.bounds.iter().map(|bound| (bound.process.met(values.to_vec()).mean - bound.limit).max(0.0)).sum()
    }

    /// Returns how far a candidate is from holding all constraints clearly, in standardized units;
    /// 0 if it holds them.
    pub fn excess(&self, values: &[f64]) -> f64 {
        let of = |bound: &Bound<'_>| {
            let known = bound.assessed(values);
            let least = if bound.is_broken(values) { f64::EPSILON } else { 0.0 };
            (known.mean + CLEAR * bound.process.variance(&known).sqrt() - bound.limit).clamp(least, FARTHEST)
        };
        self.bounds.iter().map(of).sum()
    }

    /// Returns the shares of the variances of a candidate's means that a trial on a case removes,
    /// summed.
    pub fn told(&self, values: &[f64]) -> impl Fn(usize) -> f64 {
        let all: Vec<_> = self.bounds.iter().map(|bound| (&bound.process, bound.assessed(values))).collect();
        move |case| {
            all.iter()
                .map(|(process, known)| process.told(known, case) / process.variance(known).max(f64::MIN_POSITIVE))
                .sum()
        }
    }

    /// Returns what the model expects of a candidate.
    pub fn prospect(&self, values: &[f64]) -> Prospect {
        let mut prospect = Prospect::FREE;
        for bound in &self.bounds {
            let (known, is_broken) = (bound.assessed(values), bound.is_broken(values));
            let (variance, slack) = (bound.process.variance(&known), bound.limit - known.mean);
            let deviation = variance.sqrt();
            prospect.is_feasible &= !is_broken && slack >= CLEAR * deviation;
            prospect.is_infeasible |= is_broken || slack < -CLEAR * deviation;
            prospect.log += log_below(slack / deviation.max(f64::MIN_POSITIVE));
            // The mean moves by this deviation with another trial, which leaves the rest of the
            // variance.
            let moves = variance / bound.process.variance_of_outcome(&known).sqrt();
            let left = (variance - moves * moves).max(0.0).sqrt();
            let z = (slack - CLEAR * left) / moves.max(f64::MIN_POSITIVE);
            prospect.chance *= if is_broken { 0.0 } else { below(z) };
        }
        if prospect.is_feasible {
            prospect.chance = 1.0;
        }
        prospect
    }
}

/// Returns the natural logarithm of [`below`], which is finite.
fn log_below(z: f64) -> f64 {
    const FAR: f64 = -30.0;
    // Far out, the tail is close to the density over the distance (Mills' ratio).
    let z = z.max(-1e100);
    if z > FAR { libm::log(below(z)) } else { -0.5 * z * z - libm::log(-z * (2.0 * std::f64::consts::PI).sqrt()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::space::Coordinate;
    use crate::optimizer::auto::model::encoding::dimensions;

    /// Returns the prospect of the last candidate within a limit, after trials as (candidate, case,
    /// quantity).
    fn prospect(limit: &str, played: &[(f64, usize, f64)]) -> Prospect {
        let dimensions = dimensions(&[Coordinate::float(0.0, 0.1, 0.0, 1.0)]);
        let quantity = Quantity { limit: limit.parse().unwrap(), test: 10_000, values: Vec::new(), start: Vec::new() };
        let mut quantity = Limited::new(&quantity);
        let kernel = Kernel::of_one_number([1.0, 1.0, 1e-4, 1e-4]);
        quantity.kernel = Some(kernel);
        quantity.values = played.iter().map(|&(_, _, value)| Some(value)).collect();
        let trials: Vec<ModelTrial> = played.iter().map(|&(x, case, _)| ModelTrial::new(vec![x], case)).collect();
        let quantities = [quantity];
        Limits::new(&dimensions, &quantities, &trials, &[0.0]).prospect(&trials.last().unwrap().values)
    }

    /// The trials of a candidate on every third of 60 cases, and of another on all of them, whose
    /// quantity is larger by this factor. On every third case, quantities are four times as large.
    fn uneven(candidate: f64, factor: f64) -> Vec<(f64, usize, f64)> {
        let size = |case: usize| if case.is_multiple_of(3) { 4.0 } else { 1.0 };
        let all = (0..60).map(|case| (0.0, case, factor * size(case)));
        all.chain((0..60).step_by(3).map(|case| (candidate, case, size(case)))).collect()
    }

    #[test]
    fn a_candidate_on_demanding_cases_still_holds_a_limit_on_the_mean() {
        // Its mean over its own cases is 4, over all cases 2.
        assert!(prospect("<= 3", &uneven(1.0, 1.2)).is_feasible);
        let beyond = prospect("<= 1", &uneven(1.0, 1.2));
        assert!(!beyond.is_feasible && beyond.is_infeasible && beyond.log < -3.0, "{beyond:?}");
        assert!(prospect("each <= 3", &uneven(1.0, 1.2)).is_infeasible);
        assert!(prospect(">= 1", &uneven(1.0, 1.2)).is_feasible && prospect(">= 4", &uneven(1.0, 1.2)).is_infeasible);
    }

    #[test]
    fn extreme_quantities_give_finite_figures() {
        for limit in ["<= 1", ">= 1", "each <= 1"] {
            for values in [[1e-300, 1e300, 1e300], [-1e300, 0.0, 1e300], [0.0; 3], [1.0; 3]] {
                let [a, b, c] = values;
                let Prospect { chance, log, .. } = prospect(limit, &[(0.0, 0, a), (0.0, 1, b), (1.0, 0, c)]);
                assert!((0.0..=1.0).contains(&chance) && log.is_finite(), "{limit} {values:?} {chance} {log}");
            }
        }
    }

    #[test]
    fn quantities_of_any_sign_are_limited() {
        let moved = |limit: &str| {
            let played: Vec<_> = uneven(1.0, 1.2).into_iter().map(|(x, case, value)| (x, case, value - 3.0)).collect();
            prospect(limit, &played)
        };
        assert!(moved("<= 0.5").is_feasible && moved("<= -2").is_infeasible);
    }

    #[test]
    fn a_candidate_may_hold_a_limit_that_is_not_clear_yet() {
        // One trial: the case may be an easy one.
        let open = prospect("<= 3", &[(0.0, 0, 2.0), (0.0, 1, 2.8), (0.0, 2, 2.0), (1.0, 0, 2.9)]);
        assert!(!open.is_feasible && !open.is_infeasible && open.chance > 0.0 && open.chance < 1.0, "{open:?}");
        let order = Prospect::order((1.0, open), (2.0, Prospect::FREE));
        assert_eq!(order, std::cmp::Ordering::Greater, "the one within all limits comes first");
        assert!((log_below(-29.9) - log_below(-30.1)).abs() < 7.0 && log_below(f64::MIN).is_finite());
    }
}
