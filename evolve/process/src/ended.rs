//! What a look at a program shows.

use std::process::ExitStatus;
use std::time::Duration;

/// What is known of a program that has ended, with all its descendants.
#[derive(Debug)]
pub(crate) struct Ended {
    pub status: ExitStatus,
    pub cpu: Duration,
    /// Bytes; 0 if not known.
    pub memory: u64,
}

/// Where a program stands.
pub(crate) enum Look {
    Running,
    Ended(Ended),
    /// Nobody knows any more: what supervised it was killed.
    Lost,
}

/// The end of a wait: which of these may be looked at.
pub(crate) struct Ready {
    /// Whether the program may have ended.
    pub end: bool,
    /// Whether there is something to read, or nothing will come.
    pub stdout: bool,
    pub stderr: bool,
}
