//! Measures the reliability of verdicts with thousands of runs whose truth is known. `README.md`
//! lists the commands.

mod battery;
mod carried;
mod gains;
mod noise;
mod share;
mod verdicts;
mod wander;

use clap::Parser;
use evolve_core::job::Game;
use evolve_program::scale::Scale;
use noise::Noise;
use std::process::ExitCode;

#[derive(Debug, Parser)]
enum Command {
    /// How often an improvement is claimed where there is none, by whole runs on noise of every
    /// kind
    Battery(battery::Args),
    /// How often the interval of a gain by the model contains the true gain
    Gains(gains::Args),
    /// How often a comparison of simulated differences claims a gain
    Verdicts(verdicts::Args),
    /// The program that the battery tunes: prints a score of noise
    Play(noise::Program),
}

/// Returns the games that the battery tunes through the command.
fn games() -> Vec<Game> {
    let problems = [("noise-raw", Scale::Raw), ("noise-log", Scale::Log), ("noise-relative", Scale::Relative)];
    problems.into_iter().map(|(name, scale)| Noise::new(name, scale, noise::PLAIN).game()).collect()
}

fn main() -> ExitCode {
    if std::env::args_os().next().is_some_and(|name| name == battery::EVOLVE) {
        return evolve::cli::main(games());
    }
    match Command::parse() {
        Command::Battery(args) => args.run(),
        Command::Gains(args) => args.run(),
        Command::Verdicts(args) => args.run(),
        Command::Play(args) => args.run(),
    }
    ExitCode::SUCCESS
}
