//! Where the runs below a folder stand, looked at from outside, while others may be at work on them.

use super::folder::{CHECKPOINT, LOCK};
use super::outlook::Outlook;
use super::state::{Phase, State};
use crate::config::Job;
use crate::document::read_text;
use crate::policy_file::FILE_NAME;
use crate::problem::Catalogue;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A run as it was at its last checkpoint.
pub struct Standing {
    /// Its folder.
    pub folder: PathBuf,
    /// Its job.
    pub job: Job,
    /// Where it stands; `None` if it has no checkpoint that can be read.
    pub state: Option<State>,
    /// How much of the whole is done, by time, 0 to 1.
    pub share: f64,
    /// The time left at the speed so far, unless it is complete or nothing was played yet.
    pub left: Option<Duration>,
    /// Whether a process is at it.
    pub is_held: bool,
}

impl Standing {
    /// The run in a folder; `None` if there is none.
    pub fn of(folder: &Path, catalogue: &Catalogue) -> Option<Self> {
        let job = Job::recorded(folder, catalogue).ok()?;
        let state = state(&folder.join(CHECKPOINT));
        let outlook = state.as_ref().map(|state| Outlook { job: &job, state, trials: 1 });
        let share = match &outlook {
            Some(outlook) => outlook.share(),
            None if folder.join(FILE_NAME).exists() => 1.0,
            None => 0.0,
        };
        let left = outlook.and_then(|outlook| outlook.left()).filter(|_| share < 1.0);
        let lock = File::open(folder.join(LOCK));
        let is_held = lock.is_ok_and(|file| matches!(file.try_lock_shared(), Err(fs::TryLockError::WouldBlock)));
        Some(Standing { folder: folder.to_path_buf(), job, state, share, left, is_held })
    }

    /// The generations that are complete.
    pub fn generation(&self) -> u64 {
        self.state.as_ref().map_or(0, |state| state.generations)
    }

    /// Whether the run is complete.
    pub fn is_complete(&self) -> bool {
        match &self.state {
            Some(state) => state.phase == Phase::Done,
            None => self.folder.join(FILE_NAME).exists(),
        }
    }

    /// All runs below a folder, in the order of their names.
    pub fn below(folder: &Path, catalogue: &Catalogue) -> Vec<Self> {
        let mut found: Vec<Self> = Self::of(folder, catalogue).into_iter().collect();
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        let folders = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
        let mut folders: Vec<PathBuf> = folders.map(|entry| entry.path()).collect();
        folders.sort();
        found.extend(folders.iter().flat_map(|folder| Self::below(folder, catalogue)));
        found
    }
}

/// The state in a checkpoint, without asking whether the run could go on from it.
fn state(path: &Path) -> Option<State> {
    let text = read_text(path).ok()?;
    let (_, body) = text.split_once('\n')?;
    let mut body: serde_json::Value = serde_json::from_str(body).ok()?;
    serde_json::from_value(body.get_mut("state")?.take()).ok()
}
