//! Marked values in the charts of weights.

use crate::error::ReportError;
use crate::tables::Run;
use evolve_core::job::Catalogue;
use evolve_core::job::Job;
use evolve_core::job::policy_file::Policy;
use evolve_core::names::{CONFIG, RECOMMENDATION};
use evolve_search::document::{Document, read_text};
use evolve_search::model::parameter::Parameter;
use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// The marked values of a weight.
#[derive(Clone, Debug)]
pub struct Mark {
    pub parameter: Parameter,
    pub start: f64,
    /// The recommended value, if the run is complete.
    pub recommended: Option<f64>,
    pub low: f64,
    pub high: f64,
}

/// Marked values by the names of weights.
pub type Marks = BTreeMap<String, Mark>;

/// Reads the marks of a run. Returns none if the job is missing, or not readable by this version.
pub fn read(folder: &Path, run: &Run, catalogue: &Catalogue) -> Result<Marks, ReportError> {
    let job = document(folder.join(CONFIG))?.and_then(|document| Job::parse(&document, &catalogue.to_look()).ok());
    let Some(job) = job else { return Ok(Marks::new()) };
    let weights = run.tested().map(|_| document(folder.join(RECOMMENDATION))).transpose()?.flatten();
    let policy = weights.and_then(|document| Policy::parse(&document, catalogue).ok());
    let mark = |&place: &usize| {
        let parameter = &job.space.parameters()[place];
        let (low, high) = parameter.range();
        let recommended = policy.as_ref().map(|policy| policy.values[place]);
        (
            parameter.name.clone(),
            Mark { parameter: parameter.clone(), start: job.space.start()[place], recommended, low, high },
        )
    };
    Ok(job.space.tuned_indices().iter().map(mark).collect())
}

/// Reads a file if it exists.
fn document(path: PathBuf) -> Result<Option<Document>, ReportError> {
    match read_text(&path) {
        Ok(text) => Ok(Some(Document::new(&path, text))),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(ReportError::Read(path, error)),
    }
}
