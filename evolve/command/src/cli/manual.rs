//! `evolve manual`.

use super::{Cli, Failure, Outcome};
use clap::CommandFactory;
use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

/// Write the manual pages of this command into a folder
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example:
  evolve manual ~/.local/share/man/man1")]
pub struct Args {
    /// The folder
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
}

impl Args {
    pub fn run(self) -> Outcome {
        let written =
            fs::create_dir_all(&self.folder).and_then(|()| clap_mangen::generate_to(Cli::command(), &self.folder));
        written.map_err(Failure::at(&self.folder))?;
        Ok(ExitCode::SUCCESS)
    }
}
