//! The versions that runs confirmed, of which the last one is the best.
//!
//! A version is a folder `versions/NUMBER` that appears in one step, complete: the source with its
//! values, built and played once, and its gain. Version 0 is the source as the author wrote
//! it. The link `best` beside `versions` names the last one.

use super::source::{Source, begin, finish};
use crate::cli::Failure;
use crate::cli::change::version_of;
use crate::cli::contestants::Contestant;
use chrono::{Local, SecondsFormat};
use evolve_core::job::policy_file::{Policy, toml_value};
use evolve_core::names::{BEST, RECOMMENDATION, VERSION, VERSIONS};
use evolve_search::document::Document;
use evolve_search::file::{link, rename, slashed};
use evolve_search::model::rating::Rating;
use evolve_search::statistics::Interval;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The trials that a version plays before it counts.
const PLAYED: &str = "2";

/// The name of an incomplete version, before a number.
const NEW: &str = "new";

/// The description of a version.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Version {
    pub number: u64,
    /// The run that it comes from.
    pub run: String,
    /// When it was confirmed.
    pub time: String,
    /// The gain of the objective over the version before, with its 95 % confidence interval; `None`
    /// for version 0.
    pub gain: Option<Interval>,
    /// How gains add up.
    pub rating: Rating,
    /// The test or comparison that confirmed it.
    pub evidence: String,
}

/// The versions of a job.
pub struct Versions {
    /// The folder of its first run.
    home: PathBuf,
}

impl Versions {
    pub fn of(home: &Path) -> Self {
        Versions { home: home.to_path_buf() }
    }

    /// Returns the folders of the versions with their descriptions, from the first to the best.
    pub fn all(&self) -> Vec<(PathBuf, Version)> {
        let entries = fs::read_dir(self.home.join(VERSIONS)).into_iter().flatten().flatten();
        let read = |folder: PathBuf| {
            let version: Version = serde_json::from_slice(&fs::read(folder.join(VERSION)).ok()?).ok()?;
            (folder.file_name()? == version.number.to_string().as_str()).then_some((folder, version))
        };
        let mut all: Vec<_> = entries.filter_map(|entry| read(entry.path())).collect();
        all.sort_by_key(|(_, version)| version.number);
        all
    }

    /// Removes incomplete versions of a killed process.
    pub fn clean(&self) {
        let entries = fs::read_dir(self.home.join(VERSIONS)).into_iter().flatten().flatten();
        for entry in entries.filter(|entry| entry.file_name().to_string_lossy().starts_with(&format!(".{NEW}-"))) {
            let _ = fs::remove_dir_all(entry.path());
        }
    }

    pub fn best(&self) -> Option<(PathBuf, Version)> {
        self.all().pop()
    }

    /// Returns the gain of the best version over version 0: the sum over all versions. Returns
    /// `None` if they do not measure on the same scale.
    pub fn gain(&self) -> Option<(Rating, Interval)> {
        Rating::sum_of(self.all().into_iter().filter_map(|(_, version)| Some((version.rating, version.gain?))))
    }

    /// Describes the best version: its folder, its gain and its values.
    pub fn text(&self) -> Result<String, Failure> {
        let Some((folder, version)) = self.best() else { return Ok(String::new()) };
        let mut text = format!("{}\n\n", slashed(&self.home.join(BEST)));
        text += &format!("version {}, confirmed {} by the {}\n", version.number, version.time, version.evidence);
        if let Some(gain) = version.gain {
            text += &format!("gain over version {}: {}\n", version.number - 1, version.rating.sentence(gain));
        }
        if let Some((rating, gain)) = self.gain().filter(|_| version.number > 1) {
            text += &format!("gain over version 0: {}, by {} steps\n", rating.sentence(gain), version.number);
        }
        let Policy { problem, values, .. } = policy(&folder)?;
        for (parameter, &value) in problem.parameters().iter().zip(&values) {
            text += &format!("  {} = {}\n", parameter.name, toml_value(parameter, value));
        }
        Ok(text)
    }

