//! The time limits of trials: the search may have a shorter one than the test.

use super::{ByStage, Job, Stage};
use evolve_search::model::problem::Problem;
use evolve_search::model::seed::Split;
use evolve_search::statistics::mean;
use std::fmt;
use std::time::Duration;

/// The time limits that a player receives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeLimits {
    /// In the test and in comparisons.
    pub full: Duration,
    /// In all other trials.
    pub search: Duration,
}

impl TimeLimits {
    /// Returns the limits of a problem; `None` if its players receive none.
    pub fn of(problem: &dyn Problem) -> Option<Self> {
        let declared = problem.declared()?;
        let [full, search] = [Split::Test, Split::Search].map(|split| declared.time_limit(split));
        Some(TimeLimits { full: full?, search: search? })
    }

    /// Returns the limit of a stage.
    pub fn at(&self, stage: Stage) -> Duration {
        if stage == Stage::Test { self.full } else { self.search }
    }

    /// Returns whether the search has a shorter limit than the test.
    pub fn is_shortened(&self) -> bool {
        self.search < self.full
    }

    /// Returns the time of a trial of the test, in trials of the search.
    pub fn ratio(&self) -> f64 {
        self.full.as_secs_f64() / self.search.as_secs_f64()
    }
}

impl fmt::Display for TimeLimits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [full, search] = [self.full, self.search].map(seconds);
        match self.is_shortened() {
            true => write!(f, "{full} in the test, {search} in the search"),
            false => write!(f, "{full}"),
        }
    }
}

/// Returns a time in words, to the millisecond: `2.84 s`.
pub fn seconds(time: Duration) -> String {
    format!("{} s", (1e3 * time.as_secs_f64()).round() / 1e3)
}

/// Returns the longest of some trials as a share of their limit: `2.7 s of 2.84 s (95 %)`.
pub fn slack(longest: Duration, limit: Duration) -> String {
    let share = 100.0 * longest.as_secs_f64() / limit.as_secs_f64();
    format!("{} of {} ({share:.0} %)", seconds(longest), seconds(limit))
}

/// The largest trials that an extrapolation of run times rests on, as a share, and their least
/// number.
const TAIL: f64 = 0.2;
const LEAST_TAIL: usize = 5;
/// The share of trials beyond the extrapolated time.
const BEYOND: f64 = 0.001;

/// Returns the time within which 99.9 % of all trials end, by the tail of some: the excess of the
/// longest fifth of them over a threshold is taken for exponential, as for run times that have a
/// limit. `None` for too few trials.
pub fn extrapolated(times: impl IntoIterator<Item = Duration>) -> Option<Duration> {
    let mut seconds: Vec<f64> = times.into_iter().map(|time| time.as_secs_f64()).collect();
    seconds.sort_by(|a, b| b.total_cmp(a));
    let count = (TAIL * seconds.len() as f64) as usize;
    if count < LEAST_TAIL {
        return None;
    }
    let (threshold, longest) = (seconds[count], seconds[0]);
    let excess = mean(&seconds[..count]) - threshold;
    let beyond = threshold + excess * libm::log(TAIL / BEYOND);
    Duration::try_from_secs_f64(beyond.max(longest)).ok()
}

impl Job {
    /// Returns whether the search has a shorter time limit than the test: what it sees is then not
    /// evidence about the test.
    pub fn is_shortened(&self) -> bool {
        TimeLimits::of(&*self.problem).is_some_and(|limits| limits.is_shortened())
    }

    /// Returns the time of a trial of a stage, in trials of the search, as far as time limits
    /// determine it.
    pub fn cost(&self, stage: Stage) -> f64 {
        let limits = TimeLimits::of(&*self.problem).filter(|_| stage == Stage::Test);
        limits.map_or(1.0, |limits| limits.ratio())
    }

    /// Returns the time of some trials, in trials of the search.
    pub fn work(&self, trials: ByStage<f64>) -> f64 {
        let test = trials[Stage::Test];
        trials.total() + if test > 0.0 { (self.cost(Stage::Test) - 1.0) * test } else { 0.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_short() {
        let limits = |full, search| {
            let [full, search] = [full, search].map(Duration::from_millis);
            TimeLimits { full, search }.to_string()
        };
        assert_eq!(limits(2840, 200), "2.84 s in the test, 0.2 s in the search");
        assert_eq!(limits(2000, 2000), "2 s");
        let [longest, limit] = [2699, 2840].map(Duration::from_millis);
        assert_eq!(slack(longest, limit), "2.699 s of 2.84 s (95 %)");
    }

    #[test]
    fn the_tail_of_run_times_is_extrapolated() {
        // Exponential beyond two seconds, by its quantiles: 99.9 % are within 2 + 0.01 ln 1000.
        let times = |count: u32| {
            (0..count).map(move |i| {
                let share = (f64::from(i) + 0.5) / f64::from(count);
                Duration::from_secs_f64(2.0 - 0.01 * (1.0 - share).ln())
            })
        };
        for count in [40, 100, 1000] {
            let found = extrapolated(times(count)).unwrap().as_secs_f64();
            assert!((found - 2.0691).abs() < 0.01, "{count}: {found}");
        }
        assert_eq!(extrapolated(times(20)), None);
    }
}
