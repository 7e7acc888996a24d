//! Means, spreads and paired intervals, summed in index order so that they reproduce to the bit.

/// The 97.5 % quantile of the normal distribution: half the width of a 95 % interval in standard errors.
pub const Z95: f64 = 1.959963984540054;

/// The smallest sample that is worth an interval: below it, the mean of skewed scores is far from normal.
pub const LEAST_SAMPLE: usize = 30;

/// The 97.5 % quantile of Student's t distribution with `freedom` degrees of freedom; infinite for 0.
///
/// From 5 on by the expansion around the normal quantile (Abramowitz and Stegun, "Handbook of Mathematical Functions",
/// 26.7.5), which is right to three digits there and to seven from 30 on, and takes no more than the four operations, so
/// that it reproduces everywhere.
pub fn t95(freedom: usize) -> f64 {
    const FEW: [f64; 5] = [f64::INFINITY, 12.706_204_736, 4.302_652_730, 3.182_446_305, 2.776_445_105];
    if let Some(&quantile) = FEW.get(freedom) {
        return quantile;
    }
    let (z, n) = (Z95, freedom as f64);
    let (z3, z5, z7, z9) = (z * z * z, z * z * z * z * z, z * z * z * z * z * z * z, z * z * z * z * z * z * z * z * z);
    let terms = [
        (z3 + z) / 4.0,
        (5.0 * z5 + 16.0 * z3 + 3.0 * z) / 96.0,
        (3.0 * z7 + 19.0 * z5 + 17.0 * z3 - 15.0 * z) / 384.0,
        (79.0 * z9 + 776.0 * z7 + 1482.0 * z5 - 1920.0 * z3 - 945.0 * z) / 92_160.0,
    ];
    terms.iter().rev().fold(0.0, |sum, term| (sum + term) / n) + z
}

/// A mean with its precision.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// Sample size.
    pub n: usize,
    /// Sample mean.
    pub mean: f64,
    /// Standard error of the mean: sample standard deviation (divisor n - 1) over the root of n; 0 if n < 2.
    pub standard_error: f64,
}

impl Estimate {
    /// The estimate of a sample; of an empty one it is 0.
    pub fn of(sample: &[f64]) -> Self {
        let n = sample.len();
        if n == 0 {
            return Estimate { n, mean: 0.0, standard_error: 0.0 };
        }
        let mean = mean(sample);
        let standard_error = standard_deviation(sample) / (n as f64).sqrt();
        Estimate { n, mean, standard_error }
    }

    /// The estimate of the paired differences `a[i] - b[i]`.
    ///
    /// # Panics
    /// If the samples differ in length.
    pub fn paired(a: &[f64], b: &[f64]) -> Self {
        assert_eq!(a.len(), b.len(), "paired samples have a pair for each game");
        Self::of(&a.iter().zip(b).map(|(a, b)| a - b).collect::<Vec<_>>())
    }

    /// The 95 % interval of the mean by Student's t, for samples of [`LEAST_SAMPLE`] and more; of fewer than two it is
    /// the mean itself.
    pub fn interval(&self) -> (f64, f64) {
        let half = if self.n < 2 { 0.0 } else { t95(self.n - 1) * self.standard_error };
        (self.mean - half, self.mean + half)
    }
}

/// The mean of a sample, summed in order; 0 if it is empty.
pub fn mean(sample: &[f64]) -> f64 {
    if sample.is_empty() { 0.0 } else { sample.iter().sum::<f64>() / sample.len() as f64 }
}

/// The sample standard deviation (divisor n - 1); 0 if n < 2.
pub fn standard_deviation(sample: &[f64]) -> f64 {
    if sample.len() < 2 {
        return 0.0;
    }
    let mean = mean(sample);
    let squares: f64 = sample.iter().map(|x| (x - mean) * (x - mean)).sum();
    (squares / (sample.len() - 1) as f64).sqrt()
}

/// How many decimals show about five significant digits of the largest of some numbers.
pub fn decimals(largest: f64) -> usize {
    match largest {
        1000.0.. => 1,
        100.0.. => 2,
        10.0.. => 3,
        _ => 4,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_of_t() {
        for (freedom, quantile, digits) in [
            (1, 12.7062, 1e-3),
            (4, 2.7764, 1e-3),
            (5, 2.5706, 2e-3),
            (10, 2.2281, 1e-4),
            (29, 2.045_230, 1e-6),
            (100, 1.983_972, 1e-6),
            (1_000_000, 1.959_966, 1e-6),
        ] {
            assert!((t95(freedom) - quantile).abs() < digits, "{freedom}: {}", t95(freedom));
        }
    }

    #[test]
    fn intervals_of_differences() {
        let estimate = Estimate::paired(&[3.0, 5.0, 4.0, 8.0, 5.0], &[1.0, 4.0, 4.0, 5.0, 4.0]);
        assert_eq!((estimate.n, estimate.mean), (5, 1.4));
        assert!((estimate.standard_error - 0.509_901_951).abs() < 1e-9);
        let (low, high) = estimate.interval();
        assert!((low + 0.015_715).abs() < 1e-5 && (high - 2.815_715).abs() < 1e-5, "{low} {high}");
    }
}
