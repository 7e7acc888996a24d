//! The battery: measures how often whole runs and commands claim an improvement that does not
//! exist, under every kind of noise of programs.

mod command;
mod library;
mod process;
#[cfg(feature = "nats")]
mod workers;

pub use process::EVOLVE;

use crate::share::Share;

#[derive(Debug, clap::Args)]
pub struct Args {
    /// Runs of each cell: a kind of noise on one scale, to one goal, by one optimizer
    #[arg(long, default_value_t = 100)]
    runs: u64,

    /// Runs of each row by the command; 0: none
    #[arg(long, default_value_t = 100)]
    commands: u64,

    /// Total trials of each run, divided by its plan, instead of 600 and fixed sizes
    #[arg(long)]
    budget: Option<u64>,

    /// Rows whose names contain this alone
    #[arg(long, default_value = "")]
    only: String,
}

/// The allowed share of verdicts that claim a gain that does not exist, in percent.
const ALLOWED: f64 = 2.5;
/// The standard errors of the interval by which a row, or a single one of hundreds of cells, is
/// reported.
const ROW: f64 = 1.96;
const CELL: f64 = 3.29;

impl Args {
    pub fn run(&self) {
        library::run(self.runs, self.budget, &self.only);
        if self.commands > 0 {
            command::run(self.commands, &self.only);
        }
    }
}

/// Returns the name of a share if it exceeds the allowed rate by more than chance.
fn named(name: &str, share: Share, z: f64, allowed: f64) -> Option<String> {
    (share.of > 0 && share.interval(z).0 > allowed).then(|| format!("{name} ({share})"))
}
