//! A run: the execution of a job, with its files, checkpoints and verdict.
//!
//! A run plays the schedules of trials that its `Course` requests, stage after stage, and hands
//! back the outcomes. The checkpoint holds everything that a run needs to resume: the small
//! [`State`] and the outcomes of the current schedule. The log, its tables and the weights are
//! outputs: a resumed run takes no state from them. It only requires that the log is intact up to
//! the length in the checkpoint.

mod check;
mod course;
pub mod error;
mod files;
mod in_play;
mod instances;
mod open;
mod pace;
pub mod trials;
mod watch;

pub use course::counters::Ends;
pub use course::figures::Figures;
pub use course::memory::Differing;
pub use course::record::TrialRecord;
pub use course::summary::Summary;
pub use course::verdict::{Compared, Sample, Verdict};
pub use course::{rows, schedule, state};
pub use error::RunError;
pub use files::checkpoint::FORMAT;
pub use files::inputs::recorded as recorded_inputs;
pub use files::landscape::landscape;
pub use files::snapshot::{RunState, Snapshot, Status, Unreadable, relative};
pub use watch::{Nobody, Progress, Watch};

use crate::job::{Job, LearnedRun, Stage, TimeLimits};
use crate::judgement::measured::{Measured, Measuring};
use crate::names::{FINALIST, INCUMBENT, RECOMMENDATION};
use course::Course;
use course::memory::Memory;
use course::schedule::{Planned, Schedule};
use evolve_search::evaluator::Evaluator;
use evolve_search::model::problem::Problem;
use evolve_search::model::trial::{Outcome, PlayError, is_usable};
use files::folder::Folder;
use files::log::{Log, LogPart};
use files::{checkpoint, earlier, recommend};
use in_play::{InPlay, Settled};
use pace::Pace;
use state::State;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// How a run ended.
#[derive(Clone, Debug, PartialEq)]
pub enum Ending {
    /// The run is complete.
    Complete(Box<Verdict>),
    /// The run was stopped; its checkpoint allows it to resume.
    Stopped,
}

/// A run that is ready to execute: it plays what its course requests, logs and saves.
pub struct Run<'a> {
    course: Course,
    /// The problem as the job declares it.
    declared: Arc<dyn Problem>,
    evaluator: &'a dyn Evaluator,
    folder: Folder,
    log: Log,
    memory: Memory,
    /// The earlier runs that a new run learns from.
    learned: Vec<LearnedRun>,
    pace: Pace,
}

impl<'a> Run<'a> {
    /// Ends the search at once, or after its first generation if that is still being played. The
    /// selection, the test and the verdict follow. Does nothing if the search is over.
    pub fn finish(&mut self) -> Result<(), RunError> {
        if !self.course.finish() {
            return Ok(());
        }
        // The trials of a generation in progress are dropped, and the log is cut to match: last, so
        // that a checkpoint never relies on a deleted record.
        let log = self.log.extent_after(self.state().trials())?;
        self.update_config()?;
        self.save(log)?;
        self.memory = Memory::new(self.job());
        self.log = Log::open(&self.folder, self.course.job(), log, &mut self.memory)?;
        Ok(())
    }

    /// Returns a job with the problem as it was declared.
    fn declared(&self, job: Job) -> Job {
        Job { problem: Arc::clone(&self.declared), ..job }
    }

    fn update_config(&mut self) -> Result<(), RunError> {
        let job = self.declared(self.course.reproducing());
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
    /// [external](evolve_search::model::behaviour::Behaviour::is_external).
    ///
    /// # Errors
    /// If the log cannot be read.
    pub fn recorded(&self) -> Result<impl Iterator<Item = Result<TrialRecord, RunError>> + use<>, RunError> {
        self.log.recorded()
    }

    pub fn state(&self) -> &State {
        self.course.state()
    }

    pub fn job(&self) -> &Job {
        self.course.job()
    }

    pub fn progress(&self) -> Progress {
        let (job, state) = (self.job(), self.state());
        Progress {
            stage: state.stage,
            figures: Figures::of(job, Some(state)),
            trials_per_second: self.pace.rate,
            latest: state.search.latest.as_ref().map(|last| (last.row.best, last.row.mean)),
            incumbent: recommend::incumbent_values(job, state, self.course.optimizer().mean()),
            method: self.course.optimizer().method(),
        }
    }

    /// Describes the current method of the search in a few words.
    pub fn method(&self) -> &'static str {
        self.course.optimizer().method()
    }

