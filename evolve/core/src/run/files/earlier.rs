//! Earlier tests on the instances of a test: the more often the same instances decide, the more
//! likely is a false gain.

use super::checkpoint;
use super::snapshot::Snapshot;
use crate::job::{Job, Stage};
use crate::names::CHECKPOINT;
use crate::run::course::verdict::Verdict;
use evolve_search::file::slashed;
use evolve_search::model::seed::Split;
use std::collections::BTreeSet;
use std::path::Path;

/// Returns the folders of the other runs below the results folder whose test used instances of this
/// run's test.
pub fn tests(folder: &Path, job: &Job, split: Split) -> Vec<String> {
    // The name of a run is its path in the results folder.
    let depth = job.name.split('/').count();
    let Some(results) = folder.ancestors().nth(depth) else { return Vec::new() };
    let others = Snapshot::below(results, &job.catalogue).into_iter().filter_map(Result::ok);
    let used = others.filter(|run| run.folder != folder && uses(run, job, split));
    used.map(|run| slashed(&run.folder)).collect()
}

/// Returns whether the complete run tested its finalist on instances of the test of `job`.
fn uses(run: &Snapshot, job: &Job, split: Split) -> bool {
    if !run.is_complete() {
        return false;
    }
    let Ok(Some(state)) = checkpoint::state(&run.folder.join(CHECKPOINT)) else { return false };
    let Ok(other) = Job::recorded(&run.folder, &job.catalogue) else { return false };
    if !matches!(state.verdict(), Some(Verdict::Tested(..))) || !is_same(&other, job) {
        return false;
    }
    match (other.test_instances(state.plan.split(Stage::Test)), job.test_instances(split)) {
        (Some(there), Some(here)) => {
            let there: BTreeSet<String> = there.into_iter().take(state.plan.test).collect();
            here.iter().any(|instance| there.contains(instance))
        }
        // Cases follow from the seed of the run.
        (None, None) => other.seed == job.seed,
        _ => false,
    }
}

/// Returns whether a run is about the same program, however it rates scores, or the same game.
fn is_same(run: &Job, job: &Job) -> bool {
    let (there, here) = (&run.problem, &job.problem);
    match (there.declared(), here.declared()) {
        (Some(_), Some(_)) => there.name() == here.name(),
        (None, None) => there.title() == here.title(),
        _ => false,
    }
}
