//! `evolve completions`.

use super::{Cli, Outcome};
use clap::CommandFactory;
use clap_complete::Shell;
use std::io::{self, Write};
use std::process::ExitCode;

/// Print a completion script for a shell
///
/// With the script, the shell completes the subcommands, games and options of evolve.
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
        // The script is generated in memory first, because the generator panics if it cannot write.
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut Cli::command(), "evolve", &mut script);
        io::stdout().write_all(&script)?;
        Ok(ExitCode::SUCCESS)
    }
}
