//! Checkpoints: the state of a run in a file that is replaced in one step.
//!
//! The first line reads `evolve-checkpoint FORMAT CRC32`, where the checksum in hexadecimal covers the second line. The
//! second line is a [`Checkpoint`] in JSON, with every number exact.

use super::error::RunError;
use super::folder::{CHECKPOINT, Folder};
use super::state::State;
use crate::job::Job;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fs;
use std::io::ErrorKind;
use std::path::Path;

/// The version of the format, which changes when older files can no longer be read.
pub const FORMAT: u32 = 11;
const MAGIC: &str = "evolve-checkpoint";

/// The data from which a run resumes, with the identity of the run.
#[derive(Serialize, Deserialize)]
pub struct Checkpoint<S = State> {
    /// [`crate::VERSION`] of the program that wrote it.
    version: u64,
    /// The digest of the job.
    job: u32,
    /// The state of the run.
    pub state: S,
    /// The number of bytes of the log that belong to the run.
    pub log: u64,
    /// The optimizer's state.
    pub optimizer: Value,
}

/// Writes a checkpoint, replacing the old file in one step.
///
/// # Errors
/// If the file cannot be written. The old file then stays.
pub fn write(folder: &Folder, job: &Job, state: &State, log: u64, optimizer: Value) -> Result<(), RunError> {
    let checkpoint = Checkpoint { version: folder.version(), job: job.digest(), state, log, optimizer };
    let body = serde_json::to_string(&checkpoint).expect("a state has a JSON form");
    let checksum = crc32fast::hash(body.as_bytes());
    folder.write(CHECKPOINT, format!("{MAGIC} {FORMAT} {checksum:08x}\n{body}\n").as_bytes())
}

/// Reads a checkpoint.
///
/// # Errors
/// If the checkpoint cannot be read, is damaged, or belongs to another format, version or job.
pub fn read(folder: &Folder, job: &Job) -> Result<Checkpoint, RunError> {
    let path = folder.file(CHECKPOINT);
    let text = fs::read_to_string(&path).map_err(RunError::io(&path))?;
    let checkpoint = parse(&path, &text)?;
    if checkpoint.version != folder.version() {
        return Err(RunError::OtherVersion { folder: folder.path().to_path_buf(), then: Some(checkpoint.version) });
    }
    if checkpoint.job != job.digest() {
        let what = "the checkpoint belongs to another job than config.toml beside it";
        return Err(RunError::Damaged(path, what.to_string()));
    }
    Ok(checkpoint)
}

/// Reads the state from a checkpoint, even if the run could not resume from it. Returns `None` without a checkpoint.
///
/// # Errors
/// If the checkpoint cannot be read, is damaged or has another format.
pub fn state(path: &Path) -> Result<Option<State>, RunError> {
    let text = match fs::read_to_string(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        text => text.map_err(RunError::io(path))?,
    };
    Ok(Some(parse(path, &text)?.state))
}

fn parse(path: &Path, text: &str) -> Result<Checkpoint, RunError> {
    let damaged = |what: String| RunError::Damaged(path.to_path_buf(), what);
    let (head, body) = text.split_once('\n').unwrap_or((text, ""));
    let mut words = head.split(' ');
    if words.next() != Some(MAGIC) {
        return Err(damaged("not a checkpoint: wrong first line".to_string()));
    }
    let format = words.next().unwrap_or_default();
    if format != FORMAT.to_string() {
        return Err(damaged(format!("the checkpoint has format {format}; this program reads format {FORMAT}")));
    }
    let body = body.strip_suffix('\n').unwrap_or(body);
    if words.next() != Some(&format!("{:08x}", crc32fast::hash(body.as_bytes()))) {
        return Err(damaged("damaged: its checksum does not match".to_string()));
    }
    serde_json::from_str(body).map_err(|error| damaged(format!("not a state of a run: {error}")))
}
