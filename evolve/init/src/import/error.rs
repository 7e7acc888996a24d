//! Faults in files of other tuners.

use evolve_program::parameters::ParameterError;
use evolve_search::model::parameter::condition::ParseError;
use std::fmt::Display;
use std::io;
use std::path::PathBuf;
use thiserror::Error;

/// A fault in a file of another tuner.
#[derive(Debug, Error)]
pub enum ImportError {
    /// A fault at a place: in a file, on a line, of a name.
    #[error("{at}: {what}")]
    At {
        /// The place.
        at: String,
        /// The fault.
        what: Box<ImportError>,
    },
    /// The file cannot be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The file is not JSON.
    #[error(transparent)]
    Json(#[from] serde_json::Error),
    /// The file declares nothing in a known format.
    #[error(
        "{} declares no parameters; files of Optuna (.py), irace (scenario.txt, parameters.txt), SMAC (.pcs) and \
         ConfigSpace (.json) are read",
        .0.display()
    )]
    NoParameters(PathBuf),
    /// The file declares parameters, but none can be tuned.
    #[error("{} declares no parameter that can be tuned: {}", file.display(), notes.join("; "))]
    Nothing {
        /// The file.
        file: PathBuf,
        /// The reasons.
        notes: Vec<String>,
    },
    /// A line is not a declaration.
    #[error("`{0}` does not declare a parameter")]
    NoDeclaration(String),
    /// Another parameter has the same name.
    #[error("it is declared twice")]
    Twice,
    /// No parameter has this name.
    #[error("no parameter `{0}`")]
    Unknown(String),
    /// The choices cannot be read as a list.
    #[error("its choices are not a list: `{0}`")]
    NoList(String),
    /// A text is not a number.
    #[error("`{0}` is not a number")]
    Number(String),
    /// The numbers are not a range.
    #[error("[{min}, {max}] is not a range{}", if *log { " above 0" } else { "" })]
    Range {
        /// The lower end.
        min: f64,
        /// The upper end.
        max: f64,
        /// Whether the range is logarithmic.
        log: bool,
    },
    /// A text is not a range.
    #[error("({0}) is not a range of two numbers")]
    Domain(String),
    /// A kind of parameter has no counterpart.
    #[error("the type `{0}` has no counterpart")]
    Kind(String),
    /// A range has one end, or more than two.
    #[error("a range has two ends")]
    Ends,
    /// A text is not a comparison.
    #[error("`{0}` is not a comparison")]
    Comparison(String),
    /// A condition is nested too deeply.
    #[error("the condition is nested too deeply")]
    Deep,
    /// A condition is wrong.
    #[error(transparent)]
    Condition(#[from] ParseError),
    /// A parameter cannot be declared.
    #[error(transparent)]
    Parameter(#[from] ParameterError),
    /// The condition of a parameter is never true.
    #[error("its condition is never true")]
    Never,
    /// A condition has too many comparisons.
    #[error("it has {0} comparisons, and the maximum is {1}")]
    Many(usize, usize),
}

impl ImportError {
    /// Adds a place to the fault.
    pub fn at(self, at: impl Display) -> Self {
        ImportError::At { at: at.to_string(), what: Box::new(self) }
    }
}
