//! A run: a job carried out, with its files, its checkpoints and its verdict.
//!
//! A run is a sequence of rounds (`round::Round`): games of some candidates on some deals. Between two rounds only the
//! small [`State`] is needed, and within one only the scores so far; both are in the checkpoint.

pub mod checkpoint;
pub mod error;
pub mod files;
mod records;
mod round;
pub mod state;
mod verdict;
pub mod watch;

pub use error::RunError;
pub use verdict::Verdict;

use crate::config::Job;
use crate::evaluator::Evaluator;
use files::Folder;
use records::Records;
use round::Round;
use state::{Phase, State};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use watch::{Progress, Watch};

/// How a run ended.
#[derive(Clone, Debug, PartialEq)]
pub enum Ending {
    /// It is complete.
    Complete(Verdict),
    /// It was stopped, and can go on from its checkpoint.
    Stopped,
}

/// A run that is ready to go on.
pub struct Run<'a> {
    job: &'a Job,
    evaluator: &'a dyn Evaluator,
    folder: Folder,
    records: Records,
    state: State,
    /// Games a second lately; how much a batch should hold follows from it. It never bears on any result.
    rate: f64,
    /// Games of a batch at most; tests make it small. It never bears on any result either.
    most: usize,
}

/// How long a batch should take: short enough to wait for at a stop, long enough to keep all threads busy.
const BATCH: Duration = Duration::from_secs(2);
/// How long a round may go on before its scores so far are saved.
const SAVE_WITHIN_ROUND: Duration = Duration::from_secs(30);

impl<'a> Run<'a> {
    /// Starts a run in the folder `results`/name.
    ///
    /// # Errors
    /// If the folder already holds a run, or cannot be written.
    pub fn start(job: &'a Job, evaluator: &'a dyn Evaluator, results: &Path) -> Result<Self, RunError> {
        let folder = Folder::create(results, job)?;
        let records = Records::create(&folder, job)?;
        let mut run = Run { job, evaluator, folder, records, state: State::new(job), rate: 0.0, most: usize::MAX };
        run.save()?;
        Ok(run)
    }

    /// Goes on with a run from its checkpoint, or starts it if it has not begun. A run that was complete goes on as well
    /// if the job now has more generations or more time. The player of the exported program may be another, too.
    ///
    /// # Errors
    /// If the run was started with another job, or its files are damaged.
    pub fn resume(job: &'a Job, evaluator: &'a dyn Evaluator, results: &Path) -> Result<Self, RunError> {
        let Some(folder) = Folder::open(results, job)? else {
            return Self::start(job, evaluator, results).map_err(|error| match error {
                RunError::Exists(folder) => RunError::NoCheckpoint(folder),
                other => other,
            });
        };
        let mut state = checkpoint::read(&folder.checkpoint(), job)?;
        if state.reopen(job) {
            // Before the tables are cut, so that they never hold less than the checkpoint counts on.
            checkpoint::write(&folder.checkpoint(), job, &state)?;
        }
        // After the checkpoint: whatever ends the program in between, the next resumption makes up for this.
        folder.update_config(job, &state)?;
        let records = Records::open(&folder, job, &state.lengths)?;
        if state.phase == Phase::Done {
            // The job may name another player for the exported program than it did.
            folder.write_results(job, &state)?;
        }
        Ok(Run { job, evaluator, folder, records, state, rate: 0.0, most: usize::MAX })
    }

