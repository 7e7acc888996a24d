//! Checkpoints: the state of a run in a file that is either whole or not there.
//!
//! The first line reads `evolve-checkpoint VERSION CRC32 LENGTH`, the checksum in hexadecimal and the length in bytes
//! both of what follows: the [`State`] in JSON, every number exact. The generator's state is in it: each
//! generation's random numbers are a stream that the run's seed and the generation's number determine.

use super::error::RunError;
use super::files::replace;
use super::state::State;
use crate::config::Job;
use std::path::Path;

/// The version of the format; changes whenever older files cannot be read.
pub const VERSION: u32 = 1;
const MAGIC: &str = "evolve-checkpoint";

/// Writes a checkpoint: a new file takes the place of the old one in one step.
///
/// # Errors
/// If the file cannot be written; the old one then stays.
pub fn write(path: &Path, job: &Job, state: &State) -> Result<(), RunError> {
    debug_assert!(state.fits(job));
    let body = serde_json::to_string(state).expect("a state has only finite numbers and texts");
    let checksum = crc32fast::hash(body.as_bytes());
    replace(path, format!("{MAGIC} {VERSION} {checksum:08x} {}\n{body}\n", body.len()).as_bytes())
}

/// Reads a checkpoint.
///
/// # Errors
/// If it cannot be read, is damaged, of another version or of another job.
pub fn read(path: &Path, job: &Job) -> Result<State, RunError> {
    let bytes = std::fs::read(path).map_err(RunError::io(path))?;
    parse(&bytes, job).map_err(|what| RunError::Damaged(path.to_path_buf(), what))
}

fn parse(bytes: &[u8], job: &Job) -> Result<State, String> {
    let text = std::str::from_utf8(bytes).map_err(|_| "not a checkpoint: no text".to_string())?;
    let (head, body) = text.split_once('\n').ok_or("not a checkpoint: no first line")?;
    let [magic, version, checksum, length] = head.split(' ').collect::<Vec<_>>()[..] else {
        return Err("not a checkpoint: its first line is another".to_string());
    };
    if magic != MAGIC {
        return Err("not a checkpoint: its first line is another".to_string());
    }
    if version != VERSION.to_string() {
        return Err(format!("a checkpoint of format {version}; this program reads format {VERSION}"));
    }
    let body = body.strip_suffix('\n').unwrap_or(body);
    if length != body.len().to_string() {
        return Err(format!("cut short: {} bytes of {length}", body.len()));
    }
    if checksum != format!("{:08x}", crc32fast::hash(body.as_bytes())) {
        return Err("damaged: its checksum does not match".to_string());
    }
    let state: State = serde_json::from_str(body).map_err(|error| format!("not a state of a run: {error}"))?;
    if state.fits(job) {
        Ok(state)
    } else {
        Err("a checkpoint of another job, or one that contradicts itself".to_string())
    }
}
