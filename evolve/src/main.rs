//! The `evolve` command.

mod cli;

use clap::Parser;
use std::process::ExitCode;

fn main() -> ExitCode {
    cli::end(cli::Cli::parse().run())
}
