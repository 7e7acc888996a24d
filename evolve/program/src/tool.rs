//! Programs that help trials: the build and the scorer. They have limits of their own.

use evolve_process::{Finished, Limits, Program as Process, last_words};
use std::time::Duration;

/// Bytes of output that a tool may print on each stream.
const OUTPUT: u64 = 256 << 20;

/// A command with the limits of tools.
pub fn process(words: Vec<String>, wall: Option<Duration>) -> Process {
    let limits = Limits { wall, stdout: Some(OUTPUT), stderr: Some(OUTPUT), ..Limits::default() };
    Process::from_command(words).limits(limits).keep(OUTPUT as usize)
}

/// How a program that did not succeed ended, and its last words.
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
