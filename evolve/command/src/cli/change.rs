//! A program that changed between two runs: the version of the earlier run against the new one.

use super::after::Following;
use super::compare::{self, CompareJson, Compared};
use super::contestants::{Contestant, comparable, weights};
use super::progress::{say, show};
use super::{Failure, catalogue, context};
pub use crate::lineage::Change;
use evolve_core::job::Job;
use evolve_core::job::policy_file::Policy;
use evolve_core::judgement::comparison::Answer;
use evolve_core::run::{Figures, Snapshot};
use evolve_program::{Program, changed_file};
use evolve_search::evaluator::Threads;
use evolve_search::file::slashed;
use evolve_search::model::problem::Problem;
use evolve_search::model::seed::Split;
use evolve_search::statistics::LEAST_SAMPLE;
use std::path::Path;
use std::sync::Arc;

/// Keeps the change before a new run, if any, in its folder.
pub fn keep(change: Option<&Change>, run: &Path) -> Result<(), Failure> {
    Change::keep(change, run).map_err(Failure::at(run))
}

/// The version that a run played, with the values that it recommends: its own copy of the program.
/// `None` if it has no copy.
pub fn version_of(run: &Path, name: &str) -> Result<Option<Contestant>, Failure> {
    let policy = weights(run)?;
    let program = Program::of(&*policy.problem).and_then(|program| program.of_run(run));
    Ok(program
        .map(|program| Contestant { name: name.to_string(), policy: Policy { problem: Arc::new(program), ..policy } }))
}

/// The baseline of a job.
fn version_of_job(job: &Job, name: &str) -> Contestant {
    Contestant { name: name.to_string(), policy: Policy::of_job(job) }
}

/// Returns the change of a built program since a run, without a comparison; `None` if it has not
/// changed.
pub fn unmeasured(run: &Path, problem: &dyn Problem) -> Option<Change> {
    let file = changed_file(run).or_else(|| Program::of(problem)?.changed_since(run))?;
    let (run, file) = (slashed(run), slashed(&file));
    Some(Change { run, file, answer: Answer::Open, gain: None, has_own_values: false })
}

/// Compares the version of the earlier run with the new one, if the program has changed: with the
/// values of the earlier run, and with its own ones. Shows the result. Returns the job that starts
/// at the better values, and the change.
///
/// # Errors
/// If the new program cannot be built or played.
pub fn better(run: &Path, jobs: &Following, parallel: usize) -> Result<(Job, Option<Change>), Failure> {
    let Following { carried, own, .. } = jobs;
    let without = |change| Ok((carried.clone(), change));
    if Program::of(&*carried.problem).is_none() {
        return without(None);
    }
    let before = version_of(run, &format!("{}, as it was", slashed(run)))?;
    // Builds the program.
    drop(Threads::open(&*carried.problem, 1, context())?);
    let Some(change) = unmeasured(run, &*carried.problem) else { return without(None) };
    let file = &change.file;
    // Without a copy of the file, the earlier version is gone.
    let Some(before) = before.filter(|_| changed_file(run).is_some()) else {
        say(&format!("{file} has changed since {}, which has no copy of it to compare with", slashed(run)));
        return without(Some(change));
    };
    let mut all = vec![before, version_of_job(carried, "the new program with these values")];
    if own.space.start() != carried.space.start() {
        all.push(version_of_job(own, "the new program with its own values"));
    }
    let all = match comparable(all) {
        Ok(all) => all,
        Err(error) => {
            say(&format!("{file} has changed: {}", error.message().unwrap_or_default()));
            return without(Some(change));
        }
    };
    say(&format!("{file} has changed since {}: comparing both versions", slashed(run)));
    let document = compare::Args::of(trials(run, carried), carried.seed, parallel).compare(&all)?;
    show(&format!("{}\n", document.text()))?;
    let (place, compared) = best(&document);
    let gain = compared.paired.gain();
    let text = all[0].policy.problem.rating().text(gain);
    let change = Change { answer: compared.answer, gain: Some(gain), has_own_values: place == 2, ..change };
    let values = if change.has_own_values { "the values in its source" } else { "the values of the earlier run" };
    say(&format!("the new program is {} ({text}); the search starts at {values}", change.answer));
    Ok((if change.has_own_values { own } else { carried }.clone(), Some(change)))
}

/// Returns the candidate with the largest gain over the first one.
fn best(document: &CompareJson) -> (usize, &Compared) {
    let others =
        document.candidates.iter().enumerate().filter_map(|(place, row)| Some((place, row.compared.as_ref()?)));
    let mean = |compared: &Compared| compared.paired.gain().mean;
    others.max_by(|a, b| mean(a.1).total_cmp(&mean(b.1)).then(b.0.cmp(&a.0))).expect("a comparison has two candidates")
}

/// Returns the number of trials of each version: half as many as the test of the coming run has.
pub fn trials(run: &Path, job: &Job) -> usize {
    let figures = Snapshot::of(run, catalogue()).and_then(Result::ok).map(|run| run.run.figures);
    let pace =
        figures.and_then(|Figures { seconds, trials, .. }| Some(seconds? / trials.filter(|&all| all > 0)? as f64));
    let test = job.plan(job.trials(pace)).test / 2;
    let listed = job.problem.instances(Split::Comparison).map_or(usize::MAX, |names| names.len());
    test.max(LEAST_SAMPLE).min(listed).max(2)
}
