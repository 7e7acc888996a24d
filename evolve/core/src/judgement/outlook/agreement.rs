//! Whether two ways to play, such as two time limits, agree on which candidates are better.

use crate::judgement::comparison::{Answer, Difference, Units};
use crate::judgement::effect::effect;
use evolve_search::statistics::{Interval, Z95, correlation, mean};

/// The differences of some candidates from the baseline, played in two ways on the same cases.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Agreement {
    pub candidates: usize,
    pub cases: usize,
    /// The correlation of the candidates' mean differences, with its 95 % confidence interval.
    pub correlation: Interval,
    /// The correlation that noise would leave of a perfect one.
    pub reach: f64,
    /// The number of candidates that are clearly better in one way, and clearly worse in the other.
    pub opposed: usize,
}

/// Whether two ways to play agree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Agrees {
    Yes,
    No,
    /// The trials do not show it.
    Unknown,
}

/// The smallest correlation with which two ways agree, and the smallest [reach](Agreement::reach)
/// with which a lower one is evidence that they do not.
const LEAST: f64 = 0.5;
/// The probability that any candidate is taken for an opposed one by chance.
const ERROR: f64 = 0.05;

impl Agreement {
    /// Compares the differences of each candidate from the baseline, case by case in both ways.
    pub fn of(differences: &[[Vec<Difference>; 2]], units: Units) -> Self {
        let candidates = differences.len();
        let alpha = ERROR / (2 * candidates.max(1)) as f64;
        let is_opposed = |[one, other]: &&[Vec<Difference>; 2]| {
            let [one, other] = [one, other].map(|way| Answer::of(effect(way, units, alpha), 0.0));
            one.is_clear() && one == other.reversed()
        };
        let means = |way: usize, of: &dyn Fn(usize) -> bool| -> Vec<f64> {
            let of_candidate = |candidate: &[Vec<Difference>; 2]| {
                let cases = candidate[way].iter().enumerate().filter(|(case, _)| of(*case));
                mean(&cases.map(|(_, difference)| difference.value).collect::<Vec<_>>())
            };
            differences.iter().map(of_candidate).collect()
        };
        // The noise of a mean shows in the means of two halves (Spearman and Brown).
        let reliability = |way| {
            let half = correlation(&means(way, &|case| case % 2 == 0), &means(way, &|case| case % 2 == 1));
            (2.0 * half / (1.0 + half).max(f64::MIN_POSITIVE)).clamp(0.0, 1.0)
        };
        let all = |way| means(way, &|_| true);
        Agreement {
            candidates,
            cases: units.cases,
            correlation: interval(correlation(&all(0), &all(1)), candidates),
            reach: if units.cases < 2 { 0.0 } else { (reliability(0) * reliability(1)).sqrt() },
            opposed: differences.iter().filter(is_opposed).count(),
        }
    }

    /// Returns what the trials show.
    pub fn answer(&self) -> Agrees {
        let Agreement { correlation: Interval { low, high, .. }, reach, opposed, .. } = *self;
        match opposed {
            0 if low >= LEAST => Agrees::Yes,
            0 if reach < LEAST || high >= LEAST * reach => Agrees::Unknown,
            _ => Agrees::No,
        }
    }
}

/// Returns the 95 % confidence interval of a correlation by Fisher's transformation.
fn interval(mean: f64, pairs: usize) -> Interval {
    if pairs < 4 {
        return Interval { mean, low: -1.0, high: 1.0 };
    }
    let (middle, half) = (libm::atanh(mean), Z95 / ((pairs - 3) as f64).sqrt());
    Interval { mean, low: libm::tanh(middle - half), high: libm::tanh(middle + half) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use evolve_search::model::seed::generator;
    use evolve_search::optimizer::sampling::normal;

    /// Twelve candidates on twenty cases: the means in both ways, and the noise of a trial.
    fn agreement(means: &dyn Fn(f64) -> [f64; 2], noise: f64) -> Agreement {
        let mut random = generator(7);
        let mut candidate = |number: u32| {
            means(f64::from(number) - 5.5)
                .map(|mean| (0..20).map(|_| Difference::of(mean + noise * normal(&mut random))).collect::<Vec<_>>())
        };
        let all: Vec<_> = (0..12).map(&mut candidate).collect();
        Agreement::of(&all, Units { count: 20, cases: 20, instances: false })
    }

    #[test]
    fn only_means_beyond_noise_are_evidence() {
        let same = agreement(&|x| [x, 3.0 * x], 1.0);
        assert!(same.answer() == Agrees::Yes && same.reach > 0.9 && same.opposed == 0, "{same:?}");
        // The optimum lies elsewhere: half of the candidates are better in one way only.
        let shifted = agreement(&|x| [x, -x], 1.0);
        assert!(shifted.answer() == Agrees::No && shifted.opposed > 6, "{shifted:?}");
        // The order is reversed, and every candidate is worse than the baseline in both ways.
        let other = agreement(&|x| [x - 9.0, -x - 9.0], 1.0);
        assert!(other.answer() == Agrees::No && other.opposed == 0, "{other:?}");
        let noisy = agreement(&|x| [x, x], 200.0);
        assert!(noisy.answer() == Agrees::Unknown && noisy.correlation.low < LEAST, "{noisy:?}");
        assert_eq!(interval(0.9, 3), Interval { mean: 0.9, low: -1.0, high: 1.0 });
    }
}
