//! The state of a run: everything, besides the optimizer's own state, that determines the rest of the run.

mod counters;
mod end;
mod phase;

pub use counters::Counters;
pub use end::Ended;
pub use phase::{Judging, Phase};

use super::failures::Late;
use super::finalist::Finalist;
use super::penalty::Penalty;
use super::record::GenerationRecord;
use super::verdict::Verdict;
use crate::job::{Job, Plan};
use crate::judgement::comparison::Difference;
use crate::judgement::measured::Measured;
use crate::model::problem::Problem;
use crate::model::trial::Outcome;
use crate::search::is_count;
use crate::statistics::Interval;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// The state of a run between two batches of trials. The default is the state before the first trial.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct State {
    /// The phase, with the data of a stage after the search.
    pub phase: Phase,
    /// The sizes of validation, selection and test.
    pub plan: Plan,
    /// The trials and seconds spent so far.
    pub counters: Counters,
    /// Outcomes so far of the current round, in its order of play.
    pub partial: Vec<Measured>,
    /// Checksum of the table of trials learned from earlier runs.
    pub learned: Option<u32>,
    /// Outcomes of the baseline on the held-out instances.
    pub baseline: Vec<Measured>,
    /// The search so far.
    pub search: Searched,
    /// The last validation.
    pub validation: Validated,
    /// The difference from the baseline in the last validation, or by the optimizer's model in a run without
    /// validations.
    pub(super) gain: Option<Gain>,
    /// Whether the user ended the search before its limits did.
    pub finished: bool,
    /// The end of the search, if it has ended.
    pub ended: Option<Ended>,
    /// The message of the trial that ended the process, until the run is resumed: it failed, or its score was unusable.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<String>,
}

/// The complete generations of a search. Its trials are [`State::search_trials`].
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Searched {
    /// The number of generations.
    pub generations: u64,
    /// The number of different deals that they played.
    pub deals: u64,
    /// The last generation, recorded or not.
    pub latest: Option<GenerationRecord>,
    /// The failures late in the search.
    pub(super) late: Late,
    /// The scales of penalties for broken constraints.
    pub(super) penalty: Penalty,
    /// Seconds of work, including the current round.
    pub seconds: f64,
}

/// The last validation, and its consequences for the later stages.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Validated {
    /// Trials of the search at the time of the validation.
    pub searched: u64,
    /// Differences of the search's mean from the baseline, by independent units: evidence of the distribution of
    /// differences and of failures.
    pub differences: Vec<Difference>,
    /// Approximate number of trials of each candidate after which the test is conclusive, by the last validation during
    /// the search.
    pub needed: Option<usize>,
    /// With constraints: the latest mean of the search that held them in a validation.
    pub(super) incumbent: Option<Finalist>,
}

/// The source of an estimated difference from the baseline.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Evidence {
    /// The trials of the search, through the optimizer's model; no held-out trials.
    Model,
    /// The held-out trials of the last validation.
    Validation,
    /// The held-out test.
    Test,
}

/// The difference of the incumbent from the baseline.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Gain {
    /// Its mean with the 95 % confidence interval.
    pub interval: Interval,
    /// The source of the estimate.
    pub evidence: Evidence,
}

impl Gain {
    /// Formats the interval, in percent if objectives are ratios, with the objective named if it is not the score.
    pub fn text(&self, problem: &dyn Problem) -> String {
        let interval = match problem.traits().by_ratio {
            true => self.interval.percent(),
            false => self.interval.to_string(),
        };
        let is_score = problem.goal().is_none_or(|goal| goal.is_plain());
        if is_score { interval } else { format!("{interval} in the objective") }
    }
}

impl State {
    /// Returns the state of a run before its first trial.
    pub(super) fn new(job: &Job) -> Self {
        State { plan: job.plan(job.trials(None)), ..State::default() }
    }

    /// Returns the number of trials so far.
    pub fn trials(&self) -> u64 {
        self.counters.trials.total()
    }

    /// Returns the trials of the search, without the current round.
    pub fn search_trials(&self) -> u64 {
        let current = if self.phase == Phase::Search { self.partial.len() } else { 0 };
        self.counters.trials.search.saturating_sub(current as u64)
    }

    /// Returns the average number of seconds from one trial to the next, so far.
    pub(super) fn pace(&self) -> f64 {
        self.counters.seconds / self.trials().max(1) as f64
    }

    /// Adds the outcomes of a batch that took `elapsed`.
    pub(super) fn count(&mut self, job: &Job, outcomes: &[Outcome], elapsed: Duration) {
        let constraints = job.source.problem.constraints();
        self.partial.extend(outcomes.iter().map(|outcome| Measured::of(outcome, &constraints)));
        self.counters.add(&self.phase, outcomes, elapsed);
        if self.phase == Phase::Search {
            self.search.seconds += elapsed.as_secs_f64();
        }
    }

    /// Returns the difference from the baseline: from the test if the run is complete, otherwise from the last
    /// validation, or from the optimizer's model in a run without validations.
    pub fn gain(&self) -> Option<Gain> {
        match self.verdict() {
            Some(verdict) => verdict.difference().map(|interval| Gain { interval, evidence: Evidence::Test }),
            None => self.gain,
        }
    }

    /// Returns the verdict of a complete run.
    pub fn verdict(&self) -> Option<&Verdict> {
        match &self.phase {
            Phase::Done { verdict, .. } => Some(verdict),
            _ => None,
        }
    }

    /// Returns whether a state read from a file is consistent with itself and its job.
    pub(super) fn fits(&self, job: &Job) -> bool {
        let mut counters = self.counters;
        let State { phase, plan, partial, baseline, search, validation, ended, .. } = self;
        let constraints = job.source.problem.constraints().len();
        let is_whole = |incumbent: &Finalist| incumbent.weights.len() == job.space.parameters().len();
        counters.fits()
            && [search.generations, search.deals].into_iter().all(is_count)
            && is_time(search.seconds)
            && search.late.fits()
            && search.penalty.fits(constraints)
            && validation.incumbent.as_ref().is_none_or(is_whole)
            && *counters.trials.of(phase) >= partial.len() as u64
            && self.search_trials() >= validation.searched
            && partial.iter().chain(baseline).all(|measured| measured.fits(constraints))
            && (*phase == Phase::Baseline || baseline.len() == plan.validation)
            && (ended.is_some() || matches!(phase, Phase::Baseline | Phase::Search | Phase::Validation))
            && ended.is_none_or(|ended| {
                ended.trials.search == self.search_trials()
                    && ended.trials.total() <= self.trials()
                    && ended.validated <= validation.searched
            })
            && phase.fits(job, plan)
    }
}

/// Returns whether a number read from a file is a valid number of seconds.
fn is_time(seconds: f64) -> bool {
    seconds.is_finite() && seconds >= 0.0
}
