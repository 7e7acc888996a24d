//! Windows: job objects, pipes with overlapped input and output, console events.

mod job;
mod keeper;
mod meaning;
mod pipes;
mod stop;
mod wait;

pub(crate) use keeper::Keeper;
pub(crate) use meaning::{hint, killed, shortage};
pub(crate) use pipes::{CHUNK, Pipes, Reader, Writer};
pub(crate) use wait::wait;

pub use meaning::crash;
pub use stop::{listen, outlast_file_limits};

use std::io;
use std::path::Path;
use std::time::Duration;

use windows_sys::core::BOOL;

/// Returns whether the system lets this process execute a file.
pub fn can_execute(path: &Path) -> bool {
    path.is_file()
}

/// The path of an empty file.
pub(crate) const NOTHING: &str = "NUL";

/// Converts the result of a system call.
fn check(done: BOOL) -> io::Result<()> {
    if done == 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
}

/// Converts a wait to milliseconds, rounded up, so that the time has certainly passed.
fn milliseconds(wait: Duration) -> u32 {
    const LONGEST: u32 = 1 << 30;
    u32::try_from(wait.as_nanos().div_ceil(1_000_000)).unwrap_or(LONGEST).min(LONGEST)
}
