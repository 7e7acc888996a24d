//! `evolve plot`.

use super::contestants::find_run;
use super::{Failure, Outcome, catalogue};
use evolve_report::ReportError;
use evolve_report::plot::{plot_run, plot_runs};
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

/// Draw the gain and the parameters of runs as pictures
///
/// Reads the tables of a run, complete or not, and draws charts over the number of trials.
/// `scores.svg` shows the difference from the baseline in each validation, if the run has any, and
/// in the test; for a single run, it also shows the scores of the search. `weights.svg` shows the
/// value of every parameter. Several runs share the two charts. A single run of a program also has
/// `history.svg`, with every trial, and, if its search has a model, `landscape.svg`, with the
/// importance of the parameters and a slice for each. For several runs with a model, `history.svg`
/// has the gain of each incumbent.
///
/// Prints the names of the files, one on each line.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  evolve plot results/first
  evolve plot results/seed-1 results/seed-2 --output comparison")]
pub struct Args {
    /// Runs, by name or folder
    #[arg(required = true, value_name = "RUN", add = super::completions::runs())]
    runs: Vec<PathBuf>,

    /// Folder for the plots; required for several runs [default: the folder `plots` in the run's
    /// folder]
    #[arg(short, long, value_name = "DIR")]
    output: Option<PathBuf>,
}

impl Args {
    /// Draws the plots, and prints the names of the files.
    pub fn run(self) -> Outcome {
        let runs: Vec<PathBuf> = self.runs.iter().map(find_run).collect::<Result<_, _>>()?;
        let plotted = match (&runs[..], &self.output) {
            (runs, Some(output)) => plot_runs(runs, output, catalogue()),
            ([run], None) => plot_run(run, catalogue()),
            _ => {
                let message = "several runs share their plots: name a folder with --output DIR";
                return Err(Failure::Usage(message.to_string()));
            }
        };
        let mut stdout = io::stdout().lock();
        for file in plotted.map_err(failure)? {
            writeln!(stdout, "{}", evolve_process::plain(&file.to_string_lossy()))?;
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// Explains a missing table: most likely, the folder is not a run.
fn failure(error: ReportError) -> Failure {
    match &error {
        ReportError::Read(_, cause) if cause.kind() == io::ErrorKind::NotFound => {
            Failure::Usage(format!("{error} (is this the folder of a run?)"))
        }
        _ => Failure::Work(error.to_string()),
    }
}
