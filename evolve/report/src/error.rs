//! Errors in reading the files of a run and in drawing them.

use evolve_search::document::Fault;
use evolve_search::model::problem::OpenError;
use evolve_search::model::trial::PlayError;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// The reason why a run cannot be read or drawn.
#[derive(Debug)]
#[non_exhaustive]
pub enum ReportError {
    /// The run has neither a generation nor a validation.
    Empty(PathBuf),
    /// A file does not exist or cannot be read.
    Read(PathBuf, io::Error),
    /// A table has invalid content.
    Table(PathBuf, String),
    /// The job or the weights of the run are not valid.
    Fault(Fault),
    /// A problem cannot be opened for replays.
    Open(OpenError),
    /// A trial for the page failed.
    Play(PlayError),
    /// A plot or its folder cannot be written.
    Write(PathBuf, io::Error),
}

impl ReportError {
    /// Creates the error of a file or folder that cannot be written.
    pub(crate) fn write(path: &Path) -> impl FnOnce(io::Error) -> Self {
        |error| Self::Write(path.to_path_buf(), error)
    }
}

impl fmt::Display for ReportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty(run) => {
                let run = run.display();
                write!(f, "{run}: nothing to plot yet; wait for the first generation")
            }
            Self::Read(path, error) => write!(f, "cannot read {}: {error}", path.display()),
            Self::Fault(fault) => write!(f, "{fault}"),
            Self::Open(error) => write!(f, "{error}"),
            Self::Play(error) => write!(f, "{error}"),
            Self::Table(path, fault) => write!(f, "{}: {fault}", path.display()),
            Self::Write(path, error) => write!(f, "cannot write {}: {error}", path.display()),
        }
    }
}

impl std::error::Error for ReportError {}
