//! How much work goes into a unit.

use std::time::Duration;

/// How long one thread should be at a unit: long enough that messages cost nothing beside it, short enough to lose.
const UNIT: f64 = 1.0;
/// Units a second that a coordinator hands out: with more threads than these, units are longer.
const UNITS: f64 = 1000.0;
/// How long at least, at the end of a round, where units are small so that all end at about the same time.
const LEAST: f64 = 0.05;
/// Trials of a unit at most.
const MOST: usize = 4096;
/// How much of what is left of a round a unit is, times the threads.
const PORTIONS: usize = 3;
/// Units in flight for each thread, and in any case: so many that one waits whenever a thread becomes free.
const EACH: usize = 2;
const ANYWAY: usize = 4;
/// How fast the measured cost follows what is measured.
const FOLLOW: f64 = 0.2;

/// What a trial costs, as measured lately.
#[derive(Clone, Copy, Debug, Default)]
pub struct Pace {
    /// Seconds of one thread; `None` if nothing was measured yet.
    cost: Option<f64>,
}

impl Pace {
    /// Takes in how long one thread took over some trials.
    pub fn measure(&mut self, trials: usize, time: Duration) {
        if trials == 0 {
            return;
        }
        let cost = (time.as_secs_f64() / trials as f64).max(1e-9);
        self.cost = Some(self.cost.map_or(cost, |old| old + FOLLOW * (cost - old)));
    }

    /// How long one thread will take over so many trials.
    pub fn forecast(&self, trials: usize) -> Duration {
        Duration::try_from_secs_f64(self.cost.unwrap_or(UNIT) * trials as f64).unwrap_or(Duration::MAX)
    }

    /// How many of the trials that are left to hand out the next unit should have. A round's tail is shared out finely.
    pub fn unit(&self, left: usize, threads: usize) -> usize {
        let trials = |seconds: f64| self.cost.map_or(1.0, |cost| seconds / cost) as usize;
        let share = left / (PORTIONS * threads.max(1));
        let longest = UNIT * (threads as f64 / UNITS).max(1.0);
        share.clamp(trials(LEAST).max(1), trials(longest).max(1)).min(MOST).min(left)
    }

    /// How many units should be in flight for so many threads.
    pub fn window(threads: usize) -> usize {
        EACH * threads + ANYWAY
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pace(trials: usize, millis: u64) -> Pace {
        let mut pace = Pace::default();
        pace.measure(trials, Duration::from_millis(millis));
        pace
    }

    #[test]
    fn units_take_about_a_second_and_less_at_the_end() {
        let fast = pace(1000, 1000);
        assert_eq!(fast.unit(1_000_000, 8), 1000);
        assert_eq!(fast.unit(2400, 8), 100);
        assert_eq!(fast.unit(300, 8), 50, "not shorter than worth a message");
        assert_eq!(fast.unit(20, 8), 20);
        assert_eq!(fast.unit(100_000_000, 3000), 3000, "not more messages than one coordinator can have");
        let slow = pace(1, 10_000);
        assert_eq!(slow.unit(1000, 8), 1);
        assert_eq!(Pace::default().unit(1000, 8), 1, "nothing is known yet");
        assert_eq!(pace(1_000_000, 1).unit(10_000_000, 1), MOST);
        assert_eq!(pace(1, 0).unit(7, 0), 7);
    }

    #[test]
    fn the_cost_follows_what_is_measured() {
        let mut pace = pace(10, 1000);
        for _ in 0..50 {
            pace.measure(10, Duration::from_millis(200));
        }
        let forecast = pace.forecast(10).as_secs_f64();
        assert!((forecast - 0.2).abs() < 0.01, "{forecast}");
    }
}
