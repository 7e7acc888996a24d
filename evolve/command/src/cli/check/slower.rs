//! Parameters that change the run time: the search may choose values that score better only because
//! they run longer.

use super::measure::Sample;
use evolve_core::job::Job;
use evolve_search::model::parameter::Parameter;
use evolve_search::model::problem::Problem;
use evolve_search::model::trial::Outcome;
use evolve_search::statistics::{Estimate, mean};
use std::fmt;

/// The smallest factor worth reporting.
const FACTOR: f64 = 1.5;
/// The smallest difference in seconds, and in standard errors. The system may cause smaller ones.
const SECONDS: f64 = 0.01;
const ERRORS: f64 = 4.0;

/// Two values of a parameter whose trials differ in time.
pub struct Slower<'a> {
    parameter: &'a Parameter,
    slow: f64,
    fast: f64,
    /// Mean time at the slow value in units of the mean time at the fast one.
    factor: f64,
}

impl<'a> Slower<'a> {
    /// Returns the parameters that change the mean time of a trial by [`FACTOR`] or more among the
    /// values tried, unless the job limits the time or has it as the score.
    pub fn all(job: &'a Job, sample: &Sample) -> Vec<Self> {
        if has_time(&*job.problem) {
            return Vec::new();
        }
        let moves = &sample.plan.moves;
        let numbered: Vec<_> = moves.iter().enumerate().collect();
        let parameters = numbered.chunk_by(|a, b| a.1.place == b.1.place);
        parameters
            .filter_map(|ends| {
                let place = ends[0].1.place;
                let [start, _] = sample.of_move(ends[0].0);
                let others = ends.iter().map(|&(number, one)| (one.value, sample.of_move(number)[1]));
                let values: Vec<_> = [(job.space.start()[place], start)].into_iter().chain(others).collect();
                let pairs = values.iter().flat_map(|slow| values.iter().map(move |fast| (slow, fast)));
                let factors = pairs.filter_map(|(slow, fast)| Some((factor(slow.1, fast.1)?, slow.0, fast.0)));
                let (factor, slow, fast) = factors.max_by(|a, b| a.0.total_cmp(&b.0))?;
                Some(Slower { parameter: &job.space.parameters()[place], slow, fast, factor })
            })
            .collect()
    }
}

/// Returns whether the job deals with the run time itself: it limits the time, or has it as the
/// score.
fn has_time(problem: &dyn Problem) -> bool {
    let behaviour = problem.behaviour();
    behaviour.is_timed || behaviour.limits_time
}

/// Returns the ratio of the mean times on common cases, if it is large and beyond noise. Failed
/// trials do not count.
fn factor(slow: &[Outcome], fast: &[Outcome]) -> Option<f64> {
    let seconds = |one: &Outcome| one.time.filter(|_| one.failure.is_none()).map(|time| time.as_secs_f64());
    let pairs = slow.iter().zip(fast).filter_map(|(slow, fast)| Some((seconds(slow)?, seconds(fast)?)));
    let (slow, fast): (Vec<f64>, Vec<f64>) = pairs.unzip();
    let differences: Vec<f64> = slow.iter().zip(&fast).map(|(slow, fast)| slow - fast).collect();
    let Estimate { mean: difference, standard_error, .. } = Estimate::of(&differences);
    let factor = mean(&slow) / mean(&fast);
    let is_clear = differences.len() > 1 && difference >= SECONDS && difference > ERRORS * standard_error;
    (is_clear && factor >= FACTOR).then_some(factor)
}

impl fmt::Display for Slower<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Slower { parameter, slow, fast, factor } = self;
        let (slow, fast) = (parameter.show(*slow), parameter.show(*fast));
        write!(f, "{} ({factor:.1} times as long at {slow} as at {fast})", parameter.name)
    }
}
