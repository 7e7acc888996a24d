//! The state of a run: everything, besides the optimizer's own state, that determines the rest of the run.

use super::effects::Effects;
use super::failures::Late;
use super::penalty::Penalty;
use super::record::GenerationRecord;
use super::search::Search;
use super::verdict::Verdict;
use crate::job::{Job, Limits, Plan, Sizes};
use crate::judgement::comparison::{Difference, LEAST_CLAIM, Units};
use crate::judgement::measured::Measured;
use crate::model::seed::Split;
use crate::model::trial::{Outcome, is_usable};
use crate::run::finalist::Finalist;
use crate::statistics::Interval;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// The phase of a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub enum Phase {
    #[default]
    /// Measuring the baseline on held-out instances.
    Baseline,
    /// Searching.
    Search,
    /// Measuring the search's mean on held-out instances.
    Validation,
    /// The selection among the recommendations.
    Selection,
    /// Finding parameters of the finalist that change no outcome, before the test.
    Effects(Effects, Judging),
    /// Comparing the finalist with the baseline in the held-out test.
    Test(Judging),
    /// The run is complete.
    Done {
        /// The finalist that the selection chose.
        chosen: Finalist,
        /// The result.
        verdict: Verdict,
    },
}

impl Phase {
    /// Returns the phase's name in files and protocols.
    pub fn name(&self) -> &'static str {
        match self {
            Phase::Baseline => "baseline",
            Phase::Search => "search",
            Phase::Validation => "validation",
            Phase::Selection => "selection",
            Phase::Effects(..) => "effects",
            Phase::Test(_) => "test",
            Phase::Done { .. } => "done",
        }
    }
}

/// The source of an estimated difference from the baseline.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
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
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gain {
    /// Its mean with the 95 % confidence interval.
    pub interval: Interval,
    /// The source of the estimate.
    pub evidence: Evidence,
}

/// A held-out test under way.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Judging {
    /// The finalist that the selection chose.
    pub chosen: Finalist,
    /// Differences of the selected finalist from the baseline in the selection, by independent units: evidence of the
    /// same kind as the last validation's.
    pub selection: Vec<Difference>,
    /// Outcomes of the starting weights and of the chosen finalist in the batches so far.
    pub judged: [Vec<Measured>; 2],
}

/// The end of the search, to which a prolonged run returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ended {
    /// Trials at the end of the search; later ones belong to the last validation, the selection and the test.
    #[serde(rename = "games")]
    pub trials: u64,
    /// Trials of the search at the last validation.
    #[serde(rename = "checked")]
    pub validated: u64,
    /// The limits that ended the search.
    pub limits: Limits,
}

/// The state of a run between two batches of trials. The default is the state before the first trial.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct State {
    /// The phase.
    pub phase: Phase,
    /// The sizes of validation, selection and test.
    pub plan: Plan,
    /// Outcomes so far of the current round, in its order of play.
    pub partial: Vec<Measured>,
    /// Outcomes of the starting weights on the held-out instances.
    pub baseline: Vec<Measured>,
    /// Checksum of the table of trials learned from earlier runs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub learned: Option<u32>,
    /// Generations that are complete.
    pub generations: u64,
    /// The end of the search, if it has ended.
    pub ended: Option<Ended>,
    /// Whether the user ended the search before its limits did.
    pub finished: bool,
    /// Differences of the search's mean from the baseline in the last validation, by independent units: evidence of the
    /// distribution of differences and of failures.
    #[serde(default, rename = "held_out")]
    pub validation: Vec<Difference>,
    /// Approximate number of trials of each candidate after which the test is conclusive, estimated by the last
    /// validation during the search.
    pub needed: Option<usize>,
    /// Trials played so far.
    #[serde(rename = "games")]
    pub trials: u64,
    /// Trials of the selection, of the search for effects and of the test.
    #[serde(default)]
    pub after: [u64; 3],
    /// Trials of the search, without the current round.
    pub searched: u64,
    /// Deals of the search, without the current round.
    pub deals: u64,
    /// Trials of the search at the last validation.
    #[serde(rename = "checked")]
    pub validated: u64,
    /// Failures late in the search.
    #[serde(default)]
    pub(super) late: Late,
    /// The scales of penalties for broken constraints.
    #[serde(default, skip_serializing_if = "is_default")]
    pub(super) penalty: Penalty,
    /// With constraints: the latest mean of the search that held them in a validation.
    #[serde(default, skip_serializing_if = "is_default")]
    pub(super) incumbent: Option<Finalist>,
    /// Failed trials that were counted.
    pub failures: u64,
    /// Trials that were capped.
    #[serde(default, skip_serializing_if = "is_default")]
    pub capped: u64,
    /// The last generation, recorded or not.
    pub latest: Option<GenerationRecord>,
    /// The mean difference from the baseline with its 95 % interval, from the last validation, or from the optimizer's
    /// model in a run without validations.
    pub difference: Option<Interval>,
    /// Seconds of work, limited by `time`.
    pub seconds: f64,
    /// Seconds of work spent on the search.
    pub searching_seconds: f64,
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// Trials by stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spent {
    /// The baseline on held-out instances, before the search.
    pub baseline: u64,
    /// The search.
    pub search: u64,
    /// The validations of the search's mean.
    pub validation: u64,
    /// The selection.
    pub selection: u64,
    /// The search for parameters without effect.
    pub effects: u64,
    /// The held-out test.
    pub test: u64,
}

