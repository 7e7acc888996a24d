//! The course of a run: what its stages play, and what follows from the outcomes. A course decides;
//! it plays nothing and writes no file. A [`Run`](super::Run) hands it outcomes and does what a
//! [`Step`] says; only methods of the course change its state.
//!
//! Each stage has a file: the trials that it requests, and the effect of their outcomes, including
//! the next stage and the records for the log.

mod baseline;
mod bisection;
pub mod counters;
mod effects;
mod end;
pub mod figures;
mod finalist;
pub(super) mod memory;
mod recent;
pub(super) mod record;
pub mod rows;
pub mod schedule;
pub(super) mod search;
mod selection;
pub mod state;
pub(super) mod summary;
mod test;
mod validation;
pub(super) mod verdict;

pub use finalist::Finalist;

use crate::job::{Job, Limits, Sizes, Stage};
use crate::judgement::measured::Measured;
use evolve_search::model::problem::Problem;
use evolve_search::model::seed::Split;
use evolve_search::model::trial::{Case, Outcome};
use evolve_search::optimizer::{Optimizer, StateError};
use memory::Differing;
use record::Record;
use schedule::Schedule;
use search::Search;
use serde_json::Value;
use state::State;
use std::time::{Duration, Instant};

/// A run between two batches of trials.
pub struct Course {
    /// The job, with the problem as it turned out: its trials may not be deterministic, against the
    /// declaration.
    job: Job,
    /// What the checkpoint keeps, beside the state of the optimizer.
    state: State,
    /// The optimizer and its requests.
    search: Search,
}

/// The consequences of a complete schedule.
pub struct Step {
    /// The stage of the schedule.
    pub stage: Stage,
    /// The records for the log.
    pub records: Vec<Record>,
    /// Whether the sizes of the later stages changed.
    pub is_replanned: bool,
    /// Whether trials turned out not to repeat, so that no known outcome may stand for a trial.
    pub forgets: bool,
    /// The split of the test, if the course must [know](State::earlier) which other runs
    /// tested on its instances.
    pub needs_earlier: Option<Split>,
}

impl Course {
    /// Begins the course of a job.
    pub fn new(job: Job) -> Self {
        let state = State { plan: job.plan(job.trials(None)), terms: job.terms(), ..State::default() };
        Course { search: Search::new(job.start_search()), state, job }
    }

    /// Adds the trials before the first trial of the run, and the time that they took. If outcomes
    /// differ, begins again, as if the job declared that trials are not deterministic.
    pub fn check(&mut self, differing: Option<Differing>, trials: usize, elapsed: Duration) {
        self.state.check = Some(trials as u64);
        self.state.counters.seconds += elapsed.as_secs_f64();
        if differing.is_some() {
            self.state.differing = differing;
            let Course { job, state, search } = Course::new(self.job.clone().not_deterministic());
            (self.job, self.state.plan, self.state.terms, self.search) = (job, state.plan, state.terms, search);
        }
    }

    /// Resumes a course from a checkpoint. The job may have other limits and sizes than before.
    ///
    /// # Errors
    /// If the state of the optimizer does not belong to the job.
    pub fn resume(job: Job, state: State, optimizer: &Value) -> Result<Self, StateError> {
        let job = if state.differing.is_some() { job.not_deterministic() } else { job };
        let optimizer = job.resume_search(state.terms, optimizer)?;
        let mut course = Course { job, state, search: Search::new(optimizer) };
        course.adapt();
        Ok(course)
    }

    /// Returns the job, with the problem as it turned out.
    pub fn job(&self) -> &Job {
        &self.job
    }

    pub fn state(&self) -> &State {
        &self.state
    }

    /// Keeps the message of the trial that ended the process, or forgets it.
    pub fn set_failure(&mut self, failure: Option<String>) {
        self.state.failure = failure;
    }

    /// Keeps the [runs](State::earlier) that had tested on the same instances.
    pub fn set_earlier(&mut self, runs: Vec<String>) {
        self.state.earlier = Some(runs);
    }

