//! `evolve completions`, and what shells ask for while they complete.

use super::{Cli, Outcome};
use clap::CommandFactory;
use clap_complete::env::Shells;
use clap_complete::{ArgValueCompleter, CompleteEnv, CompletionCandidate, PathCompleter, Shell};
use evolve_core::run::CHECKPOINT;
use std::ffi::OsStr;
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

/// The variable with which the script of a shell asks. `COMPLETE`, the default, may have other
/// uses.
const VARIABLE: &str = "EVOLVE_COMPLETE";
/// The depth of folders in which runs are looked for, and the largest number of entries: a shell
/// waits.
const DEPTH: usize = 3;
const MOST: usize = 10_000;

/// Print a completion script for a shell
///
/// With the script, the shell completes the subcommands, games and options of evolve, and the names
/// of runs. It asks the command that is installed, so it stays right after an update.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  evolve completions bash > ~/.local/share/bash-completion/completions/evolve
  evolve completions fish > ~/.config/fish/completions/evolve.fish")]
pub struct Args {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

impl Args {
    pub fn run(self) -> Outcome {
        let mut script = Vec::new();
        let shells = Shells::builtins();
        let shell = shells.completer(&self.shell.to_string()).expect("both lists have the same shells");
        shell.write_registration(VARIABLE, "evolve", "evolve", "evolve", &mut script)?;
        io::stdout().write_all(&script)?;
        Ok(ExitCode::SUCCESS)
    }
}

/// Answers a shell that asks, and ends the process then.
pub fn answer() {
    CompleteEnv::with_factory(Cli::command).var(VARIABLE).complete();
}

/// Returns what completes a run: the names of runs below results/, and paths.
pub fn runs() -> ArgValueCompleter {
    ArgValueCompleter::new(|begun: &OsStr| {
        let mut names = Vec::new();
        collect(Path::new("results"), "", DEPTH, &mut MOST.clone(), &mut names);
        names.retain(|name| begun.to_str().is_some_and(|begun| name.starts_with(begun)));
        names.sort();
        let mut all: Vec<CompletionCandidate> = names.into_iter().map(CompletionCandidate::new).collect();
        all.extend(clap_complete::engine::ValueCompleter::complete(&PathCompleter::any(), begun));
        all
    })
}

/// Collects the names of the runs in a folder, relative to the first one.
fn collect(folder: &Path, before: &str, depth: usize, left: &mut usize, names: &mut Vec<String>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let Some(still) = left.checked_sub(1) else { return };
        *left = still;
        let Ok(name) = entry.file_name().into_string() else { continue };
        if !entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            continue;
        }
        let name = format!("{before}{name}");
        if entry.path().join(CHECKPOINT).is_file() {
            names.push(name.clone());
        }
        if depth > 1 {
            collect(&entry.path(), &format!("{name}/"), depth - 1, left, names);
        }
    }
}