    /// Returns the number of completed generations.
    pub fn generation(&self) -> u64 {
        self.state().search.generations
    }

    /// Executes the run until it is complete or `stop` is set. After `stop` is set, finishes the
    /// current batch first, unless the evaluator abandons it.
    ///
    /// # Errors
    /// If a file cannot be written, or a failed trial ends the run. Finished trials are saved.
    pub fn execute(&mut self, stop: &AtomicBool, watch: &mut dyn Watch) -> Result<Ending, RunError> {
        self.course.set_failure(None);
        let ending = self.play_stages(stop, watch);
        if let Err(
            error @ (RunError::Failed(_)
            | RunError::NotFinite(..)
            | RunError::AllFailed(..)
            | RunError::Budget(..)
            | RunError::Time(..)),
        ) = &ending
        {
            self.course.set_failure(Some(error.to_string()));
            match self.state().trials() {
                // No trial was recorded, so there is nothing to resume: a mended job can start
                // afresh.
                0 => self.folder.clear()?,
                _ => self.keep()?,
            }
        }
        ending
    }

    fn play_stages(&mut self, stop: &AtomicBool, watch: &mut dyn Watch) -> Result<Ending, RunError> {
        let mut in_play: Option<InPlay<'a>> = None;
        if !self.check(stop, watch)? {
            return self.stop();
        }
        loop {
            if let Some(error) = self.state().hopeless() {
                return Err(error);
            }
            if let Some(verdict) = self.state().verdict() {
                return Ok(Ending::Complete(Box::new(verdict.clone())));
            }
            let schedule = self.course.schedule();
            let mut trials = in_play.take().unwrap_or_else(|| InPlay::new(self.evaluator));
            if !self.play_schedule(&schedule, &mut trials, stop, watch)? {
                return self.stop();
            }
            self.check_inputs()?;
            let step = self.course.complete(&schedule);
            self.log.add(step.records);
            if step.forgets {
                self.memory = Memory::new(self.job());
            } else if self.course.stage() == Stage::Search {
                in_play = trials.next();
            }
            if let Some(split) = step.needs_earlier {
                self.course.set_earlier(earlier::tests(self.folder.path(), self.job(), split));
            }
            if step.is_replanned {
                self.update_config()?;
            } else if self.course.stage() == step.stage && self.can_wait() {
                continue;
            }
            self.log.append(self.course.state())?;
            if step.stage == Stage::Validation || step.stage == Stage::Search && self.pace.shows() {
                self.write_incumbent()?;
            }
            self.write_results()?;
            self.save(self.log.extent())?;
        }
    }

    /// Leaves the run so that it can resume.
    fn stop(&mut self) -> Result<Ending, RunError> {
        self.keep()?;
        self.write_incumbent()?;
        Ok(Ending::Stopped)
    }

    /// Plays the rest of a schedule. Returns whether the schedule is complete.
    fn play_schedule(
        &mut self,
        schedule: &Schedule,
        in_play: &mut InPlay<'a>,
        stop: &AtomicBool,
        watch: &mut dyn Watch,
    ) -> Result<bool, RunError> {
        let count = schedule.trials.len();
        while self.state().partial.len() < count {
            watch.progress(&self.progress());
            let start = Instant::now();
            let played = self.state().partial.len();
            if stop.load(Ordering::Relaxed) {
                let settled = in_play.stop(schedule.ready(played) - played);
                self.record_outcomes(schedule, settled, start)?;
                return Ok(self.state().partial.len() == count);
            }
            in_play.feed(&self.course, &mut self.memory, schedule);
            match in_play.pop(schedule.batch(played, self.pace.batch(self.evaluator))) {
                Ok(settled) => self.record_outcomes(schedule, settled, start)?,
                // The evaluator abandoned trials under way because of the request to stop.
                Err(PlayError::Stopped) => return Ok(false),
                Err(PlayError::Fatal(failure)) => return Err(RunError::Failed(failure)),
            }
        }
        Ok(true)
    }

