//! Programs made of policies.

use crate::model::setup::Setup;
use std::time::Duration;

/// A problem whose policies can be made into programs.
pub trait Exportable: Sync {
    /// A self-contained source file that plays each policy by the contest's dialogue, within `time_limit` a game.
    ///
    /// # Errors
    /// A message if the policies cannot be put in one program.
    fn export(&self, policies: &[Tuned<'_>], time_limit: Option<Duration>) -> Result<Program, String>;
}

/// What a program has of a policy.
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
    /// What its user should know about it, a line each.
    pub notes: Vec<String>,
}
