//! Means, spreads and confidence intervals, summed in index order so that they reproduce exactly.

use serde::{Deserialize, Serialize};
use std::fmt;

/// The 97.5 % quantile of the normal distribution: the half-width of a 95 % confidence interval in
/// standard errors.
pub const Z95: f64 = 1.959963984540054;

/// The smallest sample for an interim analysis. The mean of a smaller sample of skewed scores is
/// far from normal.
pub const LEAST_SAMPLE: usize = 30;

/// The smallest number of observations for a claim: six of the same sign have a probability of 1 in
/// 64, five 1 in 32.
pub const LEAST_CLAIM: usize = 6;

/// Returns the probability that a normal deviate is farther from 0 than `z` standard deviations.
pub fn tail(z: f64) -> f64 {
    libm::erfc(z / std::f64::consts::SQRT_2)
}

/// Returns the probability that a standard normal deviate is below `z`.
pub fn below(z: f64) -> f64 {
    0.5 * libm::erfc(-z / std::f64::consts::SQRT_2)
}

/// Returns the density of a standard normal deviate at `z`.
pub fn density(z: f64) -> f64 {
    libm::exp(-0.5 * z * z) / (2.0 * std::f64::consts::PI).sqrt()
}

/// Returns the number of standard deviations that a normal deviate exceeds, on either side, with
/// this probability: 1.96 for 0.05. The result is 0 for probabilities of 1 and more. It is at most
/// 37, where probabilities vanish.
pub fn two_sided(probability: f64) -> f64 {
    bisect(|z| tail(z) > probability, 37.0)
}

/// Returns the quantile of the standard normal distribution.
pub fn quantile(probability: f64) -> f64 {
    let z = two_sided(2.0 * probability.min(1.0 - probability));
    if probability < 0.5 { -z } else { z }
}

/// Returns the value at which Student's t distribution with `freedom` degrees of freedom has the
/// same tails as the normal distribution at `z` standard deviations; infinite for no degrees of
/// freedom.
///
/// Uses the finite sums 26.7.3 and 26.7.4 of Abramowitz and Stegun, "Handbook of Mathematical
/// Functions", below 29 degrees of freedom. From 29 on, uses the expansion 26.7.5, which is
/// accurate to seven digits at 1.96 and to a hundredth up to 7.
pub fn student(z: f64, freedom: usize) -> f64 {
    const SUMS: usize = 29;
    if freedom == 0 {
        return f64::INFINITY;
    }
    let n = freedom as f64;
    if freedom < SUMS {
        let probability = tail(z);
        let angle = bisect(|angle| student_tail(angle, freedom) > probability, std::f64::consts::FRAC_PI_2);
        return n.sqrt() * libm::tan(angle);
    }
    let (z3, z5, z7, z9) = (z * z * z, z * z * z * z * z, z * z * z * z * z * z * z, z * z * z * z * z * z * z * z * z);
    let terms = [
        (z3 + z) / 4.0,
        (5.0 * z5 + 16.0 * z3 + 3.0 * z) / 96.0,
        (3.0 * z7 + 19.0 * z5 + 17.0 * z3 - 15.0 * z) / 384.0,
        (79.0 * z9 + 776.0 * z7 + 1482.0 * z5 - 1920.0 * z3 - 945.0 * z) / 92_160.0,
    ];
    terms.iter().rev().fold(0.0, |sum, term| (sum + term) / n) + z
}

/// Returns the probability that Student's t is farther from 0 than the root of `freedom` times the
/// tangent of `angle`.
fn student_tail(angle: f64, freedom: usize) -> f64 {
    let (sin, cos) = (libm::sin(angle), libm::cos(angle));
    let odd = freedom % 2 == 1;
    let (mut term, mut sum) = if odd { (cos, 0.0) } else { (1.0, 0.0) };
    let mut k = if odd { 1 } else { 0 };
    // The sum has ascending powers of the cosine, in steps of two.
    while k + 2 <= freedom {
        sum += term;
        k += 2;
        term *= cos * cos * (k as f64 - 1.0) / k as f64;
    }
    match odd {
        true => 1.0 - std::f64::consts::FRAC_2_PI * (angle + sin * sum),
        false => 1.0 - sin * sum,
    }
}

