//! The battery: noise of every kind that programs have, through whole runs and the whole command, and how often an
//! improvement is claimed that is not there.

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

/// The share of verdicts that may claim a gain which is not there, in hundredths.
const ALLOWED: f64 = 2.5;
/// Standard errors of the interval by which a row, and a single cell of hundreds, is named.
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

/// The name of a share that exceeds the allowed rate by more than chance.
fn named(name: &str, share: Share, z: f64, allowed: f64) -> Option<String> {
    (share.of > 0 && share.interval(z).0 > allowed).then(|| format!("{name} ({share})"))
}
