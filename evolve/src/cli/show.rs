//! `evolve show`.

use super::contestants::{run_folder, weights};
use super::progress::{hand_out, show};
use super::{Failure, Outcome, export};
use evolve_core::document::read_text;
use evolve_core::policy_file::{toml_value, weights_file};
use evolve_program::format::Format;
use std::process::ExitCode;

/// Shows what a run found: its verdict, and each value that it recommends beside the start
///
/// Of a run that goes on it shows what it would recommend by now, which is not judged yet.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  evolve show first
  evolve show results/tour --format args")]
pub struct Args {
    /// A run, by its name or its folder
    #[arg(value_name = "RUN")]
    run: String,

    /// Print nothing but the values, in this format
    #[arg(long, value_parser = export::format())]
    format: Option<Format>,
}

impl Args {
    /// Prints it.
    pub fn run(self) -> Outcome {
        let folder = run_folder(&self.run);
        let policy = weights(&folder)?;
        if let Some(format) = self.format {
            hand_out(&export::formatted(&policy, format)?)?;
            return Ok(ExitCode::SUCCESS);
        }
        let file = weights_file(&folder);
        let text = read_text(&file).map_err(|error| Failure::Work(format!("{}: {error}", file.display())))?;
        let mut shown: Vec<String> =
            text.lines().map_while(|line| line.strip_prefix('#')).map(|line| line.trim().to_string()).collect();
        shown.push(String::new());
        for (parameter, &value) in policy.source.problem.parameters().iter().zip(&policy.values) {
            let name = &parameter.name;
            let (value, start) = (toml_value(parameter, value), toml_value(parameter, parameter.start));
            let was = if value == start { String::new() } else { format!("  # declared: {start}") };
            shown.push(format!("{name} = {value}{was}"));
        }
        for line in shown {
            show(&format!("{line}\n"))?;
        }
        Ok(ExitCode::SUCCESS)
    }
}
