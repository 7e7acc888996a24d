//! Orderly interruption of commands.

use super::Failure;
use std::io;
use std::process;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Returns a flag that is set on a request to stop: SIGINT or SIGTERM, or Ctrl-C or Ctrl-Break on
/// Windows.
///
/// A second request has no effect: some senders, such as `timeout`, send each signal twice, and an
/// immediate end would lose the report of the trials so far. Other signals, such as SIGHUP and
/// SIGQUIT, end the command and its programs at once.
pub fn flag() -> Result<Arc<AtomicBool>, Failure> {
    let raised = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&raised);
    evolve_process::listen(move |_| flag.store(true, Ordering::Relaxed)).map_err(failure)?;
    Ok(raised)
}

/// The time after the first request from which another one counts. Some senders, such as `timeout`
/// and shells, send each signal twice within milliseconds.
const AGAIN: Duration = Duration::from_millis(300);

/// Returns a flag that the first request sets before it calls `first`; a second request ends the
/// process at once.
pub fn patient_flag(first: impl Fn() + Send + 'static) -> Result<Arc<AtomicBool>, Failure> {
    let raised = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&raised);
    let mut since: Option<Instant> = None;
    let asked = move |status| match since {
        None => {
            flag.store(true, Ordering::Relaxed);
            first();
            // The user now knows the effect of another request.
            since = Some(Instant::now());
        }
        Some(since) if since.elapsed() >= AGAIN => process::exit(status),
        Some(_) => {}
    };
    evolve_process::listen(asked).map_err(failure)?;
    Ok(raised)
}

fn failure(error: io::Error) -> Failure {
    Failure::Work(format!("cannot listen to requests to stop: {error}"))
}
