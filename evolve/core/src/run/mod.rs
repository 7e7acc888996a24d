//! A run: the execution of a job, with its files, checkpoints and verdict.
//!
//! A run is a sequence of stages (`stage`): the baseline on held-out instances, the search with
//! validations in between, the selection, the search for parameters without effect, the held-out
//! test. Each stage requests a round of trials and decides the next step from the outcomes. The
//! checkpoint holds everything that a run needs to resume: the small [`State`] and the outcomes of
//! the current round. The log, its tables and the weights are outputs: a resumed run takes no state
//! from them. It only requires that the log is intact up to the length in the checkpoint.

mod check;
mod checkpoint;
mod earlier;
mod effects;
pub mod error;
mod failures;
mod figures;
mod finalist;
mod folder;
mod inputs;
mod learned;
mod log;
mod memory;
mod open;
mod penalty;
mod playing;
mod recent;
mod recommend;
mod record;
pub mod rows;
pub mod schedule;
mod search;
mod stage;
mod standing;
pub mod state;
mod summary;
mod verdict;
mod views;
mod watch;

pub use checkpoint::FORMAT;
pub use error::RunError;
pub use figures::Figures;
pub use folder::{FAILURES, TOLD};
pub use inputs::recorded as recorded_inputs;
pub use memory::Differing;
pub use record::TrialRecord;
pub use standing::{Standing, Status, Unreadable, relative};
pub use summary::{Found, Summary};
pub use verdict::{Compared, Sample, Verdict};
pub use watch::{Nobody, Progress, Watch};

use crate::evaluator::{Evaluator, Trial};
use crate::job::policy_file::{FINALIST, INCUMBENT};
use crate::job::source::Source;
use crate::job::{Job, LearnedRun};
use crate::judgement::measured::Measured;
use crate::model::problem::Problem;
use crate::model::trial::{Outcome, PlayError, is_usable};
use folder::Folder;
use log::{Extent, Log};
use memory::Memory;
use playing::{Part, Playing, Rate};
use schedule::Schedule;
use search::Search;
use stage::Next;
use state::{Phase, State};
use std::mem::{Discriminant, discriminant};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How a run ended.
#[derive(Clone, Debug, PartialEq)]
pub enum Ending {
    /// The run is complete.
    Complete(Box<Verdict>),
    /// The run was stopped; its checkpoint allows it to resume.
    Stopped,
}

/// A run that is ready to execute.
pub struct Run<'a> {
    /// The job, with the problem as it turned out: its trials may not be deterministic, against the
    /// declaration.
    job: Job,
    /// The problem as the job declares it.
    declared: Arc<dyn Problem>,
    evaluator: &'a dyn Evaluator,
    folder: Folder,
    log: Log,
    memory: Memory,
    state: State,
    search: Search,
    /// The earlier runs that a new run learns from.
    learned: Vec<LearnedRun>,
    /// The recent speed, which determines the size of a batch. Results do not depend on it.
    rate: Rate,
    /// The largest number of trials in a batch; unit tests lower it. Results do not depend on it.
    most: usize,
    /// The time of the last save, and the number of trials at that time.
    saved: (Instant, u64),
}

/// The target duration of a batch: short enough to wait for when stopping, long enough to keep all
/// threads busy.
const BATCH: Duration = Duration::from_secs(2);
/// The longest time between two saves within a round.
const SAVE_WITHIN_ROUND: Duration = Duration::from_secs(10);
/// A save is due once this much time has passed since the last one. If trials are expensive, this
/// is checked after every batch. If trials are cheap, it is checked only between rounds; during a
/// round, [`SAVE_WITHIN_ROUND`] is the limit.
const SAVE_DEAR: Duration = Duration::from_secs(1);
/// If trials are cheap, the end of a round saves the state only if this many trials or
/// [`SAVE_DEAR`] have passed since the last save: saving more often would take as long as playing.
const SAVE_TRIALS: u64 = 1000;
/// The duration of a batch above which it is saved at once, because its trials are expensive.
const SLOW_BATCH: Duration = Duration::from_secs(3);
/// The smallest number of trials per thread in a batch, so that threads are rarely idle at its end.
const LEAST_EACH: usize = 8;
/// The target duration of a batch if the evaluator starts trials of the next batch before this one
/// ends. It can be short, because no thread waits at the end of such a batch.
const BATCH_AHEAD: Duration = Duration::from_millis(250);

