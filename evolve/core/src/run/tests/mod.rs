//! Tests of runs of a small problem: properties that hold with every evaluator and after every kind
//! of end.

mod battery;
mod caps;
mod damage;
mod effects;
mod exact;
mod files;
mod held;
mod known;
mod plugins;
mod refusals;
mod verdicts;

use super::files::views;
use super::*;
use crate::fixture::{catalogue, job, parse_with};
use crate::names;
use evolve_search::evaluator::{self, Threads, Trial};
use evolve_search::model::problem::Context;
use evolve_search::model::trial::{Failure, FailureKind, Outcome};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use tempfile::TempDir;

/// Returns an empty folder for results. In memory, files are on disk at once, so that thousands of
/// checkpoints take no time.
fn folder() -> TempDir {
    let memory = Path::new("/dev/shm");
    if memory.is_dir() { TempDir::new_in(memory) } else { TempDir::new() }.unwrap()
}

fn tiny() -> Job {
    job(&[])
}

fn threads(job: &Job, count: usize) -> Threads {
    Threads::open(&*job.problem, count, Context::default()).unwrap()
}

/// Sets the stop flag after some batches.
struct StopAfter<'a> {
    batches: usize,
    stop: &'a AtomicBool,
}

impl Watch for StopAfter<'_> {
    fn progress(&mut self, progress: &Progress) {
        assert!((0.0..=1.0).contains(&progress.figures.share), "{progress:?}");
        match self.batches.checked_sub(1) {
            Some(left) => self.batches = left,
            None => self.stop.store(true, Ordering::Relaxed),
        }
    }
}

type Begin<'a> = fn(&'a Job, &'a dyn Evaluator, &Path) -> Result<Run<'a>, RunError>;

/// Plays at most `batches` batches.
fn execute(run: &mut Run<'_>, batches: usize) -> Result<Ending, RunError> {
    // The size does not divide the number of trials of any schedule.
    run.pace.most = 7;
    let stop = AtomicBool::new(false);
    run.execute(&stop, &mut StopAfter { batches, stop: &stop })
}

/// Starts a run and plays at most `batches` batches.
fn play<'a>(begin: Begin<'a>, job: &'a Job, evaluator: &'a dyn Evaluator, results: &Path, batches: usize) -> Ending {
    let mut run = begin(job, evaluator, results).unwrap_or_else(|error| panic!("{error}"));
    execute(&mut run, batches).unwrap_or_else(|error| panic!("{error}"))
}

/// Returns the comparison of a test and its sample.
fn tested(verdict: &Verdict) -> (&Compared, &Sample) {
    match verdict {
        Verdict::Tested(compared, sample) => (compared, sample),
        _ => panic!("no test: {verdict:?}"),
    }
}

/// Executes a job without interruption and returns the verdict.
fn complete(job: &Job, results: &Path) -> Verdict {
    match play(Run::start, job, &threads(job, 2), results, usize::MAX) {
        Ending::Complete(verdict) => *verdict,
        Ending::Stopped => panic!("nobody stopped it"),
    }
}

/// Executes a job without interruption and returns its files.
fn whole(job: &Job) -> Files {
    let results = folder();
    complete(job, results.path());
    files(results.path())
}

/// Resumes a run and completes it.
fn resume(job: &Job, results: &Path) -> Verdict {
    match play(Run::resume, job, &threads(job, 2), results, usize::MAX) {
        Ending::Complete(verdict) => *verdict,
        Ending::Stopped => panic!("nobody stopped it"),
    }
}

fn file(results: &Path, name: &str) -> PathBuf {
    results.join("tiny").join(name)
}

type Files = BTreeMap<String, Vec<u8>>;

/// Returns the files of a run that must reproduce.
fn files(results: &Path) -> Files {
    let mut files = every_file(results);
    files.retain(|name, _| !["checkpoint", "log.jsonl", "timing.csv"].contains(&name.as_str()));
    files
}

/// Returns all files of a run.
fn every_file(results: &Path) -> Files {
    let entries = fs::read_dir(results.join("tiny")).unwrap().map(|entry| entry.unwrap());
    entries.map(|entry| (entry.file_name().into_string().unwrap(), fs::read(entry.path()).unwrap())).collect()
}

fn assert_same(a: &Files, b: &Files, what: &str) {
    assert_eq!(a.keys().collect::<Vec<_>>(), b.keys().collect::<Vec<_>>(), "{what}");
    for (name, bytes) in a {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        assert!(*bytes == b[name], "{what}: {name} differs\n{}\n{}", text(bytes), text(&b[name]));
    }
}

/// Returns the error of resuming a run.
fn refusal(job: &Job, results: &Path) -> RunError {
    match Run::resume(job, &threads(job, 1), results) {
        Err(error) => error,
        Ok(_) => panic!("it goes on"),
    }
}

/// Returns the message about the damaged files of a run.
fn damage(job: &Job, results: &Path) -> String {
    match refusal(job, results) {
        RunError::Damaged(_, what) => what,
        other => panic!("{other:?}"),
    }
}

/// Replaces a value in a checkpoint and updates its checksum.
fn forge(checkpoint: &str, place: &str, value: Value) -> String {
    let [_, brief, body] = checkpoint.lines().collect::<Vec<_>>().try_into().unwrap();
    let mut body: Value = serde_json::from_str(body).unwrap();
    *body.pointer_mut(place).unwrap_or_else(|| panic!("no {place}")) = value;
    let body = format!("{brief}\n{body}");
    let (format, checksum) = (checkpoint::FORMAT, crc32fast::hash(body.as_bytes()));
    format!("evolve-checkpoint {format} {checksum:08x}\n{body}\n")
}
