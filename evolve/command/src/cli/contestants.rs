//! Finds candidates by the names that users give.

use super::overrides::Overrides;
use super::{Failure, catalogue, versions};
use evolve_core::job::policy_file::{Policy, weights_file};
use evolve_core::job::time_limit::seconds;
use evolve_core::names::{CONFIG, FINALIST, INCUMBENT, RECOMMENDATION, RESULTS};
use evolve_program::Program;
use evolve_search::model::problem::Declared;
use evolve_search::model::seed::Split;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use toml_edit::DocumentMut;

/// A policy with its name.
pub struct Contestant {
    /// The name as given.
    pub name: String,
    pub policy: Policy,
}

impl Contestant {
    /// Returns the same candidate on a machine that is slower by this factor.
    ///
    /// # Errors
    /// If the candidate receives no time limit.
    pub fn slowed(&self, factor: f64) -> Result<Self, Failure> {
        let slowed = Program::of(&*self.policy.problem).and_then(|program| program.slowed(factor));
        let slowed = slowed.ok_or_else(|| {
            let name = &self.name;
            Failure::Usage(format!(
                "--slowdown shortens the time limit, and {name} receives none: set `limit` in [program]"
            ))
        })?;
        let limit = slowed.time_limit(Split::Comparison).map(seconds).unwrap_or_default();
        let name = format!("{}, judge {factor} times slower ({limit})", self.name);
        Ok(Contestant { name, policy: Policy { problem: Arc::new(slowed), ..self.policy.clone() } })
    }

    /// Returns whether another candidate plays in the same way with the same values.
    pub fn is_same(&self, other: &Contestant) -> bool {
        let [one, other] = [&self.policy, &other.policy];
        one.values == other.values && one.problem.sections() == other.problem.sections()
    }
}

/// The source of a contestant's values.
enum Named {
    /// The values that the problem declares.
    Defaults,
    /// A weights file, or the folder of a run.
    Weights(PathBuf),
    /// The starting values of a job.
    Job(PathBuf),
    /// The command of another version of the program.
    Command(String),
}

/// Reads contestants. A name is a weights file, a run by its folder or its name below `results/`,
/// the [finalist](finalist_of) of a run, a job, `defaults` for the declared values of the others'
/// problem, or `NAME: COMMAND` for another program on the others' instances. `set` changes keys of
/// all files. With `as_submission`, each plays with the player of its exported program.
pub fn read(names: &[String], set: &Overrides, as_submission: bool) -> Result<Vec<Contestant>, Failure> {
    let named: Vec<Named> = names.iter().map(|name| find(name)).collect::<Result<_, _>>()?;
    let mut read: Vec<Option<Policy>> = named.iter().map(|named| policy(named, set)).collect::<Result<_, _>>()?;
    let has_commands = named.iter().any(|named| matches!(named, Named::Command(_)));
    let first = match read.iter().flatten().next() {
        Some(policy) => policy.clone(),
        None if has_commands => versions::bare(set)?,
        None => {
            let message = "`defaults` needs a problem: name a run, a weights file or a job as well";
            return Err(Failure::Usage(message.to_string()));
        }
    };
    for (named, policy) in named.iter().zip(&mut read) {
        match named {
            Named::Command(command) => *policy = Some(versions::of(&first, command)?),
            Named::Defaults => *policy = Some(defaults(&first)),
            _ => {}
        }
    }
    let mut policies: Vec<Policy> = read.into_iter().flatten().collect();
    if as_submission {
        policies.iter_mut().for_each(|policy| policy.problem = Arc::clone(&policy.submission));
    }
    let contestant = |(name, policy): (&String, Policy)| {
        let name = name.split_once(": ").filter(|_| !Path::new(name).exists()).map_or(name.as_str(), |(name, _)| name);
        Contestant { name: name.to_string(), policy }
    };
    comparable(names.iter().zip(policies).map(contestant).collect())
}

/// Makes candidates comparable, as far as their problems allow.
///
/// # Errors
/// If values are forbidden, or scores are not comparable.
pub fn comparable(mut contestants: Vec<Contestant>) -> Result<Vec<Contestant>, Failure> {
    versions::unify(contestants.iter_mut().map(|one| &mut one.policy).collect())?;
    let first = Arc::clone(&contestants[0].policy.problem);
    for Contestant { name, policy } in &contestants {
        let checked = policy.problem.check_values(&policy.values);
        checked.map_err(|error| Failure::Usage(format!("the values of {name} are {error}")))?;
    }
    for other in &contestants {
        if !other.policy.problem.compares(&*first) {
            let ([name, others], other) = ([&contestants[0].name, &other.name], &*other.policy.problem);
            return Err(Failure::Usage(match versions::otherwise_measured(&*first, other) {
                Some(keys) => {
                    format!("scores are only comparable with the same settings: {name} and {others} differ in {keys}")
                }
                None => format!(
                    "scores are only comparable for the same problem: {name} is for {}, {others} for {}",
                    first.title(),
                    other.title()
                ),
            }));
        }
    }
    Ok(contestants)
}

