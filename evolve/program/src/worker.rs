//! Worker mode: the program stays alive, reads a line of JSON for each trial and answers with a
//! line.

use crate::failure::Trouble;
use crate::run::{ended, interrupted, start_failure, surrounded, wrong};
use crate::scope::Scope;
use crate::score::Scored;
use crate::slot::Slot;
use evolve_process::{Child, Heard, Limits, Program as Process, Until, excerpt, last_words};
use evolve_search::model::trial::FailureKind;
use serde_json::Value;
use std::time::{Duration, Instant};

/// The environment variable that makes a program act as a worker.
pub const VARIABLE: &str = "EVOLVE_WORKER";
/// The longest answer in bytes.
const LONGEST_ANSWER: usize = 1 << 20;

/// Sends a trial to the worker of a slot, which is started first if necessary. A failed worker is
/// killed; the next trial starts a new one.
///
/// # Errors
/// The failure of the trial; `errors` then holds the end of the worker's standard error.
pub fn ask(scope: &Scope<'_>, slot: &mut Slot, errors: &mut Vec<u8>, time: &mut Duration) -> Result<Scored, Trouble> {
    let began = Instant::now();
    let (mut child, is_new) = match slot.worker.take() {
        Some(child) => (child, false),
        None => (start(scope)?, true),
    };
    // A greeting of a new worker needs no check here: it would be read as the first answer, and
    // reported as invalid.
    let in_step = if is_new { Ok(()) } else { is_silent(&mut child) };
    let result = in_step.and_then(|()| answer(scope, &mut child));
    *time += began.elapsed();
    match result {
        Ok(measured) => {
            slot.worker = Some(child);
            Ok(measured)
        }
        Err(trouble) => {
            child.end();
            errors.extend_from_slice(child.stderr());
            Err(trouble)
        }
    }
}

/// Checks that the worker printed no extra line, which would be taken for the answer to the next
/// trial and shift all later scores.
fn is_silent(child: &mut Child) -> Result<(), Trouble> {
    // Read only available output, without waiting.
    let said = match child.line(Until::after(Duration::ZERO)) {
        Ok(Heard::Line(line)) => Some(line),
        Ok(Heard::End) => None,
        Ok(Heard::TooLong) | Err(_) => Some(child.pending().to_vec()).filter(|part| !part.is_empty()),
    };
    let Some(said) = said else { return Ok(()) };
    let message = format!("it printed {} unasked: a worker answers one line to each trial", excerpt(&said));
    Err(Trouble::Failed(FailureKind::Score, message))
}

fn start(scope: &Scope<'_>) -> Result<Child, Trouble> {
    let declared = &scope.program.declared;
    let words = scope.words(&scope.program.command);
    // Limits of time and output apply to one trial, and a worker plays many.
    let limits = Limits { memory: declared.keys.memory_limit.map(|mib| mib << 20), ..Limits::default() };
    let process = surrounded(Process::from_command(words).env(VARIABLE, "1"), scope);
    let started = process.limits(limits).longest_line(LONGEST_ANSWER).start();
    started.map_err(|error| start_failure(scope, &declared.keys.command, &error))
}

fn answer(scope: &Scope<'_>, child: &mut Child) -> Result<Scored, Trouble> {
    let declared = &scope.program.declared;
    let stop = scope.program.context.stop.trials.as_deref();
    let until = Until { stop, ..Until::after(declared.keys.timeout.0) };
    match child.ask(&Value::Object(scope.question()).to_string(), until) {
        Err(interruption) => Err(interrupted(&interruption)),
        Ok(Heard::TooLong) => {
            let (most, begin) = (LONGEST_ANSWER >> 20, excerpt(child.pending()));
            Err(Trouble::Failed(
                FailureKind::Output,
                format!("its answer is longer than {most} MiB; it begins with {begin}"),
            ))
        }
        Ok(Heard::End) => {
            let exit = child.end();
            match exit.status.success() {
                true => {
                    let words = last_words(child.stderr());
                    let words = if words.is_empty() { words } else { format!(": {words}") };
                    Err(Trouble::Failed(FailureKind::Score, format!("it ended without an answer{words}")))
                }
                false => Err(ended(exit.status, child.stderr())),
            }
        }
        Ok(Heard::Line(line)) => {
            if let Some(wrong) = wrong(&line, b"") {
                return Err(wrong);
            }
            let measured = declared.score.of_answer(&line)?;
            is_silent(child)?;
            Ok(measured)
        }
    }
}