impl State {
    /// Returns the state of a run before its first trial.
    pub(super) fn new(job: &Job) -> Self {
        State { plan: job.plan(job.trials(None)), ..State::default() }
    }

    /// Returns the average number of seconds from one trial to the next, so far.
    pub(super) fn pace(&self) -> f64 {
        self.seconds / self.trials.max(1) as f64
    }

    /// Returns whether the time limit allows this many more trials.
    pub(super) fn has_time(&self, job: &Job, trials: u64) -> bool {
        job.limits.time.is_none_or(|time| self.seconds + trials as f64 * self.pace() <= time.as_secs_f64())
    }

    /// Returns the number of trials of each candidate that are reserved for the test: fewer than planned if the last
    /// validation shows that fewer are enough.
    fn reserved_test(&self, job: &Job) -> usize {
        let planned = self.plan.test;
        match self.needed {
            Some(needed) if job.sizes.test.is_none() => planned.min(needed),
            _ => planned,
        }
    }

    /// Returns the number of trials of each candidate for the test, decided at the end of the selection: at most as
    /// many as the limits leave.
    pub(super) fn affordable_test(&self, job: &Job) -> usize {
        let reserved = self.reserved_test(job);
        if job.sizes.test.is_some() || job.source.problem.is_one_deal() {
            return reserved;
        }
        let effects = self.plan.effects(job, self.searched);
        let by_budget = job.limits.budget.map(|budget| budget.saturating_sub(self.trials + effects));
        let by_time = job.limits.time.map(|time| {
            let left = (time.as_secs_f64() - self.seconds).max(0.0);
            ((left / self.pace().max(1e-9)) as u64).saturating_sub(effects)
        });
        let left = [by_budget, by_time].into_iter().flatten().min().unwrap_or(u64::MAX);
        reserved.min((left / 2) as usize).max(LEAST_CLAIM)
    }

    /// Returns the number of trials of each stage so far.
    pub fn spent(&self) -> Spent {
        let in_phase = |phase: Phase| if self.phase == phase { self.partial.len() as u64 } else { 0 };
        let baseline = self.baseline.len() as u64 + in_phase(Phase::Baseline);
        let search = self.searched + in_phase(Phase::Search);
        let [selection, effects, test] = self.after;
        let others = [baseline, search, selection, effects, test].into_iter().fold(0, u64::saturating_add);
        let validation = self.trials.saturating_sub(others);
        Spent { baseline, search, validation, selection, effects, test }
    }

    /// Adds the outcomes of a batch that took `elapsed`.
    pub(super) fn count(&mut self, job: &Job, outcomes: &[Outcome], elapsed: Duration) {
        let constraints = job.source.problem.constraints();
        self.partial.extend(outcomes.iter().map(|outcome| Measured::of(outcome, &constraints)));
        self.trials += outcomes.len() as u64;
        let after = match self.phase {
            Phase::Selection => 0..1,
            Phase::Effects(..) => 1..2,
            Phase::Test(_) => 2..3,
            _ => 0..0,
        };
        self.after[after].iter_mut().for_each(|trials| *trials += outcomes.len() as u64);
        self.failures += outcomes.iter().filter(|outcome| outcome.failure.is_some()).count() as u64;
        self.capped += outcomes.iter().filter(|outcome| outcome.capped).count() as u64;
        self.seconds += elapsed.as_secs_f64();
        if self.phase == Phase::Search {
            self.searching_seconds += elapsed.as_secs_f64();
        }
    }

