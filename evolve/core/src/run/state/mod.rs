//! The state of a run: everything, besides the optimizer's own state, that determines the rest of
//! the run.

mod counters;
mod end;
mod phase;

pub use counters::Counters;
pub use phase::{Judging, Phase};

use super::error::RunError;
use super::failures::Late;
use super::finalist::Finalist;
use super::memory::Differing;
use super::penalty::Penalty;
use super::recent::Recent;
use super::record::GenerationRecord;
use super::rows::Stage;
use super::verdict::Verdict;
use crate::evaluator::Trial;
use crate::job::{Job, Plan};
use crate::judgement::comparison::Difference;
use crate::judgement::measured::Measured;
use crate::model::problem::Problem;
use crate::model::trial::Outcome;
use crate::search::is_count;
use crate::statistics::{Interval, counted, grouped};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// The state of a run between two batches of trials. The default is the state before the first
/// trial.
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
    /// The number of these that were played; the others were known.
    pub played: u64,
    /// The trials of the baseline before the first trial, to see whether trials repeat and how long
    /// they take; `None` until then. They are not trials of the run, but take time.
    pub check: Option<u64>,
    /// Two outcomes of one trial that differ, although the job says that trials are deterministic.
    /// From then on, the run is one whose trials are not.
    pub differing: Option<Differing>,
    /// The same, found in the current round: it counts once the round is complete.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub doubt: Option<Differing>,
    /// The other runs that had tested on instances of this run's test when it began.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub earlier: Option<Vec<String>>,
    /// The stage and the text of the first failure that was counted.
    pub first_failure: Option<(Stage, String)>,
    /// Checksum of the table of trials learned from earlier runs.
    pub learned: Option<u32>,
    /// Outcomes of the baseline on the held-out instances.
    pub baseline: Vec<Measured>,
    /// The search so far.
    pub search: Searched,
    /// The last validation.
    pub validation: Validated,
    /// The difference from the baseline in the last validation, or by the optimizer's model in a
    /// run without validations.
    pub(super) gain: Option<Gain>,
    /// Whether the user ended the search before its limits did.
    pub finished: bool,
    /// Whether the search has ended.
    pub ended: bool,
    /// The message of the trial that ended the process, until the run is resumed: it failed, or its
    /// score was unusable.
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
    /// The latest trials, as evidence on the finalist.
    #[serde(default)]
    pub(super) recent: Recent,
    /// The scales of penalties for broken constraints.
    pub(super) penalty: Penalty,
    /// Seconds of work, including the current round.
    pub seconds: f64,
    /// The trials and seconds of the run at the end of the first generation.
    pub first: Option<(u64, f64)>,
    /// The number of requested trials, since the last one that was played, whose outcomes were
    /// known.
    pub idle: u64,
}

/// The last validation, and its consequences for the later stages.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Validated {
    /// Trials of the search at the time of the validation.
    pub searched: u64,
    /// Differences of the search's mean from the baseline, by independent units: evidence of the
    /// distribution of differences and of failures.
    pub differences: Vec<Difference>,
    /// Approximate number of trials of each candidate after which the test is conclusive, by the
    /// last validation during the search.
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

