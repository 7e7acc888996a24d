//! The failed trials that a run's folder keeps: of each kind of failure, those with the lowest ids.
//! The order in which trials end and interruptions therefore do not change the sample.

use crate::failure::keys;
use evolve_core::names::FAILURES;
use evolve_search::model::trial::FailureKind;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// The largest number of kept failures of each kind.
const MOST: usize = 20;

/// The kind of a failure and a hash of its trial.
pub type Id = (FailureKind, u32);

/// Returns the name of a failure's folder.
pub fn name((kind, hash): Id) -> String {
    let (_, key) = keys().find(|(of, _)| *of == kind).expect("other kinds end the run and are not kept");
    format!("{key}-{hash:08x}")
}

/// Returns the failure that a folder's name means.
fn id(name: &str) -> Option<Id> {
    let (key, hash) = name.rsplit_once('-')?;
    let (kind, _) = keys().find(|(_, of)| *of == key)?;
    Some((kind, u32::from_str_radix(hash, 16).ok()?))
}

/// The ids of the kept failures.
#[derive(Debug, Default)]
pub struct Failures(BTreeSet<Id>);

impl Failures {
    /// Returns the ids in a run's folder.
    pub fn of(folder: &Path) -> Self {
        let entries = fs::read_dir(folder.join(FAILURES)).into_iter().flatten().flatten();
        Failures(entries.filter_map(|entry| id(entry.file_name().to_str()?)).collect())
    }

    /// Returns the first failure: always the same one of the same failures.
    pub fn first(&self) -> Option<Id> {
        self.0.first().copied()
    }

    /// Adds a failure. Returns the failure that is no longer kept, if any; it may be the added one.
    pub fn add(&mut self, id @ (kind, _): Id) -> Option<Id> {
        let Failures(kept) = self;
        kept.insert(id);
        let excess = kept.range((kind, 0)..=(kind, u32::MAX)).nth(MOST).copied();
        excess.inspect(|excess| _ = kept.remove(excess))
    }
}