    /// The folder of the run's files.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Where the run stands.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Plays on until the run is complete or `stop` is raised; then the batch of games under way is finished first.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn go(&mut self, stop: &AtomicBool, watch: &mut dyn Watch) -> Result<Ending, RunError> {
        // Headers, if they are still to come: tables can be read while the first round goes on.
        self.records.append(&mut self.state.lengths)?;
        loop {
            let Some(round) = Round::of(self.job, &self.state) else {
                let verdict = self.state.verdict.clone().expect("a complete run has a verdict");
                return Ok(Ending::Complete(verdict));
            };
            if !self.play(&round, stop, watch)? {
                self.save()?;
                return Ok(Ending::Stopped);
            }
            let scores = round.take_scores(&mut self.state.partial);
            self.state.complete(self.job, &scores, &mut self.records);
            self.records.append(&mut self.state.lengths)?;
            if self.state.phase == Phase::Done {
                self.folder.write_results(self.job, &self.state)?;
            }
            self.save()?;
        }
    }

    /// Plays what is left of a round; whether it was completed.
    fn play(&mut self, round: &Round, stop: &AtomicBool, watch: &mut dyn Watch) -> Result<bool, RunError> {
        let mut saved = Instant::now();
        while !round.is_complete(&self.state.partial) {
            watch.progress(&self.progress(round));
            if stop.load(Ordering::Relaxed) {
                return Ok(false);
            }
            let start = Instant::now();
            let before = self.state.partial.len();
            let games = (self.rate * BATCH.as_secs_f64()) as usize;
            let games = games.max(8 * self.evaluator.parallelism()).min(self.most);
            round.play(self.evaluator, games, &mut self.state.partial);
            let elapsed = start.elapsed();
            let played = self.state.partial.len() - before;
            self.rate = played as f64 / elapsed.as_secs_f64().max(1e-6);
            self.state.games += played as u64;
            self.state.seconds += elapsed.as_secs_f64();
            if self.state.phase == Phase::Evolving {
                self.state.evolving_seconds += elapsed.as_secs_f64();
            }
            if saved.elapsed() > SAVE_WITHIN_ROUND && !round.is_complete(&self.state.partial) {
                self.save()?;
                saved = Instant::now();
            }
        }
        Ok(true)
    }

    fn save(&mut self) -> Result<(), RunError> {
        checkpoint::write(&self.folder.checkpoint(), self.job, &self.state)
    }

    fn progress(&self, round: &Round) -> Progress {
        let state = &self.state;
        let games_left = round.cells() - state.partial.len();
        Progress {
            phase: state.phase,
            generation: state.genetic.generation,
            generations: self.job.limits.generations,
            games: state.games,
            games_per_second: self.rate,
            latest: state.latest,
            left: self.time_left(games_left),
            share: self.share(round),
        }
    }

    /// The time left, from the time that each generation took so far; `None` before the first is over.
    fn time_left(&self, games_left: usize) -> Option<Duration> {
        let (job, state) = (self.job, &self.state);
        let speed = if state.seconds > 0.0 { state.games as f64 / state.seconds } else { return None };
        let finals = |rounds: usize| rounds as f64 / speed;
        let finalists = job.finals.leaders + 3;
        let verdict = finals(2 * job.finals.verdict);
        let seconds = match state.phase {
            Phase::Verdict | Phase::Done => games_left as f64 / speed,
            Phase::Finalists => games_left as f64 / speed + verdict,
            _ => {
                let evolving = self.evolving_left()?;
                evolving + finals(finalists * job.finals.games) + verdict
            }
        };
        Duration::try_from_secs_f64(seconds).ok()
    }

    /// Seconds until evolution ends, validations included.
    fn evolving_left(&self) -> Option<f64> {
        let (limits, state) = (self.job.limits, &self.state);
        let by_time = limits.time.map(|time| (time.as_secs_f64() - state.evolving_seconds).max(0.0));
        let done = state.genetic.generation;
        let by_generations = match limits.generations {
            Some(all) if done > 0 => Some(state.seconds / done as f64 * all.saturating_sub(done) as f64),
            _ => None,
        };
        match (by_time, by_generations) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        }
    }

    /// How much of the present phase is done, 0 to 1.
    fn share(&self, round: &Round) -> f64 {
        let within = self.state.partial.len() as f64 / round.cells().max(1) as f64;
        match self.state.phase {
            Phase::Evolving | Phase::Validating => {
                let by_time = self.job.limits.time.map_or(0.0, |time| self.state.evolving_seconds / time.as_secs_f64());
                let done = self.state.genetic.generation as f64;
                let within = if self.state.phase == Phase::Evolving { within } else { 0.0 };
                let by_generations = self.job.limits.generations.map_or(0.0, |all| (done + within) / all as f64);
                f64::max(by_time, by_generations).min(1.0)
            }
            _ => within,
        }
    }
}

#[cfg(test)]
mod tests;
