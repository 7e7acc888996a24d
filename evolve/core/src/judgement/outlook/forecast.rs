//! The cost of a run, and the difference that its test can detect.

use super::Noise;
use crate::job::{ByStage, Job, SoFar, Stage};
use crate::judgement::comparison::Units;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Extent {
    /// The maximum numbers of trials; infinite for the search if only a time limit ends it and the
    /// duration of a trial is unknown.
    pub trials: ByStage<f64>,
    pub generations: f64,
    /// The independent observations of the test, at most: cases or instances.
    pub units: Units,
}

impl Extent {
    /// Forecasts the extent of a job whose trials take `seconds` each, one after another.
    pub fn of(job: &Job, seconds: Option<f64>) -> Self {
        let each = job.first_generation().max(1) as f64;
        let plan = job.plan(job.trials(seconds));
        let trials = job.remaining(&plan, &SoFar { pace: seconds, ..SoFar::default() }, each, plan.test);
        let units = Units::of(&*job.problem, plan.split(Stage::Test), plan.test);
        Extent { trials, generations: trials[Stage::Search] / each, units }
    }
}

/// The test detects a difference of this many standard errors with 80 % power: 2.33 for the
/// half-width of the interval after all trials, and 0.84 for the power.
const FOUND: f64 = 2.326 + 0.842;

/// The cost of a run, and the minimum detectable difference of its test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Forecast {
    /// The numbers of trials.
    pub extent: Extent,
    /// The difference that the test detects with 80 % power.
    pub found: f64,
}

impl Forecast {
    /// Forecasts a job whose trials take `seconds` each, one after another.
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
    fn a_run_plays_at_least_one_generation() {
        let tiny = Extent::of(&job(&[]), None);
        assert_eq!((tiny.trials[Stage::Search], tiny.generations, tiny.units.count), (45.0, 3.0, 30));
        let short = Extent::of(&job(&[("generations = 3", "budget = 20")]), None);
        assert_eq!((short.trials[Stage::Search], short.generations), (15.0, 1.0));
        let by_time = job(&[("generations = 3", "time = \"30s\"")]);
        let timed = Extent::of(&by_time, Some(0.1));
        assert!((timed.trials.total() - 300.0).abs() <= 15.0, "{timed:?}");
        assert_eq!(Extent::of(&by_time, None).trials[Stage::Search], f64::INFINITY);
    }
}
