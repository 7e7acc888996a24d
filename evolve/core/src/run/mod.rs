//! A run: the execution of a job, with its files, checkpoints and verdict.
//!
//! A run is a sequence of stages (`stage`): the baseline on held-out instances, the search with validations in between, the
//! selection, the search for parameters without effect, the held-out test. Each stage requests a round of trials and
//! decides the next step from the outcomes. The checkpoint holds everything that a run needs to resume: the small
//! [`State`] and the outcomes of the current round. The log, its tables and the weights are outputs: a resumed run
//! takes no state from them. It only requires that the log is intact up to the length in the checkpoint.

mod checkpoint;
mod effects;
pub mod error;
mod failures;
mod figures;
mod finalist;
mod folder;
mod inputs;
mod learned;
mod log;
mod open;
mod penalty;
mod playing;
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
pub use record::TrialRecord;
pub use standing::{Standing, Status, Unreadable, relative};
pub use summary::{Found, Summary};
pub use verdict::{Compared, Sample, Verdict};
pub use watch::{Nobody, Progress, Watch};

use crate::evaluator::{Evaluator, Trial};
use crate::job::policy_file::{FINALIST, INCUMBENT};
use crate::job::{Job, LearnedRun};
use crate::model::trial::{Outcome, PlayError, is_usable};
use folder::Folder;
use log::Log;
use playing::{Playing, Rate};
use schedule::Schedule;
use search::Search;
use stage::Next;
use state::{Phase, State};
use std::mem::{Discriminant, discriminant};
use std::path::Path;
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
    job: Job,
    evaluator: &'a dyn Evaluator,
    folder: Folder,
    log: Log,
    state: State,
    search: Search,
    /// The earlier runs that a new run learns from.
    learned: Vec<LearnedRun>,
    /// The previous verdict, if the job extends a complete run.
    replaced: Option<Verdict>,
    /// The recent speed, which determines the size of a batch. Results do not depend on it.
    rate: Rate,
    /// The largest number of trials in a batch; unit tests lower it. Results do not depend on it.
    most: usize,
    /// The time of the last save, and the number of trials at that time.
    saved: (Instant, u64),
}

/// The target duration of a batch: short enough to wait for when stopping, long enough to keep all threads busy.
const BATCH: Duration = Duration::from_secs(2);
/// The longest time between two saves within a round.
const SAVE_WITHIN_ROUND: Duration = Duration::from_secs(10);
/// A save is due once this much time has passed since the last one. If trials are expensive, this is checked after every
/// batch. If trials are cheap, it is checked only between rounds; during a round, [`SAVE_WITHIN_ROUND`] is the limit.
const SAVE_DEAR: Duration = Duration::from_secs(1);
/// If trials are cheap, the end of a round saves the state only if this many trials or [`SAVE_DEAR`] have passed since the
/// last save: saving more often would take as long as playing.
const SAVE_TRIALS: u64 = 1000;
/// The duration of a batch above which it is saved at once, because its trials are expensive.
const SLOW_BATCH: Duration = Duration::from_secs(3);
/// The smallest number of trials per thread in a batch, so that threads are rarely idle at its end.
const LEAST_EACH: usize = 8;
/// The target duration of a batch if the evaluator starts trials of the next batch before this one ends. It can be short,
/// because no thread waits at the end of such a batch.
const BATCH_AHEAD: Duration = Duration::from_millis(250);

impl<'a> Run<'a> {
    /// Saves a state that was rolled back to an earlier stage, and cuts the log to match. The log is cut last, so that a
    /// checkpoint never relies on a deleted record.
    fn go_back(&mut self) -> Result<(), RunError> {
        let length = self.log.length_after(self.state.trials())?;
        self.record(length)?;
        self.log = Log::open(&self.folder, &self.job, length)?;
        Ok(())
    }

    /// Saves the state with this length of the log, and updates the limits in the config so that the config reproduces
    /// the run.
    fn record(&mut self, length: u64) -> Result<(), RunError> {
        self.folder.update_config(self.state.extent(&self.job, &self.search))?;
        self.save(length)
    }

