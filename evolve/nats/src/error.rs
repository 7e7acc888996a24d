//! Why nothing is played on many machines.

use evolve_core::model::problem::OpenError;
use thiserror::Error;

/// Why a run or a worker cannot use a server, or its job. Messages say what happened, where, and what to do.
#[derive(Debug, Error)]
pub enum NatsError {
    /// The address of the server or a file to be sent is not as it must be; nothing was tried yet.
    #[error("{0}")]
    Usage(String),
    /// The server refuses the credentials. Trying again does not help.
    #[error("{0}")]
    Credentials(String),
    /// The server cannot be reached, or lacks something.
    #[error("{0}")]
    Server(String),
    /// The job cannot be played here, or not by this build.
    #[error("{0}")]
    Job(String),
    /// This machine lacks something: threads, space, rights.
    #[error("{0}")]
    Machine(String),
}

impl From<NatsError> for OpenError {
    fn from(error: NatsError) -> Self {
        OpenError::Failed(error.to_string())
    }
}
