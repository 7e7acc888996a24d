//! Proofs that a policy cannot be beaten.

use crate::model::candidate::Candidate;
use crate::model::setup::Setup;
use serde::Serialize;
use thiserror::Error;

/// A problem with an opponent whose every move can be walked through.
pub trait Provable: Sync {
    /// Searches all replies of an opponent to a player, on the threads of the current rayon pool.
    ///
    /// # Errors
    /// No proof is possible for this player.
    fn prove(&self, setup: &Setup, candidate: Candidate<'_>) -> Result<Proof, Unprovable>;
}

/// Why there is no proof for a player.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct Unprovable(
    /// The obstacle, and what to try.
    pub String,
);

/// The result of an attempt to prove that a candidate cannot be beaten.
#[derive(Clone, Debug, PartialEq)]
pub struct Proof {
    /// The certificate: names and counts of the states searched, such as positions.
    pub counts: Vec<(&'static str, f64)>,
    /// How an opponent beats the policy; `None` if it is proven that none can.
    pub refutation: Option<Refutation>,
}

/// A line of play that beats a policy.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Refutation {
    /// How it ends, for a person.
    pub reason: String,
    /// The start and the moves of both sides, in the notation of the contest's dialogue.
    pub line: Vec<String>,
}
