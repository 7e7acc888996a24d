//! What can go wrong between the files of a run and its plots.

use std::fmt;
use std::io;
use std::path::PathBuf;

/// Why no plot was made.
#[derive(Debug)]
#[non_exhaustive]
pub enum PlotError {
    /// No run was given.
    NoRuns,
    /// A run holds neither a generation nor a held-out validation.
    EmptyRun {
        /// The folder of the run.
        run: PathBuf,
    },
    /// A file could not be opened or read.
    Read {
        /// The file.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// A file is not well-formed CSV, such as a row with a field too few.
    Csv {
        /// The file.
        path: PathBuf,
        /// The reader's reason, with the line.
        source: csv::Error,
    },
    /// A file has no header for a column that the plots need.
    MissingColumn {
        /// The file.
        path: PathBuf,
        /// The column's name.
        column: String,
    },
    /// A field holds something else than the number that belongs there.
    Value {
        /// The file.
        path: PathBuf,
        /// The line within the file, 1-based, the header included.
        line: u64,
        /// The column's name.
        column: String,
        /// What stands in the field.
        found: String,
        /// What should stand there.
        expected: &'static str,
    },
    /// A plot or its folder could not be written.
    Write {
        /// The file or folder.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// The drawing itself failed, for example because a name holds a control character.
    Draw(String),
}

impl fmt::Display for PlotError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoRuns => write!(f, "no run to plot"),
            Self::EmptyRun { run } => {
                let run = run.display();
                write!(f, "{run}: no generation and no held-out validation to plot; a run just begun has some soon")
            }
            Self::Read { path, source } => write!(f, "cannot read {}: {source}", path.display()),
            Self::Csv { path, source } => write!(f, "{}: {source}", path.display()),
            Self::MissingColumn { path, column } => {
                write!(f, "{}: no column {column:?}", path.display())
            }
            Self::Value { path, line, column, found, expected } => {
                write!(f, "{}: line {line}, column {column:?}: expected {expected}, found {found:?}", path.display())
            }
            Self::Write { path, source } => write!(f, "cannot write {}: {source}", path.display()),
            Self::Draw(reason) => write!(f, "cannot draw: {reason}"),
        }
    }
}

impl std::error::Error for PlotError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Read { source, .. } | Self::Write { source, .. } => Some(source),
            Self::Csv { source, .. } => Some(source),
            _ => None,
        }
    }
}