    /// Returns the best version as a candidate: the program that its run played.
    pub fn candidate(&self) -> Result<Option<Contestant>, Failure> {
        let Some((folder, version)) = self.best() else { return Ok(None) };
        let policy = policy(&folder)?;
        let candidate = version_of(Path::new(&version.run), &format!("version {}", version.number))?;
        Ok(candidate.map(|one| Contestant { policy: Policy { values: policy.values, ..one.policy }, ..one }))
    }

    /// Makes a version of a run's source with these values: writes, builds and plays it. Then it is
    /// the best one.
    ///
    /// # Errors
    /// If it cannot be built or played. The best version stays.
    pub fn add(&self, run: &Path, policy: &Policy, gain: Option<Interval>, evidence: &str) -> Result<(), Failure> {
        let Some(source) = Source::of(run)? else { return Ok(()) };
        let number = self.best().map_or(0, |(_, best)| best.number + 1);
        let folder = begin(&self.home.join(VERSIONS), NEW)?;
        let path = folder.path();
        let own = Policy {
            problem: source.policy.problem.clone(),
            submission: source.policy.submission.clone(),
            ..policy.clone()
        };
        source.write(&own, path)?;
        let write = |name: &str, text: &str| fs::write(path.join(name), text).map_err(Failure::at(&path.join(name)));
        write(RECOMMENDATION, &own.to_toml())?;
        play(path)?;
        let version = Version {
            number,
            run: slashed(run),
            time: Local::now().to_rfc3339_opts(SecondsFormat::Secs, false),
            gain,
            rating: own.problem.rating(),
            evidence: evidence.to_string(),
        };
        write(VERSION, &serde_json::to_string_pretty(&version).map_err(io::Error::from)?)?;
        finish(folder, &self.home.join(VERSIONS).join(number.to_string()))?;
        self.point()
    }

    /// Lets `best` name the last version, in one step.
    ///
    /// # Errors
    /// If the link cannot be made.
    pub fn point(&self) -> Result<(), Failure> {
        let Some((_, Version { number, .. })) = self.best() else { return Ok(()) };
        let (best, new) = (self.home.join(BEST), self.home.join(".best"));
        let target = Path::new(VERSIONS).join(number.to_string());
        if fs::read_link(&best).is_ok_and(|link| link == target) {
            return Ok(());
        }
        let _ = fs::remove_file(&new);
        // Windows does not replace a link to a folder.
        #[cfg(windows)]
        let _ = fs::remove_dir(&best);
        let linked = link(&target, &new).and_then(|()| rename(&new, &best));
        linked.map_err(|error| {
            Failure::Work(format!("{}: {error}; the best version is {}", best.display(), target.display()))
        })
    }
}

/// Reads the values of a version.
pub fn policy(folder: &Path) -> Result<Policy, Failure> {
    let file = folder.join(RECOMMENDATION);
    let policy = Document::read(&file).and_then(|document| Policy::parse(&document, crate::cli::catalogue()));
    policy.map_err(|fault| Failure::Work(fault.to_string()))
}

/// Builds the program in a folder, and plays it there.
///
/// # Errors
/// If it cannot be built, or a trial fails.
fn play(folder: &Path) -> Result<(), Failure> {
    let fault = |what: &str| Failure::Work(format!("the new version does not play: {}", what.trim()));
    let program = std::env::current_exe().map_err(|error| fault(&error.to_string()))?;
    let mut command = Command::new(program);
    command.args(["compare", RECOMMENDATION, "--trials", PLAYED, "--parallel", "1", "--json"]);
    let output =
        command.current_dir(folder).stdin(Stdio::null()).output().map_err(|error| fault(&error.to_string()))?;
    if !output.status.success() {
        return Err(fault(&String::from_utf8_lossy(&output.stderr)));
    }
    let measured: Value = serde_json::from_slice(&output.stdout).map_err(|error| fault(&error.to_string()))?;
    match measured["failures"].as_u64() {
        Some(0) => Ok(()),
        _ => Err(fault("a trial failed")),
    }
}
