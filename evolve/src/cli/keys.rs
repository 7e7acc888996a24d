//! `evolve keys`.

use super::Outcome;
use evolve_core::config;
use std::io::{self, Write};
use std::process::ExitCode;

/// Prints the reference of all keys of a job file
///
/// It is Markdown: what each section and key means, which values it takes and what holds if it is left out.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  evolve keys
  evolve keys | grep population")]
pub struct Args {}

impl Args {
    /// Prints the reference.
    pub fn run(self) -> Outcome {
        write!(io::stdout(), "{}", config::reference(super::catalogue()))?;
        Ok(ExitCode::SUCCESS)
    }
}
