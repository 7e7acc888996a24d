//! A polite end at the user's request.

use super::Failure;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// The exit status of an interrupted command, by the convention of shells.
pub const STATUS: u8 = 130;

/// A flag that SIGINT and SIGTERM raise from now on.
///
/// A second signal does no more: some senders, `timeout` for one, send each signal twice, and programs that are being
/// judged would outlive a sudden end.
pub fn flag() -> Result<Arc<AtomicBool>, Failure> {
    let raised = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM] {
        flag::register(signal, Arc::clone(&raised))
            .map_err(|error| Failure::Work(format!("cannot listen to signals: {error}")))?;
    }
    Ok(raised)
}
