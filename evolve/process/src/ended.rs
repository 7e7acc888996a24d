//! The state of a program, as seen from outside.

use std::process::ExitStatus;
use std::time::Duration;

/// The result of a program that has ended with all its descendants.
#[derive(Debug)]
pub(crate) struct Ended {
    pub status: ExitStatus,
    pub cpu: Duration,
    /// The peak memory in bytes; 0 if unknown.
    pub memory: u64,
}

/// The state of a program.
pub(crate) enum Look {
    Running,
    Ended(Ended),
    /// The state is unknown, because the supervisor was killed.
    Lost,
}

/// The result of a wait: the sources that are ready.
pub(crate) struct Ready {
    /// Whether the program may have ended.
    pub end: bool,
    /// Whether standard output has data or has ended; the next field says so for standard error.
    pub stdout: bool,
    pub stderr: bool,
}
