//! The input of a page: the files of runs.

use crate::error::ReportError;
use crate::tables::Run;
use evolve_core::job::Catalogue;
use evolve_core::job::Job;
use evolve_core::job::policy_file::{FILE_NAME, Policy};
use evolve_core::run::Snapshot;
use evolve_core::run::state::Evidence;
use evolve_core::search::landscape::Landscape;
use evolve_core::statistics::Interval;
use std::path::{Path, PathBuf};

/// A run that was read from its folder.
pub struct Input {
    /// The name on the page.
    pub name: String,
    /// The folder as a user would type it.
    pub(super) folder: String,
    pub(super) path: PathBuf,
    pub job: Job,
    /// The recommendation; `None` until the run is complete.
    pub policy: Option<Policy>,
    pub(super) run: Run,
    /// The gain of the incumbent by the model of the search, in words.
    pub(super) modelled: Option<String>,
    /// The values of the incumbent, until the run is complete.
    pub(super) incumbent: Option<Vec<f64>>,
    /// The landscape by the model of the search.
    pub(super) landscape: Option<Landscape>,
}

impl Input {
    /// Reads the folder of a run. `shown` is its path as a user would type it.
    ///
    /// # Errors
    /// The missing or invalid file, and the fault.
    pub fn read(folder: &Path, shown: String, catalogue: &Catalogue) -> Result<Self, ReportError> {
        let job = Job::recorded(folder, catalogue).map_err(ReportError::Fault)?;
        let run = Run::read(folder)?;
        // Weights without a test in the tables do not show that the run is complete.
        let weights = folder.join(FILE_NAME);
        let has_weights = weights.try_exists().map_err(|error| ReportError::Read(weights, error))?;
        // Without a finalist or a test, only the checkpoint shows that the run is complete.
        let snapshot = Snapshot::of(folder, catalogue).and_then(Result::ok);
        let is_done = || snapshot.as_ref().is_some_and(Snapshot::is_complete);
        let complete = has_weights && (run.tested().is_some() || is_done());
        let figures = snapshot.as_ref().map(Snapshot::figures).filter(|of| of.evidence == Some(Evidence::Model));
        let modelled = figures.and_then(|figures| figures.gain).filter(|_| !complete);
        let policy = complete.then(|| Policy::read(folder, catalogue)).transpose().map_err(ReportError::Fault)?;
        let incumbent = Policy::read(folder, catalogue).ok().filter(|_| !complete).map(|policy| policy.values);
        let landscape = evolve_core::run::landscape(folder, &job);
        let (name, path) = (job.name.clone(), folder.to_path_buf());
        Ok(Input { name, folder: shown, path, job, policy, run, modelled, incumbent, landscape })
    }

    /// Returns how much better than the start the finalist was in the test.
    pub(super) fn gain(&self) -> Option<Interval> {
        self.run.tested()?.1.difference()
    }
}

/// Names runs with equal names by their folders.
pub fn distinguish_names(inputs: &mut [Input]) {
    let names: Vec<String> = inputs.iter().map(|input| input.name.clone()).collect();
    for input in inputs {
        if names.iter().filter(|name| **name == input.name).count() > 1 {
            input.name = input.folder.clone();
        }
    }
}
