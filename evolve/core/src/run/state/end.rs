//! The end of the search: its conditions, and the trials that it leaves for the later stages. A run is prolonged if it
//! is resumed with larger limits: it returns to the end of its search.

use super::{Phase, State};
use crate::job::{ByStage, Job, Limits, Plan, Sizes};
use crate::judgement::comparison::LEAST_CLAIM;
use crate::run::search::Search;
use serde::{Deserialize, Serialize};

/// The end of the search, to which a prolonged run returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ended {
    /// Trials at the end of the search; later ones belong to the last validation, the selection and the test.
    pub trials: ByStage<u64>,
    /// Trials of the search at the last validation.
    pub validated: u64,
    /// The limits that ended the search.
    pub limits: Limits,
}

impl State {
    /// Returns whether the time limit allows this many more trials.
    pub(in crate::run) fn has_time(&self, job: &Job, trials: u64) -> bool {
        job.limits.time.is_none_or(|time| self.counters.seconds + trials as f64 * self.pace() <= time.as_secs_f64())
    }

    /// Returns the number of trials of each candidate that are reserved for the test: fewer than planned if the last
    /// validation shows that fewer are enough.
    pub(in crate::run) fn reserved_test(&self, job: &Job) -> usize {
        let planned = self.plan.test;
        match self.validation.needed {
            Some(needed) if job.sizes.test.is_none() => planned.min(needed),
            _ => planned,
        }
    }

    /// Returns the number of trials of each candidate for the test, decided at the end of the selection: at most as
    /// many as the limits leave.
    pub(in crate::run) fn affordable_test(&self, job: &Job) -> usize {
        let reserved = self.reserved_test(job);
        if job.sizes.test.is_some() || job.source.problem.traits().is_one_deal() {
            return reserved;
        }
        let effects = self.plan.effects(job, self.search_trials());
        let by_budget = job.limits.budget.map(|budget| budget.saturating_sub(self.trials() + effects));
        let by_time = job.limits.time.map(|time| {
            let left = (time.as_secs_f64() - self.counters.seconds).max(0.0);
            ((left / self.pace().max(1e-9)) as u64).saturating_sub(effects)
        });
        let left = [by_budget, by_time].into_iter().flatten().min().unwrap_or(u64::MAX);
        reserved.min((left / 2) as usize).max(LEAST_CLAIM)
    }

    /// Returns whether the search is over: a limit is reached, or the optimizer's next request would use trials that
    /// the rest of the run needs.
    pub(in crate::run) fn is_over(&self, job: &Job, search: &Search) -> bool {
        self.is_over_after(job, search, 0)
    }

    /// Returns whether the search is over once the next `count` known generations are complete.
    fn is_over_after(&self, job: &Job, search: &Search, count: usize) -> bool {
        let Limits { budget, generations, .. } = job.limits;
        let next = search.known(count).map_or(0, |ask| ask.trials.len() as u64);
        let until = search.trials(count).saturating_sub(self.partial.len() as u64);
        let searched = self.search_trials() + search.trials(count);
        let played = self.ended.map_or(self.counters.trials, |ended| ended.trials).total();
        let finalists = 1 + search.optimizer.recommended().len() + usize::from(self.validation.incumbent.is_some());
        let rest = self.plan.rest(job, searched, finalists, self.reserved_test(job));
        let coming = until + next + rest.total();
        self.finished
            || searched > 0 && budget.is_some_and(|budget| played.saturating_add(coming) > budget)
            || generations.is_some_and(|all| search.optimizer.generation() + count as u64 >= all)
            || searched > 0 && !self.has_time(job, coming)
    }

    /// Returns whether a validation is due once the search has played `searched` trials.
    fn is_due(&self, searched: u64) -> bool {
        self.plan.trials_between().is_some_and(|between| searched - self.validation.searched >= between)
    }

    /// Returns whether the search continues without another stage once the next `count` known generations are complete.
    /// A time limit may still end it earlier.
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

    /// Records the end of the search after this many trials.
    pub(in crate::run) fn end(&mut self, job: &Job, trials: ByStage<u64>) {
        self.ended = Some(Ended { trials, validated: self.validation.searched, limits: job.limits });
    }

    /// Returns to the end of the last generation if the job was prolonged, and its search continues. Returns whether it
    /// did. From then on, the run equals one whose job had these limits from the start.
    pub(in crate::run) fn reopen(&mut self, job: &Job, search: &Search) -> bool {
        if self.ended.is_some_and(|ended| ended.limits == job.limits && !self.finished) {
            return false;
        }
        let then = self.plan;
        // Keep the validation's size: its outcomes are compared with the baseline's.
        let sizes = Sizes { validation: Some(then.validation), ..job.sizes };
        let trials = job.trials((self.trials() > 0).then(|| self.pace()));
        self.plan = Job { sizes, ..job.clone() }.plan(trials);
        let Some(ended) = self.ended else { return false };
        let finished = std::mem::replace(&mut self.finished, false);
        if self.is_over(job, search) {
            (self.finished, self.plan) = (finished, then);
            return false;
        }
        self.counters.trials = ended.trials;
        self.validation.searched = ended.validated;
        self.partial.clear();
        self.ended = None;
        self.phase = if self.is_validated() { Phase::Search } else { self.phase_after_generation(job, search) };
        true
    }

    /// Ends the search after the last complete generation, or after the first one. Returns whether the search was still
    /// running. A validation that has begun is completed.
    pub(in crate::run) fn finish(&mut self, job: &Job, search: &Search) -> bool {
        if self.ended.is_some() || self.finished {
            return false;
        }
        self.finished = true;
        if self.phase == Phase::Search && search.optimizer.generation() > 0 {
            self.counters.trials.search = self.search_trials();
            self.partial.clear();
            self.end(job, self.counters.trials);
            let is_next = self.is_validated() || self.plan.validation == 0;
            self.phase = if is_next { Phase::Selection } else { Phase::Validation };
        }
        true
    }

    /// Returns whether the current generation was validated.
    fn is_validated(&self) -> bool {
        self.search_trials() > 0 && self.validation.searched == self.search_trials()
    }

    /// Returns the job that reproduces the run. Its limits and sizes are the actual ones if the run exceeded those of
    /// the job, ended early or had others before. The budget at the start is named if these limits would decide otherwise.
    pub(in crate::run) fn extent(&self, job: &Job, search: &Search) -> Job {
        let limits = self.limits(job, search);
        let mut named = Job { limits, initial_budget: None, ..job.clone() };
        let first = Job { initial_budget: Some(self.plan.budget), ..named.clone() };
        let decided =
            |job: &Job| (Plan { budget: job.first_budget(), ..self.plan }.split(), job.start_search().state());
        if named.first_budget() != self.plan.budget && decided(&named) != decided(&first) {
            named = first;
        }
        let sizes = Sizes::from(self.plan);
        let is_same = Sizes::from(named.plan(named.trials(None))) == sizes;
        Job { sizes: if is_same { job.sizes } else { sizes }, ..named }
    }

    fn limits(&self, job: &Job, search: &Search) -> Limits {
        let generation = search.optimizer.generation();
        let in_progress = u64::from(self.phase == Phase::Search && !self.partial.is_empty());
        let coming = generation + in_progress;
        match self.finished {
            true => Limits { budget: None, generations: Some(generation.max(1)), time: None },
            false => Limits { generations: job.limits.generations.map(|all| all.max(coming)), ..job.limits },
        }
    }
}
