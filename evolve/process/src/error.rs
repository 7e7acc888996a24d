//! Errors when starting a program, and whether the program or this machine is the reason.

use std::error::Error;
use std::fmt;
use std::io;

use super::system;

/// The reason why a program cannot be started.
#[derive(Debug)]
pub enum StartError {
    /// The program does not exist or cannot be executed. Trying again does not help.
    Program(io::Error),
    /// This process or machine lacks descriptors, processes or memory. This says nothing about the
    /// program, which may start when fewer children run.
    Shortage(io::Error),
}

/// Returns the usual remedy for an error when starting `program`; empty if unknown.
pub fn hint(program: &str, error: &io::Error) -> &'static str {
    system::hint(program, error)
}

impl From<io::Error> for StartError {
    fn from(error: io::Error) -> Self {
        if system::shortage(&error).is_some() { Self::Shortage(error) } else { Self::Program(error) }
    }
}

impl fmt::Display for StartError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Program(error) => error.fmt(f),
            Self::Shortage(error) => match system::shortage(error) {
                Some(what) => write!(f, "{what}: {error}"),
                None => error.fmt(f),
            },
        }
    }
}

impl Error for StartError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Program(error) | Self::Shortage(error) => Some(error),
        }
    }
}
