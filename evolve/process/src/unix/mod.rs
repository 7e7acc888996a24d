//! Unix: pipes with `poll`, process groups, signals.

#[cfg(any(test, not(target_os = "linux")))]
#[cfg_attr(test, allow(dead_code))]
mod group;
mod keeper;
#[cfg(target_os = "linux")]
mod linux;
mod meaning;
mod pipes;
mod report;
mod stop;
mod wait;

pub(crate) use keeper::Keeper;
pub(crate) use meaning::{hint, killed, shortage};
pub(crate) use pipes::{CHUNK, Pipes, Reader, Writer};
pub(crate) use wait::wait;

pub use meaning::crash;
pub use stop::{listen, outlast_file_limits};

use std::path::Path;

/// Returns whether the system lets this process execute a file: its folder may be mounted without
/// that right.
pub fn can_execute(path: &Path) -> bool {
    rustix::fs::access(path, rustix::fs::Access::EXEC_OK).is_ok()
}

/// The path of an empty file.
pub(crate) const NOTHING: &str = "/dev/null";
