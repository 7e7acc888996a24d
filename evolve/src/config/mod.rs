//! Jobs: what a run does, read from a TOML file and checked before the first game is played.

mod keys;
mod pattern;
mod read;
mod write;

pub use keys::reference;

use crate::game::{Game, PlayerChoice, Values};
use crate::genetic::{Settings, Space};
use std::time::Duration;

/// A checked job.
#[derive(Clone)]
pub struct Job {
    /// The folder of its results below `results/`.
    pub name: String,
    /// Every random number follows from it.
    pub seed: u64,
    /// The game.
    pub game: &'static dyn Game,
    /// The game's options.
    pub options: Values,
    /// The player in which the weights evolve.
    pub player: PlayerChoice,
    /// The player of the exported program.
    pub submission: PlayerChoice,
    /// The weights, and which of them evolve.
    pub space: Space,
    /// The genetic algorithm.
    pub evolution: Settings,
    /// Games of a candidate in a generation.
    pub games: usize,
    /// When evolution ends.
    pub limits: Limits,
    /// Held-out games while the run goes on.
    pub validation: Validation,
    /// How a policy is recommended.
    pub finals: Finals,
}

/// When evolution ends: at the first limit reached; one at least is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Generations.
    pub generations: Option<u64>,
    /// Time evolving, stops not counted.
    pub time: Option<Duration>,
}

/// Validation on held-out games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Validation {
    /// Generations from one to the next; 0: never.
    pub every: u64,
    /// Held-out games.
    pub games: usize,
}

/// The final round and the verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Finals {
    /// Games among the finalists.
    pub games: usize,
    /// Games of the verdict.
    pub verdict: usize,
    /// Leaders among the finalists, at most.
    pub leaders: usize,
}

#[cfg(test)]
mod tests;
