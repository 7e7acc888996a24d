//! Why a program cannot be started, and whose fault that is.

use std::error::Error;
use std::fmt;
use std::io;

use super::system;

/// Why a program cannot be started.
#[derive(Debug)]
pub enum StartError {
    /// There is no such program, or it cannot be executed: trying again changes nothing.
    Program(io::Error),
    /// This process or machine is short of descriptors, processes or memory, which says nothing about the program:
    /// with fewer children at a time it may work.
    Shortage(io::Error),
}

impl StartError {
    /// The operating system's reason.
    pub fn reason(&self) -> &io::Error {
        match self {
            Self::Program(error) | Self::Shortage(error) => error,
        }
    }
}

/// Whether an error of starting a process or a thread is a shortage of this process or machine: of open files, processes
/// and threads, or memory.
pub fn is_shortage(error: &io::Error) -> bool {
    system::shortage(error).is_some()
}

/// The usual remedy for the error of starting a program, named as it was; empty if none is known.
pub fn hint(program: &str, error: &io::Error) -> &'static str {
    system::hint(program, error)
}

impl From<io::Error> for StartError {
    fn from(error: io::Error) -> Self {
        if is_shortage(&error) { Self::Shortage(error) } else { Self::Program(error) }
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
        Some(self.reason())
    }
}
