//! The state of a run: everything, besides the optimizer's own state, that determines the rest of
//! the run.

use super::bisection::Bisection;
use super::counters::Counters;
use super::finalist::Finalist;
use super::memory::Differing;
use super::recent::Recent;
use super::record::GenerationRecord;
use super::verdict::Verdict;
use crate::job::time_limit::slack;
use crate::job::{Job, Plan, Stage, TimeLimits};
use crate::judgement::comparison::Difference;
use crate::judgement::feasibility::Penalty;
use crate::judgement::measured::Measured;
use crate::run::error::RunError;
use evolve_search::model::problem::Problem;
use evolve_search::model::trial::Outcome;
use evolve_search::optimizer::Terms;
use evolve_search::statistics::{Interval, counted, grouped};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// The state of a run between two batches of trials. The default is the state before the first
/// trial.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct State {
    /// The current stage; in a complete run, the last one.
    pub stage: Stage,
    /// The sizes of validation, selection and test.
    pub plan: Plan,
    /// The terms on which the search began, which it keeps.
    pub(in crate::run) terms: Terms,
    /// The trials and seconds spent so far.
    pub counters: Counters,
    /// Outcomes so far of the current schedule, in its order of play.
    pub partial: Vec<Measured>,
    /// The number of these that were played; the others were known.
    pub played: u64,
    /// The trials of the baseline before the first trial, to see whether trials repeat and how long
    /// they take; `None` until then. They are not trials of the run, but take time.
    pub check: Option<u64>,
    /// Two outcomes of one trial that differ, although the job says that trials are deterministic.
    /// From then on, the run is one whose trials are not.
    pub differing: Option<Differing>,
    /// The same, found in the current schedule: it counts once the schedule is complete.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub doubt: Option<Differing>,
    /// The other runs that had tested on instances of this run's test when it began.
    #[serde(skip_serializing_if = "Option::is_none")]
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
    /// The search for parameters without effect, during its stage.
    pub(super) effects: Option<Bisection>,
    /// The test, from the end of the selection.
    pub(super) judging: Judging,
    /// The verdict of a complete run.
    pub(super) verdict: Option<Verdict>,
    /// The difference from the baseline in the last validation, or by the optimizer's model in a
    /// run without validations.
    pub(super) gain: Option<Gain>,
    /// Whether the user ended the search before its limits did.
    pub finished: bool,
    /// Whether the search has ended.
    pub ended: bool,
    /// The message of the trial that ended the process, until the run is resumed: it failed, or its
    /// score was unusable.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure: Option<String>,
}

/// The complete generations of a search. Its trials are [`State::search_trials`].
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Searched {
    pub generations: u64,
    /// The number of different cases that they played.
    pub cases: u64,
    /// The last generation, recorded or not.
    pub latest: Option<GenerationRecord>,
    /// The latest trials, as evidence on the finalist.
    #[serde(default)]
    pub(super) recent: Recent,
    /// The scales of penalties for broken constraints.
    pub(super) penalty: Penalty,
    /// Seconds of work, including the current schedule.
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
    /// With constraints: the latest mean of the search that was feasible in a validation.
    pub(in crate::run) incumbent: Option<Finalist>,
}

/// The test of a finalist.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Judging {
    /// The finalist that the selection chose.
    pub chosen: Finalist,
    /// Differences of the selected finalist from the baseline in the selection, by independent
    /// units: evidence of the same kind as the last validation's.
    pub selection: Vec<Difference>,
    /// Outcomes of the baseline and of the chosen finalist in the batches so far.
    pub judged: [Vec<Measured>; 2],
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
const LATER: f64 = 8.0;

impl Gain {
    /// Formats the interval, in percent if objectives are ratios, with the objective named if it is
    /// not the score.
    pub fn text(&self, problem: &dyn Problem) -> String {
        let interval = problem.rating().text(self.interval);
        let is_score = problem.goal().map_or_else(|| problem.objective(1.0) == Ok(1.0), |goal| goal.is_plain());
        if is_score { interval } else { format!("{interval} in the objective") }
    }
}

impl State {
    /// Returns the number of trials so far.
    pub fn trials(&self) -> u64 {
        self.counters.trials.total()
    }

