//! The folder that holds the files of a run.

use crate::job::Job;
use crate::names::{CHECKPOINT, CONFIG, FAILURES, GENERATIONS, INPUTS, LOCK, LOG, RECOMMENDATION, TOLD};
use crate::run::error::RunError;
use evolve_search::file::{clean, gone, make_folder, replace_plain};
use std::fs::{self, File, TryLockError};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

/// The folder of a run, locked against other processes until this value is dropped.
pub struct Folder {
    path: PathBuf,
    version: u64,
    /// The job in the config, and the checksum of the config.
    recorded: (Job, u32),
    _lock: File,
}

impl Folder {
    /// Creates the folder of a new run and writes its resolved config.
    ///
    /// # Errors
    /// If the folder already holds a run or cannot be written.
    pub fn create(results: &Path, job: &Job) -> Result<Self, RunError> {
        let mut folder = Self::lock(results, job)?;
        Self::check_free(results, job)?;
        folder.write_config(job.clone(), &job.to_toml())?;
        Ok(folder)
    }

    /// Checks that a run can start in this folder.
    ///
    /// # Errors
    /// If the folder already holds a run or cannot be read.
    pub fn check_free(results: &Path, job: &Job) -> Result<(), RunError> {
        let path = results.join(&job.name);
        for name in [CONFIG, CHECKPOINT, RECOMMENDATION, LOG] {
            if has(&path, name)? {
                return Err(RunError::Exists(path));
            }
        }
        Ok(())
    }

    /// Opens the folder of a run that was started with this job, or creates it. The job may have
    /// other limits and sizes than the run.
    ///
    /// # Errors
    /// If the run lost its checkpoint or config, or was started with another job or by another
    /// version of the program.
    pub fn open(results: &Path, job: &Job, any_version: bool) -> Result<Self, RunError> {
        let mut folder = Self::lock(results, job)?;
        clean(&folder.path).map_err(RunError::io(&folder.path))?;
        let has_checkpoint = folder.has_checkpoint()?;
        if !has_checkpoint && folder.holds_results()? {
            return Err(RunError::NoCheckpoint(folder.path));
        }
        if !has(&folder.path, CONFIG)? {
            if has_checkpoint {
                let what = "missing: it has the job of the checkpoint".to_string();
                return Err(RunError::Damaged(folder.file(CONFIG), what));
            }
            folder.write_config(job.clone(), &job.to_toml())?;
            return Ok(folder);
        }
        let config = fs::read(folder.file(CONFIG)).map_err(RunError::io(&folder.file(CONFIG)))?;
        let then = Job::recorded(&folder.path, &job.catalogue).map_err(RunError::Fault)?;
        folder.check_same(&then, job)?;
        folder.recorded = (then.clone(), crc32fast::hash(&config));
        if then.version != Some(crate::VERSION) {
            if !any_version {
                return Err(RunError::OtherVersion { folder: folder.path, then: then.version });
            }
            folder.version = then.version.unwrap_or_default();
        }
        Ok(folder)
    }

    fn lock(results: &Path, job: &Job) -> Result<Self, RunError> {
        let path = results.join(&job.name);
        make_folder(&path).map_err(RunError::io(&path))?;
        let name = path.join(LOCK);
        let open = File::options().write(true).create(true).truncate(false).open(&name);
        let file = open.map_err(RunError::io(&name))?;
        match lock(&file) {
            Ok(()) => Ok(Folder { path, version: crate::VERSION, recorded: (job.clone(), 0), _lock: file }),
            Err(TryLockError::WouldBlock) => Err(RunError::Busy(path)),
            Err(TryLockError::Error(error)) => Err(RunError::Io(name, error)),
        }
    }

    /// Returns the job in the config, and the checksum of the config.
    pub fn recorded(&self) -> (&Job, u32) {
        (&self.recorded.0, self.recorded.1)
    }

    fn write_config(&mut self, job: Job, text: &str) -> Result<(), RunError> {
        self.write(CONFIG, text.as_bytes())?;
        self.recorded = (job, crc32fast::hash(text.as_bytes()));
        Ok(())
    }

    /// Returns the version of the players and search that the run uses.
    pub fn version(&self) -> u64 {
        self.version
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    pub fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// Returns whether the folder holds a checkpoint.
    pub fn has_checkpoint(&self) -> Result<bool, RunError> {
        has(&self.path, CHECKPOINT)
    }

    /// Returns whether the folder holds results of trials. A run writes its first checkpoint before
    /// its first record.
    fn holds_results(&self) -> Result<bool, RunError> {
        Ok(has(&self.path, RECOMMENDATION)? || has(&self.path, LOG)?)
    }

    /// Updates the config to that of `job`, which may differ from the job of the run as far as
    /// [`Folder::open`] allows.
    ///
    /// # Errors
    /// If the config cannot be read or written.
    pub fn update_config(&mut self, job: Job) -> Result<(), RunError> {
        let then = fs::read_to_string(self.file(CONFIG)).map_err(RunError::io(&self.file(CONFIG)))?;
        let now = job.to_toml_of(self.version);
        if now != then { self.write_config(job, &now) } else { Ok(()) }
    }

    /// Removes the files that make the folder hold a run. Kept failures stay until a run begins
    /// again.
    ///
    /// # Errors
    /// If a file cannot be removed.
    pub fn clear(&self) -> Result<(), RunError> {
        [CHECKPOINT, LOG, GENERATIONS, INPUTS, CONFIG, TOLD].iter().try_for_each(|name| self.remove(name))
    }

    /// Removes what an earlier start left, which ended with its first trial: failed trials, and
    /// reported scores.
    ///
    /// # Errors
    /// If a file cannot be removed.
    pub fn remove_leftovers(&self) -> Result<(), RunError> {
        self.remove(TOLD)?;
        let path = self.file(FAILURES);
        gone(fs::remove_dir_all(&path)).map_err(RunError::io(&path))
    }

    /// Removes a file if it exists.
    ///
    /// # Errors
    /// If the file cannot be removed.
    pub fn remove(&self, name: &str) -> Result<(), RunError> {
        let path = self.file(name);
        gone(fs::remove_file(&path)).map_err(RunError::io(&path))
    }

    /// Replaces a file in one step.
    ///
    /// # Errors
    /// If the file cannot be written. The old file then stays.
    pub fn write(&self, name: &str, bytes: &[u8]) -> Result<(), RunError> {
        let path = self.file(name);
        replace_plain(&path, bytes).map_err(RunError::io(&path))
    }

    /// Checks that the job of the run equals `job`, apart from the keys that may change.
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

/// Returns whether a folder holds a non-empty file with this name.
fn has(folder: &Path, name: &str) -> Result<bool, RunError> {
    let path = folder.join(name);
    match fs::metadata(&path) {
        Ok(file) => Ok(file.len() > 0),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
        Err(error) => Err(RunError::Io(path, error)),
    }
}

/// Locks a file. Retries, because `evolve status` holds the lock for a moment when it checks
/// whether the run is locked.
fn lock(file: &File) -> Result<(), TryLockError> {
    for _ in 0..10 {
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => thread::sleep(Duration::from_millis(10)),
            done => return done,
        }
    }
    file.try_lock()
}
