//! The folder of a run.

use super::atomic::{clean, is_plain_or_missing, make_folder, open_plain, write_plain};
use super::error::RunError;
use super::table::TABLES;
use crate::config::{Job, Limits};
use crate::policy_file::FILE_NAME;
use std::fs::{self, File};
use std::io::ErrorKind;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

/// The folder of a run, locked against other processes for as long as this value lives.
pub struct Folder {
    path: PathBuf,
    /// The folder itself, wherever it is.
    own: File,
    version: u64,
    _lock: File,
}

const CHECKPOINT: &str = "checkpoint";
const PREVIOUS: &str = "checkpoint.previous";
/// Name of the file with the job as it was resolved.
pub const CONFIG: &str = "config.toml";

impl Folder {
    /// Makes the folder of a new run, with its resolved config.
    ///
    /// # Errors
    /// If it already holds a run, or cannot be written.
    pub fn create(results: &Path, job: &Job) -> Result<Self, RunError> {
        let folder = Self::lock(results.join(&job.name))?;
        // A run writes its first checkpoint before its first row, so rows are of a run that lost its other files.
        if folder.length(CONFIG)?.is_some() || folder.has_checkpoint()? || folder.holds_results()? {
            return Err(RunError::Exists(folder.path));
        }
        folder.write(CONFIG, job.to_toml().as_bytes())?;
        Ok(folder)
    }

    /// Opens the folder of a run that was started with this job; if there is none, makes it. The limits of the search
    /// may differ. Gives the job with the sizes of the run where the job names none.
    ///
    /// # Errors
    /// If the run was started with another job or by another version of the program.
    pub fn open(results: &Path, job: &Job, any_version: bool) -> Result<(Self, Job), RunError> {
        let mut folder = Self::lock(results.join(&job.name))?;
        clean(&folder.path, ".").map_err(RunError::io(&folder.path))?;
        if !folder.is_plain(CONFIG)? {
            match folder.is_plain(CHECKPOINT)? {
                true => {
                    let what = "missing: it tells which job the checkpoint is of".to_string();
                    return Err(RunError::Damaged(folder.file(CONFIG), what));
                }
                // Stopped before it was begun, or never begun.
                false if !folder.holds_results()? => folder.write(CONFIG, job.to_toml().as_bytes())?,
                false => {}
            }
            return Ok((folder, job.clone()));
        }
        let then = folder.config(job)?;
        let job = job.with_sizes_of(&then);
        if let Some((key, then, now)) = then.other_size(&job) {
            return Err(RunError::OtherSize(folder.path, key, then, now));
        }
        folder.check_same(&then, &job)?;
        if then.version != Some(crate::VERSION) {
            if !any_version {
                return Err(RunError::OtherVersion { folder: folder.path, then: then.version });
            }
            folder.version = then.version.unwrap_or_default();
        }
        Ok((folder, job))
    }

