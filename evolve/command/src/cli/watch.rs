//! `evolve watch`.

use super::progress::say;
use super::{Failure, Outcome, catalogue, games, interrupt};
use crate::watch::{PORT, Place, Watching};
use clap::ValueHint;
use std::net::{IpAddr, Ipv4Addr};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::Ordering;
use std::thread;
use std::time::Duration;

/// Show runs in a browser as they progress
///
/// Serves a page that shows one run, or all runs below a folder. The list of runs sorts, filters
/// and groups them by job, and compares those that you pick. The page of a run is the page of
/// `evolve report`, and updates itself.
///
/// Without FOLDER, it shows the runs in results/ and in every other folder `results` up to four
/// folders below the current one.
///
/// Only this machine can open the page. With --host, other machines can, if they know the address
/// with its token, which is new at each start. The connection is not encrypted.
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
  evolve watch                   all runs below the current folder
  evolve watch results/first     one run
  evolve watch --port 9000
  evolve watch --host 0.0.0.0    for other machines
  curl -s http://127.0.0.1:8117/state.json | jq '.runs[] | [.run, .share]'")]
pub struct Args {
    /// Folder of a run, or a folder that contains runs
    #[arg(value_name = "FOLDER", value_hint = ValueHint::DirPath)]
    folder: Option<PathBuf>,

    /// Address of this machine at which other machines find the page; 0.0.0.0: every address
    /// [default: 127.0.0.1, for this machine alone]
    #[arg(long, value_name = "ADDRESS")]
    host: Option<IpAddr>,

    /// Port; 0: any free port [default: 8117, or any free port if 8117 is taken]
    #[arg(long, value_name = "NUMBER")]
    port: Option<u16>,
}

impl Args {
    /// Serves until it is interrupted.
    pub fn run(self) -> Outcome {
        let stop = interrupt::flag()?;
        let host = self.host.unwrap_or(IpAddr::V4(Ipv4Addr::LOCALHOST));
        let watching = start(Place { folder: self.folder, command: "evolve watch", host, port: self.port })?;
        say(&format!("serving at {} (stop with Ctrl-C)", watching.address()));
        while !stop.load(Ordering::Relaxed) {
            thread::sleep(Duration::from_millis(100));
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// Serves a run until it ends, for this machine alone.
pub fn of_run(folder: PathBuf) -> Result<Watching, Failure> {
    let host = IpAddr::V4(Ipv4Addr::LOCALHOST);
    start(Place { folder: Some(folder), command: "evolve run --watch", host, port: None })
}

fn start(place: Place) -> Result<Watching, Failure> {
    let Place { host, port, .. } = place;
    Watching::start(place, catalogue(), games())
        .map_err(|error| Failure::Work(format!("cannot serve on port {} of {host}: {error}", port.unwrap_or(PORT))))
}
