//! A polite end at the user's request.

use super::Failure;
use std::io;
use std::process;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// A flag that is set when somebody asks for the end: by SIGINT or SIGTERM, or by Ctrl-C or Ctrl-Break on Windows.
///
/// A second request has no further effect: some senders, such as `timeout`, send each signal twice, and the trials so
/// far would not be reported. Other signals, such as SIGHUP and SIGQUIT, end the command and its programs at once.
pub fn flag() -> Result<Arc<AtomicBool>, Failure> {
    let raised = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&raised);
    evolve_process::listen(move |_| flag.store(true, Ordering::Relaxed)).map_err(failure)?;
    Ok(raised)
}

/// From which time after the first request another one counts: some senders, `timeout` and shells among them, send each
/// signal twice within milliseconds.
const AGAIN: Duration = Duration::from_millis(300);

/// A flag that the first such request sets before it calls `first`; a second one ends the process at once.
pub fn patient_flag(first: impl Fn() + Send + 'static) -> Result<Arc<AtomicBool>, Failure> {
    let raised = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&raised);
    let mut since: Option<Instant> = None;
    let asked = move |status| match since {
        None => {
            flag.store(true, Ordering::Relaxed);
            first();
            // From now on people know what another one does.
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