/// The number of trials after the first generation from which their pace counts.
const LATER: u64 = 8;
impl Gain {
    /// Formats the interval, in percent if objectives are ratios, with the objective named if it is
    /// not the score.
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
        let current = if self.phase == Phase::Search { self.played } else { 0 };
        self.counters.trials.search.saturating_sub(current)
    }

    /// Returns the average number of seconds from one trial to the next: so far, or since the first
    /// generation if trials have taken longer since then. The first generation may have played a
    /// single instance, an easy one.
    pub(super) fn pace(&self) -> f64 {
        let Counters { seconds, .. } = self.counters;
        let (first_trials, first_seconds) = self.search.first.unwrap_or_default();
        let since = self.trials().saturating_sub(first_trials);
        let later = if since >= LATER { (seconds - first_seconds) / since as f64 } else { 0.0 };
        (seconds / (self.trials() + self.check.unwrap_or(0)).max(1) as f64).max(later)
    }

    /// Adds a batch that took `elapsed`: the outcomes of all its trials, and those of the trials
    /// that were played.
    pub(super) fn count(&mut self, all: Vec<Measured>, played: &[(Trial, Outcome)], elapsed: Duration) {
        self.partial.extend(all);
        self.played += played.len() as u64;
        if self.first_failure.is_none() {
            let failed = |(trial, outcome): &(Trial, Outcome)| {
                let failure = outcome.failure.as_ref()?;
                Some((trial.deal.split.into(), failure.to_string()))
            };
            self.first_failure = played.iter().find_map(failed);
        }
        self.counters.add(&self.phase, played.iter().map(|(_, outcome)| outcome), elapsed);
        if self.phase == Phase::Search {
            self.search.seconds += elapsed.as_secs_f64();
        }
    }

    /// Takes the outcomes of a complete round.
    pub(super) fn take_round(&mut self) -> Vec<Measured> {
        let outcomes = std::mem::take(&mut self.partial);
        let played = std::mem::take(&mut self.played);
        if self.phase == Phase::Search {
            self.search.idle = if played > 0 { 0 } else { self.search.idle + outcomes.len() as u64 };
        }
        outcomes
    }

    /// Returns what the verdict of the run should not be read without: the [facts](Self::facts),
    /// and earlier tests on the same instances.
    pub fn notes(&self) -> Vec<String> {
        let earlier = self.earlier.iter().filter(|runs| !runs.is_empty() && !self.is_exact());
        let earlier = earlier.map(|runs| {
            let count = counted(runs.len() as u64, "earlier run");
            format!("instances of the test were used by the tests of {count}: {}", runs.join(", "))
        });
        self.facts().into_iter().chain(earlier).collect()
    }

    fn is_exact(&self) -> bool {
        matches!(self.verdict(), Some(Verdict::Exact(..)))
    }

    /// Returns the facts about the trials of the run: whether they did not repeat, and how many
    /// failed.
    pub fn facts(&self) -> Vec<String> {
        let differing = self.differing.iter().map(ToString::to_string);
        differing.chain(self.failures_note()).collect()
    }

    fn failures_note(&self) -> Option<String> {
        let (stage, first) = self.first_failure.as_ref()?;
        let Counters { trials, failures, .. } = &self.counters;
        let stages = failures.by_name().into_iter().zip(trials.by_name()).filter(|((failed, _), _)| *failed > 0);
        let stages =
            stages.map(|((failed, stage), (all, _))| format!("{} of {} {stage}", grouped(failed), grouped(all)));
        let stages: Vec<String> = stages.collect();
        Some(format!("failed trials: {}; the first, in the {}: {first}", stages.join(", "), stage.name()))
    }

    /// Returns the message about a run of which every trial failed, once its search is over.
    pub(super) fn hopeless(&self) -> Option<RunError> {
        let failed = self.counters.failures.total();
        let (_, first) = self.first_failure.as_ref()?;
        (self.ended && failed == self.trials()).then(|| RunError::AllFailed(failed, first.clone()))
    }

    /// Returns the difference from the baseline: from the test if the run is complete, otherwise
    /// from the last validation, or from the optimizer's model in a run without validations.
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
        let State { phase, plan, partial, played, baseline, search, validation, ended, .. } = self;
        let constraints = job.source.problem.constraints().len();
        let is_whole = |incumbent: &Finalist| incumbent.weights.len() == job.space.parameters().len();
        counters.fits()
            && [search.generations, search.deals].into_iter().all(is_count)
            && is_time(search.seconds)
            && search.first.is_none_or(|(trials, seconds)| is_count(trials) && is_time(seconds))
            && is_count(self.check.unwrap_or(0))
            && search.late.fits()
            && search.recent.fits(job.space.coordinates().len())
            && search.penalty.fits(constraints)
            && validation.incumbent.as_ref().is_none_or(is_whole)
            && *counters.trials.of(phase) >= *played
            && *played <= partial.len() as u64
            && self.search_trials() >= validation.searched
            && partial.iter().chain(baseline).all(|measured| measured.fits(constraints))
            && (*phase == Phase::Baseline || baseline.len() == plan.validation)
            && (*ended || matches!(phase, Phase::Baseline | Phase::Search | Phase::Validation))
            && phase.fits(job, plan)
    }
}

/// Returns whether a number read from a file is a valid number of seconds.
fn is_time(seconds: f64) -> bool {
    seconds.is_finite() && seconds >= 0.0
}