    fn lock(path: PathBuf) -> Result<Self, RunError> {
        make_folder(&path).map_err(RunError::io(&path))?;
        let own = File::open(&path).map_err(RunError::io(&path))?;
        let name = path.join(".lock");
        let file = open_plain(&name, true).map_err(RunError::io(&name))?;
        match lock(&file) {
            Ok(()) => Ok(Folder { path, own, version: crate::VERSION, _lock: file }),
            Err(fs::TryLockError::WouldBlock) => Err(RunError::Busy(path)),
            Err(fs::TryLockError::Error(error)) => Err(RunError::Io(name, error)),
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

    /// The checkpoint's file.
    pub fn checkpoint(&self) -> PathBuf {
        self.file(CHECKPOINT)
    }

    /// The file of the checkpoint before the last.
    pub fn previous_checkpoint(&self) -> PathBuf {
        self.file(PREVIOUS)
    }

    /// Whether there is a checkpoint.
    ///
    /// # Errors
    /// If that cannot be told.
    pub fn has_checkpoint(&self) -> Result<bool, RunError> {
        Ok(self.length(CHECKPOINT)?.is_some())
    }

    /// Whether there is anything that trials were played for.
    ///
    /// # Errors
    /// If that cannot be told.
    pub fn holds_results(&self) -> Result<bool, RunError> {
        let mut holds = self.length(FILE_NAME)?.is_some();
        for name in TABLES {
            holds |= self.length(name)?.is_some_and(|length| length > 0);
        }
        Ok(holds)
    }

    /// The length of a file, if it is there.
    fn length(&self, name: &str) -> Result<Option<u64>, RunError> {
        let path = self.file(name);
        match fs::metadata(&path) {
            Ok(file) => Ok(Some(file.len())),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(RunError::Io(path, error)),
        }
    }

    /// Whether the folder is where it was: what is at its place otherwise may be another run's.
    ///
    /// # Errors
    /// If it was moved, removed or replaced, or that cannot be told.
    pub fn is_in_place(&self) -> Result<(), RunError> {
        let identity = |found: &fs::Metadata| (found.dev(), found.ino());
        let own = self.own.metadata().map_err(RunError::io(&self.path))?;
        match fs::metadata(&self.path) {
            Ok(there) if identity(&there) == identity(&own) => Ok(()),
            Err(error) if error.kind() != ErrorKind::NotFound => Err(RunError::Io(self.path.clone(), error)),
            _ => Err(RunError::Moved(self.path.clone())),
        }
    }

    /// Why a file could not be written: that the folder was moved just then, or the error itself.
    pub fn why(&self, error: RunError) -> RunError {
        match self.is_in_place() {
            Err(moved @ RunError::Moved(_)) => moved,
            _ => error,
        }
    }

    /// Writes the recommended weights.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn write_weights(&self, text: &str) -> Result<(), RunError> {
        self.write(FILE_NAME, text.as_bytes())
    }

    /// Writes a checkpoint, and keeps the one before.
    ///
    /// # Errors
    /// If it cannot be written; the one before then stays in its place.
    pub fn write_checkpoint(&self, bytes: &[u8]) -> Result<(), RunError> {
        self.is_in_place()?;
        let (path, previous) = (self.checkpoint(), self.previous_checkpoint());
        if self.is_plain(CHECKPOINT)? {
            let keep = || {
                if is_plain_or_missing(&previous)? {
                    fs::remove_file(&previous)?;
                }
                // Where the file system has no second names for a file, a copy does.
                fs::hard_link(&path, &previous).or_else(|_| fs::copy(&path, &previous).map(drop))
            };
            keep().map_err(|error| self.why(RunError::Io(previous, error)))?;
        }
        self.write(CHECKPOINT, bytes)
    }

    /// Has the config tell how to reproduce the run, whose job may be another than it was as far as [`Folder::open`]
    /// allows.
    ///
    /// # Errors
    /// If it cannot be read or written.
    pub fn update_config(&self, job: &Job, limits: Limits) -> Result<(), RunError> {
        let then = fs::read_to_string(self.file(CONFIG)).map_err(RunError::io(&self.file(CONFIG)))?;
        let now = Job { limits, ..job.clone() }.to_toml_of(self.version);
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

    /// Puts a plain file in the place of what is there.
    ///
    /// # Errors
    /// If it cannot be written, or there is something else than a plain file.
    pub fn write(&self, name: &str, bytes: &[u8]) -> Result<(), RunError> {
        self.is_in_place()?;
        let path = self.file(name);
        write_plain(&path, bytes).map_err(|error| self.why(RunError::Io(path, error)))
    }

    /// Whether there is a plain file of that name.
    fn is_plain(&self, name: &str) -> Result<bool, RunError> {
        let path = self.file(name);
        is_plain_or_missing(&path).map_err(RunError::io(&path))
    }

    /// The job that the run was started with.
    fn config(&self, job: &Job) -> Result<Job, RunError> {
        Job::read(&self.file(CONFIG), &job.catalogue).map_err(RunError::Faults)
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

/// Locks a file. Whoever only looks whether it is locked holds it for a moment: then it is tried again.
fn lock(file: &File) -> Result<(), fs::TryLockError> {
    for _ in 0..10 {
        match file.try_lock() {
            Err(fs::TryLockError::WouldBlock) => thread::sleep(Duration::from_millis(10)),
            done => return done,
        }
    }
    file.try_lock()
}
