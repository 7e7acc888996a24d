//! The comparison of two candidates on the same new cases (a case is an instance with a seed). It
//! has planned interim analyses, and a confidence interval of the mean difference that is robust to
//! rare losses and long tails.
//!
//! The interval is Student's t with five corrections. Each can only move an end away from the mean.
//! `docs/internals/judgement.md` describes the simulations behind them.
//!
//! - Skewness: Hall's transformation ("On the removal of skewness by transformation", J. R. Stat.
//!   Soc. B 54, 1992) corrects for the skewness of the differences and of [earlier
//!   ones](EarlierDifferences) together.
//! - Spread: the standard deviation is at least half of the earlier differences' standard
//!   deviation, or at least all of it if the differences are clearly skewed.
//! - Tails: if the differences are clearly skewed, one bad observation is added. Its value is a
//!   typical minimum of the earlier differences: the median of the minima of random samples, each
//!   as large as the comparison.
//! - Failures: if one side failed more often than the other side, one failure is added. If
//!   candidates [`Near`] it failed in the search, as many as their rate predicts are added, unless
//!   the side could not have that rate.
//! - Losses: the same of large losses.

mod earlier;
mod looks;
mod units;

pub use earlier::{EarlierDifferences, Near, Unseen, large_loss, unseen};
pub use looks::{Looks, Patience};
pub use units::Units;

use evolve_search::statistics::{Interval, LEAST_CLAIM, student};
use serde::{Deserialize, Serialize};
use std::fmt;

/// A skewness of at least this many standard errors counts as clear.
const CLEAR: f64 = 3.0;

/// The current answer of a comparison. Texts and files have it in the same words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Answer {
    /// The first candidate is better.
    #[serde(rename = "better")]
    Better,
    /// The first candidate is worse.
    #[serde(rename = "worse")]
    Worse,
    /// The candidates differ by no more than the margin.
    #[serde(rename = "the same within the margin")]
    Same,
    /// The candidates do not differ, and no other outcomes exist.
    #[serde(rename = "equal")]
    Equal,
    /// The data do not decide yet.
    #[serde(rename = "not clear")]
    Open,
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(f)
    }
}

impl Answer {
    /// Returns the answer that the interval of a difference gives. Differences up to the margin
    /// count as equal; 0 for none.
    pub fn of(Interval { low, high, .. }: Interval, margin: f64) -> Self {
        if low > margin {
            Answer::Better
        } else if high < -margin {
            Answer::Worse
        } else if margin > 0.0 && low > -margin && high < margin {
            Answer::Same
        } else {
            Answer::Open
        }
    }

    /// Returns whether one of the candidates is better.
    pub fn is_clear(self) -> bool {
        matches!(self, Answer::Better | Answer::Worse)
    }

    /// Returns the answer about the other candidate.
    #[must_use]
    pub fn reversed(self) -> Self {
        match self {
            Answer::Better => Answer::Worse,
            Answer::Worse => Answer::Better,
            other => other,
        }
    }
}

/// One observation: the first candidate minus the second one on the same case or instance.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Difference {
    /// The difference of objectives, larger if the first candidate is better.
    pub value: f64,
    /// Whether the first candidate failed, and whether the second one did.
    pub failed: [bool; 2],
}

impl Difference {
    /// Creates a difference without failures.
    pub fn of(value: f64) -> Self {
        Difference { value, failed: [false; 2] }
    }

    /// Averages the differences of one unit: a case, or an instance with all its replicates. A side
    /// failed if it failed in any of them.
    fn mean(unit: &[Difference]) -> Self {
        let sum: f64 = unit.iter().map(|difference| difference.value).sum();
        let failed = |side: usize| unit.iter().any(|difference| difference.failed[side]);
        Difference { value: sum / unit.len() as f64, failed: [failed(0), failed(1)] }
    }

    /// Returns the same observation with the candidates swapped: the second minus the first.
    fn mirrored(self) -> Self {
        Difference { value: -self.value, failed: [self.failed[1], self.failed[0]] }
    }
}

/// A running comparison of two candidates on the same cases.
#[derive(Clone, Debug)]
pub struct Comparison {
    looks: Looks,
    /// Differences up to this margin count as equal; 0 for none.
    margin: f64,
    differences: Vec<Difference>,
    earlier: EarlierDifferences,
    /// A loss that must be thought possible; 0 if none.
    possible: f64,
}

impl Comparison {
    /// Creates a comparison with these planned interim analyses (looks).
    pub fn new(looks: Looks, margin: f64) -> Self {
        Comparison { looks, margin, differences: Vec::new(), earlier: EarlierDifferences::default(), possible: 0.0 }
    }

    /// Adds the evidence of earlier differences.
    #[must_use]
    pub fn knowing(self, earlier: EarlierDifferences) -> Self {
        Comparison { earlier, ..self }
    }

    /// Adds an observation.
    pub fn add(&mut self, difference: Difference) {
        self.differences.push(difference);
    }

