//! The state of the runs below a folder, read while other processes may be executing them.

use super::checkpoint;
use super::folder::{CHECKPOINT, LOCK};
use super::outlook::Outlook;
use super::state::State;
use crate::job::Catalogue;
use crate::job::policy_file::FILE_NAME;
use crate::job::{CONFIG, Job};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// A run as it was at its last checkpoint.
pub struct Standing {
    /// The folder of the run.
    pub folder: PathBuf,
    /// The job of the run.
    pub job: Job,
    /// The state of the run; `None` without a checkpoint.
    pub state: Option<State>,
    /// The completed share of the run by time, from 0 to 1.
    pub share: f64,
    /// The estimated time left; `None` if the run is complete or has played no trial.
    pub left: Option<Duration>,
    /// Whether a process is executing the run.
    pub is_held: bool,
    /// The time of the last save.
    pub saved: SystemTime,
}

/// A folder whose run cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unreadable {
    /// The path of the folder.
    pub folder: PathBuf,
    /// The reason why the run cannot be read.
    pub reason: String,
}

impl Standing {
    /// Reads the run in a folder; returns `None` if the folder holds no run.
    ///
    /// # Errors
    /// If the folder holds a run that cannot be read.
    pub fn of(folder: &Path, catalogue: &Catalogue) -> Option<Result<Self, Unreadable>> {
        let has = |name: &str| folder.join(name).exists();
        let unreadable = |reason: String| Some(Err(Unreadable { folder: folder.to_path_buf(), reason }));
        if !has(CONFIG) {
            let what = "config.toml is missing: it has the job of the checkpoint";
            return if has(CHECKPOINT) { unreadable(what.to_string()) } else { None };
        }
        let job = match Job::recorded(folder, catalogue) {
            Ok(job) => job,
            // Other programs use the same name for their config.
            Err(_) if ![CHECKPOINT, LOCK, FILE_NAME].into_iter().any(has) => return None,
            Err(faults) => return unreadable(faults.to_string()),
        };
        let state = match checkpoint::state(&folder.join(CHECKPOINT)) {
            Ok(state) => state,
            Err(error) => return unreadable(error.to_string()),
        };
        let outlook = state.as_ref().map(|state| Outlook { job: &job, state });
        let share = match &outlook {
            Some(outlook) => outlook.share(),
            None if has(FILE_NAME) => 1.0,
            None => 0.0,
        };
        let left = outlook.and_then(|outlook| outlook.left()).filter(|_| share < 1.0);
        let lock = File::open(folder.join(LOCK));
        let is_held = lock.is_ok_and(|file| matches!(file.try_lock_shared(), Err(fs::TryLockError::WouldBlock)));
        let saved = [CHECKPOINT, FILE_NAME, CONFIG].into_iter().filter_map(|name| {
            let file = fs::metadata(folder.join(name)).ok()?;
            file.modified().ok()
        });
        let saved = saved.max().unwrap_or(SystemTime::UNIX_EPOCH);
        Some(Ok(Standing { folder: folder.to_path_buf(), job, state, share, left, is_held, saved }))
    }

    /// Returns the number of completed generations.
    pub fn generation(&self) -> u64 {
        self.state.as_ref().map_or(0, |state| state.search.generations)
    }

    /// Whether the run is complete.
    pub fn is_complete(&self) -> bool {
        match &self.state {
            Some(state) => state.verdict().is_some(),
            None => self.folder.join(FILE_NAME).exists(),
        }
    }

    /// Returns the message of the failed trial that ended the run; `None` while a process is executing the run again.
    pub fn failure(&self) -> Option<&str> {
        self.state.as_ref().filter(|_| !self.is_held)?.failure.as_deref()
    }

    /// Returns `running`, `stopped`, `failed` or `complete`. A run is complete once its checkpoint holds the verdict, even while
    /// its process still writes files.
    pub fn condition(&self) -> &'static str {
        match (self.is_held, self.is_complete()) {
            (_, true) => "complete",
            (true, false) => "running",
            (false, false) if self.failure().is_some() => "failed",
            (false, false) => "stopped",
        }
    }

    /// Reads all runs below a folder, ordered by name.
    pub fn below(folder: &Path, catalogue: &Catalogue) -> Vec<Result<Self, Unreadable>> {
        let mut found: Vec<_> = Self::of(folder, catalogue).into_iter().collect();
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        let folders = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
        let mut folders: Vec<PathBuf> = folders.map(|entry| entry.path()).collect();
        folders.sort();
        found.extend(folders.iter().flat_map(|folder| Self::below(folder, catalogue)));
        found
    }
}
