//! Programs exported from policies.

use evolve_core::job::policy_file::{Policy, Provenance};
use evolve_search::document::text::plain;
use std::any::Any;
use std::time::Duration;
use thiserror::Error;

/// A problem whose policies can be exported as programs.
pub trait Exportable: Sync {
    /// Returns a self-contained source file that plays each policy in the contest's dialogue,
    /// within `time_limit` for each game. The first policy is one of this problem; others may have
    /// other options.
    ///
    /// # Errors
    /// If the policies cannot be combined into one program that contests accept.
    fn export(&self, policies: &[Tuned<'_>], time_limit: Option<Duration>) -> Result<ExportedProgram, ExportError>;
}

/// The reason why an export failed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ExportError {
    /// The policies are incompatible, or have a value that source code cannot express.
    #[error("{0}")]
    Policies(String),
    /// A source file of the player cannot be merged into the program.
    #[error("{0}")]
    Source(String),
    /// The program is larger than contests accept.
    #[error("the program has {bytes} bytes; contests accept {most}")]
    TooLarge {
        /// The size without comments and indentation.
        bytes: usize,
        /// The contests' limit on the size of a source file.
        most: usize,
    },
}

/// The parts of a candidate that an exported program contains.
#[derive(Clone)]
pub struct Tuned<'a> {
    /// The problem, with the player of the program; its exporter knows the type.
    pub problem: &'a dyn Any,
    /// The values in the order of the problem's parameters.
    pub values: &'a [f64],
    /// A line for the top of the program: the player used for tuning, the run, and its verdict.
    pub about: String,
}

impl<'a> Tuned<'a> {
    /// Takes a policy as its program plays it.
    pub fn of(policy: &'a Policy) -> Self {
        let run =
            policy.run.as_ref().map(|Provenance { name, version, .. }| format!(", run `{name}` (version {version})"));
        let found = policy.result();
        let mut player = policy.problem.player().unwrap_or_default();
        let name = plain(&player.shift_remove("name").unwrap_or_default());
        let settings: Vec<_> = player.iter().map(|(name, value)| format!("{name} {}", plain(value))).collect();
        let settings = if settings.is_empty() { String::new() } else { format!(" ({})", settings.join(", ")) };
        let about = format!("Player `{name}`{settings}{}: {found}.", run.unwrap_or_default());
        Tuned { problem: &*policy.submission, values: &policy.values, about }
    }
}

/// An exported program.
#[derive(Debug)]
pub struct ExportedProgram {
    /// The source file.
    pub source: String,
    /// Notes for the user of the program, one line each.
    pub notes: Vec<String>,
}
