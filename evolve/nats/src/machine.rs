//! Identity of this machine and this process, and its number of threads.

use crate::error::NatsError;
use std::thread;
use tokio::runtime::Runtime;

/// The name of this machine.
pub fn name() -> String {
    let name = gethostname::gethostname().to_string_lossy().into_owned();
    if name.is_empty() { "localhost".to_string() } else { name }
}

/// The name of this process among workers.
pub fn process() -> String {
    format!("{}:{}", name(), std::process::id())
}

/// A number of threads; 0 means one a core.
pub fn threads(asked: usize) -> usize {
    match asked {
        0 => thread::available_parallelism().map_or(1, usize::from),
        asked => asked,
    }
}

/// A runtime for the tasks of one side, and for so many threads that play.
pub fn runtime(players: usize) -> Result<Runtime, NatsError> {
    let mut builder = tokio::runtime::Builder::new_multi_thread();
    // Beside those that play, others look up names.
    builder.worker_threads(2).max_blocking_threads(players + 4).thread_name("network").enable_all();
    builder.build().map_err(|error| NatsError::Machine(format!("cannot start threads: {error}")))
}
