//! Faults in files, with their places.

use std::fmt;
use std::path::PathBuf;
use thiserror::Error;

/// A fault in a file: its place and a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The path of the file, or the flag that set the value.
    pub path: PathBuf,
    /// The line and column, from 1; `None` if the file as a whole is at fault.
    pub place: Option<(usize, usize)>,
    /// A description of the fault and the allowed values.
    pub message: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Fault { path, place, message } = self;
        match place {
            Some((line, column)) => write!(f, "{}:{line}:{column}: {message}", path.display()),
            None => write!(f, "{}: {message}", path.display()),
        }
    }
}

impl std::error::Error for Fault {}

/// A fault in a value, found where its section is not at hand.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{message}")]
pub struct Complaint {
    /// The names on the path from the section to the value.
    pub keys: Vec<String>,
    pub message: String,
}

impl Complaint {
    pub fn new(keys: &[&str], message: impl fmt::Display) -> Self {
        Complaint { keys: keys.iter().map(ToString::to_string).collect(), message: message.to_string() }
    }
}
