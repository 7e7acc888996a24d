//! Where a run stands: everything, beside the optimizer's own state, that the rest of it follows from.

use super::measured::{Finalist, Measured};
use super::plan::Plan;
use super::search::Search;
use super::verdict::Verdict;
use crate::config::{Job, Limits};
use crate::trial::{Outcome, is_usable};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// What a run is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Phase {
    /// Measuring the starting weights on the held-out games.
    Baseline,
    /// Searching.
    Search,
    /// Measuring the search's mean on the held-out games.
    Check,
    /// The final round among the finalists.
    Finalists,
    /// Comparing the chosen finalist with the starting weights.
    Verdict,
    /// Nothing: it is complete.
    Done,
}

/// The point that did best in a generation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Leader {
    /// Its generation.
    pub generation: u64,
    /// Its coordinates.
    pub point: Vec<f64>,
}

/// The end of the search: what a run that is prolonged goes back to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ended {
    /// Trials played by then; later ones are of the last check, the final round and the verdict.
    pub games: u64,
    /// Trials of the search at the last check by then.
    pub checked: u64,
}

/// The finalist that the final round chose.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Chosen {
    /// Which one.
    pub finalist: Finalist,
    /// Games of the final round.
    pub of: usize,
    /// Trials played by then.
    pub games: u64,
    /// The most games of the verdict on it.
    pub verdict: usize,
    /// Whether that ends when it is clear.
    pub early: bool,
}

/// The state of a run between two batches of trials.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct State {
    /// What it is doing.
    pub phase: Phase,
    /// Outcomes so far of the round under way, in its order of play.
    pub partial: Vec<Measured>,
    /// Outcomes of the starting weights on the held-out games.
    pub baseline: Vec<Measured>,
    /// Leaders of generations, `stride` apart.
    pub leaders: Vec<Leader>,
    /// Generations from one kept leader to the next.
    pub stride: u64,
    /// The leader of the last generation.
    pub last_leader: Option<Leader>,
    /// Where the search ended, if it did.
    pub ended: Option<Ended>,
    /// Whether somebody ended the search before its limits did.
    pub finished: bool,
    /// Whom the final round chose.
    pub chosen: Option<Chosen>,
    /// Outcomes of the starting weights and of the chosen finalist in the batches of the verdict so far.
    #[serde(default)]
    pub judged: [Vec<Measured>; 2],
    /// The result.
    pub verdict: Option<Verdict>,
    /// Trials played so far.
    pub games: u64,
    /// Trials of the search so far, those of the round under way apart.
    pub searched: u64,
    /// Deals of the search so far, those of the round under way apart.
    pub deals: u64,
    /// Trials of the search at the last check.
    pub checked: u64,
    /// The used share of the run's limits when the optimizer was asked last.
    pub used: f64,
    /// Trials that failed and counted all the same.
    pub failures: u64,
    /// Best and mean objective of the last generation.
    pub latest: Option<(f64, f64)>,
    /// The last check: the mean difference to the starting weights, and its 95 % interval.
    pub difference: Option<(f64, f64, f64)>,
    /// Seconds spent on trials.
    pub seconds: f64,
    /// Seconds of them spent on the search, which `time` limits.
    pub searching_seconds: f64,
}

impl State {
    /// The state of a run that has not played a trial.
    pub fn new(job: &Job) -> Self {
        State {
            phase: if job.validation.every == Some(0) { Phase::Search } else { Phase::Baseline },
            partial: Vec::new(),
            baseline: Vec::new(),
            leaders: Vec::new(),
            stride: 1,
            last_leader: None,
            ended: None,
            finished: false,
            chosen: None,
            judged: Default::default(),
            verdict: None,
            games: 0,
            searched: 0,
            deals: 0,
            checked: 0,
            used: 0.0,
            failures: 0,
            latest: None,
            difference: None,
            seconds: 0.0,
            searching_seconds: 0.0,
        }
    }

    /// Adds the outcomes of a batch that took so long.
    pub(super) fn count(&mut self, outcomes: &[Outcome], elapsed: Duration) {
        let measured = |outcome: &Outcome| Measured { objective: outcome.objective, score: outcome.score };
        self.partial.extend(outcomes.iter().map(measured));
        self.games += outcomes.len() as u64;
        self.failures += outcomes.iter().filter(|outcome| outcome.failure.is_some()).count() as u64;
        self.seconds += elapsed.as_secs_f64();
        if self.phase == Phase::Search {
            self.searching_seconds += elapsed.as_secs_f64();
        }
    }

