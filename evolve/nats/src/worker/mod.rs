//! The worker's side: finds runs, fetches what they need, and plays for them.

mod crew;
pub mod local;
mod report;
mod serve;
mod take;

use crate::Notes;
use crate::files::{Manifest, fetch, fetch_manifest};
use crate::machine::{self, runtime};
use crate::server::{Connection, Server};
use crate::wait::Waiting;
use crate::wire::{HERE, Here, PROTOCOL, Refusal, WHO, is_session, store, subject};
use async_nats::jetstream::object_store::ObjectStore;
use evolve_core::config::Job;
use evolve_core::problem::Surroundings;
use futures_util::StreamExt;
use serve::{Ended, Post, serve};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use tempfile::TempDir;
use tokio::time::{sleep, timeout};

/// A worker.
#[derive(Clone)]
pub struct Host {
    /// Trials to play at the same time; 0: one for each core.
    pub threads: usize,
    /// Whether it executes the programs of jobs.
    pub allow_programs: bool,
    /// How long it waits for a run before it ends; `None`: for ever.
    pub idle: Option<Duration>,
    /// What is around the trials of problems, but for folders of runs.
    pub surroundings: Surroundings,
    /// Raised when it is to end.
    pub stop: Arc<AtomicBool>,
    /// Lines for the user.
    pub notes: Notes,
}

/// A job that was received.
pub struct Found<'a> {
    /// The text of the job.
    pub job: &'a str,
    /// Whether it brings a program along. Its files are in the current folder.
    pub is_program: bool,
}

/// Time from one question for runs to the next, and from one try to connect to the next.
const ASK: Duration = Duration::from_secs(2);

/// How long the files of a job that was announced are waited for.
const ARRIVE: Duration = Duration::from_secs(20);

