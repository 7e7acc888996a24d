//! What the tasks of a coordinator share.

use crate::Notes;
use crate::board::Board;
use crate::digest::Digest;
use crate::members::Members;
use crate::network::Network;
use crate::pace::Pace;
use crate::proof::Proof;
use crate::wire::{Build, Here, PROTOCOL};
use evolve_core::config::Job;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use tokio::sync::Notify;

/// A session: one start of one run.
pub struct Session {
    /// The run's job.
    pub job: Arc<Job>,
    /// The folder of the run, in which its workers are listed.
    pub folder: PathBuf,
    /// What is kept on the server.
    pub network: Network,
    /// What this process is.
    pub build: Build,
    /// What workers have to show.
    pub proof: Proof,
    /// The hash of the job's files.
    pub files: Digest,
    /// Whether the job brings a program along.
    pub is_program: bool,
    /// Lines for the user.
    pub notes: Notes,
    /// Raised when the user wants the run to stop.
    pub stop: Arc<AtomicBool>,
    /// Told when there may be something to hand out.
    pub feed: Notify,
    state: Mutex<State>,
    changed: Condvar,
}

/// What changes.
#[derive(Default)]
pub struct State {
    /// The round under way.
    pub board: Option<Board>,
    /// Rounds so far.
    pub rounds: u64,
    /// Whether work of earlier rounds is to be removed from the server first.
    pub purge: bool,
    /// The workers.
    pub members: Members,
    /// What a trial costs.
    pub pace: Pace,
}

impl Session {
    /// A session in which nothing has happened.
    #[expect(clippy::too_many_arguments, reason = "its parts, put together in one place")]
    pub fn new(
        job: Arc<Job>,
        folder: PathBuf,
        network: Network,
        build: Build,
        proof: Proof,
        files: Digest,
        is_program: bool,
        notes: Notes,
        stop: Arc<AtomicBool>,
    ) -> Self {
        let mut state = State::default();
        state.pace.measure(proof.results.len(), proof.time);
        Session {
            job,
            folder,
            network,
            build,
            proof,
            files,
            is_program,
            notes,
            stop,
            feed: Notify::new(),
            state: Mutex::new(state),
            changed: Condvar::new(),
        }
    }

    /// The state, for a moment.
    pub fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Tells those who wait for outcomes or workers.
    pub fn tell(&self) {
        self.changed.notify_all();
        self.feed.notify_one();
    }

    /// Waits until something changed, or for so long.
    pub fn wait<'s>(&self, state: MutexGuard<'s, State>, time: std::time::Duration) -> MutexGuard<'s, State> {
        self.changed.wait_timeout(state, time).unwrap_or_else(PoisonError::into_inner).0
    }

    /// What workers are told of the run.
    pub fn here(&self) -> Here {
        Here {
            protocol: PROTOCOL,
            version: self.build.version,
            session: self.network.session.clone(),
            name: self.job.name.clone(),
            problem: self.build.problem.clone(),
            program: self.is_program,
            workers: self.state().members.count(),
            lease: self.network.lease,
            files: self.files,
        }
    }

    /// Tells the user something.
    pub fn note(&self, text: &str) {
        (self.notes)(text);
    }
}
