//! The state of the runs below a folder, read while other processes may be executing them.

use super::checkpoint;
use crate::job::Catalogue;
use crate::job::Job;
use crate::job::recorded::RecordedVerdict;
use crate::names::{CHECKPOINT, CONFIG, LOCK, PROGRAM, RECOMMENDATION, SOURCE, VERSIONS};
use crate::run::course::figures::Figures;
use crate::run::course::summary::Summary;
use crate::run::course::verdict::Verdict;
use evolve_search::file::slashed;
use serde::Serialize;
use std::ffi::OsStr;
use std::fmt;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// A run as it was at its last checkpoint.
pub struct Snapshot {
    pub folder: PathBuf,
    /// The run in brief.
    pub run: Summary,
    /// Whether a process is executing the run.
    pub is_held: bool,
    /// The time of the last save.
    pub saved: SystemTime,
}

/// The condition of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum RunState {
    /// A process is executing it.
    Running,
    /// It can be resumed.
    Stopped,
    /// A trial ended it.
    Failed,
    /// It has its verdict.
    Complete,
    /// Its folder cannot be read.
    Unreadable,
}

impl fmt::Display for RunState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(f)
    }
}

/// A folder whose run cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unreadable {
    pub folder: PathBuf,
    /// The reason why the run cannot be read.
    pub reason: String,
}

/// The state of a run as programs read it: an entry of `evolve status --json` and of the live
/// page's data.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Status {
    pub run: String,
    pub state: RunState,
    /// The progress; unknown if the run is unreadable.
    #[serde(flatten)]
    pub figures: Figures,
    /// The message of the trial that ended the run, or the reason why the run cannot be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Facts that the verdict should not be read without: failed trials, and trials that are not
    /// deterministic.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

impl Unreadable {
    /// Returns the state, which names the folder relative to `root`.
    pub fn status(&self, root: &Path) -> Status {
        let (run, reason) = (relative(&self.folder, root), Some(self.reason.clone()));
        Status { run, state: RunState::Unreadable, figures: Figures::default(), reason, notes: Vec::new() }
    }
}

/// Returns the name of a run by which programs know it: its folder, relative to `root` if it lies
/// below.
pub fn relative(folder: &Path, root: &Path) -> String {
    slashed(folder.strip_prefix(root).unwrap_or(folder))
}

impl Snapshot {
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
        let kept = fs::read(folder.join(CONFIG)).ok();
        let kept = kept.and_then(|config| checkpoint::summary(&folder.join(CHECKPOINT), &config));
        let run = match kept {
            Some(run) => run,
            // Without a summary, or with another config than then: from the job and the whole
            // state.
            None => {
                let job = match Job::recorded(folder, catalogue) {
                    Ok(job) => job,
                    // Other programs use the same name for their config.
                    Err(_) if ![CHECKPOINT, LOCK, RECOMMENDATION].into_iter().any(has) => return None,
                    Err(fault) => return unreadable(fault.to_string()),
                };
                match checkpoint::state(&folder.join(CHECKPOINT)) {
                    Ok(Some(state)) => Summary::of(&job, Some(&state)),
                    Ok(None) if has(RECOMMENDATION) => Summary::without_checkpoint(
                        &job,
                        RecordedVerdict::read(&folder.join(RECOMMENDATION)).ok().as_ref(),
                    ),
                    Ok(None) => Summary::of(&job, None),
                    Err(error) => return unreadable(error.to_string()),
                }
            }
        };
        let lock = File::open(folder.join(LOCK));
        let is_held = lock.is_ok_and(|file| matches!(file.try_lock_shared(), Err(fs::TryLockError::WouldBlock)));
        let saved = [CHECKPOINT, RECOMMENDATION, CONFIG].into_iter().filter_map(|name| {
            let file = fs::metadata(folder.join(name)).ok()?;
            file.modified().ok()
        });
        let saved = saved.max().unwrap_or(SystemTime::UNIX_EPOCH);
        Some(Ok(Snapshot { folder: folder.to_path_buf(), run, is_held, saved }))
    }

    /// Returns the state, which names the folder relative to `root`.
    pub fn status(&self, root: &Path) -> Status {
        let (run, reason) = (relative(&self.folder, root), self.failure().map(String::from));
        Status {
            run,
            state: self.run_state(),
            figures: self.run.figures.clone(),
            reason,
            notes: self.run.notes.clone(),
        }
    }

    /// Whether the run is complete.
    pub fn is_complete(&self) -> bool {
        self.run.found.is_some()
    }

    /// Reads the verdict of a complete run from its checkpoint; `None` if it cannot be read.
    pub fn verdict(&self) -> Option<Verdict> {
        let state = checkpoint::state(&self.folder.join(CHECKPOINT)).ok()??;
        state.verdict().cloned()
    }

    /// Returns the message of the trial that ended the run; `None` while a process is executing the
    /// run again.
    pub fn failure(&self) -> Option<&str> {
        self.run.failure.as_deref().filter(|_| !self.is_held)
    }

    /// Returns the condition. A run is complete once its checkpoint holds the verdict, even while
    /// its process still writes files.
    pub fn run_state(&self) -> RunState {
        match (self.is_held, self.is_complete()) {
            (_, true) => RunState::Complete,
            (true, false) => RunState::Running,
            (false, false) if self.failure().is_some() => RunState::Failed,
            (false, false) => RunState::Stopped,
        }
    }

    /// Reads all runs below a folder, ordered by name.
    pub fn below(folder: &Path, catalogue: &Catalogue) -> Vec<Result<Self, Unreadable>> {
        let mut found: Vec<_> = Self::of(folder, catalogue).into_iter().collect();
        // The copies that a run made may hold runs of the copied folder.
        let is_copied = |name: &OsStr| !found.is_empty() && [PROGRAM, SOURCE, VERSIONS].iter().any(|own| name == *own);
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        let folders = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
        let folders = folders.filter(|entry| !is_copied(&entry.file_name()));
        let mut folders: Vec<PathBuf> = folders.map(|entry| entry.path()).collect();
        folders.sort();
        found.extend(folders.iter().flat_map(|folder| Self::below(folder, catalogue)));
        found
    }
}
