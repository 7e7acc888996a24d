//! A worker within the coordinator's own process.

use super::serve::{Post, serve};
use crate::machine::runtime;
use crate::server::Server;
use crate::session::Session;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::thread::{self, JoinHandle};

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