/// Joins every run that is announced at a server, one after the other, until `stop` is raised. `read` makes a job of what
/// was received, and nothing else.
///
/// # Errors
/// If the server refuses the credentials, or the system has no threads.
pub fn join(server: &Server, host: &Host, read: impl Fn(&Found<'_>) -> Result<Job, String>) -> Result<(), String> {
    server.check()?;
    let runtime = runtime()?;
    let joined = runtime.block_on(async {
        let Some(connection) = connect(server, host).await? else { return Ok(()) };
        let mut refused = BTreeSet::new();
        while let Some(here) = find(&connection, server, host, &mut refused).await? {
            one(&connection, &here, host, &read, &mut refused).await;
        }
        Ok(())
    });
    runtime.shutdown_timeout(ASK);
    joined
}

/// Connects, as soon as there is a server; `None` if the worker is to end.
async fn connect(server: &Server, host: &Host) -> Result<Option<Connection>, String> {
    let (mut waiting, mut told) = (Waiting::default(), false);
    let since = Instant::now();
    while !host.is_over(since) {
        match server.connect(&format!("evolve worker {}", machine::process()), &host.notes).await {
            Ok(connection) => return Ok(Some(connection)),
            Err(message) if message.contains("authorization") => return Err(message),
            Err(message) => {
                if !told || waiting.is_due(Instant::now()) {
                    (host.notes)(&format!("{message}; trying again"));
                    told = true;
                }
                host.rest(ASK).await;
            }
        }
    }
    Ok(None)
}

/// The next run to join; `None` if the worker is to end.
async fn find(
    connection: &Connection,
    server: &Server,
    host: &Host,
    refused: &mut BTreeSet<String>,
) -> Result<Option<Here>, String> {
    let mut announced = connection.client.subscribe(HERE).await.map_err(|error| error.to_string())?;
    let mut waiting = Waiting::default();
    let since = Instant::now();
    while !host.is_over(since) {
        let _ = connection.client.publish(WHO, "".into()).await;
        let asked = Instant::now();
        while asked.elapsed() < ASK && !host.stop.load(Ordering::Relaxed) {
            let Ok(Some(received)) = timeout(ASK / 10, announced.next()).await else { continue };
            let Ok(here) = serde_json::from_slice::<Here>(&received.payload) else { continue };
            if !is_session(&here.session) || refused.contains(&here.session) {
                continue;
            }
            match misfit(&here) {
                None => return Ok(Some(here)),
                Some(why) => refuse(connection, &here, &why, host, refused).await,
            }
        }
        if connection.is_up() && waiting.is_due(Instant::now()) {
            let shown = server.shown();
            (host.notes)(&format!(
                "no run to play for at {shown}; start one by: evolve run job.toml --workers {shown}"
            ));
        }
    }
    if !host.stop.load(Ordering::Relaxed) {
        (host.notes)("no run came; leaving");
    }
    Ok(None)
}

/// Why a run cannot be joined, as far as its announcement tells.
fn misfit(here: &Here) -> Option<String> {
    if here.protocol != PROTOCOL {
        let mine = PROTOCOL;
        return Some(format!("its messages are of version {}, and this build has version {mine}", here.protocol));
    }
    let mine = evolve_core::VERSION;
    (here.version != mine).then(|| {
        format!(
            "it is of version {} of players and search, and this build has version {mine}: use the same build",
            here.version
        )
    })
}

/// Tells both sides why a run is not joined.
async fn refuse(connection: &Connection, here: &Here, why: &str, host: &Host, refused: &mut BTreeSet<String>) {
    refused.insert(here.session.clone());
    (host.notes)(&format!("not joining the run {}: {why}", here.name));
    let refusal = Refusal { name: machine::process(), message: why.to_string() };
    let refusal = serde_json::to_vec(&refusal).expect("texts have a JSON form");
    let _ = connection.client.publish(subject(&here.session, "refuse"), refusal.into()).await;
}

/// Plays for one run until it is over, lost, or refuses.
async fn one(
    connection: &Connection,
    here: &Here,
    host: &Host,
    read: &impl Fn(&Found<'_>) -> Result<Job, String>,
    refused: &mut BTreeSet<String>,
) {
    let folder = std::env::current_dir();
    let ended = match prepare(connection, here, host, read).await {
        Ok(prepared) => {
            let Prepared { job, abandon, _folder } = &prepared;
            let threads = machine::threads(host.threads);
            let problem = job.source.problem;
            let post = Post {
                connection: connection.clone(),
                here: here.clone(),
                problem,
                setup: Arc::new(job.source.setup.clone()),
                threads,
                stop: Arc::clone(&host.stop),
                abandon: Arc::clone(abandon),
                notes: Arc::clone(&host.notes),
            };
            let ended = serve(post).await;
            problem.release();
            ended
        }
        Err(why) => Ended::NotJoined(why),
    };
    if let Ok(folder) = folder {
        let _ = std::env::set_current_dir(folder);
    }
    let name = &here.name;
    match ended {
        Ended::NotJoined(why) => refuse(connection, here, &why, host, refused).await,
        Ended::Refused(why) => {
            refused.insert(here.session.clone());
            (host.notes)(&format!("the run {name} refuses this worker: {why}"));
        }
        Ended::Over => {
            refused.insert(here.session.clone());
            (host.notes)(&format!("the run {name} has ended or stopped"));
        }
        Ended::Lost => (host.notes)(&format!("nothing is heard of the run {name} any more")),
        Ended::Stopped => (host.notes)("leaving, as asked; all that was played here is handed in"),
    }
}

/// A job that is ready to be played.
struct Prepared {
    job: Job,
    abandon: Arc<AtomicBool>,
    /// The files of its program, for as long as it is played.
    _folder: Option<TempDir>,
}

async fn prepare(
    connection: &Connection,
    here: &Here,
    host: &Host,
    read: &impl Fn(&Found<'_>) -> Result<Job, String>,
) -> Result<Prepared, String> {
    if here.program && !host.allow_programs {
        return Err(
            "its job brings a program along, and this worker executes none; start it with --allow-programs if you \
                    trust whoever starts runs there"
                .to_string(),
        );
    }
    let since = Instant::now();
    let (bucket, manifest) = loop {
        match received(connection, here).await {
            Ok(received) => break received,
            // They may be on their way to the server.
            Err(_) if since.elapsed() < ARRIVE && !host.stop.load(Ordering::Relaxed) => host.rest(ASK / 4).await,
            Err(message) => return Err(message),
        }
    };
    let mut folder = None;
    if here.program {
        let own = TempDir::new().map_err(|error| format!("no temporary folder can be made: {error}"))?;
        fetch(&bucket, &manifest, own.path()).await?;
        std::env::set_current_dir(own.path()).map_err(|error| format!("{}: {error}", own.path().display()))?;
        folder = Some(own);
    }
    is_plain(&manifest.job)?;
    let job = read(&Found { job: &manifest.job, is_program: here.program })?;
    let abandon = Arc::new(AtomicBool::new(false));
    let stop = Some(Arc::clone(&abandon));
    job.source.problem.surround(Surroundings { folder: None, stop, ..host.surroundings.clone() });
    tokio::task::block_in_place(|| job.source.problem.prepare(&job.source.setup))?;
    Ok(Prepared { job, abandon, _folder: folder })
}

/// What the server has of a job.
async fn received(connection: &Connection, here: &Here) -> Result<(ObjectStore, Manifest), String> {
    let bucket = connection.jetstream.get_object_store(store(&here.session)).await;
    let bucket = bucket.map_err(|error| format!("the job's files are not at the server: {error}"))?;
    let manifest = fetch_manifest(&bucket, here.files).await?;
    Ok((bucket, manifest))
}

/// A job that is received reads no file of weights: it has its own.
fn is_plain(job: &str) -> Result<(), String> {
    let table: toml::Table = job.parse().map_err(|_| "the job that was received is no TOML".to_string())?;
    let start = table.get("weights").and_then(|weights| weights.get("start"));
    match start {
        None => Ok(()),
        Some(start) if start.as_str() == Some("defaults") => Ok(()),
        Some(_) => Err("the job that was received names a file of weights".to_string()),
    }
}

impl Host {
    fn is_over(&self, since: Instant) -> bool {
        self.stop.load(Ordering::Relaxed) || self.idle.is_some_and(|idle| since.elapsed() >= idle)
    }

    /// Waits, but not longer than until the worker is to end.
    async fn rest(&self, time: Duration) {
        let since = Instant::now();
        while since.elapsed() < time && !self.stop.load(Ordering::Relaxed) {
            sleep(time / 20).await;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jobs_that_are_received_read_no_files() {
        is_plain("[weights]\nstart = \"defaults\"\n").unwrap();
        is_plain("seed = 1\n").unwrap();
        assert!(is_plain("[weights]\nstart = \"/etc/passwd\"\n").is_err());
        assert!(is_plain("[weights").is_err());
    }
}