impl<'a> Run<'a> {
    /// Saves the state with this part of the log, and updates the limits in the config so that the
    /// config reproduces the run.
    fn record(&mut self, log: Extent) -> Result<(), RunError> {
        self.update_config()?;
        self.save(log)
    }

    /// Ends the search at once, or after its first generation if that is still being played. The
    /// selection, the test and the verdict follow. Does nothing if the search is over.
    pub fn finish(&mut self) -> Result<(), RunError> {
        if !self.state.finish(&self.search) {
            return Ok(());
        }
        // The trials of a generation in progress are dropped, and the log is cut to match: last, so
        // that a checkpoint never relies on a deleted record.
        let log = self.log.extent_after(self.state.trials())?;
        self.record(log)?;
        self.memory = Memory::new(&self.job);
        self.log = Log::open(&self.folder, &self.job, log, &mut self.memory)?;
        Ok(())
    }

    /// Returns a job with the problem as it was declared.
    fn declared(&self, job: &Job) -> Job {
        let job = job.clone();
        Job { source: Source { problem: Arc::clone(&self.declared) }, ..job }
    }

    fn update_config(&mut self) -> Result<(), RunError> {
        let job = self.declared(&self.state.extent(&self.job, &self.search));
        self.folder.update_config(job)
    }

    /// Returns the folder that holds the files of the run.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Returns the earlier runs that a new run learns from; none if it resumed.
    pub fn learned(&self) -> &[LearnedRun] {
        &self.learned
    }

    /// Returns the recorded trials, if trials are
    /// [external](crate::model::traits::Execution::External).
    ///
    /// # Errors
    /// If the log cannot be read.
    pub fn recorded(&self) -> Result<impl Iterator<Item = Result<TrialRecord, RunError>> + use<>, RunError> {
        self.log.recorded()
    }

    pub fn state(&self) -> &State {
        &self.state
    }

    pub fn job(&self) -> &Job {
        &self.job
    }

