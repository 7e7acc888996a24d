//! The cost of a run, and the difference that its test can detect.

use super::Noise;
use crate::job::{Job, Limits};
use crate::judgement::comparison::Units;
use crate::model::seed::Split;
use std::time::Duration;

/// How many trials a run takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Extent {
    /// Trials of the search; infinite where a limit of time alone ends it and nothing is known of a trial's time.
    pub search: f64,
    /// Generations of it.
    pub generations: f64,
    /// Trials of checks on held-out games.
    pub checks: f64,
    /// Trials of the final round and, at most, of the verdict.
    pub finals: f64,
    /// Independent observations of the verdict at most: deals, or instances.
    pub units: Units,
}

impl Extent {
    /// The forecast of a job whose trials take `seconds` each, one after the other.
    pub fn of(job: &Job, seconds: Option<f64>) -> Self {
        let Limits { budget, generations, time } = job.limits;
        let optimizer = job.optimizer.start(job.space.coordinates(), job.seed);
        let each = optimizer.ask().trials.len().max(1) as f64;
        let by_time = |time: Duration| seconds.map(|seconds| time.as_secs_f64() / seconds.max(1e-9));
        let by_generations = generations.map(|generations| generations as f64 * each);
        let limits = [budget.map(|budget| budget as f64), by_generations, time.and_then(by_time)];
        // The first generation is always played to its end.
        let search = limits.into_iter().flatten().fold(f64::INFINITY, f64::min).max(each);
        // The start's, and one at the end.
        let checks = 2.0 + search / job.validation.trials_between() as f64;
        let finalists = (1 + optimizer.recommended().len()) as f64;
        Extent {
            search,
            generations: search / each,
            checks: checks * job.validation.games as f64,
            finals: finalists * job.finals.games as f64 + 2.0 * job.finals.verdict as f64,
            units: Units::of(&*job.source.problem, Split::Test, job.finals.verdict),
        }
    }

    /// All trials, at most.
    pub fn trials(&self) -> f64 {
        self.search + self.checks + self.finals
    }
}

/// A difference of this many standard errors is found with 80 % power: 2.33 for the half-width of the interval after
/// all trials, and 0.84 for the power.
const FOUND: f64 = 2.326 + 0.842;

/// The cost of a run, and the minimum detectable difference of its test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Forecast {
    /// Numbers of trials.
    pub extent: Extent,
    /// The difference that is found in four of five verdicts.
    pub found: f64,
}

impl Forecast {
    /// The forecast of a job, of whose trials one follows another after so many seconds.
    pub fn of(job: &Job, noise: &Noise, seconds: f64) -> Self {
        let extent = Extent::of(job, Some(seconds));
        let error = noise.paired / (extent.units.count as f64).sqrt();
        Forecast { extent, found: FOUND * error }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::job;

    #[test]
    fn a_run_takes_a_generation_at_least() {
        let tiny = Extent::of(&job(&[]), None);
        assert_eq!((tiny.search, tiny.generations, tiny.units.count), (45.0, 3.0, 30));
        let short = Extent::of(&job(&[("generations = 3", "budget = 4")]), None);
        assert_eq!((short.search, short.generations), (15.0, 1.0));
        let by_time = job(&[("generations = 3", "time = \"10s\"")]);
        assert_eq!(Extent::of(&by_time, Some(0.1)).search, 100.0);
        assert_eq!(Extent::of(&by_time, None).search, f64::INFINITY);
    }
}