    /// Keeps the checksum of the [learned](State::learned) trials.
    pub fn set_learned(&mut self, checksum: Option<u32>) {
        self.state.learned = checksum;
    }

    /// Keeps the limits of a verdict, which the job may have changed since.
    pub fn keep_limits(&mut self, limits: Limits, sizes: Sizes) {
        (self.job.limits, self.job.sizes) = (limits, sizes);
    }

    pub fn optimizer(&self) -> &dyn Optimizer {
        &*self.search.optimizer
    }

    /// Adds a batch of the current schedule that took `elapsed`: the outcomes of all its trials,
    /// those of the trials that were played, and a pair of outcomes of one trial that differ.
    pub fn add<'o>(
        &mut self,
        all: Vec<Measured>,
        played: impl Iterator<Item = &'o Outcome>,
        differing: Option<Differing>,
        elapsed: Duration,
    ) {
        if let Some(differing) = differing {
            let searched = self.state.search_trials();
            self.state.doubt.get_or_insert(Differing { searched, ..differing });
        }
        self.state.count(all, played, elapsed);
    }

    /// Returns the current stage; in a complete run, the last one.
    pub fn stage(&self) -> Stage {
        self.state.stage
    }

    /// Returns the next schedule of trials, unless the run [is over](State::verdict).
    pub fn schedule(&self) -> Schedule {
        match self.stage() {
            Stage::Baseline => baseline::schedule(self),
            Stage::Search => search::schedule(self),
            Stage::Validation => validation::schedule(self),
            Stage::Selection => selection::schedule(self),
            Stage::Effects => effects::schedule(self),
            Stage::Test => test::schedule(self),
        }
    }

    /// Returns the schedules after the current one whose trials are known before its outcomes, in
    /// order.
    pub fn ahead(&self) -> Vec<Schedule> {
        if self.stage() == Stage::Search { search::ahead(self) } else { Vec::new() }
    }

    /// Returns whether the current schedule plays all its trials, even those with known outcomes:
    /// an exact verdict relies on trials that repeat.
    pub fn plays_again(&self) -> bool {
        self.stage() == Stage::Test && self.job.problem.is_exact(self.state.plan.test)
    }

    /// Advances once every trial of the schedule has its outcome.
    pub fn complete(&mut self, schedule: &Schedule) -> Step {
        let begin = Instant::now();
        let (stage, plan) = (self.stage(), self.state.plan);
        let mut forgets = false;
        let outcomes = self.state.take_outcomes();
        let mut records = match self.stage() {
            Stage::Baseline => baseline::complete(self, outcomes),
            Stage::Search => search::complete(self, schedule, &outcomes),
            Stage::Validation => validation::complete(self, &outcomes),
            Stage::Selection => selection::complete(self, &schedule.by_candidate(&outcomes)),
            Stage::Effects => {
                effects::complete(self, &outcomes);
                Vec::new()
            }
            Stage::Test => test::complete(self, &schedule.by_candidate(&outcomes)),
        };
        if self.state.differing.is_some() && self.job.problem.behaviour().reproduces() {
            self.job = self.job.clone().not_deterministic();
            forgets = true;
            if self.stage() == Stage::Test && self.state.verdict().is_none() {
                records.extend(test::repeat(self));
            }
        }
        self.state.counters.seconds += begin.elapsed().as_secs_f64();
        let asks = self.stage() >= Stage::Effects && self.state.earlier.is_none();
        Step {
            stage,
            records,
            is_replanned: self.state.plan != plan,
            forgets,
            needs_earlier: asks.then(|| self.state.plan.split(Stage::Test)),
        }
    }

    /// Returns the split whose cases the current stage plays.
    fn split(&self) -> Split {
        self.state.plan.split(self.stage())
    }

    /// Returns the first `count` cases of the current stage.
    fn cases(&self, count: usize) -> Vec<Case> {
        Case::first(self.job.seed, self.split(), count)
    }

    fn problem(&self) -> &dyn Problem {
        &*self.job.problem
    }
}