    /// Ends the search at once, or after its first generation if that is still being played. The selection, the test
    /// and the verdict follow. Does nothing if the search is over.
    pub fn finish(&mut self) -> Result<(), RunError> {
        if !self.state.finish(&self.job, &self.search) {
            return Ok(());
        }
        match self.state.ended {
            Some(_) => self.go_back(),
            None => self.record(self.log.length()),
        }
    }

    /// Returns the folder that holds the files of the run.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Returns the earlier runs that a new run learns from; none if it resumed.
    pub fn learned(&self) -> &[LearnedRun] {
        &self.learned
    }

    /// Returns the previous verdict, if the job prolongs a complete run.
    pub fn replaced(&self) -> Option<&Verdict> {
        self.replaced.as_ref()
    }

    /// Returns the recorded trials, if trials are [external](crate::model::traits::Execution::External).
    ///
    /// # Errors
    /// If the log cannot be read.
    pub fn recorded(&self) -> Result<impl Iterator<Item = Result<TrialRecord, RunError>> + use<>, RunError> {
        self.log.recorded()
    }

    /// Returns the state of the run.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Returns the job of the run.
    pub fn job(&self) -> &Job {
        &self.job
    }

    /// Returns the progress of the run.
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

    /// Executes the run until it is complete or `stop` is set. After `stop` is set, finishes the current batch
    /// first, unless the evaluator abandons it.
    ///
    /// # Errors
    /// If a file cannot be written, or a failed trial ends the run. Finished trials are saved.
    pub fn execute(&mut self, stop: &AtomicBool, watch: &mut dyn Watch) -> Result<Ending, RunError> {
        self.state.failure = None;
        let ending = self.play_rounds(stop, watch);
        if let Err(error @ (RunError::Failed(_) | RunError::NotFinite(..))) = &ending {
            self.state.failure = Some(error.to_string());
            match self.state.trials() {
                // No trial was recorded, so there is nothing to resume: a mended job can start afresh.
                0 => self.folder.clear()?,
                _ => self.keep()?,
            }
        }
        ending
    }

