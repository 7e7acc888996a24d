//! The completed share of a run and an estimate of the remaining time. The results of a run do not depend on either.

use super::state::{Phase, State};
use crate::job::{Job, Limits};
use std::time::Duration;

/// The inputs of the estimate.
pub struct Outlook<'a> {
    /// The job of the run.
    pub job: &'a Job,
    /// The state of the run.
    pub state: &'a State,
}

/// The approximate number of the optimizer's own points in the selection.
const RECOMMENDED: usize = 2;

impl Outlook<'_> {
    /// Returns the time left until the end of the test; `None` before any trial was played.
    pub fn left(&self) -> Option<Duration> {
        Duration::try_from_secs_f64(self.seconds()?).ok()
    }

    /// Returns the completed share of the run by time, from 0 to 1, including the stages after the search.
    pub fn share(&self) -> f64 {
        match self.seconds() {
            _ if self.state.verdict().is_some() => 1.0,
            Some(left) if left > 0.0 => self.state.counters.seconds / (self.state.counters.seconds + left),
            _ => 0.0,
        }
    }

    fn seconds(&self) -> Option<f64> {
        let state = self.state;
        if state.trials() == 0 || state.counters.seconds <= 0.0 {
            return None;
        }
        let rest = state.plan.rest(self.job, state.search_trials(), 1 + RECOMMENDED, state.plan.test);
        let under_way = state.partial.len() as u64;
        let trials = match &state.phase {
            Phase::Selection => (rest.selection + rest.test).saturating_sub(under_way),
            Phase::Effects(..) => rest.test,
            Phase::Test(judging) => rest.test.saturating_sub(2 * judging.judged[0].len() as u64 + under_way),
            Phase::Done { .. } => 0,
            _ if state.ended.is_some() => (rest.validation + rest.selection + rest.test).saturating_sub(under_way),
            _ => return self.searching(),
        };
        Some(trials as f64 * state.pace())
    }

    /// Returns the seconds left until the end of the test, while the search is under way.
    fn searching(&self) -> Option<f64> {
        let (Limits { budget, generations, time }, state) = (self.job.limits, self.state);
        let by_time = time.map(|time| (time.as_secs_f64() - state.counters.seconds).max(0.0));
        let by_budget = budget.map(|budget| budget.saturating_sub(state.trials()) as f64 * state.pace());
        let by_generations = generations.map(|all| {
            let plan = state.plan;
            let each = match state.search.generations {
                0 => self.job.first_generation() as f64,
                done => state.search_trials() as f64 / done as f64,
            };
            let under_way = if state.phase == Phase::Search { state.partial.len() as f64 } else { 0.0 };
            let search = (all.saturating_sub(state.search.generations) as f64 * each - under_way).max(0.0);
            let rest = plan.rest(self.job, 0, 1 + RECOMMENDED, plan.test).trials() as f64;
            (search * (1.0 + plan.validations()) + rest) * state.pace()
        });
        [by_time, by_budget, by_generations].into_iter().flatten().reduce(f64::min)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::Time;
    use crate::fixture::job;
    use crate::job::Plan;
    use crate::run::state::{Counters, Trials};
    use crate::run::verdict::Verdict;

    /// One trial a second, so many in validations and in the search.
    fn counters(validation: u64, search: u64) -> Counters {
        let trials = Trials { validation, search, ..Trials::default() };
        Counters { trials, seconds: trials.all() as f64, ..Counters::default() }
    }

    #[test]
    fn stages_after_the_search_count() {
        let mut job = job(&[]);
        job.limits = Limits { budget: None, generations: Some(10), time: None };
        let plan = Plan { validation: 50, selection: 20, test: 75, ..Plan::default() };
        let mut state = State { plan, ..State::default() };
        let outlook = |state: &State| {
            let outlook = Outlook { job: &job, state };
            (outlook.left().map(|left| left.as_secs_f64()), outlook.share())
        };
        assert_eq!(outlook(&state), (None, 0.0));
        // 150 trials of the search, 65 of validations, 60 of the selection and 150 of the test.
        (state.counters, state.phase) = (counters(50, 0), Phase::Search);
        assert_eq!(outlook(&state).0, Some(425.0));
        (state.counters, state.search.generations) = (counters(100, 500), 5);
        assert_eq!(outlook(&state).0, Some(810.0));
        assert_eq!(outlook(&state).1, 600.0 / 1410.0);
        (state.counters, state.phase) = (counters(750, 500), Phase::Test(Default::default()));
        assert_eq!(outlook(&state), (Some(150.0), 1250.0 / 1400.0));
        let verdict = Verdict::Kept { start: 0.0, constraints: Vec::new() };
        state.phase = Phase::Done { chosen: Default::default(), verdict };
        assert_eq!(outlook(&state).1, 1.0);
    }

    #[test]
    fn budget_and_time_limit_the_whole_run() {
        let mut job = job(&[]);
        let time = Some(Time(Duration::from_secs(500)));
        job.limits = Limits { budget: Some(1000), generations: None, time };
        let counters = Counters { seconds: 50.0, ..counters(100, 0) };
        let state = State { counters, phase: Phase::Search, ..State::default() };
        let outlook = Outlook { job: &job, state: &state };
        assert_eq!(outlook.left(), Some(Duration::from_secs(450)));
        job.limits.time = None;
        let outlook = Outlook { job: &job, state: &state };
        assert_eq!((outlook.left(), outlook.share()), (Some(Duration::from_secs(450)), 0.1));
    }
}
