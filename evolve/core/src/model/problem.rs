//! Problems: descriptions of the games and programs to tune.
//!
//! A [`Problem`] has a name, parameters and a [`Session`], which plays it. Separate traits hold the
//! features that only contest games have: judge protocols ([`Contest`]), proofs ([`Provable`]),
//! exported programs ([`Exportable`]) and replays ([`Replayable`]).

pub use crate::model::candidate::Candidate;
pub use crate::model::session::{
    Contender, Context, Input, Notes, OpenError, Player, Remembering, Session, Stop, session,
};

use crate::document::schema;
use crate::model::constraint::Constraint;
use crate::model::contest::Contest;
use crate::model::export::Exportable;
use crate::model::goal::Goal;
use crate::model::parameter::Parameter;
use crate::model::parameter::condition::Condition;
use crate::model::proof::Provable;
use crate::model::replay::Replayable;
use crate::model::seed::Split;
use crate::model::setup::{PlayerKind, Setup};
use crate::model::traits::{Traits, Variation};
use crate::model::trial::Metrics;
use schemars::Schema;
use std::any::Any;
use std::sync::Arc;
use thiserror::Error;

/// The reason why a score has no objective.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct NoObjective(pub String);

/// A game or program that can be tuned. It starts nothing and holds no resources before
/// [`open`](Self::open).
pub trait Problem: Any + Send + Sync {
    /// Returns the name on the command line and in jobs.
    fn name(&self) -> &str;

    /// Returns one line for listings.
    fn summary(&self) -> &str {
        ""
    }

    /// Returns the schema of the problem's options, derived from a struct.
    fn options(&self) -> Schema {
        schema::none()
    }

    /// Returns the players that can be tuned, see [`players`](crate::model::setup::players); empty
    /// if there is only one.
    fn players(&self) -> Vec<PlayerKind> {
        Vec::new()
    }

    /// Returns the parameters, in the order of a candidate's values.
    fn parameters(&self) -> Vec<Parameter>;

    /// Returns the conditions that describe forbidden combinations of values.
    fn forbidden(&self) -> Vec<Condition> {
        Vec::new()
    }

    /// Returns the names of the numbers and groups in outcomes.
    fn metrics(&self) -> Metrics {
        Metrics::default()
    }

    /// Returns the limits that a recommended candidate has to hold, on numbers among the
    /// [`metrics`](Self::metrics).
    fn constraints(&self) -> Vec<Constraint> {
        Vec::new()
    }

    /// Returns the sections of a job that declare the problem; `None` for a built-in problem.
    fn declaration(&self) -> Option<&str> {
        None
    }

    /// Returns the names of the instances of a split, if they are listed. Deal `n` of the split is
    /// replicate `n / len` of the instance at index `n % len`. Deals of the same instance are not
    /// independent.
    fn instances(&self, _purpose: Split) -> Option<Vec<String>> {
        None
    }

    /// Returns how many of `deals` deals of a split are worth playing: of a listed instance without
    /// replicates, only one.
    fn worth_playing(&self, split: Split, deals: usize) -> usize {
        match self.instances(split) {
            Some(names) if !names.is_empty() && !self.traits().has_replicates() => deals.min(names.len()),
            _ => deals,
        }
    }

    /// Returns whether `deals` deals of the test are all there is, so that a comparison on them is
    /// exact: outcomes are deterministic, and the deals cover the only instance, or the whole list
    /// that the search uses as well.
    fn is_exact(&self, deals: usize) -> bool {
        match self.traits().variation {
            Variation::OneDeal => true,
            Variation::Instances => {
                let listed = self.instances(Split::Test).map_or(0, |names| names.len());
                (1..=deals).contains(&listed) && self.is_tested_on_searched()
            }
            Variation::Deals | Variation::Chance => false,
        }
    }

    /// Returns the same problem for runs in which the same trial gave different outcomes: its
    /// trials are not deterministic. `None` if that cannot happen.
    fn not_deterministic(&self) -> Option<Arc<dyn Problem>> {
        None
    }

    /// Returns whether the test uses the instances of the search, so that its result is about these
    /// instances only.
    fn is_tested_on_searched(&self) -> bool {
        let searched = self.instances(Split::Search);
        searched.is_some() && searched == self.instances(Split::Test)
    }

    /// Returns a text that identifies the deals and scores. Problems with the same text, such as
    /// two versions of a program, can be compared. `None` allows a comparison only with the same
    /// problem.
    fn measure(&self) -> Option<String> {
        None
    }

    /// Opens the problem for play: builds, reads and solves the data that all trials need, on the
    /// calling thread.
    ///
    /// # Errors
    /// If the problem cannot be played, or opening was stopped on request.
    fn open(&self, setup: &Setup, context: Context) -> Result<Box<dyn Session>, OpenError>;

    /// Returns how its trials behave.
    fn traits(&self) -> Traits {
        Traits::default()
    }

    /// Returns the goal; `None` if the rules of the contest state it.
    fn goal(&self) -> Option<Goal> {
        None
    }

    /// Returns the objective of a score alone; larger is better.
    ///
    /// # Errors
    /// If the score has no objective, or the objective depends on more than the score.
    fn objective(&self, score: f64) -> Result<f64, NoObjective> {
        Ok(score)
    }

    /// Returns the contest that judges programs, if any.
    fn contest(&self) -> Option<&dyn Contest> {
        None
    }

    /// Returns the prover, which shows that no opponent can beat a player, if any.
    fn provable(&self) -> Option<&dyn Provable> {
        None
    }

    /// Returns the source file into which `evolve export` writes values back, if any.
    fn marked_source(&self) -> Option<&str> {
        None
    }

    /// Returns the exporter of policies to programs, if any.
    fn exportable(&self) -> Option<&dyn Exportable> {
        None
    }

    /// Returns the source of move-by-move replays, if any.
    fn replayable(&self) -> Option<&dyn Replayable> {
        None
    }
}