/// Returns the point from 0 to `high` where a condition that holds at 0 ceases to hold.
fn bisect(is_met: impl Fn(f64) -> bool, mut high: f64) -> f64 {
    let mut low = 0.0;
    for _ in 0..64 {
        let middle = 0.5 * (low + high);
        if is_met(middle) { low = middle } else { high = middle }
    }
    0.5 * (low + high)
}

/// A sample mean with its standard error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The sample size.
    pub n: usize,
    pub mean: f64,
    /// The standard error of the mean: the sample standard deviation (divisor n - 1) over the root
    /// of n; 0 if n < 2.
    pub standard_error: f64,
}

impl Estimate {
    /// Estimates the mean of a sample; returns 0 for an empty one.
    pub fn of(sample: &[f64]) -> Self {
        let n = sample.len();
        if n == 0 {
            return Estimate { n, mean: 0.0, standard_error: 0.0 };
        }
        let mean = mean(sample);
        let standard_error = standard_deviation(sample) / (n as f64).sqrt();
        Estimate { n, mean, standard_error }
    }

    /// Estimates the mean of the paired differences `a[i] - b[i]`.
    ///
    /// # Panics
    /// If the samples differ in length.
    pub fn paired(a: &[f64], b: &[f64]) -> Self {
        assert_eq!(a.len(), b.len(), "paired samples have a pair for each trial");
        Self::of(&a.iter().zip(b).map(|(a, b)| a - b).collect::<Vec<_>>())
    }

    /// Returns the 95 % confidence interval of the mean by Student's t. It is reliable for samples
    /// of at least [`LEAST_SAMPLE`] observations; in smaller ones, it is too narrow for skewed
    /// scores. With fewer than two observations, the interval is the mean itself.
    pub fn interval(&self) -> Interval {
        let half = if self.n < 2 { 0.0 } else { student(Z95, self.n - 1) * self.standard_error };
        Interval { mean: self.mean, low: self.mean - half, high: self.mean + half }
    }
}

/// A mean with its confidence interval. The JSON form is a list of the three numbers, where an
/// unknown end is `null`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(from = "(f64, Option<f64>, Option<f64>)", into = "(f64, f64, f64)")]
pub struct Interval {
    pub mean: f64,
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

impl Interval {
    /// Applies a function to each of the three numbers.
    pub fn map(self, each: impl Fn(f64) -> f64) -> Self {
        Interval { mean: each(self.mean), low: each(self.low), high: each(self.high) }
    }

    /// Returns the number of decimals to show, see [`digits`], for a 95 % interval.
    pub fn digits(&self) -> usize {
        digits((self.high - self.low) / (2.0 * Z95), self.mean)
    }

    /// Formats the mean and the ends with signs and with [`digits`](Interval::digits) decimals:
    /// `+0.0123` and `-0.0011 to +0.0257`.
    pub fn texts(&self) -> [String; 2] {
        self.texts_with(self.digits())
    }

    fn texts_with(&self, digits: usize) -> [String; 2] {
        let Interval { mean, low, high } = self;
        let ends = match low.is_finite() || high.is_finite() {
            true => format!("{low:+.digits$} to {high:+.digits$}"),
            false => "unknown: too few instances".to_string(),
        };
        [format!("{mean:+.digits$}"), ends]
    }

    /// Formats a ratio in percent: `+19.23 % (+17.95 to +20.60)`.
    pub fn percent(&self) -> String {
        let [mean, ends] = self.map(|share| 100.0 * share).texts_with(self.digits().saturating_sub(2));
        format!("{mean} % ({ends})")
    }

    pub fn half_width(&self) -> f64 {
        0.5 * (self.high - self.low)
    }

    /// Returns the smallest difference from zero that the interval allows; 0 if it includes zero.
    pub fn beyond_noise(&self) -> f64 {
        self.low.max(-self.high).max(0.0)
    }

