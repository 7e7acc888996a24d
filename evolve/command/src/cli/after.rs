//! Jobs of runs that start where an earlier one ended.

use super::contestants::find_run;
use super::overrides::Overrides;
use super::{Failure, catalogue};
use evolve_core::job::policy_file::Policy;
use evolve_core::job::{Job, other_rating};
use evolve_core::names::TRIALS;
use evolve_core::run::Snapshot;
use evolve_program::normal;
use evolve_search::file::slashed;
use evolve_search::model::parameter::Parameter;
use evolve_search::model::parameter::follow::By;
use evolve_search::statistics::LEAST_SAMPLE;
use serde_json::json;
use std::path::{Path, PathBuf};

/// The largest number of earlier runs to learn from, the latest ones: each gets a share of the
/// trials that a model can hold.
const MOST_RUNS: usize = 4;

/// Returns the folder of the run that a name or a path stands for, as runs that follow it name it.
pub fn folder(run: &Path) -> PathBuf {
    here(&find_run(run).unwrap_or_else(|_| run.to_path_buf()))
}

/// Returns a path relative to the current folder, if it lies in it.
pub fn here(path: &Path) -> PathBuf {
    normal(path).unwrap_or_else(|| path.to_path_buf())
}

/// The jobs of a run that follows another one.
pub struct Following {
    /// The earlier job.
    pub earlier: Job,
    /// The job that starts at the values which the earlier run recommends.
    pub carried: Job,
    /// The job that starts at its own values.
    pub own: Job,
    /// Why the search does not learn from the earlier trials, though it could.
    unlearned: Option<String>,
}

impl Following {
    /// Returns the parameters that came or went since the earlier run, and why it is not learned
    /// from, in words.
    pub fn news(&self) -> Vec<String> {
        let names = |job: &Job| job.problem.parameters().into_iter().map(|one| one.name).collect::<Vec<_>>();
        let (before, now) = (names(&self.earlier), names(&self.carried));
        let without = |all: &[String], others: &[String]| -> Vec<String> {
            all.iter().filter(|name| !others.contains(name)).cloned().collect()
        };
        let said = |what: &str, names: Vec<String>| (!names.is_empty()).then(|| format!("{what} {}", names.join(", ")));
        let (new, gone) = (said("new", without(&now, &before)), said("gone", without(&before, &now)));
        let all: Vec<String> = new.into_iter().chain(gone).collect();
        let parameters =
            (!all.is_empty()).then(|| format!("parameters since {}: {}", self.earlier.name, all.join("; ")));
        parameters.into_iter().chain(self.unlearned.clone()).collect()
    }
}

/// Reads the jobs of a run that follows another one, with the keys that are `given`. The default
/// name and seed come after those of the earlier run. The search learns from the earlier trials
/// where it can, and the test leaves out the instances that they used, as long as there are others.
pub fn jobs(config: &Path, run: &Path, given: &Overrides) -> Result<Following, Failure> {
    let usage = |what: String| Failure::Usage(format!("--after {}: {what}", run.display()));
    let earlier = Job::recorded(run, catalogue()).map_err(|fault| usage(format!("no run: {fault}")))?;
    let policy = Policy::read(run, catalogue()).map_err(|fault| usage(fault.to_string()))?;
    if policy.verdict.is_none() && earlier.sizes.test != Some(0) {
        return Err(usage("the run has no verdict yet: resume it (`evolve run ... --resume`)".to_string()));
    }
    let folder = slashed(run);
    let next = Overrides::default().name(Some(&next_name(&earlier.name))).seed(Some(earlier.seed.wrapping_add(1)));
    let mut keys = next.then(given);
    let job = keys.job(config)?;
    let used = policy.verdict.as_ref().map_or(0, |verdict| {
        let tested = Snapshot::of(run, catalogue()).and_then(Result::ok).and_then(|run| run.verdict());
        // Without the checkpoint, each trial may have had an instance of its own.
        let count = tested.and_then(|verdict| verdict.instances()).unwrap_or(verdict.trials as usize);
        used(&job, &earlier, count)
    });
    if used > 0 {
        keys = keys.and("search.test_skips", used);
    }
    // Games record no trials, and a space that is too large to learn in starts at the values alone.
    let can_learn = job.problem.behaviour().is_external && job.optimizer.can_learn(&job.space).is_ok();
    let learns_from = job.optimizer.learns_from().filter(|_| can_learn);
    let unlearned = learns_from.and_then(|_| unlearned(run, &earlier, &job));
    if let Some(names) = learns_from.filter(|_| unlearned.is_none()) {
        let mut names = names.to_vec();
        names.retain(|name| slashed(&here(Path::new(name))) != folder);
        names.push(folder.clone());
        names.drain(..names.len().saturating_sub(MOST_RUNS));
        keys = keys.and("search.learn_from", json!(names));
    }
    let own = keys.job(config)?;
    // Start values of the job would outweigh those of the run.
    let start = Overrides::default().and("weights.values", "{}").and("weights.start", json!(folder));
    let carried = start.then(&keys).job(config)?;
    other_function(&earlier, &carried).map_or(Ok(()), |what| Err(usage(what)))?;
    Ok(Following { earlier, carried, own, unlearned })
}