    fn play_rounds(&mut self, stop: &AtomicBool, watch: &mut dyn Watch) -> Result<Ending, RunError> {
        let mut playing: Option<Playing<'a>> = None;
        loop {
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
            let outcomes = std::mem::take(&mut self.state.partial);
            let was = discriminant(&self.state.phase);
            let was_validation = self.state.phase == Phase::Validation;
            let (plan, start) = (self.state.plan, Instant::now());
            stage::complete(&self.job, &mut self.state, &mut self.search, &round, &outcomes, &mut self.log);
            self.state.counters.seconds += start.elapsed().as_secs_f64();
            if self.state.phase == Phase::Search {
                playing = rounds.next();
            }
            if self.state.plan != plan {
                self.folder.update_config(self.state.extent(&self.job, &self.search))?;
            } else if self.may_wait(was) {
                continue;
            }
            self.log.append(&self.state)?;
            if was_validation {
                self.write_incumbent()?;
            }
            self.write_results()?;
            self.save(self.log.length())?;
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
                let known = playing.finish(left);
                let batch = round.next(&self.state.partial, known.len());
                self.record_outcomes(round, &batch, known, start)?;
                return Ok(self.state.partial.len() == round.trials.len());
            }
            let ahead = || stage::ahead(&self.job, &self.state, &self.search);
            playing.announce(round, &self.state.partial, ahead);
            let batch = round.batch(&self.state.partial, self.batch_size());
            match playing.evaluate(&batch) {
                Ok(outcomes) => self.record_outcomes(round, &batch, outcomes, start)?,
                // The evaluator abandoned trials under way because of the request to stop.
                Err(PlayError::Stopped) => return Ok(false),
                Err(PlayError::Fatal(failure)) => return Err(RunError::Failed(failure)),
            }
        }
        Ok(true)
    }

    /// Records the outcomes of a batch, and saves them if the batch was slow or the last save is long ago.
    fn record_outcomes(
        &mut self,
        round: &Schedule,
        batch: &[Trial],
        outcomes: Vec<Outcome>,
        start: Instant,
    ) -> Result<(), RunError> {
        let unusable =
            |outcome: &Outcome| [outcome.objective, outcome.score].into_iter().find(|&value| !is_usable(value));
        if let Some((place, value)) = outcomes.iter().enumerate().find_map(|(i, outcome)| Some((i, unusable(outcome)?)))
        {
            return Err(RunError::NotFinite(value, batch[place].deal.seed));
        }
        self.log.trials(&self.job, &self.state, round, batch, &outcomes);
        self.state.count(&self.job, &outcomes, start.elapsed());
        let least = if self.evaluator.plays_ahead() { BATCH_AHEAD } else { Duration::ZERO };
        self.rate.add(outcomes.len(), start.elapsed(), least);
        let is_slow = start.elapsed() > SLOW_BATCH;
        // Trials of programs are logged one by one, and are expensive to repeat.
        let within = if self.job.source.problem.traits().is_external() { SAVE_DEAR } else { SAVE_WITHIN_ROUND };
        if (is_slow || self.saved.0.elapsed() > within) && self.state.partial.len() < round.trials.len() {
            self.keep()?;
        }
        Ok(())
    }

    /// Returns the target number of trials in the next batch.
    fn batch_size(&self) -> usize {
        let rate = self.rate.value;
        let of = |duration: Duration| (rate * duration.as_secs_f64()) as usize;
        let size = match self.evaluator.plays_ahead() {
            true => of(BATCH_AHEAD),
            // Trials are slow, or their speed is unknown: a quick stop is worth more than keeping every thread busy.
            false if rate < 2.0 * LEAST_EACH as f64 => of(BATCH).max(self.evaluator.parallelism()),
            false => of(BATCH).max(LEAST_EACH * self.evaluator.parallelism()),
        };
        size.min(self.most).max(1)
    }

    /// Writes the results of a complete run: the recommended weights, in place of the incumbent.
    fn write_results(&mut self) -> Result<(), RunError> {
        let Phase::Done { chosen, verdict } = &self.state.phase else { return Ok(()) };
        let version = self.folder.version();
        match recommend::rejected(&self.job, chosen, verdict, version) {
            Some(finalist) => self.folder.write(FINALIST, finalist.as_bytes())?,
            None => self.folder.remove(FINALIST)?,
        }
        self.folder.write_weights(&recommend::weights(&self.job, chosen, verdict, version))?;
        self.folder.remove(INCUMBENT)
    }

    /// Writes the weights of the incumbent, for users who need them before the run is complete.
    fn write_incumbent(&self) -> Result<(), RunError> {
        let mean = self.search.optimizer.mean();
        let text = recommend::incumbent(&self.job, &self.state, mean, self.folder.version());
        self.folder.write(INCUMBENT, text.as_bytes())
    }

    /// Returns whether saving can wait: the phase has not changed, its rounds are small, and the last save is recent.
    fn may_wait(&self, was: Discriminant<Phase>) -> bool {
        let (when, trials) = self.saved;
        matches!(self.state.phase, Phase::Search | Phase::Effects(..))
            && discriminant(&self.state.phase) == was
            && !self.job.source.problem.traits().is_external()
            && self.state.trials() - trials < SAVE_TRIALS
            && when.elapsed() < SAVE_DEAR
    }

    /// Appends pending records to the log and saves the state.
    fn keep(&mut self) -> Result<(), RunError> {
        self.log.append(&self.state)?;
        self.save(self.log.length())
    }

    fn save(&mut self, length: u64) -> Result<(), RunError> {
        self.saved = (Instant::now(), self.state.trials());
        let optimizer = self.search.optimizer.state();
        checkpoint::write(&self.folder, &self.job, &self.state, length, optimizer)
    }
}

#[cfg(test)]
mod tests;
