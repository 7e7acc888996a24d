//! What is marked on the path of a weight.

use crate::tables::Run;
use evolve_core::config::Job;
use evolve_core::policy_file::Policy;
use evolve_core::problem::Catalogue;
use std::collections::BTreeMap;
use std::path::Path;

/// The values of a weight worth a mark.
#[derive(Clone, Copy, Debug)]
pub struct Mark {
    /// Where it started.
    pub start: f64,
    /// What is recommended, once the run is complete.
    pub recommended: Option<f64>,
    /// The smallest value.
    pub low: f64,
    /// The largest value.
    pub high: f64,
}

/// Marks by the names of weights.
pub type Marks = BTreeMap<String, Mark>;

/// The marks of a run: none if the job is not beside its tables, or is none that can be read.
pub fn read(folder: &Path, run: &Run, catalogue: &Catalogue) -> Marks {
    let Ok(job) = Job::read(&folder.join("config.toml"), catalogue) else { return Marks::new() };
    let policy = run.verdict().and_then(|_| Policy::read(folder, catalogue).ok());
    let mark = |&place: &usize| {
        let parameter = &job.space.parameters()[place];
        let (low, high) = parameter.range();
        let recommended = policy.as_ref().map(|policy| policy.values[place]);
        (parameter.name.clone(), Mark { start: job.space.start()[place], recommended, low, high })
    };
    job.space.places().iter().map(mark).collect()
}
