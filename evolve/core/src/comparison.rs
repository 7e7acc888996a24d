//! Comparing policies on the same fresh deals until the answer is clear.
//!
//! After every batch a confidence sequence says where the mean of the paired differences may lie. It holds at all times
//! at once, so that one may look after every batch and stop when one likes: Robbins' normal mixture with the estimated
//! variance (Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas, "Time-uniform central limit theory and asymptotic
//! confidence sequences", 2021, theorem 2.2).

use crate::statistics::{LEAST_SAMPLE, Z95, t95};

/// What a comparison says so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The first is better.
    Better,
    /// The first is worse.
    Worse,
    /// They differ by no more than the margin.
    Same,
    /// Not clear yet.
    Open,
}

/// A running comparison of two policies on the same deals.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// The share of comparisons that may go wrong, over all looks together.
    error: f64,
    /// Differences within this count as none; 0 for none at all.
    margin: f64,
    /// The number of deals at which the sequence is narrowest for its error rate.
    planned: f64,
    count: usize,
    mean: f64,
    squares: f64,
    wins: u64,
    losses: u64,
}

impl Comparison {
    /// A comparison of about `planned` deals at most, with an error rate between 0 and 1.
    pub fn new(error: f64, margin: f64, planned: usize) -> Self {
        let planned = planned.max(LEAST_SAMPLE) as f64;
        Comparison { error, margin, planned, count: 0, mean: 0.0, squares: 0.0, wins: 0, losses: 0 }
    }

    /// Adds the difference on one more deal, the first less the second.
    pub fn add(&mut self, difference: f64) {
        self.count += 1;
        let from_old = difference - self.mean;
        self.mean += from_old / self.count as f64;
        self.squares += from_old * (difference - self.mean);
        self.wins += u64::from(difference > 0.0);
        self.losses += u64::from(difference < 0.0);
    }

    /// How many deals were played.
    pub fn count(&self) -> usize {
        self.count
    }

    /// The mean difference.
    pub fn mean(&self) -> f64 {
        self.mean
    }

    /// On how many deals the first did better, and on how many worse.
    pub fn wins_and_losses(&self) -> (u64, u64) {
        (self.wins, self.losses)
    }

    /// Where the mean may lie; it holds at all times together but for the error rate. Infinite below 30 deals.
    pub fn interval(&self) -> (f64, f64) {
        let n = self.count as f64;
        if self.count < LEAST_SAMPLE {
            return (f64::NEG_INFINITY, f64::INFINITY);
        }
        // The variance is estimated: as much wider as Student's t is than the normal distribution.
        let deviation = (self.squares / (n - 1.0)).sqrt() * t95(self.count - 1) / Z95;
        // The mixture that is narrowest at the planned number of deals (the same paper, section 3.5).
        let log_error = -2.0 * libm::log(self.error);
        let mixture = (log_error + libm::log(log_error + 1.0)) / self.planned;
        let spread = n * mixture + 1.0;
        let radius =
            (2.0 * spread / (n * n * mixture) * libm::log(spread.sqrt() / (self.error / 2.0))).sqrt() * deviation;
        (self.mean - radius, self.mean + radius)
    }

    /// What the deals so far say.
    pub fn answer(&self) -> Answer {
        let (low, high) = self.interval();
        if low > self.margin || (self.margin == 0.0 && low > 0.0) {
            Answer::Better
        } else if high < -self.margin || (self.margin == 0.0 && high < 0.0) {
            Answer::Worse
        } else if self.margin > 0.0 && low > -self.margin && high < self.margin {
            Answer::Same
        } else {
            Answer::Open
        }
    }
}

/// How many deals the next batch of a comparison has, after `played`: a tenth more, so that looks are few and none is
/// far off.
pub fn next_batch(played: usize, most: usize) -> usize {
    (played / 10).max(LEAST_SAMPLE).min(most - played)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::optimizer::sampling::normal;
    use crate::seed::generator;

    /// How often a comparison of two equals is decided within 3,000 deals, looked at after every batch.
    fn false_answers(runs: u64, difference: impl Fn(&mut rand_chacha::ChaCha8Rng) -> f64) -> f64 {
        let mut wrong = 0;
        for run in 0..runs {
            let mut random = generator(run);
            let mut comparison = Comparison::new(0.05, 0.0, 3000);
            while comparison.count() < 3000 {
                for _ in 0..next_batch(comparison.count(), 3000) {
                    comparison.add(difference(&mut random));
                }
                if comparison.answer() != Answer::Open {
                    wrong += 1;
                    break;
                }
            }
        }
        wrong as f64 / runs as f64
    }

    #[test]
    fn equals_are_seldom_told_apart_however_often_one_looks() {
        // 5 % are allowed; four standard errors of 400 runs are 4.4 %.
        let normal_rate = false_answers(400, normal);
        assert!(normal_rate <= 0.094, "{normal_rate}");
        // Differences that are seldom and large, as of games won or lost.
        let rare = |random: &mut rand_chacha::ChaCha8Rng| match normal(random) {
            x if x > 1.645 => 1.0,
            x if x < -1.645 => -1.0,
            _ => 0.0,
        };
        let rare_rate = false_answers(400, rare);
        assert!(rare_rate <= 0.094, "{rare_rate}");
    }

    #[test]
    fn differences_are_found_soon() {
        let mut random = generator(1);
        let mut comparison = Comparison::new(0.05, 0.0, 10_000);
        while comparison.answer() == Answer::Open {
            comparison.add(normal(&mut random) - 0.5);
        }
        assert_eq!(comparison.answer(), Answer::Worse);
        assert!(comparison.count() < 300, "{}", comparison.count());
        let (wins, losses) = comparison.wins_and_losses();
        assert!(wins < losses && wins + losses == comparison.count() as u64);
    }

    #[test]
    fn what_is_the_same_within_a_margin_is_told() {
        let mut random = generator(2);
        let mut comparison = Comparison::new(0.05, 0.2, 10_000);
        while comparison.answer() == Answer::Open {
            comparison.add(normal(&mut random));
        }
        assert_eq!(comparison.answer(), Answer::Same);
    }
}
