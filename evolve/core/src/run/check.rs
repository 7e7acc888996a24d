//! The trials of the baseline before the first trial of a run: do outcomes repeat, and how long do
//! trials take?
//!
//! Only trials of programs are checked. The trials of the check are not trials of the run, but take
//! time.

use super::course::memory::Memory;
use super::{Differing, Run, RunError, Watch};
use crate::judgement::effect::differs;
use crate::judgement::outlook::{ALONE, Repeats, alone, beside};
use evolve_search::model::seed::Split;
use evolve_search::model::trial::{Case, PlayError};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The number of instances that show how long trials take.
const TIMED: usize = 4;
/// If the first trials take longer than this, only one is repeated.
const DEAR: Duration = Duration::from_secs(20);

impl Run<'_> {
    /// Plays the baseline on a few instances, side by side and then alone, unless the run has
    /// begun. If outcomes differ, trials count as not deterministic. Returns whether the run goes
    /// on; it was stopped otherwise.
    ///
    /// # Errors
    /// If a trial fails, or the budget or the time is too short for any run.
    pub(super) fn check(&mut self, stop: &AtomicBool, watch: &mut dyn Watch) -> Result<bool, RunError> {
        let problem = &self.job().problem;
        let is_timed = self.job().limits.time.is_some() && problem.behaviour().is_external;
        // Capped outcomes do not repeat, but a trial that is played to its end does.
        let repeats = problem.behaviour().is_external && problem.behaviour().reproduces();
        if self.state().check.is_some() || self.state().trials() > 0 || !(repeats || is_timed) {
            return Ok(true);
        }
        if stop.load(Ordering::Relaxed) {
            return Ok(false);
        }
        let begin = Instant::now();
        let is_alone = self.evaluator.parallelism() == 1 || problem.behaviour().is_one_case();
        let at_a_time = if is_alone { 1 } else { problem.worth_playing(Split::Validation, ALONE) };
        let count = if is_timed { at_a_time.max(TIMED) } else { at_a_time };
        let cases = Case::first(self.job().seed, Split::Validation, count);
        match self.differing(&cases, if repeats { at_a_time } else { 0 }) {
            Ok((differing, count)) => self.course.check(differing, count, begin.elapsed()),
            Err(PlayError::Stopped) => return Ok(false),
            Err(PlayError::Fatal(failure)) => return Err(RunError::Failed(failure)),
        }
        if let Some(differing) = &self.state().differing {
            watch.warning(&differing.to_string());
            self.memory = Memory::new(self.job());
            if let Some((budget, least)) = self.job().small_budget() {
                return Err(RunError::Budget(budget, least));
            }
        }
        let (least, seconds) = self.course.least_seconds();
        match self.job().limits.time.filter(|time| seconds > time.as_secs_f64()) {
            Some(time) => Err(RunError::Time(*time, self.state().pace(self.job()), least, seconds)),
            None => Ok(true),
        }
    }

    /// Plays the baseline, and repeats its first trials alone. Returns the first outcome that
    /// differs, and the number of trials.
    fn differing(&self, cases: &[Case], repeated: usize) -> Result<(Option<Differing>, usize), PlayError> {
        let begin = Instant::now();
        let (mut queue, start) = (self.evaluator.queue(), self.job().space.start().into());
        let first = beside(queue.as_mut(), &start, cases)?;
        let repeated = if begin.elapsed() > DEAR { repeated.min(1) } else { repeated };
        let (repeats, again) = alone(queue.as_mut(), &start, &cases[..repeated], &first)?;
        let instances = self.job().problem.instances(Split::Validation).unwrap_or_default();
        let mut outcomes = first.iter().zip(&again).zip(cases);
        let other = outcomes.find(|((first, again), _)| differs(first, again));
        let differing = other.map(|((first, again), case)| Differing {
            instance: case.instance(&instances),
            scores: [first.score, again.score],
            searched: 0,
            is_shared: repeats == Repeats::Alone,
        });
        Ok((differing, cases.len() + repeated))
    }
}