    /// Returns the difference from the baseline: from the test if the run is complete, otherwise from the last
    /// validation, or from the optimizer's model in a run without validations.
    pub fn gain(&self) -> Option<Gain> {
        let (interval, evidence) = match self.verdict() {
            Some(verdict) => ((verdict.trials > 0).then_some(verdict.difference), Evidence::Test),
            None if self.plan.validation == 0 => (self.difference, Evidence::Model),
            None => (self.difference, Evidence::Validation),
        };
        interval.map(|interval| Gain { interval, evidence })
    }

    /// Returns the verdict of a complete run.
    pub fn verdict(&self) -> Option<&Verdict> {
        match &self.phase {
            Phase::Done { verdict, .. } => Some(verdict),
            _ => None,
        }
    }

    /// Returns whether the search is over: a limit is reached, or the optimizer's next request would use trials that
    /// the rest of the run needs.
    pub(super) fn is_over(&self, job: &Job, search: &Search) -> bool {
        self.is_over_after(job, search, 0)
    }

    /// Returns whether the search is over once the next `count` known generations are complete.
    fn is_over_after(&self, job: &Job, search: &Search, count: usize) -> bool {
        let Limits { budget, generations, .. } = job.limits;
        let next = search.known(count).map_or(0, |ask| ask.trials.len() as u64);
        let until = search.trials(count).saturating_sub(self.partial.len() as u64);
        let searched = self.searched + search.trials(count);
        let played = self.ended.map_or(self.trials, |ended| ended.trials);
        let finalists = 1 + search.optimizer.recommended().len() + usize::from(self.incumbent.is_some());
        let coming = until + next + self.plan.rest(job, searched, finalists, self.reserved_test(job));
        self.finished
            || searched > 0 && budget.is_some_and(|budget| played.saturating_add(coming) > budget)
            || generations.is_some_and(|all| search.optimizer.generation() + count as u64 >= all)
            || searched > 0 && !self.has_time(job, coming)
    }

    /// Returns whether a validation is due once the search has played `searched` trials.
    fn is_due(&self, searched: u64) -> bool {
        self.plan.trials_between().is_some_and(|between| searched - self.validated >= between)
    }

    /// Returns whether the search goes on without another stage once the next `count` known generations are complete,
    /// as far as that is known now: a limit on time may still end it.
    pub(super) fn goes_on(&self, job: &Job, search: &Search, count: usize) -> bool {
        !self.is_over_after(job, search, count) && !self.is_due(self.searched + search.trials(count))
    }

    /// Returns the phase that follows a generation.
    pub(super) fn phase_after_generation(&self, job: &Job, search: &Search) -> Phase {
        match self.is_over(job, search) {
            true if self.plan.trials_between().is_none() => Phase::Selection,
            is_over if is_over || self.is_due(self.searched) => Phase::Validation,
            _ => Phase::Search,
        }
    }

    /// Records the end of the search after this many trials.
    pub(super) fn end(&mut self, job: &Job, trials: u64) {
        self.ended = Some(Ended { trials, validated: self.validated, limits: job.limits });
    }

    /// Returns to the end of the last generation if the job was prolonged and its search continues; returns whether it
    /// did. From then on, the run equals one whose job had these limits from the start.
    pub(super) fn reopen(&mut self, job: &Job, search: &Search) -> bool {
        if self.ended.is_some_and(|ended| ended.limits == job.limits && !self.finished) {
            return false;
        }
        let then = self.plan;
        // Keep the validation's size: its outcomes are compared with the baseline's.
        let now = job.plan(job.trials((self.trials > 0).then(|| self.pace())));
        self.plan = Plan { validation: then.validation, ..now };
        let Some(ended) = self.ended else { return false };
        let finished = std::mem::replace(&mut self.finished, false);
        if self.is_over(job, search) {
            (self.finished, self.plan) = (finished, then);
            return false;
        }
        self.trials = ended.trials;
        self.after = [0; 3];
        self.validated = ended.validated;
        self.partial.clear();
        self.ended = None;
        self.phase = if self.is_validated() { Phase::Search } else { self.phase_after_generation(job, search) };
        true
    }

