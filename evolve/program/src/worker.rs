//! Worker mode: the program stays alive, reads a line of JSON for each trial and answers a line.

use crate::failure::{Kind, Trouble};
use crate::run::{ended, interrupted, start_failure, surrounded, wrong};
use crate::scope::Scope;
use crate::score::Measured;
use crate::slot::Slot;
use evolve_process::{Child, Heard, Limits, Program as Process, Until, last_words};
use std::time::{Duration, Instant};

/// The variable of the environment that tells a program that it is a worker.
pub const VARIABLE: &str = "EVOLVE_WORKER";
/// The longest answer in bytes.
const LONGEST_ANSWER: usize = 1 << 20;

/// Asks the worker of a slot, which is started if there is none. One that fails is ended: the next trial has a new one.
///
/// # Errors
/// What went wrong; `errors` then has the end of what it said on standard error.
pub fn ask(scope: &Scope<'_>, slot: &mut Slot, errors: &mut Vec<u8>, time: &mut Duration) -> Result<Measured, Trouble> {
    let began = Instant::now();
    let mut child = match slot.worker.take() {
        Some(child) => child,
        None => start(scope)?,
    };
    let result = answer(scope, &mut child);
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

fn start(scope: &Scope<'_>) -> Result<Child, Trouble> {
    let declared = &scope.program.declared;
    let words = scope.words(&declared.command);
    let name = words[0].clone();
    // Times and bytes of output are those of one trial, and a worker plays many.
    let limits = Limits { memory: declared.keys.memory.map(|mib| mib << 20), ..Limits::default() };
    let process = surrounded(Process::from_command(words).env(VARIABLE, "1"), scope);
    let started = process.limits(limits).longest_line(LONGEST_ANSWER).start();
    started.map_err(|error| start_failure(&name, &error))
}

fn answer(scope: &Scope<'_>, child: &mut Child) -> Result<Measured, Trouble> {
    let declared = &scope.program.declared;
    let stop = scope.program.context.stop.trials.as_deref();
    let until = Until { stop, ..Until::after(declared.keys.timeout) };
    match child.ask(&scope.question(), until) {
        Err(interruption) => Err(interrupted(&interruption)),
        Ok(Heard::TooLong) => Err(Trouble::Failed(Kind::Output, "its answer is too long".to_string())),
        Ok(Heard::End) => {
            let exit = child.end();
            match exit.status.success() {
                true => {
                    let words = last_words(child.stderr());
                    Err(Trouble::Failed(
                        Kind::Score,
                        format!("it ended without an answer {words}").trim_end().to_string(),
                    ))
                }
                false => Err(ended(exit.status, child.stderr())),
            }
        }
        Ok(Heard::Line(line)) => {
            if let Some(wrong) = wrong(&line, b"") {
                return Err(wrong);
            }
            declared.score.of_answer(&line).map_err(|message| Trouble::Failed(Kind::Score, message))
        }
    }
}
