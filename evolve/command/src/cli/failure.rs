//! Why a subcommand gave up.

use evolve_core::model::problem::OpenError;
use evolve_core::model::trial::PlayError;
use std::io::{self, ErrorKind};
use std::process::ExitCode;

/// The exit status of an interrupted command, by the convention of shells.
pub const INTERRUPTED: u8 = 130;

/// The reason that a subcommand failed. Faults in single arguments are found and reported while they are parsed.
#[derive(Debug)]
pub enum Failure {
    /// The arguments contradict each other, or name something that does not exist.
    Usage(String),
    /// The arguments were right, but the work failed.
    Work(String),
    /// The user stopped it.
    Stopped(String),
    /// Standard output is closed.
    Output(io::Error),
}

impl Failure {
    /// The message for the user, if any.
    pub fn message(&self) -> Option<String> {
        match self {
            Failure::Usage(message) | Failure::Work(message) | Failure::Stopped(message) => Some(message.clone()),
            // Whoever reads the output has seen enough, as in `evolve status | head -1`.
            Failure::Output(error) if error.kind() == ErrorKind::BrokenPipe => None,
            Failure::Output(error) => Some(format!("cannot write to standard output: {error}")),
        }
    }

    pub fn status(&self) -> ExitCode {
        ExitCode::from(match self {
            Failure::Usage(_) => 2,
            Failure::Stopped(_) => INTERRUPTED,
            // As if the signal of a broken pipe had ended the command, which is what shells expect.
            Failure::Output(error) if error.kind() == ErrorKind::BrokenPipe => 128 + 13,
            Failure::Work(_) | Failure::Output(_) => 1,
        })
    }
}

/// Errors of input and output other than standard output have messages of their own.
impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Failure::Output(error)
    }
}

impl From<OpenError> for Failure {
    fn from(error: OpenError) -> Self {
        match error {
            OpenError::Stopped(message) => Failure::Stopped(message),
            OpenError::Failed(message) => Failure::Work(message),
        }
    }
}

impl From<PlayError> for Failure {
    fn from(error: PlayError) -> Self {
        match error {
            PlayError::Stopped => Failure::Stopped("stopped".to_string()),
            PlayError::Fatal(failure) => Failure::Work(failure.to_string()),
        }
    }
}

#[cfg(feature = "nats")]
impl From<evolve_nats::NatsError> for Failure {
    fn from(error: evolve_nats::NatsError) -> Self {
        match error {
            evolve_nats::NatsError::Usage(message) => Failure::Usage(message),
            error => Failure::Work(error.to_string()),
        }
    }
}
