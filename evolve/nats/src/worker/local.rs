//! A worker within the coordinator's own process, and what this machine is.

use super::serve::{Post, serve};
use crate::coordinator::runtime;
use crate::server::Server;
use crate::session::Session;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::thread::{self, JoinHandle};

/// The name of this machine.
pub fn machine() -> String {
    let name = rustix::system::uname().nodename().to_string_lossy().into_owned();
    if name.is_empty() { "localhost".to_string() } else { name }
}

/// What this process is called among workers.
pub fn name() -> String {
    format!("{}:{}", machine(), std::process::id())
}

/// A number of threads; 0 means one a core.
pub fn threads(asked: usize) -> usize {
    match asked {
        0 => thread::available_parallelism().map_or(1, usize::from),
        asked => asked,
    }
}

/// Plays for a session of this process, until `leave` is raised.
///
/// # Errors
/// If the system has no threads.
pub fn play(
    session: &Arc<Session>,
    server: &Server,
    threads: usize,
    leave: Arc<AtomicBool>,
) -> Result<JoinHandle<()>, String> {
    let (session, server) = (Arc::clone(session), server.clone());
    let runtime = runtime()?;
    let play = move || {
        runtime.block_on(async {
            let connection = match server.connect("evolve run, playing", &session.notes).await {
                Ok(connection) => connection,
                Err(message) => return session.note(&message),
            };
            let post = Post {
                connection,
                here: session.here(),
                problem: session.job.source.problem,
                setup: Arc::new(session.job.source.setup.clone()),
                threads,
                stop: leave,
                abandon: Arc::default(),
                notes: Arc::new(|_| {}),
            };
            serve(post).await;
        });
    };
    thread::Builder::new()
        .name("worker".to_string())
        .spawn(play)
        .map_err(|error| format!("cannot start threads: {error}"))
}
