//! What happens before the first trial: the program is built, and the files that scores depend on are found.

use crate::program::Program;
use crate::starts::Place;
use crate::tool;
use crate::watched::{checksum, files_of};
use evolve_process::{Input, Interruption};
use std::collections::BTreeSet;
use std::path::PathBuf;
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
    declared.missing_inputs().map_or(Ok(()), Err)?;
    files_of(declared.commands()).map(drop)
}

/// The files that scores depend on, with their checksums: programs, inputs, and the table of best scores.
pub fn inputs(program: &Program) -> Result<Vec<(String, u32)>, String> {
    let declared = &program.declared;
    let files: BTreeSet<PathBuf> = files_of(declared.commands())?.into_iter().chain(declared.files()).collect();
    let summed = |file: PathBuf| match checksum(&file) {
        Ok(sum) => Ok((file.to_string_lossy().into_owned(), sum)),
        Err(error) => Err(format!("{} cannot be read: {error}", file.display())),
    };
    files.into_iter().map(summed).collect()
}

impl Program {
    /// Where the scores of the start are kept, if the run has a folder.
    pub(crate) fn place_of_starts(&self) -> Option<Place> {
        let surroundings = self.surroundings.lock().unwrap_or_else(PoisonError::into_inner);
        let (folder, note) = (surroundings.folder.clone()?, surroundings.note);
        drop(surroundings);
        let mut digest = crc32fast::Hasher::new();
        digest.update(self.text.as_bytes());
        for (name, sum) in inputs(self).ok()? {
            digest.update(name.as_bytes());
            digest.update(&sum.to_le_bytes());
        }
        Some(Place { folder, digest: digest.finalize(), note })
    }
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
