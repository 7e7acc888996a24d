//! Kinds of problems.

use evolve_search::document::{Fault, Section};
use evolve_search::model::problem::Problem;
use schemars::Schema;
use std::sync::Arc;

/// A kind of problem that files declare in sections of its own.
pub trait ProblemKind: Sync {
    /// Returns the names of its sections. A file that has the first one declares a problem of this
    /// kind.
    fn sections(&self) -> &'static [&'static str];

    /// Returns the schema whose keys are the sections.
    fn schema(&self) -> Schema;

    /// Reads the complete problem from the top level of a file.
    ///
    /// # Errors
    /// The first fault in the sections.
    fn read(&self, top: &Section<'_>, reading: Reading) -> Result<Arc<dyn Problem>, Fault>;

    /// Reads the problem as an exported program plays it; `problem` is the one that the file tunes.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    fn read_submission(&self, _top: &Section<'_>, problem: &Arc<dyn Problem>) -> Result<Arc<dyn Problem>, Fault> {
        Ok(Arc::clone(problem))
    }
}

/// The purpose of reading a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reading {
    /// To play the problem: its programs and instances must exist.
    #[default]
    ToPlay,
    /// To inspect a run: the programs and instances may be missing or on another machine.
    ToLook,
}
