//! A program that is ready for trials: built, with the checksums of its files and the data that its trials share.

use crate::baseline::{Baseline, Place};
use crate::failures::Failures;
use crate::host::Host;
use crate::program::{Declaration, Program};
use crate::slot::Slots;
use crate::tool;
use crate::watched::{InputError, checksum, files_of};
use evolve_core::file::slashed;
use evolve_core::model::problem::{Context, Input, OpenError};
use evolve_process::{Interruption, Stdin};
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

/// The way in which the trials of a session are played.
pub enum Way {
    /// A [`Host`], such as the client of `evolve serve`, plays them, without a process.
    Host(Arc<dyn Host>),
    /// The program runs in worker mode: a process for each thread plays one trial after another.
    Worker,
    /// The command runs once for each trial, in the temporary folder of a thread.
    Command {
        /// Whether the folder is emptied first, because an earlier trial may have left files there.
        clears: bool,
    },
}

/// A program in play. Dropping it ends its workers and removes its temporary folders.
pub struct ProgramSession {
    pub declared: Arc<Declaration>,
    pub start: Vec<f64>,
    pub context: Context,
    pub slots: Slots,
    /// The failed trials that are kept in the run's folder. `None` until the first failure; only then is the folder read.
    /// When the session opens, it is too early: the folder may still hold failures of an aborted run, which a new run
    /// removes later.
    pub kept: Mutex<Option<Failures>>,
    /// The baseline's results, as references for ratios.
    pub baseline: Baseline,
    pub inputs: Vec<Input>,
    /// The way in which trials are played.
    pub way: Way,
}

impl ProgramSession {
    /// Builds a program, and computes checksums of its files.
    ///
    /// # Errors
    /// The output of a failed build, or the missing file.
    pub fn open(program: &Program, context: Context) -> Result<Self, OpenError> {
        let declared = Arc::clone(&program.declared);
        build(&declared, &context)?;
        if let Some(missing) = declared.missing() {
            return Err(OpenError::Failed(missing));
        }
        let inputs = inputs(&declared).map_err(|error| error.to_string())?;
        let mut digest = crc32fast::Hasher::new();
        digest.update(program.text.as_bytes());
        for Input { path, checksum } in &inputs {
            digest.update(path.as_bytes());
            digest.update(&checksum.to_le_bytes());
        }
        Ok(Self::new(program, context, inputs, digest.finalize()))
    }

    /// Creates a session in which a host plays the trials.
    ///
    /// # Errors
    /// A message about missing instances, inputs or best scores, or about a limit of `[hold]` that needs a process.
    pub fn hosted(program: &Program, context: Context, host: Arc<dyn Host>) -> Result<Self, OpenError> {
        if let Some(missing) = program.declared.missing() {
            return Err(OpenError::Failed(missing));
        }
        if let Some(gauge) = program.declared.gauges.first() {
            let name = gauge.name();
            return Err(OpenError::Failed(format!(
                "`hold.{name}` can only be measured on a process, and this job starts none: declare `metrics = [\"{name}\"]`, and \
                 report its value with each score"
            )));
        }
        let digest = crc32fast::hash(program.text.as_bytes());
        Ok(ProgramSession { way: Way::Host(host), ..Self::new(program, context, Vec::new(), digest) })
    }

    /// Creates a session. The digest identifies the program and its inputs.
    fn new(program: &Program, context: Context, inputs: Vec<Input>, digest: u32) -> Self {
        let declared = Arc::clone(&program.declared);
        let way = if declared.keys.worker { Way::Worker } else { Way::Command { clears: declared.leaves_files() } };
        let place = context.run_folder.clone().map(|folder| Place { folder, digest, notes: context.notes.clone() });
        ProgramSession {
            start: declared.parameters.all().iter().map(|parameter| parameter.start).collect(),
            declared,
            kept: Mutex::default(),
            baseline: Baseline::new(place),
            context,
            slots: Slots::default(),
            inputs,
            way,
        }
    }
}

/// Returns the files that scores depend on, with their checksums: programs, inputs, and the table of best scores.
fn inputs(declared: &Declaration) -> Result<Vec<Input>, InputError> {
    let files: BTreeSet<PathBuf> = files_of(declared.keys.commands())?.into_iter().chain(declared.files()).collect();
    let summed = |file: PathBuf| match checksum(&file) {
        Ok(checksum) => Ok(Input { path: slashed(&file), checksum }),
        Err(error) => Err(InputError::Unreadable(file, error)),
    };
    files.into_iter().map(summed).collect()
}

/// The number of bytes shown from the end of a failed build's output.
const SHOWN: usize = 8 << 10;

fn build(declared: &Declaration, context: &Context) -> Result<(), OpenError> {
    let Some(command) = &declared.keys.build else { return Ok(()) };
    let words = command.render(&|_| None, &Vec::new);
    let line = evolve_core::shell::shell_line(words.iter().map(String::as_str));
    let finished = tool::process(words, None).run(Stdin::Empty, context.stop.opening.as_deref());
    let finished = finished.map_err(|error| format!("the build, `{line}`, cannot be started: {error}"))?;
    if finished.success() {
        return Ok(());
    }
    if finished.interruption == Some(Interruption::Stopped) {
        return Err(OpenError::Stopped(format!("the build, `{line}`, was stopped")));
    }
    let output = [finished.stdout.bytes(), finished.stderr.bytes()].concat();
    let end = &output[output.len().saturating_sub(SHOWN)..];
    let lines: Vec<_> = String::from_utf8_lossy(end).lines().map(evolve_process::plain).collect();
    let how = match finished.interruption {
        Some(interruption) => interruption.to_string(),
        None => finished.exit.status.to_string(),
    };
    Err(OpenError::Failed(format!("the build, `{line}`, failed with {how}:\n{}", lines.join("\n"))))
}
