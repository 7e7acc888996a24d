//! Temporary folders, one for each trial that is played at the same time, and the workers that live in them.

use evolve_process::Child;
use std::fs;
use std::io;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use tempfile::TempDir;

/// A folder that one trial uses at a time.
#[derive(Debug)]
pub struct Slot {
    folder: TempDir,
    /// The worker that runs here, in worker mode.
    pub worker: Option<Child>,
}

/// Slots that no trial uses.
#[derive(Debug, Default)]
pub struct Slots(Mutex<Vec<Slot>>);

impl Slots {
    /// A slot that nobody else uses; it is given back by [`give_back`](Self::give_back).
    ///
    /// # Errors
    /// If there is none and no folder can be made.
    pub fn take(&self) -> io::Result<Slot> {
        let free = self.0.lock().unwrap_or_else(PoisonError::into_inner).pop();
        match free {
            Some(slot) => Ok(slot),
            None => Ok(Slot { folder: tempfile::Builder::new().prefix("evolve-").tempdir()?, worker: None }),
        }
    }

    /// Gives a slot back.
    pub fn give_back(&self, slot: Slot) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(slot);
    }

    /// Ends all workers and removes all folders that are not in use.
    pub fn release(&self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }
}

impl Slot {
    /// Its folder.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Removes what an earlier trial left, so that it cannot change the outcome of the next one.
    ///
    /// # Errors
    /// If something cannot be removed.
    pub fn clear(&self) -> io::Result<()> {
        for entry in fs::read_dir(self.path())? {
            let entry = entry?;
            if entry.file_type()?.is_dir() { fs::remove_dir_all(entry.path())? } else { fs::remove_file(entry.path())? }
        }
        Ok(())
    }
}