    /// Returns `above` or `below` if the whole interval lies on that side of zero; an empty text
    /// otherwise.
    pub fn clearly(&self, above: &'static str, below: &'static str) -> &'static str {
        match self {
            of if of.low > 0.0 => above,
            of if of.high < 0.0 => below,
            _ => "",
        }
    }
}

/// Formats the interval as `+0.0123 (-0.0011 to +0.0257)`.
impl fmt::Display for Interval {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [mean, ends] = self.texts();
        write!(f, "{mean} ({ends})")
    }
}

impl From<(f64, Option<f64>, Option<f64>)> for Interval {
    fn from((mean, low, high): (f64, Option<f64>, Option<f64>)) -> Self {
        Interval { mean, low: low.unwrap_or(f64::NEG_INFINITY), high: high.unwrap_or(f64::INFINITY) }
    }
}

impl From<Interval> for (f64, f64, f64) {
    fn from(Interval { mean, low, high }: Interval) -> Self {
        (mean, low, high)
    }
}

/// Returns the mean of a sample, summed in order; 0 if it is empty.
pub fn mean(sample: &[f64]) -> f64 {
    if sample.is_empty() { 0.0 } else { sample.iter().sum::<f64>() / sample.len() as f64 }
}

/// Returns the median of a sample; 0 if it is empty.
pub fn median(sample: &[f64]) -> f64 {
    let mut sorted = sample.to_vec();
    sorted.sort_by(f64::total_cmp);
    match sorted.len() {
        0 => 0.0,
        count if count % 2 == 1 => sorted[count / 2],
        count => 0.5 * (sorted[count / 2 - 1] + sorted[count / 2]),
    }
}

/// Returns the sample standard deviation (divisor n - 1); 0 if n < 2.
pub fn standard_deviation(sample: &[f64]) -> f64 {
    if sample.len() < 2 {
        return 0.0;
    }
    let mean = mean(sample);
    let squares: f64 = sample.iter().map(|x| (x - mean) * (x - mean)).sum();
    (squares / (sample.len() - 1) as f64).sqrt()
}

/// Returns the correlation of two samples of the same size, from -1 to 1; 0 if one of them does not
/// vary.
pub fn correlation(a: &[f64], b: &[f64]) -> f64 {
    let (mean_a, mean_b) = (mean(a), mean(b));
    let product: f64 = a.iter().zip(b).map(|(x, y)| (x - mean_a) * (y - mean_b)).sum();
    let size = standard_deviation(a) * standard_deviation(b) * (a.len().max(2) - 1) as f64;
    if size > 0.0 { (product / size).clamp(-1.0, 1.0) } else { 0.0 }
}

/// Returns the number of decimals for a figure with this standard error: two significant digits of
/// the error or, without an error, about five of the figure. An error in the range of rounding
/// errors counts as none.
pub fn digits(standard_error: f64, figure: f64) -> usize {
    const ROUNDING: f64 = 1e-12;
    match standard_error.is_finite() && standard_error > ROUNDING * figure.abs().max(1.0) {
        true => (1.0 - libm::log10(standard_error).floor()).clamp(0.0, 12.0) as usize,
        false => decimals(figure.abs()),
    }
}

/// Formats a whole number with separators between thousands: `36,287`.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Formats a count with its noun: `1 trial`, `36,287 trials`.
pub fn counted(count: u64, noun: &str) -> String {
    format!("{} {noun}{}", grouped(count), if count == 1 { "" } else { "s" })
}

