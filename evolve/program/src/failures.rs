//! The failed trials that a run's folder keeps: of each kind of failure, those with the lowest ids. The order in which
//! trials end and interruptions therefore do not change the sample.

use crate::failure::FailureKind;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// The folder in the run's folder.
pub const FAILURES: &str = "failures";
/// The largest number of kept failures of each kind.
const MOST: usize = 20;

/// The kind of a failure and a hash of its trial.
pub type Id = (FailureKind, u32);

/// Returns the name of a failure's folder.
pub fn name((kind, hash): Id) -> String {
    format!("{}-{hash:08x}", kind.key())
}

/// The ids of the kept failures.
#[derive(Debug, Default)]
pub struct Failures(BTreeSet<Id>);

impl Failures {
    /// Returns the ids in a run's folder.
    pub fn of(folder: &Path) -> Self {
        let id = |entry: fs::DirEntry| {
            let name = entry.file_name().into_string().ok()?;
            let (key, hash) = name.rsplit_once('-')?;
            let kind = FailureKind::ALL.into_iter().find(|kind| kind.key() == key)?;
            Some((kind, u32::from_str_radix(hash, 16).ok()?))
        };
        let entries = fs::read_dir(folder.join(FAILURES)).into_iter().flatten();
        Failures(entries.filter_map(Result::ok).filter_map(id).collect())
    }

    /// Adds a failure. Returns the failure that is no longer kept, if any; it may be the added one.
    pub fn add(&mut self, id @ (kind, _): Id) -> Option<Id> {
        let Failures(kept) = self;
        kept.insert(id);
        let excess = kept.range((kind, 0)..=(kind, u32::MAX)).nth(MOST).copied();
        excess.inspect(|excess| _ = kept.remove(excess))
    }
}
