//! `evolve export`.

use super::progress::say;
use super::{Failure, Outcome, catalogue};
use evolve_core::policy_file::{FILE_NAME, Policy};
use evolve_core::run::atomic::replace;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

/// Makes a contest program of weights
///
/// Writes a self-contained source file that plays in the contest's dialogue as the section [submission] of the weights
/// says. Several weights of one game, for different options of it, make one program that knows which to use.
///
/// A file that is there already is replaced, in one step.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  evolve export results/first --output submission.rs
  evolve export results/group-1 results/group-2 --output submission.rs --time-limit 900ms
  evolve export weights.toml --output - | less")]
pub struct Args {
    /// Results folders of runs, or weights files
    #[arg(required = true, value_name = "RESULTS")]
    results: Vec<PathBuf>,

    /// File to write the program to; - for standard output
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,

    /// Time that the program may use for a whole game, with a unit, such as 1s or 900ms [default: no limit]
    #[arg(long, value_name = "TIME", value_parser = super::judge::time_limit)]
    time_limit: Option<Duration>,
}

impl Args {
    /// Writes the program.
    pub fn run(self) -> Outcome {
        let policies = self.results.iter().map(|path| read(path)).collect::<Result<Vec<_>, _>>()?;
        let problem = policies[0].source.problem;
        if let Some(other) = policies.iter().position(|policy| policy.source.problem.name() != problem.name()) {
            return Err(Failure::Usage(format!(
                "one program plays one game, but {} holds weights of {} and {} of {}",
                self.results[0].display(),
                problem.name(),
                self.results[other].display(),
                policies[other].source.problem.name()
            )));
        }
        let Some(exportable) = problem.exportable() else {
            return Err(Failure::Usage(format!("{} makes no programs of weights", problem.name())));
        };
        let policies: Vec<&Policy> = policies.iter().collect();
        let program = exportable.export(&policies, self.time_limit).map_err(Failure::Work)?;
        if self.output == Path::new("-") {
            io::stdout().write_all(program.source.as_bytes())?;
        } else {
            let written = replace(&self.output, program.source.as_bytes());
            written.map_err(|error| Failure::Work(format!("{}: {error}", self.output.display())))?;
        }
        for note in program.notes {
            say(&format!("note: {note}"));
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// Reads weights that an argument names.
pub fn read(path: &Path) -> Result<Policy, Failure> {
    Policy::read(path, catalogue()).map_err(|faults| {
        let unfinished = path.is_dir() && !path.join(FILE_NAME).exists();
        let hint = if unfinished { " (is this the results folder of a run that is complete?)" } else { "" };
        Failure::Usage(format!("{faults}{hint}"))
    })
}
