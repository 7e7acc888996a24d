//! Checkpoints: the state of a run in a file that is replaced in one step.
//!
//! The first line reads `evolve-checkpoint FORMAT CRC32`, where the checksum in hexadecimal covers
//! the other lines. The second line is a [`Brief`], the third one a [`Checkpoint`], both in JSON,
//! with every number exact.

use super::folder::Folder;
use super::log::LogPart;
use crate::job::Job;
use crate::names::CHECKPOINT;
use crate::run::course::Course;
use crate::run::course::state::State;
use crate::run::course::summary::Summary;
use crate::run::error::RunError;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fs;
use std::io::ErrorKind;
use std::path::Path;

/// The version of the format, which changes when older files can no longer be read.
pub const FORMAT: u32 = 1;
const MAGIC: &str = "evolve-checkpoint";

/// The data from which a run resumes, with the identity of the run.
#[derive(Serialize, Deserialize)]
pub struct Checkpoint<S = State> {
    /// [`crate::VERSION`] of the program that wrote it.
    version: u64,
    /// The digest of the job.
    job: u32,
    pub state: S,
    /// The part of the log that belongs to the run.
    pub log: LogPart,
    /// The optimizer's state.
    pub optimizer: Value,
}

/// The run in brief, which is read without the rest.
#[derive(Serialize, Deserialize)]
struct Brief {
    /// The checksum of the config with which it was made: under another one, the figures would be
    /// others.
    config: u32,
    run: Summary,
}

/// Writes a checkpoint, replacing the old file in one step.
///
/// # Errors
/// If the file cannot be written. The old file then stays.
pub fn write(folder: &Folder, course: &Course, job: &Job, log: LogPart) -> Result<(), RunError> {
    let (state, optimizer) = (course.state(), course.optimizer().state());
    let checkpoint = Checkpoint { version: folder.version(), job: job.digest(), state, log, optimizer };
    let (recorded, config) = folder.recorded();
    let brief = Brief { config, run: Summary::of(recorded, Some(state)) };
    let [brief, body] = [serde_json::to_string(&brief), serde_json::to_string(&checkpoint)];
    let body = [brief, body].map(|line| line.expect("a state has a JSON form")).join("\n");
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

/// Reads the state from a checkpoint, even if the run could not resume from it. Returns `None`
/// without a checkpoint.
///
/// # Errors
/// If the checkpoint cannot be read, is damaged or has another format.
pub fn state(path: &Path) -> Result<Option<State>, RunError> {
    Ok(whole(path)?.map(|checkpoint| checkpoint.state))
}

/// Reads a checkpoint like [`state`], with the state of the optimizer.
///
/// # Errors
/// If the checkpoint cannot be read, is damaged or has another format.
pub fn whole(path: &Path) -> Result<Option<Checkpoint>, RunError> {
    let text = match fs::read_to_string(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        text => text.map_err(RunError::io(path))?,
    };
    parse(path, &text).map(Some)
}

/// Reads the run in brief from a checkpoint that was written with this config; `None` if there is
/// none, or it is damaged.
pub fn summary(path: &Path, config: &[u8]) -> Option<Summary> {
    let text = fs::read_to_string(path).ok()?;
    let (brief, _) = lines(path, &text).ok()?;
    let brief: Brief = serde_json::from_str(brief).ok()?;
    (brief.config == crc32fast::hash(config)).then_some(brief.run)
}

fn parse(path: &Path, text: &str) -> Result<Checkpoint, RunError> {
    let (_, body) = lines(path, text)?;
    let damaged = |error| RunError::Damaged(path.to_path_buf(), format!("not a state of a run: {error}"));
    serde_json::from_str(body).map_err(damaged)
}

/// Returns the brief and the checkpoint proper, after checking the format and the checksum.
fn lines<'t>(path: &Path, text: &'t str) -> Result<(&'t str, &'t str), RunError> {
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
    body.split_once('\n').ok_or_else(|| damaged("not a state of a run: a line is missing".to_string()))
}
