//! `evolve finish`.

use super::contestants::run_folder;
use super::run::{Players, Start, carry_out};
use super::{Failure, Outcome, catalogue};
use evolve_core::config::Job;
use std::path::{Path, PathBuf};

/// Ends the search of a run now, and plays its final round and verdict
///
/// The run must be stopped. What it found so far is judged as if its job had been that long; `config.toml` then says so.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  evolve finish first
  evolve finish results/tour --threads 4")]
pub struct Args {
    /// The run, by its name or its folder
    #[arg(value_name = "RUN")]
    run: String,

    /// Games to play at the same time; 0: one for each core
    #[arg(long, value_name = "NUMBER", default_value_t = 0, value_parser = super::threads())]
    threads: usize,

    /// Say nothing but errors; the results are in the files
    #[arg(long)]
    quiet: bool,
}

impl Args {
    /// Ends the search, and plays the rest.
    pub fn run(self) -> Outcome {
        let folder = run_folder(&self.run);
        let config = folder.join("config.toml");
        if !config.exists() {
            return Err(Failure::Usage(format!("{}: there is no run", folder.display())));
        }
        let job = Job::read(&config, catalogue()).map_err(|faults| Failure::Usage(faults.to_string()))?;
        let results = results(&folder, &job.name)?;
        let start = Start { resume: true, other_version: false, finish: true, watch: false };
        let players = Players { threads: Some(self.threads), machines: None };
        carry_out(&job, &results, start, &players, self.quiet, &format!("evolve finish {}", self.run))
    }
}

/// The folder that a run's name is below.
fn results(folder: &Path, name: &str) -> Result<PathBuf, Failure> {
    let mut results = folder.to_path_buf();
    for part in name.rsplit('/') {
        if results.file_name().is_none_or(|last| last != part) {
            return Err(Failure::Usage(format!(
                "{} holds the run `{name}`: it was moved; move it back to a folder of that name",
                folder.display()
            )));
        }
        results.pop();
    }
    Ok(results)
}
