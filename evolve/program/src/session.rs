//! A program that is ready for trials: built, with the checksums of its files and the data that its
//! trials share.

use crate::baseline::{Baseline, Location};
use crate::command::Command;
use crate::failures::Failures;
use crate::host::Host;
use crate::instances::named;
use crate::parameters::by::Known;
use crate::private::{Private, Used, Watch};
use crate::program::{Declaration, Program};
use crate::scale::{Best, Scale};
use crate::slot::Slots;
use crate::tool;
use crate::watched::{InputError, checksum};
use evolve_process::{Interruption, Stdin};
use evolve_search::file::slashed;
use evolve_search::model::problem::{Context, Input, OpenError, Problem};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
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
    pub known: Arc<Known>,
    pub start: Vec<f64>,
    pub context: Context,
    pub slots: Slots,
    /// The failed trials that are kept in the run's folder. `None` until the first failure; only
    /// then is the folder read. When the session opens, it is too early: the folder may still hold
    /// failures of an aborted run, which a new run removes later.
    pub kept: Mutex<Option<Failures>>,
    /// The baseline's results, as references for ratios.
    pub baseline: Baseline,
    pub inputs: Vec<Input>,
    /// The inputs that trials read themselves.
    pub watch: Watch,
    /// The commands that trials play: those of the job, with the private copies of its files.
    pub command: Command,
    pub scorer: Option<Command>,
    _private: Private,
    /// Whether a trial has ended.
    pub has_played: AtomicBool,
    /// The way in which trials are played.
    pub way: Way,
}

impl ProgramSession {
    /// Builds a program, copies it, and computes checksums of its files. A run that resumes plays
    /// the copy from its start.
    ///
    /// # Errors
    /// The output of a failed build, or the missing file.
    pub fn open(program: &Program, context: Context) -> Result<Self, OpenError> {
        let declared = Arc::clone(&program.declared);
        let (private, used) = match recalled(&declared, &context) {
            Some(kept) => kept,
            None => {
                build(&declared, &context)?;
                if let Some(missing) = declared.missing() {
                    return Err(OpenError::Failed(missing));
                }
                let used = Used::of(&declared.keys).map_err(|error| error.to_string())?;
                used.note().iter().for_each(|note| context.notes.tell(note));
                (copied(&used, &context), used)
            }
        };
        let copies = declared.instances.copies();
        if !copies.is_empty() {
            let (count, all) = (copies.len(), copies.len() + declared.instances.all().len());
            context.notes.tell(&format!(
                "{count} of {all} files have the bytes of another one, and are no instances of their own: {}",
                named(copies)
            ));
        }
        let inputs = inputs(&declared, &private, used).map_err(|error| error.to_string())?;
        let mut digest = crc32fast::Hasher::new();
        digest.update(declaration(program).as_bytes());
        for Input { path, checksum, .. } in &inputs {
            digest.update(path.as_bytes());
            digest.update(&checksum.to_le_bytes());
        }
        let known = program.known()?;
        let program = program.clone().with_own_scores(&context)?;
        Ok(Self::new(&program, known, context, private, inputs, digest.finalize()))
    }

    /// Creates a session in which a host plays the trials.
    ///
    /// # Errors
    /// A message about missing instances, inputs or best scores, or about a limit
    /// that needs a process.
    pub fn hosted(program: &Program, context: Context, host: Arc<dyn Host>) -> Result<Self, OpenError> {
        if let Some(missing) = program.declared.missing().or_else(|| program.declared.constraints.needs_process()) {
            return Err(OpenError::Failed(missing));
        }
        let digest = crc32fast::hash(declaration(program).as_bytes());
        Ok(ProgramSession {
            way: Way::Host(host),
            ..Self::new(program, program.known()?, context, Private::default(), Vec::new(), digest)
        })
    }

    /// Creates a session. The digest identifies the program and its inputs.
    fn new(
        program: &Program,
        known: Arc<Known>,
        context: Context,
        private: Private,
        inputs: Vec<Input>,
        digest: u32,
    ) -> Self {
        let declared = Arc::clone(&program.declared);
        // The best scores are already read.
        let is_read =
            |input: &&Input| !matches!(&declared.keys.scale, Scale::Best(Best { file, .. }) if *file == input.path);
        let watched = inputs.iter().filter(is_read).filter(|input| input.copy.is_none());
        let way = if declared.keys.worker { Way::Worker } else { Way::Command { clears: declared.leaves_files() } };
        let place = context.run_folder.clone().map(|folder| Location { folder, digest, notes: context.notes.clone() });
        ProgramSession {
            start: declared.parameters.all().iter().map(|parameter| parameter.start).collect(),
            kept: Mutex::default(),
            baseline: Baseline::new(place),
            context,
            slots: Slots::default(),
            watch: Watch::new(watched.map(|input| (PathBuf::from(&input.path), input.checksum))),
            command: private.played(&declared.keys.command),
            scorer: declared.keys.scorer.as_ref().map(|scorer| private.played(scorer)),
            _private: private,
            has_played: AtomicBool::new(false),
            declared,
            known,
            inputs,
            way,
        }
    }
}

