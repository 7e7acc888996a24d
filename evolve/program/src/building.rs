//! What happens before the first trial: the program is built, and remembered as it is.

use crate::program::Program;
use crate::tool;
use crate::watched::Watched;
use evolve_process::{Input, Interruption};
use std::sync::PoisonError;
use std::sync::atomic::AtomicBool;

/// Builds a program, unless that is done, and looks at what will be run.
///
/// # Errors
/// What the build printed if it failed, or which program is missing.
pub fn prepare(program: &Program) -> Result<(), String> {
    let mut built = program.built.lock().unwrap_or_else(PoisonError::into_inner);
    let declared = &program.declared;
    if !*built {
        build(program, program.stop().as_deref())?;
        *built = true;
    }
    let commands = [Some(&declared.command), declared.scorer.as_ref(), declared.generator.as_ref()];
    let watched = Watched::of(commands.into_iter().flatten())?;
    *program.watched.lock().unwrap_or_else(PoisonError::into_inner) = watched;
    Ok(())
}

/// The end of what a failed build printed that is shown, in bytes.
const SHOWN: usize = 8 << 10;

fn build(program: &Program, stop: Option<&AtomicBool>) -> Result<(), String> {
    let Some(command) = &program.declared.build else { return Ok(()) };
    let words = command.render(&|_| None, &Vec::new);
    let line = crate::command::shell_line(words.iter().map(String::as_str));
    let finished = tool::process(words, None).run(Input::Empty, stop);
    let finished = finished.map_err(|error| format!("the build, `{line}`, cannot be started: {error}"))?;
    if finished.success() {
        return Ok(());
    }
    if finished.interruption == Some(Interruption::Stopped) {
        return Err(format!("the build, `{line}`, was stopped"));
    }
    let output = [finished.stdout.bytes(), finished.stderr.bytes()].concat();
    let end = &output[output.len().saturating_sub(SHOWN)..];
    let lines: Vec<_> = String::from_utf8_lossy(end).lines().map(evolve_process::plain).collect();
    let how = match finished.interruption {
        Some(interruption) => interruption.to_string(),
        None => finished.exit.status.to_string(),
    };
    Err(format!("the build, `{line}`, failed with {how}:\n{}", lines.join("\n")))
}
