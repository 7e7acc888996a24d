//! Faults in files, with their places.

use std::fmt;
use std::path::PathBuf;

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

impl Fault {
    /// Returns the line, from 1.
    pub fn line(&self) -> Option<usize> {
        self.place.map(|(line, _)| line)
    }
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

/// The faults in a file, at least one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Faults {
    /// The first faults in the order of the file, at most [`MOST_FAULTS`].
    pub faults: Vec<Fault>,
    /// The number of further faults.
    pub more: usize,
}

/// The number of faults in a file that are reported; further ones are only counted.
pub const MOST_FAULTS: usize = 20;

impl fmt::Display for Faults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, fault) in self.faults.iter().enumerate() {
            write!(f, "{}{fault}", if i > 0 { "\n" } else { "" })?;
        }
        if self.more > 0 { write!(f, "\nand {} more", self.more) } else { Ok(()) }
    }
}

impl std::error::Error for Faults {}

impl From<Fault> for Faults {
    fn from(fault: Fault) -> Self {
        Faults { faults: vec![fault], more: 0 }
    }
}
