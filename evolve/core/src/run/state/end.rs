//! The end of the search: its conditions, and the trials that it leaves for the later stages.

use super::{Phase, State};
use crate::job::{Job, Limits, Plan, Sizes};
use crate::judgement::comparison::LEAST_CLAIM;
use crate::run::search::Search;

/// The search ends after this many requested trials in a row, and after as many as it has played,
/// whose outcomes were all known: it has explored its space.
const IDLE: u64 = 100;

impl State {
    /// Returns whether the time limit allows this many more trials.
    pub(in crate::run) fn has_time(&self, job: &Job, trials: u64) -> bool {
        job.limits.time.is_none_or(|time| self.counters.seconds + trials as f64 * self.pace() <= time.as_secs_f64())
    }

    /// Returns the number of trials of each candidate that are reserved for the test: fewer than
    /// planned if the last validation shows that fewer are enough.
    pub(in crate::run) fn reserved_test(&self, job: &Job) -> usize {
        let planned = self.plan.test;
        match self.validation.needed {
            Some(needed) if job.sizes.test.is_none() => planned.min(needed),
            _ => planned,
        }
    }

    /// Returns the number of trials of each candidate for the test, decided at the end of the
    /// selection: at most as many as the limits leave.
    pub(in crate::run) fn affordable_test(&self, job: &Job) -> usize {
        let reserved = self.reserved_test(job);
        if job.sizes.test.is_some() || job.source.problem.traits().is_one_deal() {
            return reserved;
        }
        let left = self.left(job).saturating_sub(self.plan.effects(job, self.search_trials()));
        reserved.min((left / 2) as usize).max(LEAST_CLAIM.min(reserved))
    }

    /// Returns the number of trials that the limits leave.
    pub(in crate::run) fn left(&self, job: &Job) -> u64 {
        let by_budget = job.limits.budget.map(|budget| budget.saturating_sub(self.trials()));
        let by_time = job.limits.time.map(|time| {
            let left = (time.as_secs_f64() - self.counters.seconds).max(0.0);
            (left / self.pace().max(1e-9)) as u64
        });
        [by_budget, by_time].into_iter().flatten().min().unwrap_or(u64::MAX)
    }

    /// Returns whether the search is over: a limit is reached, or the optimizer's next request
    /// would use trials that the rest of the run needs.
    pub(in crate::run) fn is_over(&self, job: &Job, search: &Search) -> bool {
        self.is_over_after(job, search, 0)
    }

    /// Returns whether the search is over once the next `count` known generations are complete.
    fn is_over_after(&self, job: &Job, search: &Search, count: usize) -> bool {
        let Limits { budget, generations, .. } = job.limits;
        let next = search.known(count).map_or(0, |ask| ask.trials.len() as u64);
        let until = search.trials(count).saturating_sub(self.partial.len() as u64);
        let is_idle = self.search.idle >= IDLE.max(self.search_trials());
        let searched = self.search_trials() + search.trials(count);
        let played = self.trials();
        let finalists = 1 + search.optimizer.recommended().len() + usize::from(self.validation.incumbent.is_some());
        let rest = self.plan.rest(job, searched, finalists, self.reserved_test(job));
        let coming = until + next + rest.total();
        self.finished
            || is_idle
            || searched > 0 && budget.is_some_and(|budget| played.saturating_add(coming) > budget)
            || generations.is_some_and(|all| search.optimizer.generation() + count as u64 >= all)
            || searched > 0 && !self.has_time(job, coming)
    }

    /// Returns whether a validation is due once the search has played `searched` trials.
    fn is_due(&self, searched: u64) -> bool {
        self.plan.trials_between().is_some_and(|between| searched - self.validation.searched >= between)
    }

    /// Returns whether the search continues without another stage once the next `count` known
    /// generations are complete. A time limit may still end it earlier.
    pub(in crate::run) fn goes_on(&self, job: &Job, search: &Search, count: usize) -> bool {
        !self.is_over_after(job, search, count) && !self.is_due(self.search_trials() + search.trials(count))
    }

    /// Returns the phase that follows a generation.
    pub(in crate::run) fn phase_after_generation(&self, job: &Job, search: &Search) -> Phase {
        match self.is_over(job, search) {
            true if self.plan.trials_between().is_none() => Phase::Selection,
            is_over if is_over || self.is_due(self.search_trials()) => Phase::Validation,
            _ => Phase::Search,
        }
    }

    /// Adapts the plan to the limits and sizes of a resumed job, which may differ from those
    /// before, unless the search has ended.
    pub(in crate::run) fn plan_again(&mut self, job: &Job) {
        if self.ended {
            return;
        }
        self.plan = self.planned(job);
    }

    /// Returns the plan at the present pace.
    pub(in crate::run) fn planned(&self, job: &Job) -> Plan {
        // Keep the validation's size: its outcomes are compared with the baseline's.
        let sizes = Sizes { validation: Some(self.plan.validation), ..job.sizes };
        let trials = job.trials((self.trials() > 0).then(|| self.pace()));
        Job { sizes, ..job.clone() }.plan(trials)
    }

    /// Returns the seconds that the shortest run takes, if trials keep the present pace: one
    /// generation of the search and all later stages with the smallest test.
    pub(in crate::run) fn least_seconds(&self, job: &Job) -> (u64, f64) {
        let least = job.least_trials();
        (least, self.counters.seconds + least as f64 * self.pace())
    }

    /// Ends the search after the last complete generation, or after the first one. Returns whether
    /// the search was still running. A validation that has begun is completed.
    pub(in crate::run) fn finish(&mut self, search: &Search) -> bool {
        if self.ended || self.finished {
            return false;
        }
        self.finished = true;
        if self.phase == Phase::Search && search.optimizer.generation() > 0 {
            self.counters.trials.search = self.search_trials();
            (self.partial, self.played) = (Vec::new(), 0);
            self.ended = true;
            let is_next = self.is_validated() || self.plan.validation == 0;
            self.phase = if is_next { Phase::Selection } else { Phase::Validation };
        }
        true
    }

    /// Returns whether the current generation was validated.
    fn is_validated(&self) -> bool {
        self.search_trials() > 0 && self.validation.searched == self.search_trials()
    }

    /// Returns the job that reproduces the run. Its limits and sizes are the actual ones if the run
    /// exceeded those of the job, or ended early.
    pub(in crate::run) fn extent(&self, job: &Job, search: &Search) -> Job {
        let named = Job { limits: self.limits(job, search), ..job.clone() };
        let sizes = Sizes::from(self.plan);
        let is_same = Sizes::from(named.plan(named.trials(None))) == sizes;
        Job { sizes: if is_same { job.sizes } else { sizes }, ..named }
    }

    fn limits(&self, job: &Job, search: &Search) -> Limits {
        let Limits { budget, generations, time } = job.limits;
        let generation = search.optimizer.generation();
        let in_progress = u64::from(self.phase == Phase::Search && !self.partial.is_empty());
        let coming = generation + in_progress;
        match self.finished {
            // The budget still decides how to search.
            true => Limits { budget, generations: Some(generation.max(1)), time: None },
            false => Limits { budget, generations: generations.map(|all| all.max(coming)), time },
        }
    }
}