    /// Ends the search after the last complete generation, or after the first one. Returns whether the search was still
    /// running. A validation that has begun is completed.
    pub(super) fn finish(&mut self, job: &Job, search: &Search) -> bool {
        if self.ended.is_some() || self.finished {
            return false;
        }
        self.finished = true;
        if self.phase == Phase::Search && search.optimizer.generation() > 0 {
            self.trials -= self.partial.len() as u64;
            self.partial.clear();
            self.end(job, self.trials);
            let is_next = self.is_validated() || self.plan.validation == 0;
            self.phase = if is_next { Phase::Selection } else { Phase::Validation };
        }
        true
    }

    /// Returns whether the current generation was validated.
    fn is_validated(&self) -> bool {
        self.searched > 0 && self.validated == self.searched
    }

    /// Returns the limits and sizes that reproduce the run: those of the job, or the actual ones if the run exceeded
    /// its limits, ended early or had others before.
    pub(super) fn extent(&self, job: &Job, search: &Search) -> (Limits, Sizes) {
        let limits = self.limits(job, search);
        let named = Job { limits, ..job.clone() };
        let is_same = named.plan(named.trials(None)) == self.plan;
        (limits, if is_same { job.sizes } else { self.plan.into() })
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

    /// Returns whether a state read from a file is consistent with itself and its job.
    pub(super) fn fits(&self, job: &Job) -> bool {
        let is_time = |seconds: f64| seconds.is_finite() && seconds >= 0.0;
        let is_whole = |chosen: &Finalist| chosen.weights.len() == job.space.parameters().len();
        let constraints = job.source.problem.constraints().len();
        let is_held = |held: &[f64]| held.is_empty() || held.len() == constraints && held.iter().all(|&v| is_usable(v));
        let is_measured = |all: &[Measured]| all.iter().all(|m| is_usable(m.objective) && is_held(&m.held));
        // The bound is out of reach of any run, and small enough to add to or double without overflow.
        let is_count = |count: u64| count < 1 << 60;
        let has_baseline = self.phase == Phase::Baseline || self.baseline.len() == self.plan.validation;
        let counts = [self.generations, self.trials, self.searched, self.deals, self.validated];
        counts.into_iter().chain(self.after).all(is_count)
            && self.trials >= self.partial.len() as u64
            && self.searched >= self.validated
            && self.late.fits()
            && self.penalty.fits(constraints)
            && self.incumbent.as_ref().is_none_or(is_whole)
            && is_time(self.seconds)
            && is_time(self.searching_seconds)
            && is_measured(&self.partial)
            && is_measured(&self.baseline)
            && self.ended.is_none_or(|ended| ended.trials <= self.trials && ended.validated <= self.validated)
            && has_baseline
            && match &self.phase {
                Phase::Baseline | Phase::Search | Phase::Validation => true,
                Phase::Selection => self.ended.is_some(),
                Phase::Effects(effects, judging) => {
                    let fits = effects.fits(self.plan.selection, job.space.parameters().len());
                    self.ended.is_some()
                        && fits
                        && is_whole(&judging.chosen)
                        && judging.judged.iter().all(Vec::is_empty)
                }
                Phase::Test(judging) => {
                    let all = judging.judged.iter().all(|judged| is_measured(judged));
                    self.ended.is_some()
                        && is_whole(&judging.chosen)
                        && all
                        && judging.is_between_batches(job, self.plan.test)
                }
                Phase::Done { chosen, .. } => self.ended.is_some() && is_whole(chosen),
            }
    }
}

impl Judging {
    /// Returns whether the state is one between two batches of the run.
    fn is_between_batches(&self, job: &Job, test: usize) -> bool {
        let [start, chosen] = &self.judged;
        let units = Units::of(&*job.source.problem, Split::Test, test);
        let is_open = || start.len() < units.deals && units.in_batches(start.len()).is_some();
        start.len() == chosen.len() && (start.is_empty() || is_open())
    }
}
