//! The end of the search: its conditions, and the trials that it leaves for the later stages.

use super::Course;
use super::state::State;
use crate::job::{ByStage, Job, Limits, Plan, Sizes, Stage};
use evolve_search::statistics::LEAST_CLAIM;

/// The search ends after this many requested trials in a row, and after as many as it has played,
/// whose outcomes were all known: it has explored its space.
const IDLE: u64 = 100;

impl State {
    /// Returns the number of trials of each candidate that are reserved for the test: fewer than
    /// planned if the last validation shows that fewer are enough.
    pub(super) fn reserved_test(&self, job: &Job) -> usize {
        let planned = self.plan.test;
        match self.validation.needed {
            Some(needed) if job.sizes.test.is_none() && !job.is_shortened() => planned.min(needed),
            _ => planned,
        }
    }

    /// Returns whether the current generation was validated.
    fn is_validated(&self) -> bool {
        self.search_trials() > 0 && self.validation.searched == self.search_trials()
    }
}

impl Course {
    /// Returns whether the time limit allows these trials.
    pub(super) fn has_time(&self, trials: ByStage<u64>) -> bool {
        let work = self.job.work(trials.map(|trials| trials as f64));
        let needed = self.state.counters.seconds + work * self.state.pace(&self.job);
        self.job.limits.time.is_none_or(|time| needed <= time.as_secs_f64())
    }

    /// Returns the number of trials that the limits allow at the present pace, see [`Job::trials`].
    pub(super) fn allowed_trials(&self) -> Option<f64> {
        self.job.trials((self.state.trials() > 0).then(|| self.state.pace(&self.job)))
    }

    /// Returns the number of trials of the test that the limits leave.
    pub(super) fn left(&self) -> u64 {
        let Limits { budget, time, .. } = self.job.limits;
        let by_budget = budget.map(|budget| budget.saturating_sub(self.state.trials()));
        let by_time = time.map(|time| {
            let left = (time.as_secs_f64() - self.state.counters.seconds).max(0.0);
            let each = self.state.pace(&self.job) * self.job.cost(Stage::Test);
            (left / each.max(1e-9)) as u64
        });
        [by_budget, by_time].into_iter().flatten().min().unwrap_or(u64::MAX)
    }

    /// Returns the number of trials of each candidate for the test, decided at the end of the
    /// selection: at most as many as the limits leave.
    pub(super) fn affordable_test(&self) -> usize {
        let Course { job, state, .. } = self;
        let reserved = state.reserved_test(job);
        if job.sizes.test.is_some() || job.problem.behaviour().is_one_case() {
            return reserved;
        }
        let left = self.left().saturating_sub(state.plan.effects(job, state.search_trials()));
        reserved.min((left / 2) as usize).max(LEAST_CLAIM.min(reserved))
    }

    /// Returns whether the search is over: a limit is reached, or the optimizer's next request
    /// would use trials that the rest of the run needs.
    pub(super) fn is_search_over(&self) -> bool {
        self.is_search_over_after(0)
    }

    /// Returns whether the search is over once the next `count` known generations are complete.
    fn is_search_over_after(&self, count: usize) -> bool {
        let Course { job, state, search } = self;
        let Limits { budget, generations, .. } = job.limits;
        let next = search.known(count).map_or(0, |ask| ask.trials.len() as u64);
        let until = search.trials(count).saturating_sub(state.partial.len() as u64);
        let is_idle = state.search.idle >= IDLE.max(state.search_trials());
        let searched = state.search_trials() + search.trials(count);
        let finalists = 1 + search.optimizer.recommended().len() + usize::from(state.validation.incumbent.is_some());
        let rest = state.plan.rest(job, searched, finalists, state.reserved_test(job));
        let mut coming = rest;
        coming[Stage::Search] += until + next;
        state.finished
            || is_idle
            || searched > 0 && budget.is_some_and(|budget| state.trials().saturating_add(coming.total()) > budget)
            || generations.is_some_and(|all| search.optimizer.generation() + count as u64 >= all)
            || searched > 0 && !self.has_time(coming)
    }