    /// Returns the trials of the search, without the current schedule.
    pub fn search_trials(&self) -> u64 {
        let current = if self.stage == Stage::Search { self.played } else { 0 };
        self.counters.trials[Stage::Search].saturating_sub(current)
    }

    /// Returns the average number of seconds from one trial of the search to the next: so far, or
    /// since the first generation if trials have taken longer since then. The first generation may
    /// have played a single instance, an easy one.
    pub(in crate::run) fn pace(&self, job: &Job) -> f64 {
        let Counters { seconds, .. } = self.counters;
        let (first_trials, first_seconds) = self.search.first.unwrap_or_default();
        let work = job.work(self.counters.trials.map(|trials| trials as f64));
        let since = work - first_trials as f64;
        let later = if since >= LATER { (seconds - first_seconds) / since } else { 0.0 };
        (seconds / (work + self.check.unwrap_or(0) as f64).max(1.0)).max(later)
    }

    /// Adds a batch that took `elapsed`: the outcomes of all its trials, and those of the trials
    /// that were played.
    pub(super) fn count<'o>(
        &mut self,
        all: Vec<Measured>,
        played: impl Iterator<Item = &'o Outcome>,
        elapsed: Duration,
    ) {
        let (stage, counters) = (self.stage, &mut self.counters);
        for outcome in played {
            self.played += 1;
            counters.add(stage, outcome);
            if let Some(failure) = &outcome.failure {
                self.first_failure.get_or_insert_with(|| (stage, failure.to_string()));
            }
        }
        self.partial.extend(all);
        counters.seconds += elapsed.as_secs_f64();
        if stage == Stage::Search {
            self.search.seconds += elapsed.as_secs_f64();
        }
    }

    /// Takes the outcomes of a complete schedule.
    pub(super) fn take_outcomes(&mut self) -> Vec<Measured> {
        let outcomes = std::mem::take(&mut self.partial);
        let played = std::mem::take(&mut self.played);
        self.differing = self.differing.take().or(self.doubt.take());
        if self.stage == Stage::Search {
            self.search.idle = if played > 0 { 0 } else { self.search.idle + outcomes.len() as u64 };
        }
        outcomes
    }

    /// Returns what the verdict of the run should not be read without: the time limits, the
    /// [facts](Self::facts), and earlier tests on the same instances.
    pub fn notes(&self, job: &Job) -> Vec<String> {
        let earlier = self.earlier.iter().filter(|runs| !runs.is_empty() && !self.is_exact());
        let earlier = earlier.map(|runs| {
            let count = counted(runs.len() as u64, "earlier run");
            format!("instances of the test were used by the tests of {count}: {}", runs.join(", "))
        });
        self.time_limit(job).into_iter().chain(self.facts()).chain(earlier).collect()
    }

    /// Returns the time limits of the trials, with the longest trial at the limit of the test.
    pub fn time_limit(&self, job: &Job) -> Option<String> {
        let limits = TimeLimits::of(&*job.problem)?;
        let stages = Stage::ALL.into_iter().filter(|&stage| limits.at(stage) == limits.full);
        let longest = stages.map(|stage| self.counters.longest[stage]).fold(0.0, f64::max);
        let longest = Duration::try_from_secs_f64(longest).ok().filter(|longest| !longest.is_zero());
        let longest = longest.map(|longest| format!("; the longest trial took {}", slack(longest, limits.full)));
        Some(format!("time limit {limits}{}", longest.unwrap_or_default()))
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
        let each = failures.in_words();
        let each =
            each.map(|(stage, words, failed)| format!("{} of {} {words}", grouped(failed), grouped(trials[stage])));
        let each: Vec<String> = each.collect();
        Some(format!("failed trials: {}; the first, in the {}: {first}", each.join(", "), stage.name()))
    }

    /// Returns the message about a run of which every trial failed, once its search is over.
    pub(in crate::run) fn hopeless(&self) -> Option<RunError> {
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

    /// Returns the finalist that the selection chose; the default one before.
    pub fn chosen(&self) -> &Finalist {
        &self.judging.chosen
    }

    /// Returns the verdict of a complete run.
    pub fn verdict(&self) -> Option<&Verdict> {
        self.verdict.as_ref()
    }
}