/// Finds a run by its folder or its name below `results/`, or a file.
///
/// # Errors
/// If there is no such run or file.
pub fn find_run(name: impl AsRef<Path>) -> Result<PathBuf, Failure> {
    let (name, results) = (name.as_ref(), Path::new(RESULTS));
    let below = results.join(name);
    // A program or a folder may have the name of its run; `./NAME` is never a run's name.
    let is_name = name.components().all(|part| matches!(part, Component::Normal(_)));
    let is_meant = || !(is_name && below.is_dir()) || has_values(name);
    match (name.exists() && is_meant(), below.is_dir()) {
        (true, _) => Ok(name.to_path_buf()),
        (false, true) => Ok(below),
        (false, false) => {
            let is_name = name.is_relative() && !name.starts_with(results);
            let also = if is_name { format!(" (also looked for {})", below.display()) } else { String::new() };
            Err(Failure::Usage(format!(
                "no run or weights file `{}`{also}; `evolve status` lists runs, and a version of a program is written \
                    `NAME: COMMAND`",
                name.display()
            )))
        }
    }
}

/// Returns whether a path is the folder of a run, a weights file or a job.
fn has_values(path: &Path) -> bool {
    let has = |name: &str| path.join(name).exists();
    let is_run = [CONFIG, RECOMMENDATION, INCUMBENT].into_iter().any(has);
    is_run || document(path).is_some_and(|file| ["program", "game"].iter().any(|section| file.contains_key(section)))
}

/// Reads a TOML file; `None` for other files.
fn document(path: &Path) -> Option<DocumentMut> {
    evolve_search::document::read_text(path).ok()?.parse().ok()
}

/// The end of a name that stands for the finalist of a run.
const OF_FINALIST: &str = ":finalist";

pub fn finalist_of(run: &Path) -> PathBuf {
    format!("{}{OF_FINALIST}", run.display()).into()
}

/// Returns the run in a name for its finalist, [`finalist_of`]; `None` for other names.
pub fn run_of_finalist(name: &Path) -> Option<&Path> {
    let run = name.to_str()?.strip_suffix(OF_FINALIST)?;
    (!name.exists()).then_some(Path::new(run))
}

/// Returns the file or folder with the values that a name stands for.
///
/// # Errors
/// If there is no such run or file, or the run has no finalist.
fn find_values(name: &Path) -> Result<PathBuf, Failure> {
    let Some(run) = run_of_finalist(name) else { return find_run(name) };
    let folder = find_run(run)?;
    let rejected = folder.join(FINALIST);
    if rejected.exists() {
        return Ok(rejected);
    }
    let without = |why: &str| Err(Failure::Usage(format!("{} has no finalist{why}", run.display())));
    if !folder.join(RECOMMENDATION).exists() {
        return without(" yet: the run is not complete");
    }
    match weights(&folder)?.verdict {
        Some(verdict) if verdict.adopted().is_none() => without(": the search found nothing better than the baseline"),
        // The run recommends its finalist.
        _ => Ok(folder),
    }
}

/// Reads the weights that an argument names: a file, a run by its folder or name, or the
/// [finalist](finalist_of) of a run.
pub fn weights(path: &Path) -> Result<Policy, Failure> {
    weights_with(path, &Overrides::default())
}

fn weights_with(path: &Path, set: &Overrides) -> Result<Policy, Failure> {
    let path = find_values(path)?;
    let file = weights_file(&path);
    let policy = set.document(&file).and_then(|document| Policy::parse(&document, catalogue()));
    policy.map_err(|fault| {
        let hint = match (path.is_dir() && !file.exists(), evolve_search::document::read_text(&file).is_err()) {
            (true, _) => " (is this the folder of a run that has finished a generation?)",
            (false, true) => " (a version of a program is written `NAME: COMMAND`)",
            (false, false) => "",
        };
        Failure::Usage(format!("{fault}{hint}"))
    })
}

fn find(name: &str) -> Result<Named, Failure> {
    if name == "defaults" && !Path::new(name).exists() {
        return Ok(Named::Defaults);
    }
    let path = find_values(Path::new(name));
    if let Some((_, command)) = name.split_once(": ").filter(|_| path.is_err()) {
        return Ok(Named::Command(command.trim().to_string()));
    }
    let path = path?;
    // Only a job has a section for the search.
    let is_job = document(&weights_file(&path)).is_some_and(|file| file.contains_key("search"));
    Ok(if is_job { Named::Job(path) } else { Named::Weights(path) })
}

fn policy(named: &Named, set: &Overrides) -> Result<Option<Policy>, Failure> {
    match named {
        Named::Defaults | Named::Command(_) => Ok(None),
        Named::Weights(path) => weights_with(path, set).map(Some),
        Named::Job(path) => Ok(Some(Policy::of_job(&set.job(path)?))),
    }
}

/// Returns a policy with the values that the problem declares.
pub fn defaults(policy: &Policy) -> Policy {
    let values = policy.problem.parameters().iter().map(|parameter| parameter.start).collect();
    Policy { values, run: None, verdict: None, ..policy.clone() }
}
