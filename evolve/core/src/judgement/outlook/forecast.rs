//! The cost of a run, and the difference that its test can detect.

use super::Noise;
use crate::job::{Job, Plan};
use crate::judgement::comparison::Units;

/// The largest number of trials in each stage of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Extent {
    /// The trials of the search; infinite if only a time limit ends it and the duration of a trial is unknown.
    pub search: f64,
    /// The generations of the search.
    pub generations: f64,
    /// The trials of validations.
    pub validation: f64,
    /// The trials of the selection.
    pub selection: f64,
    /// The trials of the search for parameters without effect, at most.
    pub effects: f64,
    /// The trials of the test, at most.
    pub test: f64,
    /// The independent observations of the test, at most: deals or instances.
    pub units: Units,
}

impl Extent {
    /// Forecasts the extent of a job whose trials take `seconds` each, one after another.
    pub fn of(job: &Job, seconds: Option<f64>) -> Self {
        let optimizer = job.start_search();
        let each = optimizer.ask().trials.len().max(1) as f64;
        let total = job.trials(seconds);
        let plan = job.plan(total);
        let Plan { validation, test, .. } = plan;
        let finalists = 1 + optimizer.recommended().len();
        let rest = plan.rest(job, 0, finalists, test);
        // One validation of the baseline, one at the end, and those in between.
        let validations = plan.validations();
        let effects = plan.effects(job, MANY) as f64 / MANY as f64;
        let by_total = total.map_or(f64::INFINITY, |total| {
            (total - rest.trials() as f64 - validation as f64) / (1.0 + validations + effects)
        });
        let by_generations = job.limits.generations.map_or(f64::INFINITY, |generations| generations as f64 * each);
        let is_by_generations = job.limits.budget.is_none() && job.limits.time.is_none();
        // The first generation is always played to its end.
        let search = if is_by_generations { by_generations } else { by_total.min(by_generations) }.max(each);
        Extent {
            search,
            generations: search / each,
            validation: 2.0 * validation as f64 + search * validations,
            selection: rest.selection as f64,
            effects: if effects > 0.0 { search * effects } else { 0.0 },
            test: rest.test as f64,
            units: Units::of(&*job.source.problem, plan.split(), test),
        }
    }

    /// Returns the total number of trials, at most.
    pub fn trials(&self) -> f64 {
        self.search + self.validation + self.selection + self.effects + self.test
    }
}

/// A number of trials large enough to show the share of the search for parameters without effect.
const MANY: u64 = 1_000_000;

/// The number of standard errors of a difference that the test detects with 80 % power. The half-width of the interval
/// after all trials contributes 2.33, and the power 0.84.
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
        assert_eq!((tiny.search, tiny.generations, tiny.units.count), (45.0, 3.0, 30));
        let short = Extent::of(&job(&[("generations = 3", "budget = 20")]), None);
        assert_eq!((short.search, short.generations), (15.0, 1.0));
        let by_time = job(&[("generations = 3", "time = \"30s\"")]);
        let timed = Extent::of(&by_time, Some(0.1));
        assert!((timed.trials() - 300.0).abs() <= 15.0, "{timed:?}");
        assert_eq!(Extent::of(&by_time, None).search, f64::INFINITY);
    }
}
