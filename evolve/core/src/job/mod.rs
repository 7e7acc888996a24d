//! Jobs: what a run does, read from a TOML file and checked before the first trial.

mod catalogue;
mod file;
mod game;
mod kind;
mod learn;
mod pattern;
mod plan;
pub mod policy_file;
mod read;
pub mod recorded;
mod remaining;
mod stage;
pub mod time_limit;
mod write;

pub use catalogue::Catalogue;
use evolve_search::document::{Deadline, Document};
pub use file::{reference, schema};
pub use game::{Game, Nothing, PlayerKind};
pub use kind::{ProblemKind, Reading};
pub use learn::{LearnedRun, Lessons, other_rating};
use plan::{LARGEST_BUDGET, LEAST_BUDGET};
pub use plan::{Limits, MOST_TRIALS, Plan, Sizes};
pub use remaining::{FINALISTS, SoFar};
pub use stage::{ByStage, Stage};
pub use time_limit::TimeLimits;

use evolve_search::model::problem::Problem;
use evolve_search::model::seed::Split;
use evolve_search::model::space::Space;
use evolve_search::optimizer::{self, Cases, Optimizer, Settings, StateError, Terms};
use serde_json::Value;
use std::sync::Arc;

/// The baseline that has the declared values.
const DEFAULTS: &str = "defaults";

/// A checked job.
#[derive(Clone)]
pub struct Job {
    /// The path of the results folder, relative to `results/`.
    pub name: String,
    /// The seed of the run, which determines every random number.
    pub seed: u64,
    /// The problem, with the player whose parameters are tuned.
    pub problem: Arc<dyn Problem>,
    /// The problem, with the player of the exported program.
    pub submission: Arc<dyn Problem>,
    /// The parameters, and which of them are tuned.
    pub space: Space,
    /// The origin of the baseline's values: `defaults`, a weights file or the folder of a run.
    pub baseline: String,
    pub optimizer: Arc<dyn Settings>,
    /// The limits that end the run.
    pub limits: Limits,
    /// The end of a series of runs. Each of them is limited by [`limits`](Self::limits) alone.
    pub deadline: Option<Deadline>,
    /// The sizes of validation, selection and test that the job sets.
    pub sizes: Sizes,
    /// The number of instances at the beginning of the test's list that the test skips,
    /// because earlier tests used them.
    pub test_skips: usize,
    /// The version of players and search that produced the results, if the file names one.
    pub version: Option<u64>,
    /// The catalogue that was used to read the job.
    pub catalogue: Catalogue,
    /// The text of the job, for the places of faults in files that it names.
    pub document: Arc<Document>,
}

impl Job {
    /// Returns the text of the job without the keys that may change when a run resumes: the limits,
    /// the sizes that depend on them, the player of the exported program, and the origin of the
    /// baseline, whose values remain. A job can resume the runs of jobs with the same text.
    pub fn comparable(&self) -> String {
        let limits = Limits { budget: None, generations: Some(1), time: None };
        let submission = Arc::clone(&self.problem);
        let baseline = DEFAULTS.to_string();
        Job { limits, sizes: Sizes::default(), submission, baseline, ..self.clone() }.to_toml()
    }

    /// Returns the instances of the test, in the order of play; `None` if none are listed.
    pub fn test_instances(&self, split: Split) -> Option<Vec<String>> {
        let mut names = self.problem.instances(split)?;
        Some(names.split_off(self.test_skips.min(names.len())))
    }

    /// Returns the job as if it declared that trials are not deterministic.
    #[must_use]
    pub fn not_deterministic(self) -> Self {
        let problem = self.problem.not_deterministic().unwrap_or_else(|| Arc::clone(&self.problem));
        Job { problem, ..self }
    }

    /// Returns the cases that the search may request.
    pub fn cases(&self) -> Cases {
        match self.problem.worth_playing(Split::Search, usize::MAX) {
            _ if self.problem.behaviour().is_one_case() => Cases::One,
            usize::MAX => Cases::Many,
            different => Cases::Few(different as u64),
        }
    }

    /// Returns the trials that the search can expect.
    pub fn terms(&self) -> Terms {
        Terms { cases: self.cases(), trials: self.budget() }
    }

    /// Returns the budget by which a run searches and divides its instances. A run that only time
    /// limits is taken for a short one.
    pub fn budget(&self) -> u64 {
        let without = if self.limits.generations.is_some() { LARGEST_BUDGET } else { LEAST_BUDGET };
        self.limits.budget.unwrap_or(without)
    }

    pub fn start_search(&self) -> Box<dyn Optimizer> {
        optimizer::start(&*self.optimizer, &self.searched_space(), self.terms(), self.seed)
    }

    /// Returns a search that began on these terms, with the state of its checkpoint.
    ///
    /// # Errors
    /// If the state does not belong to the job.
    pub fn resume_search(&self, terms: Terms, state: &Value) -> Result<Box<dyn Optimizer>, StateError> {
        optimizer::resume(&*self.optimizer, &self.searched_space(), terms, self.seed, state)
    }

    /// Returns the space as the search knows it: with the features of the instances.
    fn searched_space(&self) -> Space {
        self.space.clone().among(self.problem.features())
    }

    /// Returns a checksum of [`comparable`](Self::comparable).
    pub fn digest(&self) -> u32 {
        crc32fast::hash(self.comparable().as_bytes())
    }
}

#[cfg(test)]
mod tests;
