//! Problems: data about a game or program to tune.
//!
//! A [`Problem`] is data. It needs a name, its parameters and a [`Session`], which plays it. Features that only contest
//! games have are traits of their own: judge protocols ([`Contest`]), proofs ([`Provable`]), exported programs
//! ([`Exportable`]), replays ([`Replayable`]).

pub use crate::model::candidate::Candidate;
pub use crate::model::session::{
    Contender, Context, Input, Notes, OpenError, Player, Remembering, Session, Stop, session,
};

use crate::document::schema;
use crate::model::contest::Contest;
use crate::model::export::Exportable;
use crate::model::parameter::Parameter;
use crate::model::parameter::condition::Condition;
use crate::model::proof::Provable;
use crate::model::replay::Replayable;
use crate::model::seed::Split;
use crate::model::setup::{PlayerKind, Setup};
use crate::model::trial::Metrics;
use schemars::Schema;
use std::any::Any;

/// Something that can be tuned. It is data: it starts nothing and holds nothing before it is [opened](Self::open).
pub trait Problem: Any + Send + Sync {
    /// Its name on the command line and in jobs.
    fn name(&self) -> &str;

    /// One line for listings.
    fn summary(&self) -> &str {
        ""
    }

    /// The schema of the options that make different problems of it, derived from a struct.
    fn options(&self) -> Schema {
        schema::none()
    }

    /// The players that can be tuned, see [`players`](crate::model::setup::players); none if there is but one way to play.
    fn players(&self) -> Vec<PlayerKind> {
        Vec::new()
    }

    /// The parameters, in the order of candidates' values.
    fn parameters(&self) -> Vec<Parameter>;

    /// The combinations of values that no candidate may have, as conditions on its parameters.
    fn forbidden(&self) -> Vec<Condition> {
        Vec::new()
    }

    /// The names of the numbers and groups in its outcomes.
    fn metrics(&self) -> Metrics {
        Metrics::default()
    }

    /// The sections of a job that declare it; `None` if it is one of the catalogue.
    fn declaration(&self) -> Option<&str> {
        None
    }

    /// The names of the instances of a split, where there is a list of them. The deal with number `n` of that split
    /// is number `n % len` of the list, used for the `n / len`-th time: deals of one instance are not independent.
    fn instances(&self, _purpose: Split) -> Option<Vec<String>> {
        None
    }

    /// A text that identifies its deals and scores. Problems with the same text, such as two versions of a program, can
    /// be compared with each other. `None`: only with itself.
    fn measure(&self) -> Option<String> {
        None
    }

    /// Opens it to be played: builds, reads and solves what all trials need, on the calling thread.
    ///
    /// # Errors
    /// If it cannot be played, or opening was given up on request.
    fn open(&self, setup: &Setup, context: Context) -> Result<Box<dyn Session>, OpenError>;

    /// Whether trials are played in the order in which they are requested, because they are expensive. Otherwise the
    /// trials of a candidate are played together, which saves making players. Order matters where a trial can depend on
    /// the machine's state.
    fn keeps_order(&self) -> bool {
        false
    }

    /// The objective of a score by itself, larger for better candidates.
    ///
    /// # Errors
    /// A message if it has none, or depends on more than the score.
    fn objective(&self, score: f64) -> Result<f64, String> {
        Ok(score)
    }

    /// Whether objectives are ratios to a reference that differs from deal to deal: candidates are then rated by the best
    /// of those that are compared on a deal, see [`rates`](crate::judgement::comparison::rates).
    fn is_rated_by_ratio(&self) -> bool {
        false
    }

    /// Whether the same candidate on the same deal always has the same outcome, measured times apart.
    fn reproduces(&self) -> bool {
        true
    }

    /// Whether its players stop trials that are clearly worse than a rival's, see
    /// [`play_against`](Player::play_against).
    fn caps(&self) -> bool {
        false
    }

    /// Whether all its deals are the same: it has one instance, and a candidate has one outcome.
    fn is_one_deal(&self) -> bool {
        false
    }

    /// The contest's side of it.
    fn contest(&self) -> Option<&dyn Contest> {
        None
    }

    /// Proofs that no opponent can beat a policy.
    fn provable(&self) -> Option<&dyn Provable> {
        None
    }

    /// Programs made of policies.
    fn exportable(&self) -> Option<&dyn Exportable> {
        None
    }

    /// Replays of trials, move by move.
    fn replayable(&self) -> Option<&dyn Replayable> {
        None
    }
}
