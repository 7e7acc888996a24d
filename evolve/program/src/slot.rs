//! Temporary folders, one for each trial that is played at the same time, and the workers that live in them.

use evolve_process::Child;
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use tempfile::TempDir;

/// A folder that one trial uses at a time.
#[derive(Debug)]
pub struct Slot {
    /// The worker that runs here, in worker mode.
    pub worker: Option<Child>,
    path: PathBuf,
    _home: Arc<Home>,
}

/// Slots that no trial uses. Workers end, and folders go, when they are dropped.
#[derive(Debug, Default)]
pub struct Slots(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    home: Option<Arc<Home>>,
    made: usize,
    free: Vec<Slot>,
}

/// The folder of all slots of a process. It is locked for as long as that lives, so that others know whose folders are
/// left of processes that were killed.
#[derive(Debug)]
struct Home {
    // Before the folder: some systems remove no open file.
    _lock: File,
    folder: TempDir,
}

/// Prefix of the names of such folders.
const PREFIX: &str = "evolve-slots-";
/// The file in them that is locked.
const LOCK: &str = ".lock";

impl Slots {
    /// A free slot; [`give_back`](Self::give_back) returns it.
    ///
    /// # Errors
    /// There is none, and no folder can be made.
    pub fn take(&self) -> io::Result<Slot> {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
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
        self.0.lock().unwrap_or_else(PoisonError::into_inner).free.push(slot);
    }
}

impl Slot {
    pub fn path(&self) -> &Path {
        &self.path
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

impl Home {
    fn make() -> io::Result<Self> {
        sweep(&std::env::temp_dir());
        loop {
            let folder = tempfile::Builder::new().prefix(PREFIX).tempdir()?;
            let lock = File::create_new(folder.path().join(LOCK))?;
            match lock.try_lock() {
                Ok(()) => return Ok(Home { _lock: lock, folder }),
                // Somebody who sweeps was faster, and removes it.
                Err(TryLockError::WouldBlock) => {}
                Err(TryLockError::Error(error)) => return Err(error),
            }
        }
    }
}

/// Removes the folders of processes that were killed.
fn sweep(temporary: &Path) {
    for entry in fs::read_dir(temporary).into_iter().flatten().flatten() {
        let is_home = entry.file_name().to_string_lossy().starts_with(PREFIX);
        if !is_home || !entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            continue;
        }
        // Where there is no lock yet, somebody is just making it. It is held until the folder is gone: a process that makes
        // the folder at this moment takes another one then.
        if let Ok(lock) = File::open(entry.path().join(LOCK))
            && lock.try_lock().is_ok()
        {
            let removed = fs::remove_dir_all(entry.path());
            // Some systems remove no open file. What cannot be removed then is another's.
            drop(lock);
            let _ = removed.or_else(|_| fs::remove_dir_all(entry.path()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_killed_processes_left_is_removed_and_nothing_else() {
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
        let held = lock(&used);
        held.lock().unwrap();
        sweep(temporary.path());
        assert!(!left.exists());
        assert!([used, coming, others].iter().all(|folder| folder.join("0").exists()));
    }
}