/// Returns why a job cannot learn from the trials of a program's run.
fn unlearned(run: &Path, earlier: &Job, job: &Job) -> Option<String> {
    let differs = || {
        // Recorded ratios are of no use where scores are rated otherwise.
        let key = other_rating(&earlier.problem.sections(), &job.problem.sections())?;
        job.problem.objective(1.0).is_err().then(|| format!("this job has another `{key}`"))
    };
    let table = run.join(TRIALS);
    let why = match table.exists() {
        true => differs()?,
        false => format!("{} is gone", slashed(&table)),
    };
    Some(format!("the search learns nothing from the trials of {}, because {why}", earlier.name))
}

/// Returns why a function of features would not be the same in the job: its coefficients are shares
/// of a feature's range.
fn other_function(earlier: &Job, job: &Job) -> Option<String> {
    let range = |parameter: &Parameter| match parameter.follows.as_deref()?.by {
        By::Number { low, high } => Some([low, high]),
        By::Group(_) => None,
    };
    let before = earlier.problem.parameters();
    job.problem.parameters().iter().find_map(|now| {
        let [low, high] = range(before.iter().find(|parameter| parameter.name == now.name)?)?;
        let [least, most] = range(now).filter(|now| *now != [low, high])?;
        let (name, feature) = now.name.split_once(':')?;
        Some(format!(
            "`{name}` follows {feature} from {low} to {high} there, and from {least} to {most} in this job: to keep its function, \
             write by = {{ {feature} = [{low:?}, {high:?}] }}"
        ))
    })
}

/// Returns the number of instances that the test skips, because earlier tests used them; 0 if
/// too few are left. The last one of them used `count` instances.
fn used(job: &Job, earlier: &Job, count: usize) -> usize {
    let split = job.test_split();
    let Some(names) = job.problem.instances(split).filter(|_| !job.problem.is_tested_on_searched()) else { return 0 };
    let before = earlier.problem.instances(split).unwrap_or_default();
    let used = earlier.test_skips + count.min(before.len().saturating_sub(earlier.test_skips));
    let is_same = before.get(..used).is_some_and(|before| names.starts_with(before));
    if is_same && names.len() - used >= LEAST_SAMPLE { used } else { 0 }
}

/// Returns the name after one: `tour-2` after `tour`, `tour-3` after `tour-2`.
pub fn next_name(name: &str) -> String {
    let numbered = name.rsplit_once('-').and_then(|(stem, number)| Some((stem, number.parse::<u32>().ok()?)));
    match numbered {
        Some((stem, number)) if number < u32::MAX => format!("{stem}-{}", number + 1),
        _ => format!("{name}-2"),
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn names_count_on() {
        for (name, next) in
            [("tour", "tour-2"), ("tour-2", "tour-3"), ("a/b-9", "a/b-10"), ("first-try", "first-try-2")]
        {
            assert_eq!(super::next_name(name), next);
        }
    }
}
