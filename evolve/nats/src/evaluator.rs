//! Trials in, outcomes out: the face of it all to a run.

use crate::board::Board;
use crate::coordinator::{Coordinator, Offer, Options};
use crate::machine::runtime;
use crate::server::Connection;
use crate::session::{Session, State};
use crate::wait::Waiting;
use evolve_core::config::Job;
use evolve_core::evaluator::{Evaluator, Round, Trial};
use evolve_core::problem::STOPPED;
use evolve_core::trial::{Failure, Outcome};
use std::path::Path;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};
use tokio::runtime::Runtime;

/// Plays on all workers that join.
pub struct Nats {
    job: Arc<Job>,
    options: Options,
    offer: Offer,
    /// Until the session begins.
    connected: Mutex<Option<(Runtime, Connection)>>,
    coordinator: OnceLock<Coordinator>,
}

/// How long at most until it is looked whether the run is to stop.
const LOOK: Duration = Duration::from_millis(100);

impl Nats {
    /// Connects to the server. Nothing is kept there until the run [begins](Self::begin). What workers get is asked for
    /// when the problem is prepared, and its program built.
    ///
    /// # Errors
    /// If the server cannot be used, or the problem cannot be played.
    pub fn connect(job: &Job, options: Options, offer: impl FnOnce() -> Result<Offer, String>) -> Result<Self, String> {
        options.server.check()?;
        let runtime = runtime()?;
        let name = format!("evolve run {}", job.name);
        let connection = runtime.block_on(options.server.connect(&name, &options.notes))?;
        job.source.problem.prepare(&job.source.setup)?;
        let offer = offer()?;
        let connected = Mutex::new(Some((runtime, connection)));
        Ok(Nats { job: Arc::new(job.clone()), options, offer, connected, coordinator: OnceLock::new() })
    }

    /// Begins to have the run in this folder played. Nobody else may be at it.
    ///
    /// # Errors
    /// If the server cannot keep the work, or the job's files cannot be sent.
    ///
    /// # Panics
    /// If it has begun already.
    pub fn begin(&self, folder: &Path) -> Result<(), String> {
        let connected = self.connected.lock().unwrap_or_else(PoisonError::into_inner).take();
        let (runtime, connection) = connected.expect("it begins once");
        let begun = Coordinator::begin(runtime, connection, &self.job, folder, &self.options, &self.offer)?;
        let _ = self.coordinator.set(begun);
        Ok(())
    }

    /// What the workers did, in a line; `None` if there were none.
    pub fn summary(&self) -> Option<String> {
        self.coordinator.get().and_then(Coordinator::summary)
    }

    fn session(&self) -> &Session {
        &self.coordinator.get().expect("a run plays after it has begun").session
    }
}

impl Drop for Nats {
    fn drop(&mut self) {
        drop(self.coordinator.take());
        self.job.source.problem.release();
    }
}

impl Evaluator for Nats {
    fn round<'a>(&'a self, candidates: &'a [Vec<f64>]) -> Box<dyn Round + 'a> {
        let session = self.session();
        begin_round(&mut session.state(), candidates);
        Box::new(NatsRound { nats: self, session, candidates })
    }

    fn parallelism(&self) -> usize {
        self.coordinator.get().map_or(1, |coordinator| coordinator.session.state().members.threads()).max(1)
    }
}

fn begin_round(state: &mut State, candidates: &[Vec<f64>]) {
    end_round(state);
    state.rounds += 1;
    state.board = Some(Board::new(state.rounds, candidates.to_vec()));
}

fn end_round(state: &mut State) {
    state.purge |= state.board.take().is_some_and(|board| board.leaves_work());
}

struct NatsRound<'a> {
    nats: &'a Nats,
    session: &'a Session,
    candidates: &'a [Vec<f64>],
}

impl Drop for NatsRound<'_> {
    fn drop(&mut self) {
        end_round(&mut self.session.state());
    }
}

impl Round for NatsRound<'_> {
    fn expect(&mut self, trials: &[Trial]) {
        if let Some(board) = &mut self.session.state().board {
            board.add(trials);
        }
        self.session.tell();
    }

    fn play(&mut self, trials: &[Trial]) -> Result<Vec<Outcome>, Failure> {
        let mut state = self.session.state();
        if state.board.as_ref().is_none_or(|board| !board.has_next(trials)) {
            // Not what was expected: from here on the round is another.
            begin_round(&mut state, self.candidates);
        }
        let mut waiting = Waiting::default();
        loop {
            let board = state.board.as_mut().expect("a round has begun");
            if board.left() < trials.len() {
                board.add(&trials[board.left()..]);
                self.session.tell();
            }
            if let Some(played) = board.take(trials.len()) {
                self.session.feed.notify_one();
                return played.into_iter().collect::<Result<Vec<Outcome>, Failure>>();
            }
            // What workers have before them is played to its end: it may be dear.
            if self.session.stop.load(Ordering::Relaxed) && state.members.count() == 0 {
                return Err(Failure::new(STOPPED, "the run was stopped"));
            }
            match state.members.count() {
                0 if waiting.is_due(Instant::now()) => {
                    let awaited = self.awaited(&state);
                    drop(state);
                    self.session.note(&awaited);
                    state = self.session.state();
                }
                0 => {}
                _ => waiting.over(),
            }
            state = self.session.wait(state, LOOK);
        }
    }
}

impl NatsRound<'_> {
    fn awaited(&self, state: &State) -> String {
        let open = state.board.as_ref().map_or(0, Board::open);
        let who = if state.members.any() { "no worker is left" } else { "no worker has joined yet" };
        let url = self.nats.options.server.shown();
        let programs = if self.nats.offer.is_program { " --allow-programs" } else { "" };
        format!("{who}, and {open} games wait; start one by: evolve worker --join {url}{programs}")
    }
}
