//! The identity of this machine and process, and its number of threads.

use crate::error::NatsError;
use std::thread;
use tokio::runtime::Runtime;

/// Returns the name of this machine.
pub fn name() -> String {
    let name = gethostname::gethostname().to_string_lossy().into_owned();
    if name.is_empty() { "localhost".to_string() } else { name }
}

/// Returns the name of this process among workers.
pub fn process() -> String {
    format!("{}:{}", name(), std::process::id())
}

/// Returns a number of threads; 0 means one for each core.
pub fn threads(asked: usize) -> usize {
    match asked {
        0 => thread::available_parallelism().map_or(1, usize::from),
        asked => asked,
    }
}

/// Creates a runtime for the tasks of one side, and for `players` threads that play.
pub fn runtime(players: usize) -> Result<Runtime, NatsError> {
    let mut builder = tokio::runtime::Builder::new_multi_thread();
    // Some blocking threads resolve names.
    builder.worker_threads(2).max_blocking_threads(players + 4).thread_name("network").enable_all();
    builder.build().map_err(|error| NatsError::Machine(format!("cannot start threads: {error}")))
}
