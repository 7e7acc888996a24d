//! Errors of runs and workers on several machines.

use evolve_search::model::problem::OpenError;
use thiserror::Error;

/// The reason why a run or a worker cannot use a server or a job. Messages say what happened,
/// where, and what to do.
#[derive(Debug, Error)]
pub enum NatsError {
    /// The address of the server, or a file to be sent, is invalid. No connection was attempted.
    #[error("{0}")]
    Usage(String),
    /// The server refuses the credentials. Trying again does not help.
    #[error("{0}")]
    Credentials(String),
    /// The server cannot be reached, or lacks a feature.
    #[error("{0}")]
    Server(String),
    /// The job cannot be played here, or not by this build.
    #[error("{0}")]
    Job(String),
    /// This machine lacks a resource: threads, space, permissions.
    #[error("{0}")]
    Machine(String),
}

impl From<NatsError> for OpenError {
    fn from(error: NatsError) -> Self {
        OpenError::Failed(error.to_string())
    }
}
