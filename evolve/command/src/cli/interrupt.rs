//! A polite end at the user's request.

use super::Failure;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;
use signal_hook::iterator::Signals;
use std::io;
use std::process;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// A flag that SIGINT and SIGTERM set.
///
/// A second signal has no further effect: some senders, such as `timeout`, send each signal twice, and the trials so
/// far would not be reported. Other signals, such as SIGHUP and SIGQUIT, end the command and its programs at once.
pub fn flag() -> Result<Arc<AtomicBool>, Failure> {
    let raised = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM] {
        flag::register(signal, Arc::clone(&raised)).map_err(failure)?;
    }
    Ok(raised)
}

/// From which time after the first signal another one counts: some senders, `timeout` and shells among them, send each
/// signal twice within milliseconds.
const AGAIN: Duration = Duration::from_millis(300);

/// A flag that the first SIGINT or SIGTERM sets before it calls `first`; a second one ends the process at once.
pub fn patient_flag(first: impl Fn() + Send + 'static) -> Result<Arc<AtomicBool>, Failure> {
    let raised = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&raised);
    let mut signals = Signals::new([SIGINT, SIGTERM]).map_err(failure)?;
    let listen = move || {
        let mut since: Option<Instant> = None;
        for signal in signals.forever() {
            match since {
                None => {
                    flag.store(true, Ordering::Relaxed);
                    first();
                    // From now on people know what another one does.
                    since = Some(Instant::now());
                }
                Some(since) if since.elapsed() >= AGAIN => process::exit(128 + signal),
                Some(_) => {}
            }
        }
    };
    thread::Builder::new().name("signals".to_string()).spawn(listen).map_err(failure)?;
    Ok(raised)
}

fn failure(error: io::Error) -> Failure {
    Failure::Work(format!("cannot listen to signals: {error}"))
}
