//! The folder of a run.

use super::atomic::{clean, make_folder, replace_plain};
use super::error::RunError;
use super::record::LOG;
use super::rows::GENERATIONS;
use crate::job::policy_file::FILE_NAME;
use crate::job::{CONFIG, Job, Limits, Sizes};
use std::fs::{self, File, TryLockError};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

/// The folder of a run, locked against other processes for as long as this value lives.
pub struct Folder {
    path: PathBuf,
    version: u64,
    _lock: File,
}

/// Name of the file that a run resumes from.
pub const CHECKPOINT: &str = "checkpoint";
/// Name of the file that is locked.
pub const LOCK: &str = ".lock";

impl Folder {
    /// Makes the folder of a new run, with its resolved config.
    ///
    /// # Errors
    /// If it already holds a run, or cannot be written.
    pub fn create(results: &Path, job: &Job) -> Result<Self, RunError> {
        let folder = Self::lock(results.join(&job.name))?;
        if folder.holds(CONFIG)? || folder.has_checkpoint()? || folder.holds_results()? {
            return Err(RunError::Exists(folder.path));
        }
        folder.write(CONFIG, job.to_toml().as_bytes())?;
        Ok(folder)
    }

    /// Opens the folder of a run that was started with this job; if there is none, makes it. The limits
    /// and sizes may differ.
    ///
    /// # Errors
    /// If the run lost its checkpoint or its config, was started with another job or by another version of the program.
    pub fn open(results: &Path, job: &Job, any_version: bool) -> Result<Self, RunError> {
        let mut folder = Self::lock(results.join(&job.name))?;
        clean(&folder.path).map_err(RunError::io(&folder.path))?;
        let has_checkpoint = folder.has_checkpoint()?;
        if !has_checkpoint && folder.holds_results()? {
            return Err(RunError::NoCheckpoint(folder.path));
        }
        if !folder.holds(CONFIG)? {
            if has_checkpoint {
                let what = "missing: it has the job of the checkpoint".to_string();
                return Err(RunError::Damaged(folder.file(CONFIG), what));
            }
            folder.write(CONFIG, job.to_toml().as_bytes())?;
            return Ok(folder);
        }
        let then = folder.config(job)?;
        folder.check_same(&then, job)?;
        if then.version != Some(crate::VERSION) {
            if !any_version {
                return Err(RunError::OtherVersion { folder: folder.path, then: then.version });
            }
            folder.version = then.version.unwrap_or_default();
        }
        Ok(folder)
    }

    fn lock(path: PathBuf) -> Result<Self, RunError> {
        make_folder(&path).map_err(RunError::io(&path))?;
        let name = path.join(LOCK);
        let open = File::options().write(true).create(true).truncate(false).open(&name);
        let file = open.map_err(RunError::io(&name))?;
        match lock(&file) {
            Ok(()) => Ok(Folder { path, version: crate::VERSION, _lock: file }),
            Err(TryLockError::WouldBlock) => Err(RunError::Busy(path)),
            Err(TryLockError::Error(error)) => Err(RunError::Io(name, error)),
        }
    }

    /// The version of players and search that the run is of.
    pub fn version(&self) -> u64 {
        self.version
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// A file in it.
    pub fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// Whether there is a checkpoint.
    pub fn has_checkpoint(&self) -> Result<bool, RunError> {
        self.holds(CHECKPOINT)
    }

    /// Whether there is anything that trials were played for: a run writes its first checkpoint before its first
    /// record.
    fn holds_results(&self) -> Result<bool, RunError> {
        // Runs of earlier versions have tables without a log.
        Ok(self.holds(FILE_NAME)? || self.holds(LOG)? || self.holds(GENERATIONS)?)
    }

    /// Whether there is a file of that name, with anything in it.
    fn holds(&self, name: &str) -> Result<bool, RunError> {
        let path = self.file(name);
        match fs::metadata(&path) {
            Ok(file) => Ok(file.len() > 0),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
            Err(error) => Err(RunError::Io(path, error)),
        }
    }

    /// Writes the recommended weights.
    pub fn write_weights(&self, text: &str) -> Result<(), RunError> {
        self.write(FILE_NAME, text.as_bytes())
    }

    /// Has the config tell how to reproduce the run, whose job may be another than it was as far as [`Folder::open`]
    /// allows.
    ///
    /// # Errors
    /// If it cannot be read or written.
    pub fn update_config(&self, job: &Job, (limits, sizes): (Limits, Sizes)) -> Result<(), RunError> {
        let then = fs::read_to_string(self.file(CONFIG)).map_err(RunError::io(&self.file(CONFIG)))?;
        let now = Job { limits, sizes, ..job.clone() }.to_toml_of(self.version);
        if now != then { self.write(CONFIG, now.as_bytes()) } else { Ok(()) }
    }

    /// Removes a file, if it is there.
    ///
    /// # Errors
    /// If it cannot be removed.
    pub fn remove(&self, name: &str) -> Result<(), RunError> {
        let path = self.file(name);
        match fs::remove_file(&path) {
            Err(error) if error.kind() != ErrorKind::NotFound => Err(RunError::Io(path, error)),
            _ => Ok(()),
        }
    }

    /// Replaces a file in one step.
    ///
    /// # Errors
    /// It cannot be written; the old one stays.
    pub fn write(&self, name: &str, bytes: &[u8]) -> Result<(), RunError> {
        let path = self.file(name);
        replace_plain(&path, bytes).map_err(RunError::io(&path))
    }

    /// The job that the run was started with.
    fn config(&self, job: &Job) -> Result<Job, RunError> {
        Job::recorded(&self.path, &job.catalogue).map_err(RunError::Faults)
    }

    /// Compares the job of a run with this one, apart from what may change.
    fn check_same(&self, then: &Job, job: &Job) -> Result<(), RunError> {
        let (then, now) = (then.comparable(), job.comparable());
        let mut pairs = then.lines().zip(now.lines());
        let other = |then: &str, now: &str| {
            Err(RunError::OtherJob(self.path.clone(), then.trim().to_string(), now.trim().to_string()))
        };
        match pairs.find(|(then, now)| then != now) {
            Some((then, now)) => other(then, now),
            None if then.len() != now.len() => other("another last section", "this one"),
            None => Ok(()),
        }
    }
}

/// Locks a file. `evolve status` holds a lock for a moment to see whether there is one: then it is tried again.
fn lock(file: &File) -> Result<(), TryLockError> {
    for _ in 0..10 {
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => thread::sleep(Duration::from_millis(10)),
            done => return done,
        }
    }
    file.try_lock()
}
