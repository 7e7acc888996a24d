//! The run's side: connects, starts a session, and ends it.

use crate::SILENT;
use crate::build::Build;
use crate::error::NatsError;
use crate::machine::runtime;
use crate::offer::Offer;
use crate::server::{Connection, Server};
use crate::session::{self, RunSession};
use crate::units::UnitStream;
use crate::wire::{Outcomes, letters};
use evolve_core::job::Job;
use evolve_search::evaluator::Opened;
use evolve_search::model::problem::{Context, Input, Notes, OpenError};
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex, OnceLock};
use tokio::runtime::Runtime;
use tokio::time::timeout;

/// The options for playing a run on workers.
#[derive(Clone)]
pub struct Options {
    pub server: Server,
    /// A flag that stops the run.
    pub stop: Arc<AtomicBool>,
    /// The receiver of lines for the user.
    pub notes: Notes,
}

/// An evaluator that plays on all workers that join.
pub struct Nats {
    pub(crate) job: Job,
    pub(crate) options: Options,
    pub(crate) offer: Offer,
    /// The open problem on this machine, which replays failures that would end the run.
    pub(crate) opened: Opened,
    pub(crate) runtime: Runtime,
    connection: Connection,
    pub(crate) begun: OnceLock<Begun>,
}

/// A session under way.
pub(crate) struct Begun {
    pub session: Arc<RunSession>,
    pub units: UnitStream,
    /// The outcomes from workers, each with the name of the worker.
    pub outcomes: Mutex<Receiver<(String, Outcomes)>>,
    /// The number of rounds so far.
    pub rounds: AtomicU64,
    /// The trials per second that a thread of a worker played in the last round.
    pub rate: AtomicU64,
}

impl Nats {
    /// Connects to the server. The server stores nothing until the run [begins](Self::begin). Call
    /// this when the problem is open, and its program built, because the offer to workers includes
    /// the built files. `offer` gets the inputs of the open problem.
    ///
    /// # Errors
    /// If the server cannot be used, or the problem cannot be played.
    pub fn open(
        job: &Job,
        options: Options,
        context: Context,
        offer: impl FnOnce(&[Input]) -> Result<Offer, NatsError>,
    ) -> Result<Self, OpenError> {
        options.server.check()?;
        let runtime = runtime(0)?;
        let connection =
            runtime.block_on(options.server.connect(&format!("evolve run {}", job.name), &options.notes))?;
        let problem = &*job.problem;
        let opened = Opened::open(problem, context)?;
        let offer = offer(opened.inputs())?;
        Ok(Nats { job: job.clone(), options, offer, opened, runtime, connection, begun: OnceLock::new() })
    }

    /// Starts to distribute the run in this folder. No other process may be executing it.
    ///
    /// # Errors
    /// If the server cannot store the work.
    pub fn begin(&self, folder: &Path) -> Result<(), NatsError> {
        let build = Build::here(&*self.job.problem, self.offer.is_program)?;
        let name = session::name(&self.job, folder);
        let units = UnitStream::new(self.connection.jetstream.clone(), &name);
        let letters = self.runtime.block_on(async {
            units.remove().await;
            units.make().await?;
            let letters = self.connection.client.subscribe(letters(&name)).await;
            letters.map_err(|error| NatsError::Server(format!("the server takes no subscription: {error}")))
        })?;
        let notes = self.options.notes.clone();
        let session = RunSession::new(name, &self.job, build, &self.offer, self.connection.clone(), notes);
        let session = Arc::new(session);
        let (sender, outcomes) = channel();
        let kept = Arc::clone(&session);
        self.runtime.spawn(async move { kept.keep(letters, sender).await });
        let begun = Begun {
            session,
            units,
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
        if let Some(Begun { session, units, .. }) = self.begun.take() {
            let end = async {
                session.announce(true).await;
                let _ = session.connection.client.flush().await;
                units.remove().await;
            };
            let _ = self.runtime.block_on(async { timeout(SILENT, end).await });
        }
    }
}