    /// The comparison with these observations, too.
    #[must_use]
    pub fn with(mut self, differences: impl IntoIterator<Item = Difference>) -> Self {
        self.differences.extend(differences);
        self
    }

    /// Returns the number of observations.
    pub fn count(&self) -> usize {
        self.differences.len()
    }

    /// Returns the mean difference; 0 without observations.
    pub fn mean(&self) -> f64 {
        Moments::of(&self.differences).mean
    }

    /// Returns the numbers of observations in which the first candidate did better and worse.
    pub fn wins_and_losses(&self) -> (u64, u64) {
        let count =
            |is_counted: fn(f64) -> bool| self.differences.iter().filter(|d| is_counted(d.value)).count() as u64;
        (count(|value| value > 0.0), count(|value| value < 0.0))
    }

    /// Returns the mean as an interval without width, for candidates with a single outcome each.
    pub fn exact(&self) -> Interval {
        let mean = self.mean();
        Interval { mean, low: mean, high: mean }
    }

    /// Returns the mean with its confidence interval. The error rate holds over all looks together.
    /// The interval is infinite where no look is planned, or with fewer than [`LEAST_CLAIM`]
    /// observations.
    pub fn interval(&self) -> Interval {
        let boundaries = self.looks.boundaries(self.count()).filter(|_| self.count() >= LEAST_CLAIM);
        let mean = self.mean();
        let Some([of_gain, of_loss]) = boundaries else {
            return Interval { mean, low: f64::NEG_INFINITY, high: f64::INFINITY };
        };
        let mirrored = |all: &[Difference]| all.iter().map(|difference| difference.mirrored()).collect::<Vec<_>>();
        let low = low_end(&self.differences, &self.earlier, of_gain);
        let mirrored_earlier =
            EarlierDifferences { differences: mirrored(&self.earlier.differences), ..EarlierDifferences::default() };
        let high = -low_end(&mirrored(&self.differences), &mirrored_earlier, of_loss);
        Interval { mean, low, high }
    }

    /// Sets a loss that must be thought [possible](crate::judgement::measured::possible_loss).
    pub fn set_possible(&mut self, possible: f64) {
        self.possible = possible;
    }

    /// Returns the largest loss that was seen, times `sign`: -1 for the loss of the second
    /// candidate.
    fn seen(&self, sign: f64) -> f64 {
        let seen = self.differences.iter().chain(&self.earlier.differences);
        seen.map(|difference| -sign * difference.value).fold(self.earlier.seen, f64::max)
    }

    /// Returns the loss that can have gone unseen and cancels the gain; `None` if there is no clear
    /// gain, or such a loss would probably have been seen.
    pub fn unseen(&self) -> Option<Unseen> {
        let (Interval { mean, low, .. }, seen) = (self.interval(), self.seen(1.0));
        let loss = seen.max(self.possible);
        let is_counted = self.differences.iter().any(|difference| difference.value <= -0.5 * loss);
        let cancels = mean / (mean + loss);
        let unseen = Unseen { rate: unseen(self.count()), loss, is_seen: seen >= loss, cancels };
        (low > 0.0 && loss > 0.0 && !is_counted && cancels < unseen.rate).then_some(unseen)
    }

    /// Returns whether a clear difference can end the comparison early: it is known to within half
    /// its size, and an event that cancels it would probably have occurred.
    pub fn is_settled(&self) -> bool {
        let interval = self.interval();
        let is_clear = self.answer().is_clear();
        let (mean, sign) = (interval.mean.abs(), interval.mean.signum());
        is_clear
            && interval.beyond_noise() >= 0.5 * mean
            && mean > unseen(self.count()) * self.seen(sign).max(self.possible)
    }

    /// Returns the answer that the differences so far give.
    pub fn answer(&self) -> Answer {
        Answer::of(self.interval(), self.margin)
    }
}

/// Returns the lower end of the interval. `z` is the boundary in standard errors of a normally
/// distributed mean; here, it is converted to Student's t.
fn low_end(
    differences: &[Difference],
    EarlierDifferences { differences: earlier, near, lost, .. }: &EarlierDifferences,
    z: f64,
) -> f64 {
    let (now, before) = (Moments::of(differences), Moments::of(earlier));
    let count = (differences.len() + earlier.len()) as f64;
    let skewness = (differences.len() as f64 * now.skewness + earlier.len() as f64 * before.skewness) / count;
    let is_skewed = skewness < -CLEAR * (6.0 / count).sqrt();
    let tail = if is_skewed { worst_in(earlier, differences.len()) } else { None };
    let failure = one_more_failure(differences, earlier, *near);
    let loss = one_more_loss(differences, earlier, *lost);
    let once = tail.map(|value| Added { value, times: 1 });
    let added = [once, failure, loss].into_iter().flatten().min_by(|a, b| a.total().total_cmp(&b.total()));
    let Moments { mean, deviation, .. } = match added {
        Some(Added { value, times }) => Moments::of(&[differences, &vec![Difference::of(value); times]].concat()),
        None => now,
    };
    let deviation = deviation.max(before.deviation * if is_skewed { 1.0 } else { 0.5 });
    let root = (differences.len() as f64).sqrt();
    let t = student(z, differences.len() - 1);
    mean - hall(t, skewness.min(0.0), root).max(t) * deviation / root
}