impl ProgramSession {
    /// Looks for outputs among the files that commands name, once the first trial has ended: files
    /// that it wrote.
    pub fn end_trial(&self) {
        if self.has_played.swap(true, Ordering::Relaxed) {
            return;
        }
        let words = self.declared.keys.commands().flat_map(|command| command.fixed_words().skip(1));
        let named: BTreeSet<PathBuf> = words.map(PathBuf::from).collect();
        let mut outputs = self.watch.outputs(&named);
        let is_new =
            |file: &&PathBuf| self.inputs.iter().all(|input| Path::new(&input.path) != *file) && file.is_file();
        outputs.extend(named.iter().filter(is_new).cloned());
        for output in outputs {
            let output = slashed(&output);
            self.context.notes.tell(&format!(
                "trials write {output}, which parallel trials share; to give each trial a file of its own, write \
                 {{dir}}/{output} in the job"
            ));
        }
    }
}

fn declaration(program: &Program) -> String {
    (program as &dyn Problem).to_toml()
}

/// Returns the copies from the start of a run that resumes, and the files that its program uses.
fn recalled(declared: &Declaration, context: &Context) -> Option<(Private, Used)> {
    let run = context.run_folder.as_deref().filter(|_| context.resumes)?;
    let (private, used) = (Private::recall(run)?, Used::of(&declared.keys).ok()?);
    if declared.missing().is_some() {
        return None;
    }
    if let Some(file) = private.outdated() {
        let file = slashed(file);
        context.notes.tell(&format!(
            "{file} has changed since the run began; the run continues with its own copy (`--allow-mismatch` takes the \
             new {file})"
        ));
    }
    Some((private, used))
}

/// Returns new copies of the files that a program uses. Without them, these files are watched.
fn copied(used: &Used, context: &Context) -> Private {
    let files = used.copied.keys().cloned().collect();
    Private::make(files, context.run_folder.as_deref()).unwrap_or_else(|error| {
        context.notes.tell(&format!("cannot copy the program, so do not change it before the end: {error}"));
        Private::default()
    })
}

/// Returns the files that scores depend on, with their checksums: programs, inputs, and the table
/// of best scores.
fn inputs(declared: &Declaration, private: &Private, used: Used) -> Result<Vec<Input>, InputError> {
    let Used { mut copied, watched, .. } = used;
    for file in private.files() {
        copied.entry(file.to_path_buf()).or_insert_with(|| file.to_path_buf());
    }
    // Runs change the scores that they keep, so each has a copy.
    let kept = declared.keys.scale.kept_file();
    let is_free = |file: &PathBuf| private.copy_of(file).is_none() && Some(file.as_path()) != kept;
    let others = watched.into_iter().chain(declared.files()).filter(is_free);
    // Modules that are newer than the copies are not part of the program.
    let copied = copied.into_iter().filter(|(own, _)| private.is_empty() || private.copy_of(own).is_some());
    let files: BTreeSet<PathBuf> = copied.map(|(_, shown)| shown).chain(others).collect();
    let input = |file: PathBuf| {
        let (checksum, copy) = match private.copy_of(&file) {
            Some((copy, checksum)) => (checksum, Some(copy.to_path_buf())),
            None => (checksum(&file).map_err(|error| InputError::Unreadable(file.clone(), error))?, None),
        };
        Ok(Input { path: slashed(&file), checksum, copy })
    };
    files.into_iter().map(input).collect()
}

/// The number of bytes shown from the end of a failed build's output.
const SHOWN: usize = 8 << 10;

fn build(declared: &Declaration, context: &Context) -> Result<(), OpenError> {
    let Some(command) = &declared.keys.build else { return Ok(()) };
    let words = command.render(&|_| None, &Vec::new);
    let line = evolve_search::shell::shell_line(words.iter().map(String::as_str));
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
