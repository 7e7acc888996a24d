//! Programs made of policies.

use crate::policy_file::Policy;
use std::time::Duration;

/// A problem whose policies can be made into programs.
pub trait Exportable: Sync {
    /// A self-contained source file that plays each policy by the contest's dialogue, within `time_limit` a game.
    ///
    /// # Errors
    /// A message if the policies cannot be put in one program.
    fn export(&self, policies: &[&Policy], time_limit: Option<Duration>) -> Result<Program, String>;
}

/// An exported program.
#[derive(Debug)]
pub struct Program {
    /// Its source file.
    pub source: String,
    /// What its user should know about it, a line each.
    pub notes: Vec<String>,
}
