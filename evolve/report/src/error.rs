//! Errors in reading the files of a run and in drawing them.

use evolve_search::document::Fault;
use evolve_search::model::problem::OpenError;
use evolve_search::model::trial::PlayError;
use std::io;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// The reason why a run cannot be read or drawn.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ReportError {
    /// The run has neither a generation nor a validation.
    #[error("{}: nothing to plot yet; wait for the first generation", .0.display())]
    Empty(PathBuf),
    /// A file does not exist or cannot be read.
    #[error("cannot read {}: {}", .0.display(), .1)]
    Read(PathBuf, io::Error),
    /// A table has invalid content.
    #[error("{}: {}", .0.display(), .1)]
    Table(PathBuf, String),
    /// The job or the weights of the run are not valid.
    #[error("{0}")]
    Fault(Fault),
    /// A problem cannot be opened for replays.
    #[error("{0}")]
    Open(OpenError),
    /// A trial for the page failed.
    #[error("{0}")]
    Play(PlayError),
    /// A plot or its folder cannot be written.
    #[error("cannot write {}: {}", .0.display(), .1)]
    Write(PathBuf, io::Error),
}

impl ReportError {
    /// Creates the error of a file or folder that cannot be written.
    pub(crate) fn write(path: &Path) -> impl FnOnce(io::Error) -> Self {
        |error| Self::Write(path.to_path_buf(), error)
    }
}
