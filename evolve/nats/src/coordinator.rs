//! The run's side: connects, makes a session, and keeps its tasks going.

use crate::digest::Digest;
use crate::files::{Manifest, Sent};
use crate::machine;
use crate::network::Network;
use crate::proof::Proof;
use crate::server::{Connection, Server};
use crate::session::Session;
use crate::wire::Build;
use crate::worker::local;
use crate::{Notes, collect, feed, gate, heartbeat};
use evolve_core::config::Job;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant, SystemTime};
use tokio::runtime::Runtime;
use tokio::time::timeout;

/// How a run is coordinated.
#[derive(Clone)]
pub struct Options {
    /// The server.
    pub server: Server,
    /// How long a worker may be silent about work before it is given to another.
    pub lease: Duration,
    /// Threads that play here as well; `None`: this process coordinates only.
    pub threads: Option<usize>,
    /// Raised when the run is to stop.
    pub stop: Arc<AtomicBool>,
    /// Lines for the user.
    pub notes: Notes,
}

/// What workers get of a job.
#[derive(Clone, Debug, Default)]
pub struct Offer {
    /// The job, as text that stands alone but for its files.
    pub job: String,
    /// The files of its program.
    pub files: Vec<Sent>,
    /// Whether it brings a program along, which workers play only if they are told to.
    pub is_program: bool,
}

/// A session with its tasks.
pub struct Coordinator {
    pub session: Arc<Session>,
    runtime: Option<Runtime>,
    local: Option<JoinHandle<()>>,
    leave: Arc<AtomicBool>,
    begun: Instant,
}

/// Seconds of threads that say something about workers.
const LEAST: f64 = 5.0;
/// How long the server may take over the end of a session.
const END: Duration = Duration::from_secs(5);

/// What names one start of a run in a folder. Its first part is the same for every start.
fn session_name(job: &Job, folder: &Path) -> (String, String) {
    let folder = std::path::absolute(folder).unwrap_or_else(|_| folder.to_path_buf());
    let place = format!("{}\n{}\n{}", machine::name(), folder.display(), job.comparable());
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    let start = format!("{place}\n{}\n{}", std::process::id(), now.as_nanos());
    let short = |text: &str| Digest::of(text.as_bytes()).to_string()[..12].to_string();
    let run = short(&place);
    (format!("{run}-{}", short(&start)), run)
}

impl Coordinator {
    /// Begins a session for the run in a folder, which this process alone is at.
    pub fn begin(
        runtime: Runtime,
        connection: Connection,
        job: &Arc<Job>,
        folder: &Path,
        options: &Options,
        offer: &Offer,
    ) -> Result<Self, String> {
        let build = Build::here(job.source.problem, &job.source.setup)?;
        let proof = Proof::play(job);
        let (name, run) = session_name(job, folder);
        let manifest = Arc::new(Manifest { job: offer.job.clone(), files: offer.files.clone() });
        let network = Network { connection, session: name, lease: options.lease, manifest };
        let files = runtime.block_on(async {
            network.close_earlier(&run).await;
            network.open().await
        })?;
        let session = Arc::new(Session::new(
            Arc::clone(job),
            folder.to_path_buf(),
            network,
            build,
            proof,
            files,
            offer.is_program,
            Arc::clone(&options.notes),
            Arc::clone(&options.stop),
        ));
        let subscribed = "the server takes no subscription";
        runtime.spawn(of(gate::keep(Arc::clone(&session)), subscribed, Arc::clone(&session)));
        runtime.spawn(of(heartbeat::keep(Arc::clone(&session)), subscribed, Arc::clone(&session)));
        runtime.spawn(feed::keep(Arc::clone(&session)));
        runtime.spawn(collect::keep(Arc::clone(&session)));
        let leave = Arc::new(AtomicBool::new(false));
        let threads = options.threads.map(machine::threads);
        let local = threads.map(|threads| local::play(&session, &options.server, threads, Arc::clone(&leave)));
        let local = local.transpose()?;
        Ok(Coordinator { session, runtime: Some(runtime), local, leave, begun: Instant::now() })
    }

    /// What the workers did, in a line; `None` if there were none, or hardly anything to do.
    pub fn summary(&self) -> Option<String> {
        let sum = self.session.state().members.sum();
        let statistics = self.session.network.connection.client.statistics();
        let seconds = self.begun.elapsed().as_secs_f64().max(1e-3);
        let messages = statistics.in_messages.load(Ordering::Relaxed) + statistics.out_messages.load(Ordering::Relaxed);
        let bytes = statistics.in_bytes.load(Ordering::Relaxed) + statistics.out_bytes.load(Ordering::Relaxed);
        (sum.seconds > LEAST).then(|| {
            format!(
                "{} workers with {} threads spent {:.1} % of their time on games; the coordinator had {:.0} messages and \
                 {:.1} kB a second",
                sum.workers,
                sum.threads,
                100.0 * sum.busy,
                messages as f64 / seconds,
                bytes as f64 / 1000.0 / seconds
            )
        })
    }
}

/// A task that ends only if something is wrong.
async fn of<E: std::fmt::Display>(task: impl Future<Output = Result<(), E>>, what: &str, session: Arc<Session>) {
    if let Err(error) = task.await {
        session.note(&format!("{what}: {error}"));
    }
}

impl Drop for Coordinator {
    fn drop(&mut self) {
        self.leave.store(true, Ordering::Relaxed);
        let Some(runtime) = self.runtime.take() else { return };
        let network = &self.session.network;
        runtime.block_on(async {
            let _ = network.connection.client.publish(network.subject("end"), "".into()).await;
            let _ = timeout(END, network.connection.client.flush()).await;
        });
        if let Some(local) = self.local.take() {
            let _ = local.join();
        }
        runtime.block_on(async {
            let _ = timeout(END, network.close()).await;
        });
        runtime.shutdown_timeout(END);
    }
}
