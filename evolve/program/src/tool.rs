//! Programs that help a trial: generators, scorers, and those that list parameters. They have limits of their own.

use evolve_process::{Finished, Input, Interruption, Limits, Program as Process, last_words};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// Bytes of output that a tool may print on each stream.
pub const OUTPUT: u64 = 256 << 20;

/// A command with the limits of tools.
pub fn process(words: Vec<String>, wall: Option<Duration>) -> Process {
    let limits = Limits { wall, stdout: Some(OUTPUT), stderr: Some(OUTPUT), ..Limits::default() };
    Process::from_command(words).limits(limits).keep(OUTPUT as usize)
}

/// Runs a tool that must succeed, and gives what it printed on standard output.
///
/// # Errors
/// A message that says what went wrong; `None` if it was stopped.
pub fn run(words: Vec<String>, wall: Option<Duration>, stop: Option<&AtomicBool>) -> Result<Vec<u8>, Option<String>> {
    let name = words.first().cloned().unwrap_or_default();
    let finished = process(words, wall).run(Input::Empty, stop);
    let finished = finished.map_err(|error| Some(format!("`{name}` cannot be started: {error}")))?;
    if finished.success() {
        return Ok(finished.stdout.bytes());
    }
    if finished.interruption == Some(Interruption::Stopped) {
        return Err(None);
    }
    Err(Some(format!("`{name}` {}", ending(&finished))))
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
