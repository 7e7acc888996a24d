//! A polite end at the user's request.

use super::Failure;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// The exit status of an interrupted command, by the convention of shells.
pub const STATUS: u8 = 130;

/// A flag that SIGINT and SIGTERM raise from now on. If it is up already, they end the command at once, so that it
/// can be stopped even where it does not look at the flag.
pub fn flag() -> Result<Arc<AtomicBool>, Failure> {
    let raised = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM] {
        // In this order, or the first signal would already find the flag up.
        flag::register_conditional_shutdown(signal, STATUS.into(), Arc::clone(&raised))
            .and_then(|_| flag::register(signal, Arc::clone(&raised)))
            .map_err(|error| Failure::Work(format!("cannot listen to signals: {error}")))?;
    }
    Ok(raised)
}
