//! Unix: descriptors that `poll` waits for, process groups, signals.

#[cfg(any(test, not(target_os = "linux")))]
mod group;
mod keeper;
mod meaning;
mod pipes;
pub(crate) mod report;
mod stop;

pub(crate) use keeper::Keeper;
pub(crate) use meaning::{hint, killed, shortage};
pub(crate) use pipes::{CHUNK, Pipes, Reader, Writer, wait};

pub use meaning::crash;
pub use stop::{listen, outlast_file_limits};

/// The file that is always empty.
pub(crate) const NOTHING: &str = "/dev/null";
