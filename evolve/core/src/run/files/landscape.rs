//! The landscape of a run, from its folder.

use super::{checkpoint, learned};
use crate::job::Job;
use crate::names::CHECKPOINT;
use evolve_search::optimizer::landscape::Landscape;
use std::path::Path;

/// Returns the landscape around the incumbent by the model of the search, from the last checkpoint
/// of the run in a folder; `None` without a model, or if the run could not resume. It needs neither
/// the program nor its instances.
pub fn landscape(folder: &Path, job: &Job) -> Option<Landscape> {
    let checkpoint = checkpoint::whole(&folder.join(CHECKPOINT)).ok()??;
    let job = learned::recalled(folder, job.clone(), checkpoint.state.learned).ok()?;
    job.resume_search(checkpoint.state.terms, &checkpoint.optimizer).ok()?.landscape()
}
