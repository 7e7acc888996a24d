//! Proofs that a player cannot be beaten.

use evolve_search::model::problem::Candidate;
use serde::Serialize;
use thiserror::Error;

/// A problem whose opponent has few enough moves to enumerate.
pub trait Provable: Sync {
    /// Searches all replies of the opponent to a player, on the threads of the current rayon pool.
    ///
    /// # Errors
    /// If no proof is possible for this player.
    fn prove(&self, candidate: Candidate<'_>) -> Result<Proof, Unprovable>;
}

/// The reason why a player has no proof.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct Unprovable(
    /// The obstacle, and what to try.
    pub String,
);

/// The result of an attempt to prove that a candidate cannot be beaten.
#[derive(Clone, Debug, PartialEq)]
pub struct Proof {
    /// Names and counts of the searched states, such as positions.
    pub counts: Vec<(&'static str, f64)>,
    /// A line of play that beats the player; `None` if it cannot be beaten.
    pub refutation: Option<Refutation>,
}

/// A line of play that beats the player.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Refutation {
    /// A description of the end for people.
    pub reason: String,
    /// The start and the moves of both sides, in the notation of the contest's dialogue.
    pub line: Vec<String>,
}