    pub fn progress(&self) -> Progress<'_> {
        let state = &self.state;
        Progress {
            phase: &state.phase,
            figures: Figures::of(&self.job, Some(state)),
            trials_per_second: self.rate.value,
            latest: state.search.latest.as_ref().map(|last| (last.row.best, last.row.mean)),
            incumbent: recommend::incumbent_values(&self.job, state, self.search.optimizer.mean()),
            method: self.method(),
        }
    }

    /// Describes the current method of the search in a few words.
    pub fn method(&self) -> &'static str {
        self.search.optimizer.method()
    }

    /// Returns the number of completed generations.
    pub fn generation(&self) -> u64 {
        self.state.search.generations
    }

    /// Executes the run until it is complete or `stop` is set. After `stop` is set, finishes the
    /// current batch first, unless the evaluator abandons it.
    ///
    /// # Errors
    /// If a file cannot be written, or a failed trial ends the run. Finished trials are saved.
    pub fn execute(&mut self, stop: &AtomicBool, watch: &mut dyn Watch) -> Result<Ending, RunError> {
        self.state.failure = None;
        let ending = self.play_rounds(stop, watch);
        if let Err(
            error @ (RunError::Failed(_)
            | RunError::NotFinite(..)
            | RunError::AllFailed(..)
            | RunError::Budget(..)
            | RunError::Time(..)),
        ) = &ending
        {
            self.state.failure = Some(error.to_string());
            match self.state.trials() {
                // No trial was recorded, so there is nothing to resume: a mended job can start
                // afresh.
                0 => self.folder.clear()?,
                _ => self.keep()?,
            }
        }
        ending
    }

    fn play_rounds(&mut self, stop: &AtomicBool, watch: &mut dyn Watch) -> Result<Ending, RunError> {
        let mut playing: Option<Playing<'a>> = None;
        if !self.check(stop, watch)? {
            self.keep()?;
            self.write_incumbent()?;
            return Ok(Ending::Stopped);
        }
        loop {
            if let Some(error) = self.state.hopeless() {
                return Err(error);
            }
            let round = match stage::next(&self.job, &self.state, &self.search) {
                Next::Round(round) => round,
                Next::Done(verdict) => return Ok(Ending::Complete(Box::new(verdict.clone()))),
            };
            let mut rounds = playing.take().unwrap_or_else(|| Playing::new(self.evaluator, &round));
            if !self.evaluate_round(&round, &mut rounds, stop, watch)? {
                self.keep()?;
                self.write_incumbent()?;
                return Ok(Ending::Stopped);
            }
            self.check_inputs()?;
            let outcomes = self.state.take_round();
            self.state.differing = self.state.differing.take().or(self.state.doubt.take());
            let was = discriminant(&self.state.phase);
            let was_validation = self.state.phase == Phase::Validation;
            let (plan, start) = (self.state.plan, Instant::now());
            stage::complete(&self.job, &mut self.state, &mut self.search, &round, &outcomes, &mut self.log);
            self.state.counters.seconds += start.elapsed().as_secs_f64();
            if self.state.phase == Phase::Search {
                playing = rounds.next();
            }
            if self.state.differing.is_some() && self.job.source.problem.traits().reproduces() {
                self.job = self.job.clone().not_deterministic();
                self.memory = Memory::new(&self.job);
                stage::repeat(&self.job, &mut self.state, &mut self.search, &mut self.log);
            }
            if matches!(self.state.phase, Phase::Effects(..) | Phase::Test(_)) && self.state.earlier.is_none() {
                let found = earlier::tests(self.folder.path(), &self.job, self.state.plan.split());
                self.state.earlier = Some(found);
            }
            if self.state.plan != plan {
                self.update_config()?;
            } else if self.may_wait(was) {
                continue;
            }
            self.log.append(&self.state)?;
            if was_validation {
                self.write_incumbent()?;
            }
            self.write_results()?;
            self.save(self.log.extent())?;
        }
    }

    /// Plays the rest of a round. Returns whether the round is complete.
    fn evaluate_round(
        &mut self,
        round: &Schedule,
        playing: &mut Playing<'a>,
        stop: &AtomicBool,
        watch: &mut dyn Watch,
    ) -> Result<bool, RunError> {
        while self.state.partial.len() < round.trials.len() {
            watch.progress(&self.progress());
            let start = Instant::now();
            if stop.load(Ordering::Relaxed) {
                let left = round.ready(self.state.partial.len()) - self.state.partial.len();
                let next = round.next(&self.state.partial, left);
                let known = playing.finish(&mut self.part(round), &next);
                self.record_outcomes(round, &next[..known.len()], known, start)?;
                return Ok(self.state.partial.len() == round.trials.len());
            }
            let Run { job, state, search, memory, .. } = self;
            let memory = (!stage::plays_again(job, state)).then_some(memory);
            playing
                .announce(Part { job, schedule: round, memory }, &state.partial, || stage::ahead(job, state, search));
            let batch = round.batch(&self.state.partial, self.batch_size());
            match playing.evaluate(&mut self.part(round), &batch) {
                Ok(outcomes) => self.record_outcomes(round, &batch, outcomes, start)?,
                // The evaluator abandoned trials under way because of the request to stop.
                Err(PlayError::Stopped) => return Ok(false),
                Err(PlayError::Fatal(failure)) => return Err(RunError::Failed(failure)),
            }
        }
        Ok(true)
    }

    fn part<'p>(&'p mut self, schedule: &'p Schedule) -> Part<'p> {
        let memory = (!stage::plays_again(&self.job, &self.state)).then_some(&mut self.memory);
        Part { job: &self.job, schedule, memory }
    }

    /// Records the outcomes of a batch, and saves them if the batch was slow or the last save is
    /// long ago.
    fn record_outcomes(
        &mut self,
        round: &Schedule,
        batch: &[Trial],
        outcomes: Vec<Option<Outcome>>,
        start: Instant,
    ) -> Result<(), RunError> {
        let unusable =
            |outcome: &Outcome| [outcome.objective, outcome.score].into_iter().find(|&value| !is_usable(value));
        let played = batch.iter().zip(&outcomes).filter_map(|(trial, outcome)| Some((*trial, outcome.clone()?)));
        let played: Vec<(Trial, Outcome)> = played.collect();
        if let Some((trial, value)) = played.iter().find_map(|(trial, outcome)| Some((trial, unusable(outcome)?))) {
            return Err(RunError::NotFinite(value, trial.deal.seed));
        }
        self.log.trials(&self.job, &self.state, round, &played);
        let measured =
            batch.iter().zip(outcomes).map(|(trial, outcome)| self.measured(round, trial, outcome)).collect();
        self.state.count(measured, &played, start.elapsed());
        let least = if self.evaluator.plays_ahead() { BATCH_AHEAD } else { Duration::ZERO };
        self.rate.add(batch.len(), start.elapsed(), least);
        let is_slow = start.elapsed() > SLOW_BATCH;
        // Trials of programs are logged one by one, and are expensive to repeat.
        let within = if self.job.source.problem.traits().is_external() { SAVE_DEAR } else { SAVE_WITHIN_ROUND };
        if (is_slow || self.saved.0.elapsed() > within) && self.state.partial.len() < round.trials.len() {
            self.keep()?;
        }
        Ok(())
    }

    /// Returns what counts of an outcome, or of the known one if the trial was not played. Keeps
    /// it, and records whether it differs from an earlier outcome of the same trial.
    fn measured(&mut self, round: &Schedule, trial: &Trial, outcome: Option<Outcome>) -> Measured {
        let key = self.memory.key(&self.job, &round.candidates[trial.candidate], &trial.deal);
        let Some(outcome) = outcome else {
            let known = key.and_then(|key| self.memory.get(&key).cloned());
            return known.expect("a trial that is not played has a known outcome");
        };
        let constraints = self.job.source.problem.constraints();
        let measured = Measured::of(&outcome, &constraints).grouped(&self.groups(), &outcome);
        if let Some(differing) = key.and_then(|key| self.memory.add(key, &measured)) {
            let searched = self.state.search_trials();
            self.state.doubt.get_or_insert(Differing { searched, ..differing });
        }
        measured
    }

    /// Returns the names of the groups that outcomes keep: the verdict needs them for the trials of
    /// the test, which can be known trials of the search.
    fn groups(&self) -> Vec<String> {
        let problem = &self.job.source.problem;
        let is_kept = matches!(self.state.phase, Phase::Test(_)) || problem.traits().repeats();
        if is_kept { problem.metrics().kinds } else { Vec::new() }
    }

    /// Returns the target number of trials in the next batch.
    fn batch_size(&self) -> usize {
        let rate = self.rate.value;
        let of = |duration: Duration| (rate * duration.as_secs_f64()) as usize;
        let size = match self.evaluator.plays_ahead() {
            true => of(BATCH_AHEAD),
            // Trials are slow, or their speed is unknown: a quick stop is worth more than keeping
            // every thread busy.
            false if rate < 2.0 * LEAST_EACH as f64 => of(BATCH).max(self.evaluator.parallelism()),
            false => of(BATCH).max(LEAST_EACH * self.evaluator.parallelism()),
        };
        size.min(self.most).max(1)
    }

    /// Writes the results of a complete run: the recommended weights, in place of the incumbent.
    fn write_results(&mut self) -> Result<(), RunError> {
        let Phase::Done { chosen, verdict } = &self.state.phase else { return Ok(()) };
        let (version, notes) = (self.folder.version(), self.state.facts());
        match recommend::rejected(&self.job, chosen, verdict, &notes, version) {
            Some(finalist) => self.folder.write(FINALIST, finalist.as_bytes())?,
            None => self.folder.remove(FINALIST)?,
        }
        self.folder.write_weights(&recommend::weights(&self.job, (chosen, verdict), &notes, version))?;
        self.folder.remove(INCUMBENT)
    }

    /// Writes the weights of the incumbent, for users who need them before the run is complete.
    fn write_incumbent(&self) -> Result<(), RunError> {
        let mean = self.search.optimizer.mean();
        let text = recommend::incumbent(&self.job, &self.state, mean, self.folder.version());
        self.folder.write(INCUMBENT, text.as_bytes())
    }

    /// Returns whether saving can wait: the phase has not changed, its rounds are small, and the
    /// last save is recent.
    fn may_wait(&self, was: Discriminant<Phase>) -> bool {
        let (when, trials) = self.saved;
        matches!(self.state.phase, Phase::Search | Phase::Effects(..))
            && discriminant(&self.state.phase) == was
            && !self.job.source.problem.traits().is_external()
            && self.state.trials() - trials < SAVE_TRIALS
            && when.elapsed() < SAVE_DEAR
    }

    /// Checks that the outcomes since the last save come from the same files as all others: a
    /// checkpoint has no others.
    fn check_inputs(&self) -> Result<(), RunError> {
        match self.evaluator.changed() {
            None => Ok(()),
            Some(path) => Err(RunError::OtherInput(self.folder.path().to_path_buf(), path)),
        }
    }

    /// Appends pending records to the log and saves the state.
    fn keep(&mut self) -> Result<(), RunError> {
        self.check_inputs()?;
        self.log.append(&self.state)?;
        self.save(self.log.extent())
    }

    fn save(&mut self, log: Extent) -> Result<(), RunError> {
        self.saved = (Instant::now(), self.state.trials());
        let optimizer = self.search.optimizer.state();
        checkpoint::write(&self.folder, &self.declared(&self.job), &self.state, log, optimizer)
    }
}

#[cfg(test)]
mod tests;
