//! Jobs: what a run does, read from a TOML file and checked before the first trial.

mod catalogue;
mod file;
mod pattern;
pub mod policy_file;
mod read;
pub mod source;
mod write;

pub use catalogue::{Catalogue, Declares, Reading};
pub use file::{reference, schema};

use crate::job::source::Source;
use crate::model::setup::PlayerChoice;
use crate::model::space::Space;
use crate::search::Settings;
use std::sync::Arc;
use std::time::Duration;

/// The file in the folder of a run with its job as it was resolved.
pub const CONFIG: &str = "config.toml";

/// A checked job.
#[derive(Clone)]
pub struct Job {
    /// The folder of its results below `results/`.
    pub name: String,
    /// Every random number follows from it.
    pub seed: u64,
    /// The problem, and the player in which its parameters evolve.
    pub source: Source,
    /// The player of the exported program.
    pub submission: PlayerChoice,
    /// The parameters, and which of them evolve.
    pub space: Space,
    /// The optimizer.
    pub optimizer: Arc<dyn Settings>,
    /// When the search ends.
    pub limits: Limits,
    /// Held-out trials during the search.
    pub validation: Validation,
    /// How a policy is recommended.
    pub finals: Finals,
    /// Which sizes of these two the job names.
    pub named: Named,
    /// The version of players and search that the file says its results are of; `None` if it says none.
    pub version: Option<u64>,
    /// The catalogue that the job was read with.
    pub catalogue: Catalogue,
}

impl Job {
    /// The text of the job without the keys that may change between sessions of a run: the limits of the search and the
    /// player of the exported program. Two jobs with the same text can resume each other's runs.
    pub fn comparable(&self) -> String {
        let limits = Limits { budget: None, generations: Some(1), time: None };
        let submission = self.source.setup.player.clone();
        Job { limits, submission, ..self.clone() }.to_toml()
    }

    /// The first size that differs between the jobs: its key, its value here and its value there.
    pub fn other_size(&self, other: &Job) -> Option<(&'static str, usize, usize)> {
        let sizes = |job: &Job| {
            [
                ("[validation] games", job.validation.games),
                ("[final] games", job.finals.games),
                ("[final] verdict", job.finals.verdict),
            ]
        };
        let pairs = sizes(self).into_iter().zip(sizes(other));
        pairs.map(|((key, here), (_, there))| (key, here, there)).find(|(_, here, there)| here != there)
    }

    /// The job with the sizes of another one where it names none: those that followed from the budget of a run stay when
    /// its budget changes.
    #[must_use]
    pub fn with_sizes_of(&self, then: &Job) -> Self {
        let mut job = self.clone();
        let sizes = [
            (self.named.held_out, &mut job.validation.games, then.validation.games),
            (self.named.finalists, &mut job.finals.games, then.finals.games),
            (self.named.verdict, &mut job.finals.verdict, then.finals.verdict),
        ];
        for (_, size, of_then) in sizes.into_iter().filter(|(named, ..)| !named) {
            *size = of_then;
        }
        job
    }

    /// A checksum of [`comparable`](Self::comparable).
    pub fn digest(&self) -> u32 {
        crc32fast::hash(self.comparable().as_bytes())
    }
}

/// When the search ends: at the first limit reached; one at least is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Trials of the search.
    pub budget: Option<u64>,
    /// Generations.
    pub generations: Option<u64>,
    /// Time searching, stops not counted.
    pub time: Option<Duration>,
}

/// Checks on held-out games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Validation {
    /// Held-out games.
    pub games: usize,
}

impl Validation {
    /// Trials of the search from one check to the next: checks add a tenth to it.
    pub fn trials_between(&self) -> u64 {
        10 * self.games as u64
    }
}

/// The final round and the verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Finals {
    /// Games among the finalists.
    pub games: usize,
    /// Games of the verdict, at most.
    pub verdict: usize,
}

/// Which sizes a job names. The others follow from its budget.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Named {
    /// The validation's list.
    pub held_out: bool,
    /// The selection's list.
    pub finalists: bool,
    /// The test's list.
    pub verdict: bool,
}

#[cfg(test)]
mod tests;
