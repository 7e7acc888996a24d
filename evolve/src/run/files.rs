//! The folder of a run.

use super::error::RunError;
use super::records::TABLES;
use super::state::State;
use crate::config::Job;
use crate::policy_file::{FILE_NAME, Policy};
use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

/// The folder of a run, locked against other processes for as long as this value lives.
pub struct Folder {
    path: PathBuf,
    _lock: File,
}

const CHECKPOINT: &str = "checkpoint";
const CONFIG: &str = "config.toml";

impl Folder {
    /// Makes the folder of a new run, with its resolved config.
    ///
    /// # Errors
    /// If it already holds a run, or cannot be written.
    pub fn create(results: &Path, job: &Job) -> Result<Self, RunError> {
        let path = results.join(&job.name);
        fs::create_dir_all(&path).map_err(RunError::io(&path))?;
        let lock = lock(&path)?;
        let folder = Folder { path, _lock: lock };
        if [CONFIG, CHECKPOINT, FILE_NAME].iter().any(|name| folder.file(name).exists()) {
            return Err(RunError::Exists(folder.path));
        }
        // A run writes its first checkpoint before its first row, so these rows are of a run that lost its other files.
        let holds_rows = |name: &str| fs::metadata(folder.file(name)).is_ok_and(|file| file.len() > 0);
        if TABLES.iter().any(|name| holds_rows(name)) {
            return Err(RunError::Exists(folder.path));
        }
        replace(&folder.file(CONFIG), job.to_toml().as_bytes())?;
        Ok(folder)
    }

    /// Opens the folder of a run that was started with this job; `None` if there is no run in it. The limits of
    /// evolution may differ: that is how a run is prolonged.
    ///
    /// # Errors
    /// If the run was started with another job.
    pub fn open(results: &Path, job: &Job) -> Result<Option<Self>, RunError> {
        let path = results.join(&job.name);
        let config = path.join(CONFIG);
        if !path.join(CHECKPOINT).exists() {
            // Stopped before the first checkpoint: nothing was played yet.
            if config.exists() && !path.join(FILE_NAME).exists() {
                let _lock = lock(&path)?;
                check_same(&path, job)?;
                fs::remove_file(&config).map_err(RunError::io(&config))?;
            }
            return Ok(None);
        }
        let lock = lock(&path)?;
        check_same(&path, job)?;
        let text = fs::read_to_string(&config).map_err(RunError::io(&config))?;
        if text != job.to_toml() {
            replace(&config, job.to_toml().as_bytes())?;
        }
        Ok(Some(Folder { path, _lock: lock }))
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// A file in it.
    pub fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// The checkpoint's file.
    pub fn checkpoint(&self) -> PathBuf {
        self.file(CHECKPOINT)
    }

    /// Writes the recommended weights and the plots of a complete run.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn write_results(&self, job: &Job, state: &State) -> Result<(), RunError> {
        replace(&self.file(FILE_NAME), recommended(job, state).as_bytes())?;
        crate::plot::plot_run(&self.path).map_err(RunError::Plot)?;
        Ok(())
    }
}

/// The recommended weights with the verdict on them.
fn recommended(job: &Job, state: &State) -> String {
    let verdict = state.verdict.as_ref().expect("a complete run has a verdict");
    let chosen = state.chosen.as_ref().expect("a complete run has chosen a finalist");
    let weights = if verdict.is_improvement() { chosen.weights.clone() } else { job.space.start().to_vec() };
    let policy = Policy {
        game: job.game,
        options: job.options.clone(),
        player: job.player.clone(),
        submission: job.submission.clone(),
        weights,
    };
    let mut text = String::new();
    for line in verdict.to_string().lines() {
        writeln!(text, "# {line}").expect("writing to a string does not fail");
    }
    text.push('\n');
    text.push_str(&policy.to_toml());
    let (low, high) = verdict.interval;
    write!(
        text,
        "\n[verdict]\nimprovement = {}\nfinalist = \"{}\"\ngeneration = {}\ngames = {}\nstart = {:?}\nmean = {:?}\n\
         difference = {:?}\nlow = {low:?}\nhigh = {high:?}\n",
        verdict.is_improvement(),
        verdict.finalist,
        verdict.generation,
        verdict.games,
        verdict.start,
        verdict.mean,
        verdict.difference,
    )
    .expect("writing to a string does not fail");
    text
}

/// Compares the job of a run with this one, apart from what changes no game that was played: limits of evolution, and
/// the player of the exported program.
fn check_same(path: &Path, job: &Job) -> Result<(), RunError> {
    let config = path.join(CONFIG);
    let then = Job::read(&config).map_err(RunError::Fault)?;
    let then = Job { limits: job.limits, submission: job.submission.clone(), ..then }.to_toml();
    let now = job.to_toml();
    let mut pairs = then.lines().zip(now.lines());
    match pairs.find(|(then, now)| then != now) {
        Some((then, now)) => {
            Err(RunError::OtherJob(path.to_path_buf(), then.trim().to_string(), now.trim().to_string()))
        }
        None if then.len() != now.len() => {
            Err(RunError::OtherJob(path.to_path_buf(), "another last section".into(), "this one".into()))
        }
        None => Ok(()),
    }
}

fn lock(folder: &Path) -> Result<File, RunError> {
    let path = folder.join(".lock");
    let file = File::create(&path).map_err(RunError::io(&path))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(fs::TryLockError::WouldBlock) => Err(RunError::Busy(folder.to_path_buf())),
        Err(fs::TryLockError::Error(error)) => Err(RunError::Io(path, error)),
    }
}

/// Puts a file with these bytes in the place of `path` in one step: after a crash at any moment it holds either the
/// old bytes or the new ones.
///
/// # Errors
/// If the file cannot be written; the old one then stays.
pub fn replace(path: &Path, bytes: &[u8]) -> Result<(), RunError> {
    let mut name = path.file_name().unwrap_or_default().to_os_string();
    name.push(".new");
    let new = path.with_file_name(name);
    let write = || -> std::io::Result<()> {
        let mut file = File::create(&new)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        fs::rename(&new, path)?;
        if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            File::open(folder)?.sync_all()?;
        }
        Ok(())
    };
    write().map_err(RunError::io(path))
}
