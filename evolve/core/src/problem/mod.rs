//! What can be tuned: a problem with its parameters, and what plays it.
//!
//! A problem needs a name, its parameters and a [`Contender`]. What only contest games have stands apart: a referee
//! ([`Contest`]), a proof ([`Provable`]), an exported program ([`Exportable`]), replays ([`Replayable`]).

mod catalogue;

pub use crate::candidate::Candidate;
pub use catalogue::{Catalogue, Declared, Declares};

use crate::contest::Contest;
use crate::export::Exportable;
use crate::parameter::Parameter;
use crate::proof::Provable;
use crate::replay::Replayable;
use crate::seed::Purpose;
use crate::setup::{PlayerKind, Setting, Setup};
use crate::trial::{Deal, Failure, Outcome};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Something that can be tuned.
pub trait Problem: Sync {
    /// Its name on the command line and in jobs.
    fn name(&self) -> &str;

    /// One line for listings.
    fn summary(&self) -> &str {
        ""
    }

    /// Options that make different problems of it.
    fn options(&self) -> &[Setting] {
        &[]
    }

    /// The players that can be tuned; none if there is but one way to play.
    fn players(&self) -> &[PlayerKind] {
        &[]
    }

    /// The parameters, in the order of candidates' values.
    fn parameters(&self) -> Vec<Parameter>;

    /// Told before [`prepare`](Self::prepare) what is around its trials. Those who need none of it ignore it.
    fn surround(&self, _surroundings: Surroundings) {}

    /// The names of the instances of a purpose, where there is a list of them. The deal with number `n` of that purpose
    /// is number `n % len` of the list, repeated for time `n / len`: deals of one instance are not independent.
    fn instances(&self, _purpose: Purpose) -> Option<Vec<String>> {
        None
    }

    /// What its deals and scores are, as a text: problems of one text that play otherwise, such as two versions of a
    /// program, compare with each other. `None`: it compares with itself alone.
    fn measure(&self) -> Option<String> {
        None
    }

    /// Prepares what all trials need and is dear to make, on the calling thread, before the first of them.
    ///
    /// # Errors
    /// A message if there cannot be any trial.
    fn prepare(&self, _setup: &Setup) -> Result<(), String> {
        Ok(())
    }

    /// The files that outcomes depend on, with their checksums, once it is prepared. A run remembers them, because
    /// outcomes on others would not compare.
    ///
    /// # Errors
    /// A message if one cannot be read.
    fn inputs(&self) -> Result<Vec<(String, u32)>, String> {
        Ok(Vec::new())
    }

    /// A candidate made ready to be played.
    fn contender<'a>(&'a self, setup: &'a Setup, candidate: Candidate<'a>) -> Box<dyn Contender + 'a>;

    /// Gives back what is held between trials, such as processes and folders.
    fn release(&self) {}

    /// Whether trials are dear enough to be played in the order in which they are asked for, rather than those of one
    /// candidate together, which saves making players. Where a trial can depend on the machine's state, order matters.
    fn keeps_order(&self) -> bool {
        false
    }

    /// Whether objectives are ratios to a reference that differs from deal to deal: candidates are then rated by the best
    /// of those that are compared on a deal, see [`rates`](crate::comparison::rates).
    fn is_rated_by_ratio(&self) -> bool {
        false
    }

    /// Whether the same candidate on the same deal always has the same outcome, measured times apart.
    fn reproduces(&self) -> bool {
        true
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

    /// Trials to be looked at, move by move.
    fn replayable(&self) -> Option<&dyn Replayable> {
        None
    }
}

/// What is around the trials of a problem.
#[derive(Clone, Debug, Default)]
pub struct Surroundings {
    /// The folder in which it may keep what a person needs to see failed trials again, and pictures; `None`: nothing is
    /// kept.
    pub folder: Option<PathBuf>,
    /// Raised when trials under way are to be given up. They end with a failure of the kind [`STOPPED`].
    pub stop: Option<Arc<AtomicBool>>,
    /// The folder in which it may keep what is dear to make for later processes; `None`: it keeps nothing.
    pub cache: Option<PathBuf>,
    /// Told what takes its time or is kept, a line each; `None`: nobody is.
    pub note: Option<fn(&str)>,
}

/// The kind of failure of a trial that was given up on request, which says nothing about the candidate.
pub const STOPPED: &str = "stopped";

/// A candidate made ready. It makes players, one for each thread that plays trials with it; what they share lives here.
///
/// Where a player keeps nothing from one trial to the next, a closure from a deal to its outcome is a contender.
pub trait Contender: Send + Sync {
    /// A player of one trial after another.
    fn player(&self) -> Box<dyn Player + '_>;
}

/// Plays trials with one candidate.
pub trait Player: Send {
    /// Plays a deal. The outcome depends on the candidate and the deal alone, not on what was played before.
    ///
    /// # Errors
    /// A failure that ends the run. One that counts is an outcome with its [`failure`](Outcome::failure) set.
    fn play(&mut self, deal: &Deal) -> Result<Outcome, Failure>;
}

impl<F: Fn(&Deal) -> Result<Outcome, Failure> + Send + Sync> Contender for F {
    fn player(&self) -> Box<dyn Player + '_> {
        Box::new(Calls(self))
    }
}

/// A contender whose players remember something from one trial to the next: a function that makes such a player, a closure
/// from a deal to its outcome.
pub struct Remembering<M>(pub M);

impl<M, F> Contender for Remembering<M>
where
    M: Fn() -> F + Send + Sync,
    F: FnMut(&Deal) -> Result<Outcome, Failure> + Send + 'static,
{
    fn player(&self) -> Box<dyn Player + '_> {
        Box::new(Calls(self.0()))
    }
}

/// A player that calls a function for each trial.
struct Calls<F>(F);

impl<F: FnMut(&Deal) -> Result<Outcome, Failure> + Send> Player for Calls<F> {
    fn play(&mut self, deal: &Deal) -> Result<Outcome, Failure> {
        (self.0)(deal)
    }
}
