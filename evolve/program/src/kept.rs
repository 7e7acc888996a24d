//! Failed trials, kept so that users can reproduce them.
//!
//! Each failure is a folder with the parameters, the input, the output of the program, and
//! `again.sh`, which reproduces the trial.

use crate::failures::{Failures, Id, name};
use crate::run::Printed;
use crate::scope::Scope;
use crate::template::BuiltIn;
use evolve_core::job::policy_file::values_of;
use evolve_core::names::FAILURES;
use evolve_core::names::failure::{AGAIN, INPUT, PARAMETERS, REASON, STDERR, STDOUT};
use evolve_process::last_words;
use evolve_search::document::text::to_toml;
use evolve_search::file::{gone, make_plain_folder};
use evolve_search::lock;
use evolve_search::model::problem::Context;
use evolve_search::model::trial::FailureKind;
use evolve_search::shell::shell_line;
use serde_json::Value;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The largest copied input, and the largest kept output, in bytes.
const LARGEST: u64 = 8 << 20;

/// A kept failure.
pub struct Kept {
    pub kind: FailureKind,
    /// How the trial failed, without the end of standard error.
    pub message: String,
    /// The command of the trial.
    pub command: String,
    /// Standard output.
    pub stdout: String,
    /// The standard error of the program and of a scorer.
    pub stderr: String,
}

impl Kept {
    /// Returns a kept failure of the run folder, if any: always the same one of the same failures.
    pub fn first(folder: &Path) -> Option<Kept> {
        let id @ (kind, _) = Failures::of(folder).first()?;
        let own = folder.join(FAILURES).join(name(id));
        let text = |name: &str| Some(String::from_utf8_lossy(&fs::read(own.join(name)).ok()?).trim().to_string());
        let (reason, command, stderr) = (text(REASON)?, text(AGAIN)?.lines().last()?.to_string(), text(STDERR)?);
        let message = reason.strip_prefix(&format!("{kind}: "))?;
        let message =
            message.strip_suffix(&format!(": {}", last_words(stderr.as_bytes()))).unwrap_or(message).to_string();
        Some(Kept { kind, message, command, stdout: text(STDOUT)?, stderr })
    }
}

/// Returns the folder in which the failure of a trial was kept, if it was.
pub fn found(scope: &Scope<'_>, kind: FailureKind) -> Option<PathBuf> {
    let folder = scope.program.context.run_folder.as_ref()?.join(FAILURES).join(name((kind, hash(scope))));
    folder.exists().then_some(folder)
}

/// Keeps a failure in the run folder, unless enough of its kind have lower ids.
pub fn keep(scope: &Scope<'_>, kind: FailureKind, message: &str, printed: &Printed) {
    let Context { run_folder: Some(run_folder), notes, .. } = &scope.program.context else { return };
    let of = |id: Id| run_folder.join(FAILURES).join(name(id));
    let id = (kind, hash(scope));
    // Locked until the files are written, so that no other thread removes them meanwhile.
    let mut kept = lock(&scope.program.kept);
    let excess = kept.get_or_insert_with(|| Failures::of(run_folder)).add(id);
    if excess == Some(id) {
        return;
    }
    let folder = of(id);
    // An error while keeping a failure only causes a note: the failure still counts, and the run
    // continues.
    let written = excess
        .map_or(Ok(()), |excess| gone(fs::remove_dir_all(of(excess))))
        .and_then(|()| write(scope, &folder, &format!("{kind}: {message}\n"), printed));
    if let Err(error) = written {
        notes.tell(&format!("{}: cannot keep the failed trial: {error}", folder.display()));
    }
}

/// Returns a hash of the failure's causes, so that its name is the same in every run.
fn hash(scope: &Scope<'_>) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    for value in scope.values {
        hasher.update(&value.to_bits().to_le_bytes());
    }
    for text in [&scope.draw.instance.name, &scope.scenario.name] {
        hasher.update(text.as_bytes());
        hasher.update(&[0]);
    }
    hasher.update(&scope.draw.random.to_le_bytes());
    hasher.finalize()
}

fn write(scope: &Scope<'_>, folder: &Path, reason: &str, printed: &Printed) -> io::Result<()> {
    let declared = &scope.program.declared;
    make_plain_folder(folder.parent().unwrap_or(folder))?;
    // Remove the folder of an earlier start of the run, so that links in it are not followed.
    gone(fs::remove_dir_all(folder))?;
    fs::create_dir(folder)?;
    fs::write(folder.join(REASON), reason)?;
    for (name, bytes) in [(STDOUT, &printed.stdout), (STDERR, &printed.stderr)] {
        fs::write(folder.join(name), &bytes[bytes.len().saturating_sub(LARGEST as usize)..])?;
    }
    let values = values_of(declared.parameters.all(), scope.values);
    fs::write(folder.join(PARAMETERS), to_toml(&values))?;
    if let Some(input) = scope.input().filter(|input| fs::metadata(input).is_ok_and(|file| file.len() <= LARGEST)) {
        fs::copy(input, folder.join(INPUT))?;
    }
    // This is the same file as in the trial's own folder, in a place that stays.
    let here = std::path::absolute(folder)?;
    let scope = Scope { dir: &here, ..*scope };
    scope.write_params()?;
    fs::write(folder.join(AGAIN), again(&scope)?)
}

/// Returns a script with the command of a trial.
fn again(scope: &Scope<'_>) -> io::Result<String> {
    let declared = &scope.program.declared;
    let (mut unset, mut line) = (String::new(), String::new());
    for (name, value) in scope.environment() {
        match value {
            Some(value) => line += &format!("{name}={} ", shell_line([value.as_str()])),
            None => unset += &format!("unset {name}\n"),
        }
    }
    let words = scope.words(&declared.keys.command);
    line.push_str(&shell_line(words.iter().map(String::as_str)));
    let quoted = |path: PathBuf| shell_line([path.to_string_lossy().as_ref()]);
    if declared.keys.worker {
        line = format!(
            "printf '%s\\n' {} | {}=1 {line}",
            shell_line([Value::Object(scope.question()).to_string().as_str()]),
            crate::worker::VARIABLE
        );
    } else if let Some(input) = scope.standard_input() {
        line += &format!(" < {}", quoted(input));
    }
    if let Some(scorer) = declared.keys.scorer.as_ref().filter(|_| !declared.keys.worker) {
        if !declared.keys.command.mentions(BuiltIn::Output) {
            line += &format!(" > {}", quoted(scope.dir.join(crate::scope::OUTPUT)));
        }
        let words = scope.words(scorer);
        line += &format!(" && {}", shell_line(words.iter().map(String::as_str)));
    }
    Ok(format!("#!/bin/sh\ncd {} || exit\n{unset}{line}\n", quoted(std::env::current_dir()?)))
}
