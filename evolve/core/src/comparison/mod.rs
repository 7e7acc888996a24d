//! Comparing policies on the same fresh deals until the answer is clear.
//!
//! After every batch a sequence of intervals says where the mean of the paired differences may lie. It holds at all looks
//! together, up to the last deal that was planned, so that one may look after every batch and stop when one likes. Two
//! boundaries share the error rate:
//!
//! - one that is narrow at the end: a sum of `n` deals leaves a constant boundary with twice the probability that it is
//!   beyond it at the last deal (Levy's inequality; in sequential trials the boundary of O'Brien and Fleming, 1979);
//! - one that is narrow early, for large differences: Robbins' normal mixture with the estimated variance (Waudby-Smith,
//!   Arbour, Sinha, Kennedy and Ramdas, "Time-uniform central limit theory and asymptotic confidence sequences", 2021,
//!   theorem 2.2).
//!
//! The variance is estimated: both are as much wider as the tails of Student's t are than those of the normal
//! distribution.

mod units;

pub use units::Units;

use crate::statistics::{LEAST_SAMPLE, student, two_sided};

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
    looks: Looks,
    /// Differences within this count as none; 0 for none at all.
    margin: f64,
    count: usize,
    mean: f64,
    squares: f64,
    wins: u64,
    losses: u64,
}

/// When a comparison is looked at.
#[derive(Clone, Copy, Debug)]
enum Looks {
    /// At the end: half the width of the interval in standard errors of the normal distribution.
    Once(f64),
    /// As often as one likes.
    Often {
        /// The last deal.
        planned: f64,
        /// The constant boundary of the sum, in standard deviations of the last one.
        late: f64,
        /// The early boundary: its share of the error rate, and its mixture's variance a deal.
        early: f64,
        mixture: f64,
    },
}

/// The share of the error rate that the boundary has that is narrow at the end.
const LATE: f64 = 0.8;
/// Where the other one is narrowest, as a share of the deals planned.
const EARLY: f64 = 0.1;
/// No boundary is believed farther out than so many standard errors: tails of a mean are normal in the middle alone.
const FARTHEST: f64 = 7.0;

impl Comparison {
    /// A comparison of `planned` deals at most, that is looked at as often as one likes, with an error rate between 0
    /// and 1 over all looks together.
    pub fn new(error: f64, margin: f64, planned: usize) -> Self {
        let planned = planned.max(LEAST_SAMPLE) as f64;
        let early = (1.0 - LATE) * error;
        // The mixture that is narrowest at a number of deals (section 3.5 of the paper).
        let log_error = -2.0 * libm::log(early);
        let mixture = (log_error + libm::log(log_error + 1.0)) / (EARLY * planned).max(LEAST_SAMPLE as f64);
        Self::looking(Looks::Often { planned, late: two_sided(0.5 * LATE * error), early, mixture }, margin)
    }

    /// A comparison that is looked at once, after its last deal. Its interval is narrower.
    pub fn once(error: f64, margin: f64) -> Self {
        Self::looking(Looks::Once(two_sided(error)), margin)
    }

    fn looking(looks: Looks, margin: f64) -> Self {
        Comparison { looks, margin, count: 0, mean: 0.0, squares: 0.0, wins: 0, losses: 0 }
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

    /// Where the mean may lie. If it may be looked at often, it holds at all looks together but for the error rate, and is
    /// infinite below 30 deals.
    pub fn interval(&self) -> (f64, f64) {
        let radius = self.radius();
        (self.mean - radius, self.mean + radius)
    }

    /// Half the width of the interval.
    fn radius(&self) -> f64 {
        let n = self.count as f64;
        let z = match self.looks {
            Looks::Once(z) if self.count > 1 => z,
            Looks::Often { planned, late, early, mixture } if self.count >= LEAST_SAMPLE && n <= planned => {
                let late = late * (planned / n).sqrt();
                let spread = n * mixture + 1.0;
                let early = (2.0 * spread / (n * mixture) * libm::log(spread.sqrt() / early)).sqrt();
                late.min(early)
            }
            _ => return f64::INFINITY,
        };
        if z > FARTHEST {
            return f64::INFINITY;
        }
        student(z, self.count - 1) * (self.squares / (n - 1.0) / n).sqrt()
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
fn next_batch(played: usize, most: usize) -> usize {
    (played / 10).max(LEAST_SAMPLE).min(most - played)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::optimizer::sampling::normal;
    use crate::seed::generator;

    /// How often a comparison of two equals is decided within 3,000 deals, looked at after every batch.
    fn false_answers(runs: u64, difference: impl Fn(&mut chacha20::ChaCha8Rng) -> f64) -> f64 {
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
        // 5 % are allowed; four standard errors of 400 runs are 4.4 %. No fewer than 1 %: it would be needlessly wide.
        let normal_rate = false_answers(400, normal);
        assert!((0.01..=0.094).contains(&normal_rate), "{normal_rate}");
        // Differences that are seldom and large, as of games won or lost.
        let rare = |random: &mut chacha20::ChaCha8Rng| match normal(random) {
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
    fn looking_often_costs_a_fifth_of_the_width_at_the_end() {
        let mut random = generator(3);
        let (mut often, mut once) = (Comparison::new(0.05, 0.0, 1000), Comparison::once(0.05, 0.0));
        for _ in 0..1000 {
            let difference = normal(&mut random);
            often.add(difference);
            once.add(difference);
        }
        let width = |comparison: &Comparison| comparison.interval().1 - comparison.interval().0;
        let ratio = width(&often) / width(&once);
        assert!((1.15..1.2).contains(&ratio), "{ratio}");
        // Beyond what was planned nothing is claimed.
        often.add(0.0);
        assert_eq!(often.answer(), Answer::Open);
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
