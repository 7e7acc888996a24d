//! The command line: each subcommand has a file with its arguments and its execution. To add one,
//! write a file, a variant of `Command` and an arm of `Cli::run`.

mod after;
mod best;
mod change;
mod check;
mod compare;
mod completions;
mod contestants;
mod explain;
mod export;
mod failure;
mod features;
mod init;
mod interrupt;
mod judge;
mod load;
mod log;
mod machines;
mod manual;
mod overrides;
mod plot;
mod progress;
mod prove;
mod repeat;
mod report;
mod run;
mod serve;
mod status;
mod table;
mod time_limit;
mod tune;
mod versions;
mod watch;
mod worker;

use clap::builder::TypedValueParser;
use clap::{Parser, Subcommand, value_parser};
use evolve_contest::{Contest, Games};
use evolve_core::job::Catalogue;
use evolve_search::model::problem::{Context, Notes, Problem};
use failure::{Failure, check_inputs};
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::OnceLock;

/// Runs the command with these games: parses the arguments of the process, executes the subcommand,
/// and returns the exit status. A second call in one process uses the games of the first.
///
/// # Panics
/// If two games have the same name.
pub fn main(games: impl Into<Games>) -> ExitCode {
    GAMES.get_or_init(|| games.into());
    completions::answer();
    evolve_process::outlast_file_limits();
    end(Cli::parse().run())
}

/// The games of this process. They are static because argument parsers are created by functions
/// without arguments.
static GAMES: OnceLock<Games> = OnceLock::new();

fn games() -> &'static Games {
    GAMES.get_or_init(|| evolve_games::GAMES.clone())
}

/// Returns the contest behind a problem, if any.
fn contest(problem: &dyn Problem) -> Option<&dyn Contest> {
    games().contest(problem)
}

/// Returns what files can declare: the games, and programs.
fn catalogue() -> &'static Catalogue {
    static CATALOGUE: OnceLock<Catalogue> = OnceLock::new();
    CATALOGUE.get_or_init(|| Catalogue::new(games()).declaring(&evolve_program::PROGRAM))
}

/// Returns the context of all commands: problems may use the user's cache folder and print notes.
fn context() -> Context {
    let folder = |name| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    // `LOCALAPPDATA` is the variable on Windows.
    let cache = folder("XDG_CACHE_HOME").or_else(|| folder("HOME").map(|home| home.join(".cache")));
    let cache = cache.or_else(|| folder("LOCALAPPDATA"));
    let note = |text: &str| progress::say(&format!("note: {text}"));
    let cache = cache.map(|folder| folder.join("evolve"));
    Context { cache, notes: Notes::new(note), ..Context::default() }
}

/// The result of a subcommand: its exit status, or a failure.
type Outcome = Result<ExitCode, Failure>;

/// Tune the parameters of programs and the weights of game players
///
/// A trial runs the program, or plays the game, once with one set of values, and gives a score.
/// evolve searches for values with better scores, then tests them on instances that the search
/// never used. For games, it also writes the finished program and plays it in the contest's
/// protocol.
#[derive(Parser)]
#[command(
    name = "evolve",
    version = env!("EVOLVE_VERSION"),
    after_help = "\
Examples:
  evolve init                                           write a first job
  evolve init --game gomoku                             write a job for a game
  evolve tune main.cpp                                  tune a source in one go
  evolve check job.toml                                 try a job
  evolve run job.toml                                   search, then test
  evolve status                                         list all runs
  evolve status results/first                           show verdict and values
  evolve best first                                     show the best version
  evolve log                                            list versions and gains
  evolve watch                                          follow runs in a browser
  evolve report results/first                           make an HTML page
  evolve plot results/first                             draw pictures
  evolve compare results/first --trials 1000            measure a result
  evolve compare defaults results/first                 measure its gain
  evolve explain results/first                          measure each parameter
  evolve features job.toml --metrics n,m                tabulate instances
  evolve repeat results/first 117                       play a trial again
  evolve export results/first --output submission.rs    export a program
  evolve judge solitaire-chess --group 3 -- ./player    play with a program
  evolve prove results/king-rook                        search every reply"
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Init(init::Args),
    Tune(tune::Args),
    Check(check::Args),
    Run(run::Args),
    Status(status::Args),
    Best(best::Args),
    Log(log::Args),
    Watch(watch::Args),
    Plot(plot::Args),
    Report(report::Args),
    Compare(compare::Args),
    Features(features::Args),
    Repeat(repeat::Args),
    Explain(explain::Args),
    Export(export::Args),
    Judge(judge::Args),
    Prove(prove::Args),
    #[command(hide = true)]
    Worker(worker::Args),
    Serve(serve::Args),
    #[command(hide = true)]
    Completions(completions::Args),
    #[command(hide = true)]
    Manual(manual::Args),
}

impl Cli {
    /// Executes the subcommand.
    fn run(self) -> Outcome {
        let status = match self.command {
            Command::Init(args) => args.run(),
            Command::Tune(args) => args.run(),
            Command::Check(args) => args.run(),
            Command::Status(args) => args.run(),
            Command::Best(args) => args.run(),
            Command::Log(args) => args.run(),
            Command::Watch(args) => args.run(),
            Command::Compare(args) => args.run(),
            Command::Explain(args) => args.run(),
            Command::Repeat(args) => args.run(),
            Command::Features(args) => args.run(),
            Command::Run(args) => args.run(),
            Command::Worker(args) => args.run(),
            Command::Plot(args) => args.run(),
            Command::Report(args) => args.run(),
            Command::Export(args) => args.run(),
            Command::Judge(args) => args.run(),
            Command::Prove(args) => args.run(),
            Command::Completions(args) => args.run(),
            Command::Manual(args) => args.run(),
            Command::Serve(args) => args.run(),
        }?;
        // The end of the process would also flush, but could not report an error.
        io::stdout().flush()?;
        Ok(status)
    }
}

/// Parses a number of threads.
fn threads() -> impl TypedValueParser<Value = usize> {
    value_parser!(u16).range(0..=1024).map(usize::from)
}

/// Reports the failure, if any, and returns the exit status.
fn end(outcome: Outcome) -> ExitCode {
    outcome.unwrap_or_else(|failure| {
        if let Some(message) = failure.message() {
            // The message may contain names from files or programs. `eprintln` would panic if
            // standard error is closed.
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

    /// The names of games' options must differ from the options of the subcommands.
    #[test]
    fn the_command_line_is_well_formed() {
        super::Cli::command().debug_assert();
    }
}
