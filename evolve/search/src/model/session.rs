//! A session: a problem that is built, hashed or solved once before the first trial, and kept open
//! until the last one.

use crate::model::candidate::Candidate;
use crate::model::trial::{Case, Outcome, PlayError};
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use thiserror::Error;

/// An open problem. Dropping it releases its resources, such as processes and folders.
pub trait Session: Send + Sync {
    /// Returns the files that outcomes depend on. A run records them, because outcomes with other
    /// files are not comparable.
    fn inputs(&self) -> &[Input] {
        &[]
    }

    /// Returns the path of an input that trials read and that is no longer the file of the
    /// session's start.
    fn changed(&self) -> Option<String> {
        None
    }

    /// Prepares a candidate for play. The contender can outlive the caller, so that trials can be
    /// played in the background.
    fn contender(self: Arc<Self>, candidate: Candidate<'_>) -> Box<dyn Contender>;
}

/// A file that outcomes depend on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input {
    pub path: String,
    /// The checksum (CRC-32).
    pub checksum: u32,
    /// The copy that trials use instead of the file.
    pub copy: Option<PathBuf>,
}

/// Creates a session without resources from a function that prepares candidates.
pub fn session<C: Contender + 'static>(
    contender: impl Fn(Candidate<'_>) -> C + Send + Sync + 'static,
) -> Box<dyn Session> {
    Box::new(Plain(contender))
}

struct Plain<F>(F);

impl<F, C> Session for Plain<F>
where
    F: Fn(Candidate<'_>) -> C + Send + Sync,
    C: Contender + 'static,
{
    fn contender(self: Arc<Self>, candidate: Candidate<'_>) -> Box<dyn Contender> {
        Box::new((self.0)(candidate))
    }
}

/// The resources of a session.
#[derive(Clone, Debug, Default)]
pub struct Context {
    /// The folder of the run, where failed trials and pictures are kept; `None` keeps nothing.
    pub run_folder: Option<PathBuf>,
    /// Whether the trials continue those of the run in this folder, with the program that it keeps
    /// there.
    pub resumes: bool,
    /// The folder that caches data for later processes; `None` caches nothing.
    pub cache: Option<PathBuf>,
    /// The flags that stop work.
    pub stop: StopFlags,
    /// Receives progress notes, one line each.
    pub notes: Notes,
}

/// Flags that stop work when they are set.
#[derive(Clone, Debug, Default)]
pub struct StopFlags {
    /// Stops opening a problem, such as building its program.
    pub opening: Option<Arc<AtomicBool>>,
    /// Stops trials under way, which then end with [`PlayError::Stopped`].
    pub trials: Option<Arc<AtomicBool>>,
}

impl StopFlags {
    /// Uses one flag for all work.
    pub fn all(flag: &Arc<AtomicBool>) -> Self {
        StopFlags { opening: Some(Arc::clone(flag)), trials: Some(Arc::clone(flag)) }
    }
}

/// A receiver of progress notes, one line each. The default discards them.
#[derive(Clone, Default)]
pub struct Notes(Option<Arc<Hear>>);

type Hear = dyn Fn(&str) + Send + Sync;

impl Notes {
    /// Sends notes to a function.
    pub fn new(to: impl Fn(&str) + Send + Sync + 'static) -> Self {
        Notes(Some(Arc::new(to)))
    }

    /// Sends a line.
    pub fn tell(&self, line: &str) {
        if let Some(to) = &self.0 {
            to(line);
        }
    }
}

impl fmt::Debug for Notes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "Notes(..)" } else { "Notes" })
    }
}

/// The reason why a problem cannot be played.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum OpenError {
    /// Opening was stopped on request.
    #[error("{0}")]
    Stopped(String),
    /// Something is missing or does not work.
    #[error("{0}")]
    Failed(String),
}

impl From<String> for OpenError {
    fn from(message: String) -> Self {
        OpenError::Failed(message)
    }
}

/// A candidate prepared for play. It creates a player for each thread and holds the data that they
/// share.
///
/// If players keep nothing between trials, a closure from a case to its outcome is a contender.
pub trait Contender: Send + Sync {
    /// Creates a player, which plays one trial after another.
    fn player(&self) -> Box<dyn Player + '_>;
}

/// Plays trials with one candidate.
pub trait Player: Send {
    /// Plays a case. The outcome depends only on the candidate and the case, not on earlier trials.
    /// If a rival's objective on the case is known, the trial may be stopped once it is clearly
    /// worse; the outcome is then [capped](Outcome::capped).
    ///
    /// # Errors
    /// A failure that ends the run. A failure that counts is an outcome whose
    /// [`failure`](Outcome::failure) is set.
    fn play(&mut self, case: &Case, rival: Option<f64>) -> Result<Outcome, PlayError>;
}

impl<F: Fn(&Case) -> Result<Outcome, PlayError> + Send + Sync> Contender for F {
    fn player(&self) -> Box<dyn Player + '_> {
        Box::new(Calls(self))
    }
}

/// A contender whose players keep state between trials: a function that creates a player, which is
/// a closure from a case to its outcome.
pub struct Remembering<M>(pub M);

impl<M, F> Contender for Remembering<M>
where
    M: Fn() -> F + Send + Sync,
    F: FnMut(&Case) -> Result<Outcome, PlayError> + Send + 'static,
{
    fn player(&self) -> Box<dyn Player + '_> {
        Box::new(Calls(self.0()))
    }
}

/// A player that calls a function for each trial, and plays it to its end.
struct Calls<F>(F);

impl<F: FnMut(&Case) -> Result<Outcome, PlayError> + Send> Player for Calls<F> {
    fn play(&mut self, case: &Case, _rival: Option<f64>) -> Result<Outcome, PlayError> {
        (self.0)(case)
    }
}
