//! The folder of a run.

use super::error::RunError;
use super::records::TABLES;
use super::state::State;
use crate::config::Job;
use crate::policy_file::{FILE_NAME, Policy};
use std::ffi::OsString;
use std::fmt::Write as _;
use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Write};
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
        for name in [CONFIG, CHECKPOINT, FILE_NAME] {
            // What a crash left half written, if it did.
            let _ = fs::remove_file(temporary_name(&path.join(name), 0));
        }
        Ok(Some(Folder { path, _lock: lock }))
    }

    /// Has the config tell how to reproduce the run, whose job may be another than it was as far as [`Folder::open`]
    /// allows.
    ///
    /// # Errors
    /// If it cannot be read or written.
    pub fn update_config(&self, job: &Job, state: &State) -> Result<(), RunError> {
        let config = self.file(CONFIG);
        let then = Job::read(&config).map_err(RunError::Fault)?;
        let now = Job { limits: state.limits(job, then.limits), ..job.clone() };
        if now.to_toml() != then.to_toml() {
            replace(&config, now.to_toml().as_bytes())?;
        }
        Ok(())
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
/// old bytes or the new ones. Where `path` is a symbolic link, that is the file that it leads to. What is no file, such
/// as a device or a pipe, is written to.
///
/// # Errors
/// If `path` is a folder, or cannot be written; the old file then stays.
pub fn replace(path: &Path, bytes: &[u8]) -> Result<(), RunError> {
    let write = || match fs::metadata(path) {
        Ok(old) if old.is_dir() => Err(io::Error::new(
            ErrorKind::IsADirectory,
            "this is a folder; give the name of a file, in it or elsewhere",
        )),
        Ok(old) if !old.is_file() => OpenOptions::new().write(true).open(path)?.write_all(bytes),
        Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
        _ => replace_file(&followed(path)?, bytes),
    };
    write().map_err(RunError::io(path))
}

/// Where a path leads, through links to files that need not exist.
fn followed(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_path_buf();
    // As many links as Linux follows.
    for _ in 0..40 {
        match fs::read_link(&path) {
            Ok(target) => path = path.with_file_name(target),
            Err(_) => return Ok(path),
        }
    }
    Err(io::Error::other("this link leads through too many others"))
}

fn replace_file(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let (new, mut file) = temporary(path)?;
    let mut write = || {
        file.write_all(bytes)?;
        file.sync_all()?;
        fs::rename(&new, path)
    };
    let written = write();
    if written.is_err() {
        // Why that failed matters, not whether this does.
        let _ = fs::remove_file(&new);
    }
    written?;
    match path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        Some(folder) => File::open(folder)?.sync_all(),
        None => Ok(()),
    }
}

/// Makes a file beside `path` under a name that nothing has.
fn temporary(path: &Path) -> io::Result<(PathBuf, File)> {
    let mut number = 0;
    loop {
        let new = temporary_name(path, number);
        match OpenOptions::new().write(true).create_new(true).open(&new) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => number += 1,
            opened => return Ok((new, opened?)),
        }
    }
}

fn temporary_name(path: &Path, number: u32) -> PathBuf {
    let mut name = OsString::from(".");
    name.push(path.file_name().unwrap_or_default());
    name.push(if number == 0 { ".new".to_string() } else { format!(".new{number}") });
    path.with_file_name(name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;
    use std::process::Command;
    use std::thread;
    use tempfile::TempDir;

    fn names(folder: &TempDir) -> Vec<OsString> {
        let mut names: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        names
    }

    #[test]
    fn only_the_file_itself_is_replaced() {
        let folder = TempDir::new().unwrap();
        let file = |name: &str| folder.path().join(name);
        for other in ["a.new", ".a.new", ".a.new1"] {
            fs::write(file(other), "another's").unwrap();
        }
        for text in ["first", "second"] {
            replace(&file("a"), text.as_bytes()).unwrap();
            assert_eq!(fs::read_to_string(file("a")).unwrap(), text);
        }
        assert_eq!(names(&folder), [".a.new", ".a.new1", "a", "a.new"]);
        assert_eq!(fs::read_to_string(file("a.new")).unwrap(), "another's");
        assert_eq!(fs::read_to_string(file(".a.new")).unwrap(), "another's");
    }

    #[test]
    fn links_are_followed() {
        let folder = TempDir::new().unwrap();
        let file = |name: &str| folder.path().join(name);
        fs::create_dir(file("sub")).unwrap();
        symlink("sub/b", file("a")).unwrap();
        symlink("../c", file("sub/b")).unwrap();
        // Of the file at the end there is none at first.
        for text in ["first", "second"] {
            replace(&file("a"), text.as_bytes()).unwrap();
            assert_eq!(fs::read_to_string(file("c")).unwrap(), text);
        }
        assert!(file("a").is_symlink() && file("sub/b").is_symlink() && !file("c").is_symlink());
        symlink("d", file("d")).unwrap();
        assert!(replace(&file("d"), b"nowhere").is_err());
        assert_eq!(names(&folder), ["a", "c", "d", "sub"]);
    }

    #[test]
    fn pipes_are_written_to() {
        let folder = TempDir::new().unwrap();
        let pipe = folder.path().join("pipe");
        assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let reader = thread::spawn({
            let pipe = pipe.clone();
            move || fs::read_to_string(pipe).unwrap()
        });
        replace(&pipe, b"through").unwrap();
        assert!(!pipe.is_file(), "the pipe stays");
        assert_eq!(reader.join().unwrap(), "through");
    }

    #[test]
    fn folders_are_refused() {
        let folder = TempDir::new().unwrap();
        let error = replace(folder.path(), b"text").unwrap_err().to_string();
        assert!(error.starts_with(&format!("{}: this is a folder; ", folder.path().display())), "{error}");
        let error = replace(&folder.path().join("missing/a"), b"text").unwrap_err().to_string();
        assert!(error.contains("missing/a: "), "{error}");
    }

    #[test]
    fn a_failure_leaves_nothing_behind() {
        let folder = TempDir::new().unwrap();
        // Such a path names a folder, and there is a file of that name only at the moment of renaming.
        assert!(replace(&folder.path().join("a/"), b"text").is_err());
        assert_eq!(names(&folder), [] as [OsString; 0]);
    }
}
