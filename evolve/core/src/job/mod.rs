//! Jobs: what a run does, read from a TOML file and checked before the first trial.

mod catalogue;
mod file;
mod learn;
mod pattern;
mod plan;
pub mod policy_file;
mod read;
pub mod source;
mod write;

use crate::document::Faults;
pub use catalogue::{Catalogue, Declares, Reading};
pub use file::{reference, schema};
pub use learn::{Found, Lessons};
pub use plan::{Limits, Plan, Sizes};

use crate::job::source::Source;
use crate::model::setup::PlayerChoice;
use crate::model::space::Space;
use crate::search::{self, Deals, Optimizer, Settings};
use std::sync::Arc;

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
    /// What it learns from earlier runs, or why it cannot. A run that resumes has a copy of its own.
    pub lessons: Result<Lessons, Faults>,
    /// When the run ends.
    pub limits: Limits,
    /// The sizes of validation, selection and test that it names.
    pub sizes: Sizes,
    /// The version of players and search that the file says its results are of; `None` if it says none.
    pub version: Option<u64>,
    /// The catalogue that the job was read with.
    pub catalogue: Catalogue,
}

impl Job {
    /// The text of the job without the keys that may change between sessions of a run: the limits, the sizes that follow
    /// from them, and the player of the exported program. Two jobs with the same text can resume each other's runs.
    pub fn comparable(&self) -> String {
        let limits = Limits { budget: None, generations: Some(1), time: None };
        let submission = self.source.setup.player.clone();
        Job { limits, sizes: Sizes::default(), submission, ..self.clone() }.to_toml()
    }

    /// The same, its space with what earlier runs tell of it.
    ///
    /// # Errors
    /// An earlier run cannot be learned from.
    pub fn taught(&self) -> Result<Self, Faults> {
        let learned = self.lessons.clone()?.learned;
        Ok(Job { space: self.space.clone().learning(learned), ..self.clone() })
    }

    /// The deals that its search may ask for.
    pub fn deals(&self) -> Deals {
        if self.source.problem.is_one_deal() { Deals::One } else { Deals::Many }
    }

    /// Its optimizer, at the start.
    pub fn start_search(&self) -> Box<dyn Optimizer> {
        search::start(&*self.optimizer, &self.space, self.deals(), self.seed)
    }

    /// A checksum of [`comparable`](Self::comparable).
    pub fn digest(&self) -> u32 {
        crc32fast::hash(self.comparable().as_bytes())
    }
}

#[cfg(test)]
mod tests;