/// Applies Hall's transformation to a quantile `t` of Student's t, for a mean of `root`²
/// observations with this skewness.
fn hall(t: f64, skewness: f64, root: f64) -> f64 {
    if skewness.abs() < 1e-9 {
        return t;
    }
    let inner = 1.0 + skewness * (t / root - skewness / (6.0 * root * root));
    3.0 * root / skewness * (libm::cbrt(inner) - 1.0)
}

/// Returns the median of the smallest of `count` values drawn from the earlier differences.
fn worst_in(earlier: &[Difference], count: usize) -> Option<f64> {
    let mut values: Vec<f64> = earlier.iter().map(|difference| difference.value).collect();
    values.sort_by(f64::total_cmp);
    let place = (std::f64::consts::LN_2 * values.len() as f64 / count as f64).round() as usize;
    values.get(place.saturating_sub(1)).copied()
}

/// Returns the worst difference at which the first candidate failed, if it failed more often than
/// the second one. If it never failed, returns the worst failure of similar candidates, as long as
/// it could have their failure rate.
fn one_more_failure(differences: &[Difference], earlier: &[Difference], near: Option<Near>) -> Option<Added> {
    let all = || differences.iter().chain(earlier);
    let failures = |side: usize| all().filter(|difference| difference.failed[side]).count();
    let worst = all().filter(|difference| difference.failed[0]).map(|difference| difference.value);
    let count = differences.len() + earlier.len();
    let more_often = |near: &Near| near.share * count as f64 > failures(1) as f64;
    match failures(0) {
        0 => near.filter(|near| near.is_likely(count) && more_often(near)).map(|near| near.expected(differences.len())),
        failed => worst.reduce(f64::min).filter(|_| failed > failures(1)).map(|value| Added { value, times: 1 }),
    }
}

/// Returns the worst difference if it is a [large loss](large_loss), or the worst loss of similar
/// candidates, as long as the first candidate could have their rate of such losses.
fn one_more_loss(differences: &[Difference], earlier: &[Difference], lost: Option<Near>) -> Option<Added> {
    let all: Vec<f64> = differences.iter().chain(earlier).map(|difference| difference.value).collect();
    let unseen = lost.filter(|lost| lost.is_likely(all.len()) && all.iter().all(|&value| value > 0.5 * lost.worst));
    let worst = || all.iter().copied().reduce(f64::min).map(|value| Added { value, times: 1 });
    unseen.map(|lost| lost.expected(differences.len())).or_else(|| large_loss(&all).and_then(|_| worst()))
}

/// Observations that are added to a sample.
#[derive(Clone, Copy, Debug)]
struct Added {
    value: f64,
    times: usize,
}

impl Added {
    fn total(&self) -> f64 {
        self.value * self.times as f64
    }
}

impl Near {
    /// Returns as many failures or losses as are expected in a number of observations, at least
    /// one.
    fn expected(&self, observations: usize) -> Added {
        let times = (self.share * observations as f64).round().max(1.0) as usize;
        Added { value: self.worst, times }
    }
}

/// The moments of a sample, summed in order.
#[derive(Clone, Copy, Debug)]
struct Moments {
    mean: f64,
    /// The standard deviation (divisor n - 1); 0 if n < 2.
    deviation: f64,
    /// The third central moment divided by the second one to the power of 3/2 (divisors n); 0
    /// without spread.
    skewness: f64,
}

impl Moments {
    fn of(sample: &[Difference]) -> Self {
        let n = sample.len().max(1) as f64;
        let mean = sample.iter().map(|difference| difference.value).sum::<f64>() / n;
        // Scaling by a power of two is exact, and keeps the cubes of large and small differences
        // finite.
        let largest = sample.iter().map(|difference| (difference.value - mean).abs()).fold(0.0, f64::max);
        let (_, exponent) = libm::frexp(largest);
        let (mut squares, mut cubes) = (0.0, 0.0);
        for difference in sample {
            let from_mean = libm::ldexp(difference.value - mean, -exponent);
            squares += from_mean * from_mean;
            cubes += from_mean * from_mean * from_mean;
        }
        let variance = squares / n;
        let skewness = if variance > 0.0 { cubes / n / (variance * variance.sqrt()) } else { 0.0 };
        let deviation = libm::ldexp((squares / (n - 1.0).max(1.0)).sqrt(), exponent);
        Moments { mean, deviation, skewness }
    }
}

#[cfg(test)]
mod tests;
