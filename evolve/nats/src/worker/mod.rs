//! The worker's side: finds runs, fetches their files, and plays for them.

mod prepare;
mod serve;

use crate::error::NatsError;
use crate::machine::{self, runtime};
use crate::server::{Connection, Server};
use crate::wire::{self, Here, Letter, PROTOCOL, RUNS, Says, is_session, letters, message};
use crate::{BEAT, REST, build};
use evolve_core::job::Job;
use evolve_search::model::problem::{Context, Notes};
use futures_util::StreamExt;
use prepare::prepare;
use serve::serve;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use tokio::time::{sleep, timeout};

#[derive(Clone)]
pub struct WorkerOptions {
    /// The number of simultaneous trials; 0 means one for each core.
    pub threads: usize,
    /// Whether the worker executes the programs of jobs.
    pub allow_programs: bool,
    /// How long the worker waits for a run before it ends; `None` means forever.
    pub idle: Option<Duration>,
    /// The context for opening problems, without the folder of a run.
    pub context: Context,
    /// A flag that ends the worker.
    pub stop: Arc<AtomicBool>,
    /// The receiver of lines for the user.
    pub notes: Notes,
}

pub struct ReceivedJob<'a> {
    pub job: &'a str,
    /// Whether the job contains a program, whose files are in the current folder.
    pub is_program: bool,
}

/// How the worker ended its work for a run.
enum Ended {
    /// The worker does not match the run, or a trial failed here that would end the run.
    Refused(String),
    /// The run has ended or stopped.
    Over,
    /// The run was silent for too long.
    Lost,
    /// The worker was asked to leave.
    Stopped,
}

/// The time without a run after which the user is notified.
const PATIENCE: Duration = Duration::from_secs(2);
/// The longest interval between checks of the stop flag.
const LOOK: Duration = Duration::from_millis(100);

/// Joins the runs that are announced on a server, one after another, until `stop` is set. `read`
/// parses a received job without reading any other file.
///
/// # Errors
/// If the server refuses the credentials, or the system cannot start threads.
pub fn join(
    server: &Server,
    host: &WorkerOptions,
    read: impl Fn(&ReceivedJob<'_>) -> Result<Job, NatsError>,
) -> Result<(), NatsError> {
    server.check()?;
    let host = WorkerOptions { threads: machine::threads(host.threads), ..host.clone() };
    let runtime = runtime(host.threads)?;
    let joined = runtime.block_on(async {
        let Some(connection) = connect(server, &host).await? else { return Ok(()) };
        let mut closed = BTreeSet::new();
        while let Some(here) = find(&connection, server, &host, &mut closed).await? {
            let end = match one(&connection, &here, &host, &read).await {
                Ended::Refused(why) => {
                    closed.insert(here.session.clone());
                    refuse(&connection, &here, &host, &why).await;
                    continue;
                }
                Ended::Over => {
                    closed.insert(here.session);
                    &format!("the run {} has ended or stopped", here.name)
                }
                Ended::Lost => &format!("lost contact with the run {}", here.name),
                Ended::Stopped => "leaving; all outcomes are delivered",
            };
            host.notes.tell(end);
        }
        Ok(())
    });
    runtime.shutdown_timeout(REST);
    joined
}

/// Connects as soon as there is a server. Returns `None` if the worker is to end.
async fn connect(server: &Server, host: &WorkerOptions) -> Result<Option<Connection>, NatsError> {
    let (since, mut has_reported) = (Instant::now(), false);
    while !host.is_over(since) {
        match server.connect(&format!("evolve worker {}", machine::process()), &host.notes).await {
            Ok(connection) => return Ok(Some(connection)),
            Err(error @ (NatsError::Credentials(_) | NatsError::Usage(_))) => return Err(error),
            Err(error) => {
                if !has_reported {
                    host.notes.tell(&format!("{error}; trying again"));
                    has_reported = true;
                }
                sleep(REST).await;
            }
        }
    }
    Ok(None)
}

/// Returns the next run to join; `None` if the worker is to end. Ignores the runs in `closed`.
async fn find(
    connection: &Connection,
    server: &Server,
    host: &WorkerOptions,
    closed: &mut BTreeSet<String>,
) -> Result<Option<Here>, NatsError> {
    let announced = connection.client.subscribe(RUNS).await;
    let mut announced = announced.map_err(|error| NatsError::Server(error.to_string()))?;
    let (since, mut has_reported) = (Instant::now(), false);
    while !host.is_over(since) {
        if !has_reported && since.elapsed() > PATIENCE && connection.is_up() {
            has_reported = true;
            let shown = server.shown();
            host.notes.tell(&format!("no run at {shown}; start one with: evolve run job.toml --server {shown}"));
        }
        let Ok(Some(received)) = timeout(LOOK, announced.next()).await else { continue };
        let Some(here) = message::<Here>(&received.payload).filter(|here| here.protocol == PROTOCOL) else {
            let protocol = wire::protocol(&received.payload).filter(|&protocol| protocol != PROTOCOL);
            let other = protocol.map(|protocol| {
                format!("not joining a run with protocol version {protocol}: this build has version {PROTOCOL}")
            });
            // Notify the user only once.
            other.filter(|text| closed.insert(text.clone())).iter().for_each(|text| host.notes.tell(text));
            continue;
        };
        if !is_session(&here.session) || here.has_ended || closed.contains(&here.session) {
            continue;
        }
        if here.build.version == evolve_core::VERSION {
            return Ok(Some(here));
        }
        closed.insert(here.session.clone());
        refuse(connection, &here, host, &build::other_version(here.build.version, evolve_core::VERSION)).await;
    }
    if !host.stop.load(Ordering::Relaxed) {
        host.notes.tell("no run started; leaving");
    }
    Ok(None)
}

/// Notifies the user and the run of the reason why the worker does not join, or leaves.
async fn refuse(connection: &Connection, here: &Here, host: &WorkerOptions, why: &str) {
    host.notes.tell(&format!("not playing for the run {}: {why}", here.name));
    send(connection, here, Says::Refuses(why.to_string())).await;
}

/// Sends a message that needs no answer.
async fn send(connection: &Connection, here: &Here, says: Says) {
    let letter = Letter { worker: machine::process(), says };
    let _ = connection.client.publish(letters(&here.session), wire::bytes(&letter)).await;
    let _ = timeout(BEAT, connection.client.flush()).await;
}

/// Plays for one run until it is over, lost, or refuses this worker.
async fn one(
    connection: &Connection,
    here: &Here,
    host: &WorkerOptions,
    read: &impl Fn(&ReceivedJob<'_>) -> Result<Job, NatsError>,
) -> Ended {
    let folder = std::env::current_dir();
    let ended = match prepare(connection, here, host, read).await {
        Ok(prepared) => serve(connection, here, host, &prepared).await,
        Err(ended) => ended,
    };
    if let Ok(folder) = folder {
        let _ = std::env::set_current_dir(folder);
    }
    ended
}

impl WorkerOptions {
    fn is_over(&self, since: Instant) -> bool {
        self.stop.load(Ordering::Relaxed) || self.idle.is_some_and(|idle| since.elapsed() >= idle)
    }
}
