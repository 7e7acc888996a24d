//! `evolve completions`, and what shells ask for while they complete.

use super::{Cli, Outcome, catalogue};
use clap::CommandFactory;
use clap_complete::env::Shells;
use clap_complete::{ArgValueCompleter, CompleteEnv, CompletionCandidate, PathCompleter, Shell};
use evolve_core::names::RESULTS;
use evolve_core::run::{Snapshot, Unreadable, relative};
use std::ffi::OsStr;
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

/// The variable with which the script of a shell asks. `COMPLETE`, the default, may have other
/// uses.
const VARIABLE: &str = "EVOLVE_COMPLETE";

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
        let results = Path::new(RESULTS);
        let folder = |run: Result<Snapshot, Unreadable>| run.map_or_else(|run| run.folder, |run| run.folder);
        let found = Snapshot::below(results, catalogue()).into_iter().map(|run| relative(&folder(run), results));
        let names = found.filter(|name| begun.to_str().is_some_and(|begun| name.starts_with(begun)));
        let mut all: Vec<CompletionCandidate> = names.map(CompletionCandidate::new).collect();
        all.extend(clap_complete::engine::ValueCompleter::complete(&PathCompleter::any(), begun));
        all
    })
}
