//! The auxiliary programs, build and scorer, which have their own limits.

use evolve_process::{Finished, Limits, Program as Process, last_words};
use std::time::Duration;

/// The largest output of a tool on each stream, in bytes.
const OUTPUT: u64 = 256 << 20;

/// Creates a process with the limits of tools.
pub fn process(words: Vec<String>, wall: Option<Duration>) -> Process {
    let limits = Limits { wall, stdout: Some(OUTPUT), stderr: Some(OUTPUT), ..Limits::default() };
    Process::from_command(words).limits(limits).keep(OUTPUT as usize)
}

/// Describes how a failed program ended, with the end of its output.
pub fn ending(finished: &Finished) -> String {
    let how = match &finished.interruption {
        Some(interruption) => interruption.to_string(),
        None => format!("ended with {}", finished.exit.status),
    };
    let errors = finished.stderr.bytes();
    let words = if errors.trim_ascii().is_empty() { finished.stdout.bytes() } else { errors };
    match last_words(&words).as_str() {
        "" => how,
        words => format!("{how}: {words}"),
    }
}