    /// Records the outcomes of the next trials, and saves them if the batch was slow or the last
    /// save is long ago.
    fn record_outcomes(&mut self, schedule: &Schedule, settled: Vec<Settled>, start: Instant) -> Result<(), RunError> {
        let batch = &schedule.trials[self.state().partial.len()..][..settled.len()];
        let unusable =
            |outcome: &Outcome| [outcome.objective, outcome.score].into_iter().find(|&value| !is_usable(value));
        let played = batch.iter().zip(&settled).filter_map(|(trial, answer)| Some((*trial, answer.outcome.clone()?)));
        let played: Vec<(Planned, Outcome)> = played.collect();
        if let Some((trial, value)) = played.iter().find_map(|(trial, outcome)| Some((trial, unusable(outcome)?))) {
            return Err(RunError::NotFinite(value, trial.case.seed));
        }
        self.log.trials(&self.course, schedule, &played);
        let (measured, differing) = self.measured(settled);
        let elapsed = start.elapsed();
        self.course.add(measured, played.iter().map(|(_, outcome)| outcome), differing, elapsed);
        self.pace.add(batch.len(), elapsed, self.evaluator.plays_ahead());
        let is_whole = self.state().partial.len() == schedule.trials.len();
        if !is_whole && self.pace.saves_within_schedule(elapsed, self.job().problem.behaviour().is_external) {
            self.keep()?;
        }
        Ok(())
    }

    /// Returns what counts of each outcome, or of the known one if the trial was not played, and
    /// keeps it. Returns also the first outcome that differs from an earlier one of the same trial.
    fn measured(&mut self, settled: Vec<Settled>) -> (Vec<Measured>, Option<Differing>) {
        let problem = &self.course.job().problem;
        // The verdict needs the groups of the trials of the test, which can be known trials of the
        // search.
        let keeps_groups = self.course.stage() == Stage::Test || problem.behaviour().repeats();
        let measuring = Measuring::new(&**problem, keeps_groups);
        let mut differing = None;
        let measured = |Settled { key, outcome }| {
            let Some(outcome) = outcome else {
                let known = key.and_then(|key| self.memory.get(&key).cloned());
                return known.expect("a trial that is not played has a known outcome");
            };
            let measured = measuring.of(&outcome);
            if let Some(found) = key.and_then(|key| self.memory.add(key, &measured)) {
                differing.get_or_insert(found);
            }
            measured
        };
        (settled.into_iter().map(measured).collect(), differing)
    }

    /// Writes the results of a complete run: the recommended weights, in place of the incumbent.
    fn write_results(&mut self) -> Result<(), RunError> {
        let (job, state) = (self.job(), self.state());
        let Some(verdict) = state.verdict() else { return Ok(()) };
        let (chosen, version) = (state.chosen(), self.folder.version());
        // Without measured times: the file is the same in every repetition.
        let limits = TimeLimits::of(&*job.problem).map(|limits| format!("time limit {limits}"));
        let notes: Vec<String> = limits.into_iter().chain(state.facts()).collect();
        match recommend::rejected(job, chosen, verdict, &notes, version) {
            Some(finalist) => self.folder.write(FINALIST, finalist.as_bytes())?,
            None => self.folder.remove(FINALIST)?,
        }
        let weights = recommend::weights(job, chosen, verdict, &notes, version);
        self.folder.write(RECOMMENDATION, weights.as_bytes())?;
        self.folder.remove(INCUMBENT)
    }

    /// Writes the weights of the incumbent, for users who need them before the run is complete.
    fn write_incumbent(&self) -> Result<(), RunError> {
        let mean = self.course.optimizer().mean();
        let text = recommend::incumbent(self.job(), self.state(), mean, self.folder.version());
        self.folder.write(INCUMBENT, text.as_bytes())
    }

    /// Returns whether saving can wait after a schedule within a stage: its schedules are small,
    /// and the last save is recent.
    fn can_wait(&self) -> bool {
        matches!(self.course.stage(), Stage::Search | Stage::Effects)
            && !self.job().problem.behaviour().is_external
            && self.pace.can_wait(self.state().trials())
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
        self.log.append(self.course.state())?;
        self.save(self.log.extent())
    }

    /// Saves the state with this part of the log.
    fn save(&mut self, log: LogPart) -> Result<(), RunError> {
        self.pace.save(self.state().trials());
        let declared = self.declared(self.job().clone());
        checkpoint::write(&self.folder, &self.course, &declared, log)
    }
}

#[cfg(test)]
mod tests;
