//! A session: a problem that is built, hashed or solved once before the first trial, and held until the last one.

use crate::model::candidate::Candidate;
use crate::model::trial::{Deal, Outcome, PlayError};
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// An open problem. Dropping it releases its resources, such as processes and folders.
pub trait Session: Send + Sync {
    /// The files that outcomes depend on. A run remembers them, because outcomes on others would not compare.
    fn inputs(&self) -> &[Input] {
        &[]
    }

    /// A candidate made ready to be played.
    fn contender<'a>(&'a self, candidate: Candidate<'a>) -> Box<dyn Contender + 'a>;
}

/// A file that outcomes depend on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input {
    /// Its path.
    pub path: String,
    /// Its checksum (CRC-32).
    pub checksum: u32,
}

/// The session of a problem that holds nothing: a function that makes a contender of a candidate.
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
    fn contender<'a>(&'a self, candidate: Candidate<'a>) -> Box<dyn Contender + 'a> {
        Box::new((self.0)(candidate))
    }
}

/// The resources of a session.
#[derive(Clone, Debug, Default)]
pub struct Context {
    /// The folder of the run, where failed trials and pictures are kept; `None`: nothing is kept.
    pub run_folder: Option<PathBuf>,
    /// The folder for what later processes need not make again; `None`: nothing is kept.
    pub cache: Option<PathBuf>,
    /// When work is given up.
    pub stop: Stop,
    /// Receives progress notes, one line each.
    pub notes: Notes,
}

/// Flags that are raised when work is to be given up.
#[derive(Clone, Debug, Default)]
pub struct Stop {
    /// When a problem is no longer to be opened, such as built.
    pub opening: Option<Arc<AtomicBool>>,
    /// When trials under way are no longer to be played. They end with [`PlayError::Stopped`].
    pub trials: Option<Arc<AtomicBool>>,
}

impl Stop {
    /// One flag for all work.
    pub fn all(flag: &Arc<AtomicBool>) -> Self {
        Stop { opening: Some(Arc::clone(flag)), trials: Some(Arc::clone(flag)) }
    }
}

/// A receiver of progress notes, one line each; the default discards them.
#[derive(Clone, Default)]
pub struct Notes(Option<Arc<Hear>>);

type Hear = dyn Fn(&str) + Send + Sync;

impl Notes {
    /// Notes that go to a function.
    pub fn new(to: impl Fn(&str) + Send + Sync + 'static) -> Self {
        Notes(Some(Arc::new(to)))
    }

    /// Tells a line.
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

/// Why a problem cannot be played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OpenError {
    /// It was given up on request.
    Stopped(String),
    /// Something is missing or does not work.
    Failed(String),
}

impl fmt::Display for OpenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (OpenError::Stopped(message) | OpenError::Failed(message)) = self;
        f.write_str(message)
    }
}

impl std::error::Error for OpenError {}

impl From<String> for OpenError {
    fn from(message: String) -> Self {
        OpenError::Failed(message)
    }
}

/// A candidate ready to play. It makes a player for each thread and holds the data that they share.
///
/// A closure from a deal to its outcome is a contender, if the player keeps nothing between trials.
pub trait Contender: Send + Sync {
    /// A player of one trial after another.
    fn player(&self) -> Box<dyn Player + '_>;
}

/// Plays trials with one candidate.
pub trait Player: Send {
    /// Plays a deal. The outcome depends only on the candidate and the deal, not on earlier trials.
    ///
    /// # Errors
    /// A failure that ends the run. A failure that counts is an outcome with its [`failure`](Outcome::failure) set.
    fn play(&mut self, deal: &Deal) -> Result<Outcome, PlayError>;

    /// Plays a deal on which a rival's objective is known. The trial may be stopped once it is clearly worse; its outcome is
    /// then [capped](Outcome::capped).
    ///
    /// # Errors
    /// As [`play`](Self::play).
    fn play_against(&mut self, deal: &Deal, _rival: Option<f64>) -> Result<Outcome, PlayError> {
        self.play(deal)
    }
}

impl<F: Fn(&Deal) -> Result<Outcome, PlayError> + Send + Sync> Contender for F {
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
    F: FnMut(&Deal) -> Result<Outcome, PlayError> + Send + 'static,
{
    fn player(&self) -> Box<dyn Player + '_> {
        Box::new(Calls(self.0()))
    }
}

/// A player that calls a function for each trial.
struct Calls<F>(F);

impl<F: FnMut(&Deal) -> Result<Outcome, PlayError> + Send> Player for Calls<F> {
    fn play(&mut self, deal: &Deal) -> Result<Outcome, PlayError> {
        (self.0)(deal)
    }
}