    /// The used share of the limits of the search, 0 to 1.
    pub(super) fn share(&self, job: &Job, generation: u64) -> f64 {
        let Limits { budget, generations, time } = job.limits;
        let shares = [
            budget.map(|budget| self.searched as f64 / budget as f64),
            generations.map(|generations| generation as f64 / generations as f64),
            time.map(|time| self.searching_seconds / time.as_secs_f64()),
        ];
        shares.into_iter().flatten().fold(0.0, f64::max).min(1.0)
    }

    /// Whether the search is over: a limit is reached, or what the optimizer asks for next would exceed the budget.
    pub(super) fn is_over(&self, job: &Job, search: &Search) -> bool {
        let Limits { budget, generations, time } = job.limits;
        let next = self.searched + search.ask.trials.len() as u64;
        self.finished
            || budget.is_some_and(|budget| next > budget && self.searched > 0)
            || generations.is_some_and(|all| search.optimizer.generation() >= all)
            || time.is_some_and(|time| self.searching_seconds >= time.as_secs_f64())
    }

    /// What comes after a generation.
    pub(super) fn phase_after_generation(&self, job: &Job, search: &Search) -> Phase {
        let is_over = self.is_over(job, search);
        let is_due = match job.validation.every {
            Some(0) => false,
            Some(every) => is_over || search.optimizer.generation().is_multiple_of(every),
            // So that checks add a tenth to the search.
            None => is_over || self.searched - self.checked >= 10 * job.validation.games as u64,
        };
        match (is_due, is_over) {
            (true, _) => Phase::Check,
            (false, true) => Phase::Finalists,
            (false, false) => Phase::Search,
        }
    }

    /// Remembers that the search is over after so many trials.
    pub(super) fn end(&mut self, games: u64) {
        self.ended = Some(Ended { games, checked: self.checked });
    }

    /// Brings a state from a checkpoint to what the job asks for now, whose limits and sizes may be others than they
    /// were; whether it went back by that. From then on the run is the same as if the job had been that from the start.
    /// `exceeds` says whether more of the round under way was played than there is of it now.
    pub(super) fn adapt(&mut self, job: &Job, search: &Search, exceeds: bool) -> bool {
        let went_back = self.reopen(job, search) || self.choose_again(job, search, exceeds) || self.judge_again(job);
        if !went_back {
            self.narrow(job, search);
        }
        went_back
    }

    /// Goes back to the end of the last generation if the job, prolonged, has the search go on from there; whether it
    /// does.
    fn reopen(&mut self, job: &Job, search: &Search) -> bool {
        let Some(ended) = self.ended else { return false };
        let finished = std::mem::replace(&mut self.finished, false);
        if self.is_over(job, search) {
            self.finished = finished;
            return false;
        }
        self.go_back_to_end(ended);
        self.ended = None;
        self.phase = match self.is_checked() {
            true => Phase::Search,
            false => self.phase_after_generation(job, search),
        };
        true
    }

    /// Goes back to the end of the search if the job asks for a final round of another size than the one that was
    /// played, or than what was played of it; whether it did.
    fn choose_again(&mut self, job: &Job, search: &Search, exceeds: bool) -> bool {
        let is_other = match &self.chosen {
            Some(chosen) => chosen.of != job.finals.games,
            None => self.phase == Phase::Finalists && exceeds,
        };
        match self.ended {
            Some(ended) if is_other => {
                self.go_back_to_end(ended);
                self.phase = self.phase_after_end(job, search);
                true
            }
            _ => false,
        }
    }

    /// Goes back to before the verdict if the job asks for one of another size, or that ends otherwise; whether it did.
    fn judge_again(&mut self, job: &Job) -> bool {
        let (verdict, early) = (job.finals.verdict, job.finals.early);
        match &mut self.chosen {
            Some(chosen) if (chosen.verdict, chosen.early) != (verdict, early) => {
                (chosen.verdict, chosen.early) = (verdict, early);
                self.games = chosen.games;
                self.partial.clear();
                self.judged = Default::default();
                self.verdict = None;
                self.phase = Phase::Verdict;
                true
            }
            _ => false,
        }
    }

    fn go_back_to_end(&mut self, ended: Ended) {
        self.games = ended.games;
        self.checked = ended.checked;
        self.partial.clear();
        self.chosen = None;
        self.judged = Default::default();
        self.verdict = None;
    }

