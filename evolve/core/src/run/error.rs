//! The reasons why a run cannot start, resume or continue.

use crate::document::Faults;
use crate::model::trial::{Failure, LARGEST};
use crate::statistics::grouped;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// The reason why a run cannot start, resume or continue.
#[derive(Debug)]
pub enum RunError {
    /// The folder holds a run, but no checkpoint.
    NoCheckpoint(PathBuf),
    /// The folder already holds a run.
    Exists(PathBuf),
    /// The run was started with another job. Holds the lines that differ, as (then, now).
    OtherJob(PathBuf, String, String),
    /// The run was started with another size of a later stage. Holds the key and the sizes then and now.
    OtherSize(PathBuf, &'static str, usize, usize),
    /// A file that trials depend on has changed.
    OtherInput(PathBuf, String),
    /// The list of the files that trials depend on is missing or empty.
    NoInputs(PathBuf),
    /// Another process is executing the run.
    Busy(PathBuf),
    /// A file does not have the content that the run wrote.
    Damaged(PathBuf, String),
    /// A file cannot be read or written.
    Io(PathBuf, io::Error),
    /// A file of the run is not valid.
    Faults(Faults),
    /// The run belongs to another version of the program, which plays or searches differently.
    OtherVersion {
        /// The folder of the run.
        folder: PathBuf,
        /// The version of the run; `None` if it predates recorded versions.
        then: Option<u64>,
    },
    /// The budget does not cover one generation and the smallest test. Holds the budget and the smallest sufficient
    /// one.
    Budget(u64, u64),
    /// A trial failed, and the job says that a failure ends the run.
    Failed(Failure),
    /// A trial returned an unusable number. Holds the number and the seed of the deal.
    NotFinite(f64, u64),
}

impl RunError {
    /// The error of an operation on a file.
    pub fn io(path: &Path) -> impl FnOnce(io::Error) -> RunError + '_ {
        move |error| RunError::Io(path.to_path_buf(), error)
    }
}

impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RunError::Exists(folder) => write!(
                f,
                "{0} already holds a run: resume it (--resume), start another (--name {1}-2), or delete the folder to \
                    start again",
                folder.display(),
                folder.file_name().unwrap_or_default().display()
            ),
            RunError::NoCheckpoint(folder) => write!(
                f,
                "{} holds a run without its checkpoint, which cannot be resumed; to run the job again, use another \
                    folder, give the job another `name`, or move the folder away",
                folder.display()
            ),
            RunError::OtherJob(folder, then, now) => {
                // Values that `evolve export --into` writes into a source become the starts of its parameters.
                let why = if then.contains("start = ") { " (an export into the source changes `start`)" } else { "" };
                write!(
                    f,
                    "{} holds a run of another job: there `{then}`, here `{now}`{why}; give this job another `name`, or \
                     move the folder away",
                    folder.display()
                )
            }
            RunError::OtherSize(folder, key, then, now) => write!(
                f,
                "{} was started with {key} = {then}, and this job has {now}: a run keeps its sizes; restore {then}, \
                    and use `evolve compare` for more trials",
                folder.display()
            ),
            RunError::OtherInput(folder, input) => write!(
                f,
                "{input} has changed since the run in {} began: new scores would not be comparable; restore it, give \
                    the job another `name`, or resume with --allow-mismatch, after which the run is not reproducible",
                folder.display()
            ),
            RunError::NoInputs(list) => write!(
                f,
                "{}: missing or empty; it lists the checksums of the program and its inputs: restore it, or resume with \
                    --allow-mismatch, after which the run is not reproducible",
                list.display()
            ),
            RunError::Busy(folder) => write!(f, "{}: run is locked by another process", folder.display()),
            RunError::Damaged(path, what) => write!(
                f,
                "{}: {what}; restore the file, or move the folder away and start the run again",
                path.display()
            ),
            RunError::Io(path, error) => write!(f, "{}: {error}", path.display()),
            RunError::Faults(faults) => write!(f, "{faults}"),
            RunError::OtherVersion { folder, then } => write!(
                f,
                "{} was started by version {}, and this program is version {}: use the version that started it, start \
                    again under another `name`, or resume with --allow-mismatch, after which the run is not \
                    reproducible",
                folder.display(),
                then.map_or("0".to_string(), |version| version.to_string()),
                crate::VERSION
            ),
            RunError::Budget(budget, least) => write!(
                f,
                "`budget` = {budget} is too small: one generation of the search and the smallest test take {} trials",
                grouped(*least)
            ),
            // Messages about trials of programs begin with the instance: `on instance 7: ...`.
            RunError::Failed(Failure { message, .. }) => {
                let colon = if message.starts_with("on ") { "" } else { ":" };
                write!(f, "a trial failed{colon} {message}")
            }
            RunError::NotFinite(objective, seed) => write!(
                f,
                "a trial gave {objective} as its score or objective, on the instance of seed {seed}: it must be a number \
                    within plus or minus {LARGEST:e}; finished trials are saved"
            ),
        }
    }
}

impl std::error::Error for RunError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            RunError::Io(_, error) => Some(error),
            RunError::Faults(faults) => Some(faults),
            RunError::Failed(failure) => Some(failure),
            _ => None,
        }
    }
}
