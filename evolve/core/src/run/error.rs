//! The reasons why a run cannot start, resume or continue.

use evolve_search::document::Fault;
use evolve_search::model::trial::{Failure, LARGEST};
use evolve_search::statistics::grouped;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;
use thiserror::Error;

/// The reason why a run cannot start, resume or continue.
#[derive(Debug, Error)]
pub enum RunError {
    /// The folder holds a run, but no checkpoint.
    #[error(
        "{} holds a run without its checkpoint, which cannot be resumed; to run the job again, use another folder, give \
         the job another `name`, or move the folder away",
        .0.display()
    )]
    NoCheckpoint(PathBuf),
    /// The folder already holds a run.
    #[error("{} already holds a run", .0.display())]
    Exists(PathBuf),
    /// The run was started with another job. Holds the lines that differ, as (then, now).
    #[error(
        "{} holds a run of another job: there `{}`, here `{}`{}; give this job another `name`, or move the folder away",
        .0.display(),
        .1,
        .2,
        why_other(.1)
    )]
    OtherJob(PathBuf, String, String),
    /// The run was started with another size of a later stage. Holds the key and the sizes then and
    /// now.
    #[error(
        "{} was started with {} = {then}, and this job has {}: a run keeps its sizes; restore {then}, and use `evolve \
         compare` for more trials",
        .0.display(),
        .1,
        .3,
        then = .2
    )]
    OtherSize(PathBuf, &'static str, usize, usize),
    /// A file that trials depend on has changed.
    #[error("{} has changed since the run in {} began: new scores would not be comparable", .1, .0.display())]
    OtherInput(PathBuf, String),
    /// The list of the files that trials depend on is missing or empty.
    #[error("{}: missing or empty: it has the checksums of the program and its inputs", .0.display())]
    NoInputs(PathBuf),
    /// Another process is executing the run.
    #[error("{}: run is locked by another process", .0.display())]
    Busy(PathBuf),
    /// A file does not have the content that the run wrote.
    #[error("{}: {}; restore the file, or move the folder away and start the run again", .0.display(), .1)]
    Damaged(PathBuf, String),
    /// A file cannot be read or written.
    #[error("{}: {}", .0.display(), .1)]
    Io(PathBuf, #[source] io::Error),
    /// A file of the run is not valid.
    #[error("{0}")]
    Fault(#[source] Fault),
    /// The run belongs to another version of the program, which plays or searches differently.
    #[error(
        "{} was started by version {}, and this program is version {}",
        .folder.display(),
        .then.unwrap_or_default(),
        crate::VERSION
    )]
    OtherVersion {
        /// The folder of the run.
        folder: PathBuf,
        /// The version of the run; `None` if it predates recorded versions.
        then: Option<u64>,
    },
    /// The budget does not cover one generation and the smallest test. Holds the budget and the
    /// smallest sufficient one.
    #[error(
        "`budget` = {} is too small: one generation of the search and the smallest test take {} trials",
        .0,
        grouped(*.1)
    )]
    Budget(u64, u64),
    /// The time does not cover one generation and the smallest test. Holds the time, the seconds
    /// that a trial takes, and the trials and seconds of the shortest run.
    #[error(
        "`time` = {} is too short: one generation of the search and the smallest test take {} trials, and at about {:.2} s \
         for each, {:.0} s; raise `time`, or play more trials in parallel",
        humantime::format_duration(*.0),
        grouped(*.2),
        .1,
        .3
    )]
    Time(Duration, f64, u64, f64),
    /// A trial failed, and the job says that a failure ends the run.
    #[error("a trial failed{}: {}", .0.at(), .0.message)]
    Failed(#[source] Failure),
    /// Every trial failed. Holds their number and the first failure.
    #[error("every trial failed, all {} of them: there is no result; the first: {}", grouped(*.0), .1)]
    AllFailed(u64, String),
    /// A trial returned an unusable number. Holds the number and the seed of the case.
    #[error(
        "a trial gave {0} as its score or objective, on the instance of seed {1}: it must be a number within plus or \
         minus {LARGEST:e}; finished trials are saved"
    )]
    NotFinite(f64, u64),
}

impl RunError {
    /// The error of an operation on a file.
    pub fn io(path: &Path) -> impl FnOnce(io::Error) -> RunError + '_ {
        move |error| RunError::Io(path.to_path_buf(), error)
    }
}

/// Returns a reason for a line that differs: values that `evolve export --into` writes into a
/// source become the starts of its parameters.
fn why_other(then: &str) -> &'static str {
    if then.contains("start = ") { " (an export into the source changes `start`)" } else { "" }
}
