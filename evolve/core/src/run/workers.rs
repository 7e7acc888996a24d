//! Who plays for a run, where that is not its own process alone: a file in its folder, for those who look on.

use super::atomic::replace_plain;
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// The name of the file.
pub const WORKERS: &str = "workers.json";

/// A worker as it was heard of last.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Worker {
    /// Where it runs: its machine and the number of its process.
    pub name: String,
    /// What it is doing.
    pub state: WorkerState,
    /// Trials that it plays at the same time.
    pub threads: u32,
    /// Trials that it has played for the run.
    pub games: u64,
    /// Trials a second lately.
    pub games_per_second: f64,
    /// The share of its threads' time that was spent on trials, 0 to 1.
    pub busy: f64,
    /// When it was heard of last: seconds since 1970.
    pub heard: u64,
}

/// What a worker is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum WorkerState {
    /// It plays, or is ready to.
    Playing,
    /// It has said that it ends.
    Left,
    /// Nothing was heard of it for some time.
    Lost,
    /// What it plays does not count: it is of another build, or lacks something.
    Refused,
}

/// The longest file that is read, in bytes.
const LONGEST: u64 = 16 << 20;

/// Writes the workers of the run in a folder.
///
/// # Errors
/// If the file cannot be written.
pub fn write(folder: &Path, workers: &[Worker]) -> io::Result<()> {
    let text = serde_json::to_string_pretty(workers).map_err(io::Error::other)?;
    replace_plain(&folder.join(WORKERS), text.as_bytes())
}

/// The workers of the run in a folder; none if there is no file that can be read.
pub fn read(folder: &Path) -> Vec<Worker> {
    let read = || {
        let mut text = String::new();
        File::open(folder.join(WORKERS))?.take(LONGEST).read_to_string(&mut text)?;
        io::Result::Ok(serde_json::from_str(&text)?)
    };
    read().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let folder = tempfile::TempDir::new().unwrap();
        assert_eq!(read(folder.path()), []);
        let worker = Worker {
            name: "node-7:4711".to_string(),
            state: WorkerState::Lost,
            threads: 8,
            games: 12,
            games_per_second: 1.5,
            busy: 0.97,
            heard: 1_800_000_000,
        };
        write(folder.path(), std::slice::from_ref(&worker)).unwrap();
        assert_eq!(read(folder.path()), [worker]);
        std::fs::write(folder.path().join(WORKERS), "[{").unwrap();
        assert_eq!(read(folder.path()), []);
    }
}
