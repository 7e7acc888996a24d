//! The command line: one file for each subcommand, which has its arguments and what it does with them. A new one is a
//! file, a variant of `Command` and an arm of `Cli::run`.

mod check;
mod compare;
mod completions;
mod contestants;
mod crowd;
mod explain;
mod export;
mod failure;
mod init;
mod interrupt;
mod judge;
mod machines;
mod overrides;
mod plot;
mod progress;
mod prove;
mod report;
mod retired;
mod run;
mod status;
mod table;
mod versions;
mod watch;
mod worker;

use clap::builder::TypedValueParser;
use clap::{Parser, Subcommand, value_parser};
use evolve_core::job::Catalogue;
use evolve_core::model::problem::{Context, Notes, Problem};
use failure::Failure;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::{Arc, OnceLock};

/// The whole command with these problems: parses the arguments of the process, does what was asked for, and gives the
/// exit status.
///
/// # Panics
/// If it is called twice with different problems in one process, or two problems have the same name.
pub fn main(problems: &[Arc<dyn Problem>]) -> ExitCode {
    CATALOGUE.get_or_init(|| Catalogue::new(problems).declaring(&evolve_program::PROGRAM));
    // A file that grows beyond `ulimit -f` is then an error like any other, with its path. Children start without this.
    let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, Arc::default());
    let words: Vec<String> = std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()).collect();
    end(Cli::try_parse().map_or_else(|error| refuse(&error, &words), Cli::run))
}

/// What this process knows. Parsers of arguments are made by functions without arguments, which look here.
static CATALOGUE: OnceLock<Catalogue> = OnceLock::new();

fn catalogue() -> &'static Catalogue {
    CATALOGUE.get_or_init(|| Catalogue::new(&evolve_games::GAMES).declaring(&evolve_program::PROGRAM))
}

/// What problems may use in all commands: they may keep things in the user's cache folder, and say so.
fn context() -> Context {
    let folder = |name| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let cache = folder("XDG_CACHE_HOME").or_else(|| folder("HOME").map(|home| home.join(".cache")));
    let note = |text: &str| progress::say(&format!("note: {text}"));
    let cache = cache.map(|folder| folder.join("evolve"));
    Context { cache, notes: Notes::new(note), ..Context::default() }
}

/// What a subcommand comes to: the exit status, 0 unless it has more to tell.
type Outcome = Result<ExitCode, Failure>;

/// Tunes the weights of contest players and the parameters of programs
///
/// Searches over thousands of noisy trials, says by fresh ones whether anything was gained, and checks finished programs
/// in the dialogue that the contest holds with them.
#[derive(Debug, Parser)]
#[command(
    name = "evolve",
    version,
    after_help = "\
Examples:
  evolve init                                           a first job for the program in this folder
  evolve init --game gomoku                             a job for a game
  evolve check job.toml                                 try a job before its night
  evolve run job.toml                                   carry out a job
  evolve status                                         how far all runs are
  evolve status results/first                           what its run found
  evolve watch                                          see them in a browser while they go on
  evolve report results/first                           see how its run went, and its games
  evolve plot results/first                             the same as pictures
  evolve compare results/first --trials 1000             measure what it recommends
  evolve compare results/first defaults                 which is better
  evolve explain results/first                          what each weight is worth
  evolve export results/first --output submission.rs    make a program of it
  evolve judge solitaire-chess --group 3 -- ./player    try a program before the contest does
  evolve prove results/king-rook                        be sure that no opponent can beat it"
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Init(init::Args),
    Check(check::Args),
    Run(run::Args),
    Status(status::Args),
    Watch(watch::Args),
    Plot(plot::Args),
    Report(report::Args),
    Compare(compare::Args),
    Explain(explain::Args),
    Export(export::Args),
    Judge(judge::Args),
    Prove(prove::Args),
    #[command(hide = true)]
    Worker(worker::Args),
    #[command(hide = true)]
    Completions(completions::Args),
}

impl Cli {
    /// Does what was asked for.
    fn run(self) -> Outcome {
        let status = match self.command {
            Command::Init(args) => args.run(),
            Command::Check(args) => args.run(),
            Command::Status(args) => args.run(),
            Command::Watch(args) => args.run(),
            Command::Compare(args) => args.run(),
            Command::Explain(args) => args.run(),
            Command::Run(args) => args.run(),
            Command::Worker(args) => args.run(),
            Command::Plot(args) => args.run(),
            Command::Report(args) => args.run(),
            Command::Export(args) => args.run(),
            Command::Judge(args) => args.run(),
            Command::Prove(args) => args.run(),
            Command::Completions(args) => args.run(),
        }?;
        // The end of the process would flush as well, but tell nobody if that fails.
        io::stdout().flush()?;
        Ok(status)
    }
}

/// Answers a command line that is none; help and the version are not refusals, but clap says them.
fn refuse(error: &clap::Error, words: &[String]) -> Outcome {
    match retired::answer(error, words) {
        Some(answer) => Err(Failure::Usage(answer.to_string())),
        None => error.exit(),
    }
}

/// Numbers of threads.
fn threads() -> impl TypedValueParser<Value = usize> {
    value_parser!(u16).range(0..=1024).map(usize::from)
}

/// Tells what went wrong, if anything did, and gives the exit status.
fn end(outcome: Outcome) -> ExitCode {
    outcome.unwrap_or_else(|failure| {
        if let Some(message) = failure.message() {
            // It may name what files or programs called themselves. Not `eprintln`, which panics where standard error is closed.
            let lines: Vec<String> = message.lines().map(evolve_process::plain).collect();
            let what = if matches!(failure, Failure::Stopped(_)) { "" } else { "error: " };
            let _ = writeln!(io::stderr(), "{what}{}", lines.join("\n"));
        }
        failure.status()
    })
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    /// The names of games' options must not collide with those of the subcommands.
    #[test]
    fn the_command_line_is_well_formed() {
        super::Cli::command().debug_assert();
    }
}
