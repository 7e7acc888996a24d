//! Opening a run: its start, and its return from a checkpoint.

use super::checkpoint::{self, Checkpoint};
use super::error::RunError;
use super::folder::{CHECKPOINT, Folder};
use super::log::{Extent, Log};
use super::memory::Memory;
use super::playing::Rate;
use super::search::Search;
use super::stage::{self, Next};
use super::state::State;
use super::{Run, inputs, learned};
use crate::evaluator::Evaluator;
use crate::job::{Job, Lessons};
use crate::model::problem::Problem;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

impl<'a> Run<'a> {
    /// Starts a run in the folder `results`/`job.name`.
    ///
    /// # Errors
    /// If the [budget is too small](Job::small_budget), an earlier run cannot be learned from, the
    /// folder already holds a run, or the folder cannot be written.
    pub fn start(job: &Job, evaluator: &'a dyn Evaluator, results: &Path) -> Result<Self, RunError> {
        let lessons = Self::lessons(job)?;
        Self::begin(job.clone(), lessons, evaluator, Folder::create(results, job)?)
    }

    /// Checks that a run of a job can start, before its problem is opened, which may take long.
    ///
    /// # Errors
    /// As for [`start`](Self::start).
    pub fn can_start(job: &Job, results: &Path) -> Result<(), RunError> {
        Folder::check_free(results, job)?;
        Self::lessons(job).map(drop)
    }

    /// Returns what a new run of a job learns from earlier ones.
    ///
    /// # Errors
    /// If the [budget is too small](Job::small_budget), or an earlier run cannot be learned from.
    pub fn lessons(job: &Job) -> Result<Lessons, RunError> {
        match job.small_budget() {
            Some((budget, least)) => Err(RunError::Budget(budget, least)),
            None => job.lessons().map_err(RunError::Faults),
        }
    }

    /// Opens the log of a run. `declared` is the problem as the job declares it.
    fn new(
        (job, declared): (Job, Arc<dyn Problem>),
        evaluator: &'a dyn Evaluator,
        folder: Folder,
        log: Extent,
        state: State,
        search: Search,
    ) -> Result<Self, RunError> {
        let mut memory = Memory::new(&job);
        let log = Log::open(&folder, &job, log, &mut memory)?;
        let (saved, learned) = ((Instant::now(), state.trials()), Vec::new());
        let (rate, most) = (Rate::default(), usize::MAX);
        Ok(Run { job, declared, evaluator, folder, log, memory, state, search, learned, rate, most, saved })
    }

    fn begin(job: Job, lessons: Lessons, evaluator: &'a dyn Evaluator, folder: Folder) -> Result<Self, RunError> {
        folder.remove_leftovers()?;
        let job = Job { space: job.space.learning(lessons.learned), ..job };
        inputs::write(&folder, evaluator.inputs())?;
        let search = Search::new(job.start_search());
        let state = State { learned: learned::write(&folder, &job.space)?, ..State::new(&job) };
        // The checkpoint comes before the tables: tables without a checkpoint would be taken for a
        // damaged run.
        checkpoint::write(&folder, &job, &state, Extent::default(), search.optimizer.state())?;
        let declared = Arc::clone(&job.source.problem);
        let run = Run::new((job, declared), evaluator, folder, Extent::default(), state, search)?;
        Ok(Run { learned: lessons.found, ..run })
    }

    /// Resumes a run from its checkpoint, or starts it. The job may have other limits than before
    /// as long as the search is not over: a run already beyond a lowered limit ends its search. A
    /// complete run keeps its verdict. The job may change the player of the exported program, but
    /// not the size of validations, nor the sizes of selection and test once the search is over.
    ///
    /// # Errors
    /// If the run was started with another job, or its files are damaged.
    pub fn resume(job: &Job, evaluator: &'a dyn Evaluator, results: &Path) -> Result<Self, RunError> {
        Self::open(job.clone(), evaluator, Folder::open(results, job, false)?, false)
    }

    /// Resumes a run as [`resume`](Self::resume) does, but accepts another version of players and
    /// search, and changed inputs. The run can no longer be reproduced from its config.
    ///
    /// # Errors
    /// As for [`resume`](Self::resume).
    pub fn resume_other_version(job: &Job, evaluator: &'a dyn Evaluator, results: &Path) -> Result<Self, RunError> {
        Self::open(job.clone(), evaluator, Folder::open(results, job, true)?, true)
    }

    fn open(job: Job, evaluator: &'a dyn Evaluator, folder: Folder, any: bool) -> Result<Self, RunError> {
        if !folder.has_checkpoint()? {
            // The run stopped before its first checkpoint, so no trial was played.
            let lessons = job.lessons().map_err(RunError::Faults)?;
            return Self::begin(job, lessons, evaluator, folder);
        }
        inputs::check(&folder, evaluator.inputs(), any)?;
        let Checkpoint { mut state, log, optimizer, .. } = checkpoint::read(&folder, &job)?;
        let job = learned::recalled(&folder, job, state.learned)?;
        let declared = Arc::clone(&job.source.problem);
        let job = Job { initial_budget: Some(state.plan.budget), ..job };
        let as_declared = job.terms();
        let job = if state.differing.is_some() { job.not_deterministic() } else { job };
        // The search keeps the terms on which it began.
        let terms = if state.differing.as_ref().is_some_and(|at| at.searched > 0) { as_declared } else { job.terms() };
        let optimizer = crate::search::resume(&*job.optimizer, &job.space, terms, job.seed, &optimizer);
        let optimizer = optimizer.map_err(|error| RunError::Damaged(folder.file(CHECKPOINT), error.to_string()))?;
        let search = Search::new(optimizer);
        let is_sound = state.fits(&job) && state.search.generations == search.optimizer.generation();
        let exceeds = || match stage::next(&job, &state, &search) {
            Next::Round(round) => state.partial.len() > round.trials.len(),
            Next::Done(_) => false,
        };
        if !is_sound || exceeds() {
            let what = "the checkpoint belongs to another job, or is inconsistent".to_string();
            return Err(RunError::Damaged(folder.file(CHECKPOINT), what));
        }
        state.plan_again(&job);
        if let Some((key, then, now)) = job.sizes.other(&state.plan) {
            return Err(RunError::OtherSize(folder.path().to_path_buf(), key, then, now));
        }
        // A complete run keeps the limits of its verdict.
        let job = match state.verdict() {
            Some(_) => {
                let Job { limits, sizes, .. } =
                    Job::recorded(folder.path(), &job.catalogue).map_err(RunError::Faults)?;
                Job { limits, sizes, ..job }
            }
            None => job,
        };
        if state.partial.is_empty() && state.is_over(&job, &search) {
            state.finish(&search);
        }
        let mut run = Run::new((job, declared), evaluator, folder, log, state, search)?;
        run.record(run.log.extent())?;
        // The job may now name another player for the exported program.
        run.write_results()?;
        Ok(run)
    }
}
