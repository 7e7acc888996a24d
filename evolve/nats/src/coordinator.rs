//! The run's side: connects, begins a session, and ends it.

use crate::SILENT;
use crate::build::Build;
use crate::error::NatsError;
use crate::machine::runtime;
use crate::offer::Offer;
use crate::queue::Queue;
use crate::server::{Connection, Server};
use crate::session::{self, Session};
use crate::wire::{Outcomes, letters};
use evolve_core::evaluator::Opened;
use evolve_core::job::Job;
use evolve_core::job::source::Source;
use evolve_core::model::problem::{Context, Notes, OpenError};
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex, OnceLock};
use tokio::runtime::Runtime;
use tokio::time::timeout;

/// How a run is played by workers.
#[derive(Clone)]
pub struct Options {
    pub server: Server,
    /// Raised when the run is to stop.
    pub stop: Arc<AtomicBool>,
    /// Lines for the user.
    pub notes: Notes,
}

/// Plays on all workers that join.
pub struct Nats {
    pub(crate) job: Job,
    pub(crate) options: Options,
    pub(crate) offer: Offer,
    /// Where what no worker is believed is played again.
    pub(crate) opened: Opened,
    pub(crate) runtime: Runtime,
    connection: Connection,
    pub(crate) begun: OnceLock<Begun>,
}

/// A session under way.
pub(crate) struct Begun {
    pub session: Arc<Session>,
    pub queue: Queue,
    /// Outcomes from workers, with the worker's name.
    pub outcomes: Mutex<Receiver<(String, Outcomes)>>,
    /// Rounds so far.
    pub rounds: AtomicU64,
    /// Trials that a thread of a worker played in a second of the last round.
    pub rate: AtomicU64,
}

impl Nats {
    /// Connects to the server. Nothing is kept there until the run [begins](Self::begin). What workers get is asked for
    /// when the problem is open, and its program built.
    ///
    /// # Errors
    /// If the server cannot be used, or the problem cannot be played.
    pub fn open(
        job: &Job,
        options: Options,
        context: Context,
        offer: impl FnOnce() -> Result<Offer, NatsError>,
    ) -> Result<Self, OpenError> {
        options.server.check()?;
        let runtime = runtime(0)?;
        let connection =
            runtime.block_on(options.server.connect(&format!("evolve run {}", job.name), &options.notes))?;
        let Source { problem, setup } = &job.source;
        let opened = Opened::open(&**problem, setup, context)?;
        let offer = offer()?;
        Ok(Nats { job: job.clone(), options, offer, opened, runtime, connection, begun: OnceLock::new() })
    }

    /// Starts to distribute the run in this folder. No other process may be running it.
    ///
    /// # Errors
    /// The server cannot store the work.
    pub fn begin(&self, folder: &Path) -> Result<(), NatsError> {
        let build = Build::here(&*self.job.source.problem, &self.job.source.setup, self.offer.is_program)?;
        let name = session::name(&self.job, folder);
        let queue = Queue::new(self.connection.jetstream.clone(), &name);
        let letters = self.runtime.block_on(async {
            queue.remove().await;
            queue.make().await?;
            let letters = self.connection.client.subscribe(letters(&name)).await;
            letters.map_err(|error| NatsError::Server(format!("the server takes no subscription: {error}")))
        })?;
        let notes = self.options.notes.clone();
        let session = Session::new(name, &self.job, build, &self.offer, self.connection.clone(), notes);
        let session = Arc::new(session);
        let (sender, outcomes) = channel();
        let kept = Arc::clone(&session);
        self.runtime.spawn(async move { kept.keep(letters, sender).await });
        let begun = Begun {
            session,
            queue,
            outcomes: Mutex::new(outcomes),
            rounds: AtomicU64::default(),
            rate: AtomicU64::default(),
        };
        let _ = self.begun.set(begun);
        Ok(())
    }
}

impl Drop for Nats {
    fn drop(&mut self) {
        if let Some(Begun { session, queue, .. }) = self.begun.take() {
            let end = async {
                session.announce(true).await;
                let _ = session.connection.client.flush().await;
                queue.remove().await;
            };
            let _ = self.runtime.block_on(async { timeout(SILENT, end).await });
        }
    }
}