    /// Ends the search after the last generation that is complete, or after the first one; whether it was not over. A
    /// check under way is played to its end.
    pub(super) fn finish(&mut self, job: &Job, search: &Search) -> bool {
        if self.ended.is_some() || self.finished {
            return false;
        }
        self.finished = true;
        if self.phase == Phase::Search && search.optimizer.generation() > 0 {
            self.games -= self.partial.len() as u64;
            self.partial.clear();
            self.end_between_generations(job, search);
        }
        true
    }

    /// Ends the search if the job, narrowed, has it end where the run stands between two generations. A generation under
    /// way is completed.
    fn narrow(&mut self, job: &Job, search: &Search) {
        let is_between = self.phase == Phase::Search && self.partial.is_empty() && search.optimizer.generation() > 0;
        if is_between && self.is_over(job, search) {
            self.end_between_generations(job, search);
        }
    }

    fn end_between_generations(&mut self, job: &Job, search: &Search) {
        self.end(self.games);
        self.phase = self.phase_after_end(job, search);
    }

    fn phase_after_end(&self, job: &Job, search: &Search) -> Phase {
        match self.is_checked() {
            true => Phase::Finalists,
            false => self.phase_after_generation(job, search),
        }
    }

    /// Whether the present generation was checked already.
    fn is_checked(&self) -> bool {
        self.searched > 0 && self.checked == self.searched
    }

    /// The limits of a job with which the run gives the same again: if it has gone beyond those of the job, or was ended
    /// before them, what it has come to.
    pub(super) fn limits(&self, job: &Job, search: &Search) -> Limits {
        let generation = search.optimizer.generation();
        let in_progress = u64::from(self.phase == Phase::Search && !self.partial.is_empty());
        let coming = generation + in_progress;
        match self.finished {
            true => Limits { budget: None, generations: Some(generation.max(1)), time: None },
            false => Limits { generations: job.limits.generations.map(|all| all.max(coming)), ..job.limits },
        }
    }

    /// Whether the verdict stands between two of its batches.
    fn is_between_batches(&self, job: &Job) -> bool {
        let [start, chosen] = &self.judged;
        let is_open = |by: &Chosen| {
            let plan = Plan::of(job, by.verdict, by.early);
            start.len() < plan.deals() && plan.units_of(start.len()).is_some()
        };
        let is_verdict = self.phase == Phase::Verdict && self.chosen.as_ref().is_some_and(is_open);
        start.len() == chosen.len() && (start.is_empty() || is_verdict)
    }

    /// Whether a state read from a file fits its job and itself, so that the run can go on from it.
    pub(super) fn fits(&self, job: &Job) -> bool {
        let n = job.space.coordinates().len();
        let is_point = |leader: &Leader| leader.point.len() == n && leader.point.iter().all(|x| x.is_finite());
        let is_time = |seconds: f64| seconds.is_finite() && seconds >= 0.0;
        let is_measured = |all: &[Measured]| all.iter().all(|m| is_usable(m.objective));
        // Far from what a run can reach, and from what can be added to or doubled.
        let is_count = |count: u64| count < 1 << 60;
        let checks = job.validation.every != Some(0);
        let has_baseline = match self.phase {
            Phase::Baseline => checks,
            Phase::Check => checks && self.baseline.len() == job.validation.games,
            _ => !checks || self.baseline.len() == job.validation.games,
        };
        self.leaders.iter().all(is_point)
            && self.last_leader.iter().all(is_point)
            && self.stride > 0
            && [self.stride, self.games, self.searched, self.deals, self.checked].into_iter().all(is_count)
            && self.games >= self.partial.len() as u64
            && self.searched >= self.checked
            && (0.0..=1.0).contains(&self.used)
            && is_time(self.seconds)
            && is_time(self.searching_seconds)
            && is_measured(&self.partial)
            && is_measured(&self.baseline)
            && self.ended.is_none_or(|ended| ended.games <= self.games && ended.checked <= self.checked)
            && self.chosen.iter().all(|chosen| chosen.finalist.weights.len() == job.space.parameters().len())
            && self.chosen.iter().all(|chosen| chosen.games <= self.games)
            && (self.ended.is_some() || !matches!(self.phase, Phase::Finalists | Phase::Verdict | Phase::Done))
            && (!matches!(self.phase, Phase::Verdict | Phase::Done) || self.chosen.is_some())
            && (self.phase != Phase::Done || self.verdict.is_some())
            && has_baseline
            && is_measured(&self.judged[0])
            && is_measured(&self.judged[1])
            && self.is_between_batches(job)
    }
}