/// Returns the number of decimals that show about five significant digits of the largest of some
/// numbers.
pub fn decimals(largest: f64) -> usize {
    match largest {
        1000.0.. => 1,
        100.0.. => 2,
        10.0.. => 3,
        1e-3.. => 4,
        // Zero has no digits, and no figure has more decimals than those with an error.
        _ if largest > 0.0 => (4.0 - libm::log10(largest).floor()).min(12.0) as usize,
        _ => 4,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn things_are_counted_and_exact_figures_have_few_decimals() {
        assert_eq!(["trial", "instance"].map(|thing| counted(1, thing)), ["1 trial", "1 instance"]);
        assert_eq!(counted(1200, "trial"), "1,200 trials");
        let Interval { mean, .. } = Interval::default();
        assert_eq!(digits(mean, 15.0), 3);
        let sample = Estimate::of(&[0.1 + 0.2, 0.3, 0.3]);
        assert!(sample.standard_error > 0.0 && sample.interval().to_string() == "+0.3000 (+0.3000 to +0.3000)");
    }

    #[test]
    fn quantiles() {
        for (freedom, quantile) in [
            (1, 12.706_205),
            (2, 4.302_653),
            (3, 3.182_446),
            (4, 2.776_445),
            (5, 2.570_582),
            (10, 2.228_139),
            (28, 2.048_407),
            (29, 2.045_230),
            (100, 1.983_972),
            (1_000_000, 1.959_966),
        ] {
            assert!((student(Z95, freedom) - quantile).abs() < 2e-6, "{freedom}: {}", student(Z95, freedom));
        }
        // The two methods agree where they meet, even far from the centre.
        for z in [1.0, 3.0, 5.0] {
            let (sums, expansion) = (student(z, 28), student(z, 29));
            assert!(sums > expansion && sums / expansion < 1.03, "{z}: {sums} {expansion}");
        }
        assert!((two_sided(0.05) - Z95).abs() < 1e-12);
        assert!((two_sided(0.01) - 2.575_829_3).abs() < 1e-7);
        assert_eq!(student(Z95, 0), f64::INFINITY);
    }

    #[test]
    fn decimals_follow_the_standard_error() {
        assert_eq!([12.3, 1.05, 0.33, 0.0047, 12345.0].map(|error| digits(error, 1.0)), [0, 1, 2, 4, 0]);
        assert_eq!([0.0, f64::INFINITY].map(|error| digits(error, 150.0)), [2, 2]);
        let signed = |mean, (low, high)| Interval { mean, low, high }.to_string();
        // Exact differences, apart from rounding.
        assert_eq!(digits(3e-15, 45.0), 3);
        assert_eq!(signed(45.0, (45.0 - 7e-15, 45.0 + 7e-15)), "+45.000 (+45.000 to +45.000)");
        assert_eq!(signed(0.0031, (0.0011, 0.0051)), "+0.0031 (+0.0011 to +0.0051)");
        let ratio = Interval { mean: 0.1923, low: 0.1795, high: 0.206 };
        assert_eq!(ratio.percent(), "+19.23 % (+17.95 to +20.60)");
        assert_eq!(signed(108.18, (100.95, 115.53)), "+108.2 (+101.0 to +115.5)");
        assert_eq!(signed(0.0, (0.0, 0.0)), "+0.0000 (+0.0000 to +0.0000)");
        assert_eq!(signed(1.5, (f64::NEG_INFINITY, f64::INFINITY)), "+1.5000 (unknown: too few instances)");
    }

    #[test]
    fn thousands_are_separated() {
        assert_eq!([0, 999, 1000, 1_234_567].map(grouped), ["0", "999", "1,000", "1,234,567"]);
        assert_eq!([0, 1, 1000].map(|count| counted(count, "trial")), ["0 trials", "1 trial", "1,000 trials"]);
    }

    #[test]
    fn correlations() {
        assert!((correlation(&[1.0, 2.0, 4.0], &[-1.0, -2.0, -4.0]) + 1.0).abs() < 1e-12);
        assert_eq!(correlation(&[1.0, 2.0], &[3.0, 3.0]), 0.0);
    }

    #[test]
    fn intervals_of_differences() {
        let estimate = Estimate::paired(&[3.0, 5.0, 4.0, 8.0, 5.0], &[1.0, 4.0, 4.0, 5.0, 4.0]);
        assert_eq!((estimate.n, estimate.mean), (5, 1.4));
        assert!((estimate.standard_error - 0.509_901_951).abs() < 1e-9);
        let Interval { low, high, .. } = estimate.interval();
        assert!((low + 0.015_715).abs() < 1e-5 && (high - 2.815_715).abs() < 1e-5, "{low} {high}");
    }
}
