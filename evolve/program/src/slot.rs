//! Temporary folders, one for each simultaneous trial, and the workers that run in them.

use evolve_process::Child;
use evolve_search::lock;
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use tempfile::TempDir;

/// A folder that is used by one trial at a time.
#[derive(Debug)]
pub struct Slot {
    /// The worker in this folder, in worker mode.
    pub worker: Option<Child>,
    path: PathBuf,
    _home: Arc<Home>,
}

/// The slots without a trial. Dropping them ends their workers and removes their folders.
#[derive(Debug, Default)]
pub struct Slots(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    home: Option<Arc<Home>>,
    made: usize,
    free: Vec<Slot>,
}

/// The folder of all slots of a process. It is locked until it is dropped, so that other processes
/// recognize the folders of killed processes.
#[derive(Debug)]
struct Home {
    // Declared before the folder, to be closed first: some systems do not remove open files.
    _lock: File,
    folder: TempDir,
}

/// The prefix of the folders' names.
const PREFIX: &str = "evolve-slots-";
/// The name of the lock file in such a folder.
const LOCK: &str = ".lock";

impl Slots {
    /// Takes a free slot, or creates one; [`give_back`](Self::give_back) returns it.
    ///
    /// # Errors
    /// If no slot is free and no folder can be created.
    pub fn take(&self) -> io::Result<Slot> {
        let mut state = lock(&self.0);
        if let Some(slot) = state.free.pop() {
            return Ok(slot);
        }
        let home = match &state.home {
            Some(home) => Arc::clone(home),
            None => Arc::new(Home::make()?),
        };
        let path = home.folder.path().join(state.made.to_string());
        fs::create_dir(&path)?;
        state.made += 1;
        state.home = Some(Arc::clone(&home));
        Ok(Slot { worker: None, path, _home: home })
    }

    pub fn give_back(&self, slot: Slot) {
        lock(&self.0).free.push(slot);
    }
}

impl Slot {
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Removes the files of an earlier trial, so that they cannot change the next outcome.
    ///
    /// # Errors
    /// If a file cannot be removed.
    pub fn clear(&self) -> io::Result<()> {
        for entry in fs::read_dir(self.path())? {
            let entry = entry?;
            if entry.file_type()?.is_dir() { fs::remove_dir_all(entry.path())? } else { fs::remove_file(entry.path())? }
        }
        Ok(())
    }
}

impl Home {
    fn make() -> io::Result<Self> {
        sweep(&std::env::temp_dir());
        loop {
            let folder = tempfile::Builder::new().prefix(PREFIX).tempdir()?;
            let path = folder.path().join(LOCK);
            let lock = File::create_new(&path)?;
            match lock.try_lock() {
                Ok(()) if path.exists() => return Ok(Home { _lock: lock, folder }),
                // Another process has swept the folder, or is removing it.
                Ok(()) | Err(TryLockError::WouldBlock) => {}
                Err(TryLockError::Error(error)) => return Err(error),
            }
        }
    }
}

/// Removes the folders of killed processes.
fn sweep(temporary: &Path) {
    for entry in fs::read_dir(temporary).into_iter().flatten().flatten() {
        let is_home = entry.file_name().to_string_lossy().starts_with(PREFIX);
        if !is_home || !entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            continue;
        }
        // A folder without a lock file is being created now. This process holds the lock until the
        // folder is removed; a process that creates the folder at this moment then takes another
        // one.
        if let Ok(lock) = File::open(entry.path().join(LOCK))
            && lock.try_lock().is_ok()
        {
            let removed = fs::remove_dir_all(entry.path());
            // Some systems do not remove open files. A folder that cannot be removed now belongs to
            // another user.
            drop(lock);
            let _ = removed.or_else(|_| fs::remove_dir_all(entry.path()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_folders_of_killed_processes_are_removed() {
        let temporary = tempfile::tempdir().unwrap();
        let folder = |name: &str| {
            let folder = temporary.path().join(name);
            fs::create_dir_all(folder.join("0")).unwrap();
            folder
        };
        let [left, used, coming, others] = ["evolve-slots-a", "evolve-slots-b", "evolve-slots-c", "other"].map(folder);
        let lock = |folder: &Path| File::create_new(folder.join(LOCK)).unwrap();
        lock(&left);
        lock(&others);
        let file = lock(&used);
        file.lock().unwrap();
        sweep(temporary.path());
        assert!(!left.exists());
        assert!([used, coming, others].iter().all(|folder| folder.join("0").exists()));
    }
}
