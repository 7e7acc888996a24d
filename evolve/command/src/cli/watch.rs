//! `evolve watch`.

use super::progress::say;
use super::{Failure, Outcome, catalogue, interrupt};
use crate::watch::{PORT, Watching};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::Ordering;
use std::thread;
use std::time::Duration;

/// Show runs in a browser as they progress
///
/// Serves a page that shows one run, or all runs below a folder. The page of a run is the page of
/// `evolve report`, and updates itself. Only this machine can open it.
///
/// The server only reads the files of runs, so you can start and stop it at any time. If a run is
/// stopped and resumed, the page follows it.
///
/// Scripts can read the same data as JSON: `/state.json` has all runs, and `/state.json?run=NAME`
/// has one.
///
/// Serves until you stop it, for example with Ctrl-C.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  evolve watch                   all runs below results/
  evolve watch results/first     one run
  evolve watch --port 9000
  curl -s http://127.0.0.1:8117/state.json | jq '.runs[] | [.run, .share]'")]
pub struct Args {
    /// Folder of a run, or a folder that contains runs
    #[arg(value_name = "FOLDER", default_value = "results")]
    folder: PathBuf,

    /// Port of 127.0.0.1; 0: any free port [default: 8117, or any free port if 8117 is taken]
    #[arg(long, value_name = "NUMBER")]
    port: Option<u16>,
}

impl Args {
    /// Serves until it is interrupted.
    pub fn run(self) -> Outcome {
        let stop = interrupt::flag()?;
        let watching = start(self.folder, self.port)?;
        say(&format!("serving at {} (stop with Ctrl-C)", watching.address()));
        while !stop.load(Ordering::Relaxed) {
            thread::sleep(Duration::from_millis(100));
        }
        Ok(ExitCode::SUCCESS)
    }
}

pub fn start(folder: PathBuf, port: Option<u16>) -> Result<Watching, Failure> {
    let shown = port.unwrap_or(PORT);
    Watching::start(folder, port, catalogue())
        .map_err(|error| Failure::Work(format!("cannot serve on port {shown} of 127.0.0.1: {error}")))
}
