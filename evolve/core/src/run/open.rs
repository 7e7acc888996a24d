//! Opening a run: its start, and its return from a checkpoint.

use super::Run;
use super::course::Course;
use super::course::memory::Memory;
use super::error::RunError;
use super::files::checkpoint::{self, Checkpoint};
use super::files::folder::Folder;
use super::files::log::{Log, LogPart};
use super::files::{inputs, learned};
use super::pace::Pace;
use crate::job::{Job, Lessons};
use crate::names::CHECKPOINT;
use evolve_search::evaluator::Evaluator;
use evolve_search::model::problem::Problem;
use std::path::Path;
use std::sync::Arc;

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
            None => job.lessons().map_err(RunError::Fault),
        }
    }

    /// Opens the log of a run. `declared` is the problem as the job declares it.
    fn new(
        course: Course,
        declared: Arc<dyn Problem>,
        evaluator: &'a dyn Evaluator,
        folder: Folder,
        log: LogPart,
    ) -> Result<Self, RunError> {
        let mut memory = Memory::new(course.job());
        let log = Log::open(&folder, course.job(), log, &mut memory)?;
        let pace = Pace::new(course.state().trials());
        Ok(Run { course, declared, evaluator, folder, log, memory, learned: Vec::new(), pace })
    }

    fn begin(job: Job, lessons: Lessons, evaluator: &'a dyn Evaluator, folder: Folder) -> Result<Self, RunError> {
        folder.remove_leftovers()?;
        let declared = Arc::clone(&job.problem);
        let mut course = Course::new(Job { space: job.space.learning(lessons.learned), ..job });
        inputs::write(&folder, evaluator.inputs())?;
        course.set_learned(learned::write(&folder, &course.job().space)?);
        // The checkpoint comes before the tables: tables without a checkpoint would be taken for a
        // damaged run.
        checkpoint::write(&folder, &course, course.job(), LogPart::default())?;
        let run = Run::new(course, declared, evaluator, folder, LogPart::default())?;
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
            let lessons = job.lessons().map_err(RunError::Fault)?;
            return Self::begin(job, lessons, evaluator, folder);
        }
        inputs::check(&folder, evaluator.inputs(), any)?;
        let Checkpoint { state, log, optimizer, .. } = checkpoint::read(&folder, &job)?;
        let job = learned::recalled(folder.path(), job, state.learned)?;
        let declared = Arc::clone(&job.problem);
        let damaged = |error| RunError::Damaged(folder.file(CHECKPOINT), format!("{error}"));
        let mut course = Course::resume(job, state, &optimizer).map_err(damaged)?;
        if let Some((key, then, now)) = course.job().sizes.other(&course.state().plan) {
            return Err(RunError::OtherSize(folder.path().to_path_buf(), key, then, now));
        }
        if course.state().verdict().is_some() {
            // A complete run keeps the limits of its verdict.
            let (Job { limits, sizes, .. }, _) = folder.recorded();
            course.keep_limits(*limits, *sizes);
        }
        let mut run = Run::new(course, declared, evaluator, folder, log)?;
        run.update_config()?;
        run.save(run.log.extent())?;
        // The job may now name another player for the exported program.
        run.write_results()?;
        Ok(run)
    }
}
