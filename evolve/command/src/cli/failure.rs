//! The failures of subcommands.

use evolve_search::evaluator::Evaluator;
use evolve_search::model::problem::OpenError;
use evolve_search::model::trial::PlayError;
use std::fmt::Display;
use std::io::{self, ErrorKind};
use std::path::Path;
use std::process::ExitCode;

/// The exit status of an interrupted command, by the convention of shells.
pub const INTERRUPTED: u8 = 130;

/// The reason why a subcommand failed. Errors in a single argument are reported earlier, when it is
/// parsed.
#[derive(Debug)]
pub enum Failure {
    /// The arguments contradict each other, or name a missing item.
    Usage(String),
    /// The arguments were valid, but the work failed.
    Work(String),
    /// The user stopped the command.
    Stopped(String),
    /// Standard output is closed.
    Output(io::Error),
}

impl Failure {
    /// The message for the user, if any.
    pub fn message(&self) -> Option<String> {
        match self {
            Failure::Usage(message) | Failure::Work(message) | Failure::Stopped(message) => Some(message.clone()),
            // The reader has closed the pipe, as in `evolve status | head -1`.
            Failure::Output(error) if error.kind() == ErrorKind::BrokenPipe => None,
            Failure::Output(error) => Some(format!("cannot write to standard output: {error}")),
        }
    }

    /// Returns what makes a failure of an error of a file or folder.
    pub fn at<E: Display>(path: &Path) -> impl Fn(E) -> Self + Copy {
        move |error| Failure::Work(format!("{}: {error}", path.display()))
    }

    pub fn status(&self) -> ExitCode {
        ExitCode::from(match self {
            Failure::Usage(_) => 2,
            Failure::Stopped(_) => INTERRUPTED,
            // The status that shells expect from a command ended by the signal of a broken pipe.
            Failure::Output(error) if error.kind() == ErrorKind::BrokenPipe => 128 + 13,
            Failure::Work(_) | Failure::Output(_) => 1,
        })
    }
}

/// Checks that trials were played with the same files throughout.
pub fn check_inputs(evaluator: &dyn Evaluator) -> Result<(), Failure> {
    let message =
        |path| format!("{path} changed while trials were played, so their scores are not comparable: try again");
    evaluator.changed().map_or(Ok(()), |path| Err(Failure::Work(message(path))))
}

/// Converts errors of standard output; other errors of input and output become messages with their
/// files.
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
