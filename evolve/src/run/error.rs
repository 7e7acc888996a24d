//! Why a run cannot start or go on.

use crate::document::Fault;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// Why a run cannot start or go on.
#[derive(Debug)]
pub enum RunError {
    /// The folder holds a run that cannot go on: its checkpoint is missing.
    NoCheckpoint(PathBuf),
    /// The folder already holds a run.
    Exists(PathBuf),
    /// The run was started with another job; the lines that differ, as (then, now).
    OtherJob(PathBuf, String, String),
    /// Another process is at it.
    Busy(PathBuf),
    /// A file is not what this run left behind.
    Damaged(PathBuf, String),
    /// A file cannot be read or written.
    Io(PathBuf, io::Error),
    /// A file of the run is not valid.
    Fault(Fault),
    /// The plots cannot be drawn.
    Plot(crate::plot::PlotError),
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
                "{} already holds a run; go on with it by `--resume`, or give the job another `name`, or move the \
                 folder away",
                folder.display()
            ),
            RunError::NoCheckpoint(folder) => write!(
                f,
                "{} holds the results of a run without its checkpoint, so that it cannot go on; to run it again, work in \
                 another folder, or give the job another `name`, or move the folder away",
                folder.display()
            ),
            RunError::OtherJob(folder, then, now) => write!(
                f,
                "{} holds a run of another job: there `{then}`, here `{now}`; give this job another `name`, or move \
                 the folder away",
                folder.display()
            ),
            RunError::Busy(folder) => write!(f, "{}: another process is at this run", folder.display()),
            RunError::Damaged(path, what) => write!(
                f,
                "{}: {what}; restore the file, or move the folder away and start the run again",
                path.display()
            ),
            RunError::Io(path, error) => write!(f, "{}: {error}", path.display()),
            RunError::Fault(fault) => write!(f, "{fault}"),
            RunError::Plot(error) => write!(f, "{error}"),
        }
    }
}

impl std::error::Error for RunError {}
