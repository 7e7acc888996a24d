//! The input of a page: the files of runs.

use crate::error::ReportError;
use crate::tables::Run;
use evolve_core::job::Catalogue;
use evolve_core::job::Job;
use evolve_core::job::policy_file::Policy;
use evolve_core::names::RECOMMENDATION;
use evolve_core::run::state::Evidence;
use evolve_core::run::{Snapshot, Verdict};
use evolve_search::file::slashed;
use evolve_search::optimizer::landscape::Landscape;
use evolve_search::statistics::Interval;
use std::fs;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

/// A run that was read from its folder.
pub struct Input {
    pub name: String,
    /// The folder as commands name it, from the folder in which the run was started.
    pub(super) folder: String,
    pub(super) path: PathBuf,
    pub job: Job,
    /// The recommendation; `None` until the run is complete.
    pub policy: Option<Policy>,
    pub(super) run: Run,
    /// The trials so far, and the verdict with the size of its test, as the checkpoint has them.
    pub(super) trials: Option<u64>,
    pub(super) verdict: Option<Verdict>,
    /// The time limits of the trials, in words.
    pub(super) time_limit: Option<String>,
    /// The gain of the incumbent by the model of the search, in words.
    pub(super) modelled: Option<String>,
    /// The values of the incumbent, until the run is complete.
    pub(super) incumbent: Option<Vec<f64>>,
    landscape: Option<Known>,
}

/// The landscape by the model of the search, as it was after some trials of the run.
#[derive(Clone)]
pub struct Known {
    trials: u64,
    is_complete: bool,
    landscape: Arc<Landscape>,
}

impl Known {
    /// Whether the landscape is good enough for a run after `trials` trials: it changes little with
    /// a tenth more of them.
    fn suits(&self, trials: u64, is_complete: bool) -> bool {
        self.is_complete == is_complete && (self.trials..=self.trials + self.trials / 10).contains(&trials)
    }
}

impl Input {
    /// Reads the folder of a run.
    ///
    /// # Errors
    /// The missing or invalid file, and the fault.
    pub fn read(folder: &Path, catalogue: &Catalogue) -> Result<Self, ReportError> {
        Self::read_after(folder, catalogue, None)
    }

    /// Reads the folder of a run of which an earlier landscape is known. A landscape is fitted only
    /// if the known one is too old.
    ///
    /// # Errors
    /// The missing or invalid file, and the fault.
    pub fn read_after(folder: &Path, catalogue: &Catalogue, known: Option<Known>) -> Result<Self, ReportError> {
        let job = Job::recorded(folder, catalogue).map_err(ReportError::Fault)?;
        let run = Run::read(folder)?;
        // Weights without a test in the tables do not show that the run is complete.
        let weights = folder.join(RECOMMENDATION);
        let has_weights = weights.try_exists().map_err(|error| ReportError::Read(weights, error))?;
        // Without a finalist or a test, only the checkpoint shows that the run is complete.
        let snapshot = Snapshot::of(folder, catalogue).and_then(Result::ok);
        let is_done = || snapshot.as_ref().is_some_and(Snapshot::is_complete);
        let complete = has_weights && (run.tested().is_some() || is_done());
        let figures = snapshot.as_ref().map(|snapshot| &snapshot.run.figures);
        let counted = figures.and_then(|figures| figures.trials);
        let time_limit = snapshot.as_ref().and_then(|snapshot| snapshot.run.time_limit.clone());
        let verdict = snapshot.as_ref().filter(|_| complete).and_then(Snapshot::verdict);
        let figures = figures.filter(|of| of.evidence == Some(Evidence::Model));
        let modelled = figures.and_then(|figures| figures.gain.clone()).filter(|_| !complete);
        let policy = complete.then(|| Policy::read(folder, catalogue)).transpose().map_err(ReportError::Fault)?;
        let incumbent = Policy::read(folder, catalogue).ok().filter(|_| !complete).map(|policy| policy.values);
        let trials = run.trials_played();
        let fit = || {
            let landscape = Arc::new(evolve_core::run::landscape(folder, &job)?);
            Some(Known { trials, is_complete: complete, landscape })
        };
        let landscape: Option<Known> = known.filter(|known| known.suits(trials, complete)).or_else(fit);
        // A run without validations has no file of its incumbent yet.
        let by_model = || {
            let landscape = &landscape.as_ref().filter(|_| !complete)?.landscape;
            let mut values = job.space.start().to_vec();
            job.space.tuned_indices().iter().zip(&landscape.values).for_each(|(&place, &value)| values[place] = value);
            Some(values)
        };
        let incumbent = incumbent.or_else(by_model);
        let (name, path) = (job.name.clone(), folder.to_path_buf());
        let folder = from_home(&fs::canonicalize(folder).unwrap_or_else(|_| path.clone()), &name);
        Ok(Input {
            name,
            folder,
            path,
            job,
            policy,
            run,
            trials: counted,
            verdict,
            time_limit,
            modelled,
            incumbent,
            landscape,
        })
    }

    /// Returns the landscape, for a later [`read_after`](Self::read_after).
    pub fn known(&self) -> Option<Known> {
        self.landscape.clone()
    }

    /// Returns the landscape by the model of the search.
    pub(super) fn landscape(&self) -> Option<&Landscape> {
        self.landscape.as_ref().map(|known| &*known.landscape)
    }

    /// Returns how much better than the start the finalist was in the test.
    pub(super) fn gain(&self) -> Option<Interval> {
        self.run.tested()?.1.difference()
    }
}

/// Returns a run's folder from the one in which the run was started: `results/NAME` below it. The
/// folder of a run with another name is given from the folder above it.
fn from_home(folder: &Path, name: &str) -> String {
    let components: Vec<_> = folder.components().collect();
    let named = Path::new(name).components().count();
    let taken = if folder.ends_with(name) { named + 1 } else { 1 };
    let is_relative = |component: &&Component<'_>| matches!(component, Component::Normal(_));
    let last = components.iter().rev().take(taken).take_while(is_relative).count();
    slashed(&components[components.len() - last..].iter().collect::<PathBuf>())
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_landscape_holds_for_a_tenth_more_trials() {
        let known = Known { trials: 200, is_complete: false, landscape: Arc::default() };
        assert!([200, 211, 220].into_iter().all(|trials| known.suits(trials, false)));
        // The end of a run, and a run that started again, have another one.
        assert!(!known.suits(221, false) && !known.suits(200, true) && !known.suits(20, false));
    }

    #[test]
    fn commands_name_runs_from_where_they_were_started() {
        let of = |folder: &str, name: &str| from_home(Path::new(folder), name);
        assert_eq!(of("/home/me/work/results/tour", "tour"), "results/tour");
        assert_eq!(of("/home/me/work/results/first/seed 2", "first/seed 2"), "results/first/seed 2");
        assert_eq!(of("/home/me/copies/tour", "other"), "tour");
        assert_eq!(of("/tour", "tour"), "tour");
        assert_eq!(of("/", "tour"), "");
    }
}
