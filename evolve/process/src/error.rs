//! Why a program cannot be started, and whose fault that is.

use std::error::Error;
use std::fmt;
use std::io;

use rustix::io::Errno;

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

/// Whether an error of starting a process or a thread is a shortage of this process or machine: of descriptors
/// (`EMFILE`, `ENFILE`, `ETOOMANYREFS`: those on their way to a supervisor), processes and threads (`EAGAIN`) or memory
/// (`ENOMEM`).
pub fn is_shortage(error: &io::Error) -> bool {
    matches!(
        Errno::from_io_error(error),
        Some(Errno::MFILE | Errno::NFILE | Errno::TOOMANYREFS | Errno::AGAIN | Errno::NOMEM)
    )
}

impl From<io::Error> for StartError {
    fn from(error: io::Error) -> Self {
        if is_shortage(&error) { Self::Shortage(error) } else { Self::Program(error) }
    }
}

impl fmt::Display for StartError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = match self {
            Self::Program(error) => return error.fmt(f),
            Self::Shortage(error) => match Errno::from_io_error(error) {
                Some(Errno::MFILE | Errno::TOOMANYREFS) => "this process has too many open files (see `ulimit -n`)",
                Some(Errno::NFILE) => "this machine has too many open files",
                Some(Errno::AGAIN) => "too many processes and threads (see `ulimit -u`)",
                _ => "this machine is out of memory",
            },
        };
        write!(f, "{what}: {}", self.reason())
    }
}

impl Error for StartError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        Some(self.reason())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whose_fault_it_is() {
        for errno in [Errno::MFILE, Errno::NFILE, Errno::TOOMANYREFS, Errno::AGAIN, Errno::NOMEM] {
            assert!(matches!(StartError::from(io::Error::from(errno)), StartError::Shortage(_)), "{errno}");
        }
        for errno in [Errno::NOENT, Errno::ACCESS, Errno::NOEXEC] {
            assert!(matches!(StartError::from(io::Error::from(errno)), StartError::Program(_)), "{errno}");
        }
        let text = StartError::from(io::Error::from(Errno::MFILE)).to_string();
        assert!(text.contains("ulimit -n"), "{text}");
    }
}