    /// Returns whether a validation is due once the search has played `searched` trials.
    fn is_due(&self, searched: u64) -> bool {
        let State { plan, validation, .. } = &self.state;
        plan.trials_between().is_some_and(|between| searched - validation.searched >= between)
    }

    /// Returns whether the search continues without another stage once the next `count` known
    /// generations are complete. A time limit may still end it earlier.
    pub(super) fn goes_on(&self, count: usize) -> bool {
        let searched = self.state.search_trials() + self.search.trials(count);
        !self.is_search_over_after(count) && !self.is_due(searched)
    }

    /// Returns the stage that follows a generation. Ends the search if it is over.
    pub(super) fn after_generation(&mut self) -> Stage {
        self.state.ended |= self.is_search_over();
        match self.state.ended {
            true if self.state.plan.trials_between().is_none() => Stage::Selection,
            is_over if is_over || self.is_due(self.state.search_trials()) => Stage::Validation,
            _ => Stage::Search,
        }
    }

    /// Returns the plan at the present pace.
    pub(super) fn planned(&self) -> Plan {
        // Keep the validation's size: its outcomes are compared with the baseline's.
        let sizes = Sizes { validation: Some(self.state.plan.validation), ..self.job.sizes };
        Job { sizes, ..self.job.clone() }.plan(self.allowed_trials())
    }

    /// Returns the seconds that the shortest run takes, if trials keep the present pace: one
    /// generation of the search and all later stages with the smallest test.
    pub(in crate::run) fn least_seconds(&self) -> (u64, f64) {
        let least = self.job.least_trials();
        let work = self.job.work(least.map(|trials| trials as f64));
        (least.total(), self.state.counters.seconds + work * self.state.pace(&self.job))
    }

    /// Adapts an unfinished search to other limits and sizes than before. A generation under way is
    /// played to its end; if none is, and the run is already beyond its new limits, the search
    /// ends.
    pub(super) fn adapt(&mut self) {
        let is_under_way = !self.state.partial.is_empty();
        if let Some(all) = &mut self.job.limits.generations {
            let under_way = u64::from(is_under_way && self.state.stage == Stage::Search);
            *all = (*all).max(self.search.optimizer.generation() + under_way);
        }
        if self.state.ended {
            return;
        }
        self.state.plan = self.planned();
        if !is_under_way && self.is_search_over() {
            self.finish();
        }
    }

    /// Ends the search after the last complete generation, or after the first one. Returns whether
    /// the search was still running. A validation that has begun is completed.
    pub(in crate::run) fn finish(&mut self) -> bool {
        let Course { state, search, .. } = self;
        if state.ended || state.finished {
            return false;
        }
        state.finished = true;
        if state.stage == Stage::Search && search.optimizer.generation() > 0 {
            state.counters.trials[Stage::Search] = state.search_trials();
            (state.partial, state.played) = (Vec::new(), 0);
            state.ended = true;
            let is_next = state.is_validated() || state.plan.validation == 0;
            state.stage = if is_next { Stage::Selection } else { Stage::Validation };
        }
        true
    }

    /// Returns the job that reproduces the run. It names the generations of a search that the user
    /// ended, and the sizes that the run adapted.
    pub(in crate::run) fn reproducing(&self) -> Job {
        let Limits { budget, .. } = self.job.limits;
        let limits = match self.state.finished {
            // The budget still decides how to search.
            true => Limits { budget, generations: Some(self.search.optimizer.generation().max(1)), time: None },
            false => self.job.limits,
        };
        let job = Job { limits, ..self.job.clone() };
        let sizes = Sizes::from(self.state.plan);
        let is_same = Sizes::from(job.plan(job.trials(None))) == sizes;
        Job { sizes: if is_same { job.sizes } else { sizes }, ..job }
    }
}
