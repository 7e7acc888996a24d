//! Programs made of policies.

use crate::model::setup::Setup;
use std::time::Duration;
use thiserror::Error;

/// A problem whose policies can be made into programs.
pub trait Exportable: Sync {
    /// A self-contained source file that plays each policy by the contest's dialogue, within `time_limit` a game.
    ///
    /// # Errors
    /// If the policies cannot be put in one program that contests accept.
    fn export(&self, policies: &[Tuned<'_>], time_limit: Option<Duration>) -> Result<Program, ExportError>;
}

/// Why policies make no program.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ExportError {
    /// The policies do not go together, or hold a value that no source can.
    #[error("{0}")]
    Policies(String),
    /// A source of the player cannot be put into one file.
    #[error("{0}")]
    Source(String),
    /// The program is larger than contests accept.
    #[error("the program has {bytes} bytes; contests accept {most}")]
    TooLarge {
        /// Its size without comments and indentation.
        bytes: usize,
        /// Limit of the contests on a source file.
        most: usize,
    },
}

/// The parts of a candidate that an exported program contains.
#[derive(Clone, Debug)]
pub struct Tuned<'a> {
    /// The problem's options, and the player of the program.
    pub setup: Setup,
    /// The values in the order of the problem's parameters.
    pub values: &'a [f64],
    /// A line for the top of the program: the player that the values were tuned in, the run, and what that found.
    pub about: String,
}

/// An exported program.
#[derive(Debug)]
pub struct Program {
    /// Its source file.
    pub source: String,
    /// Notes for the user of the program, one line each.
    pub notes: Vec<String>,
}
