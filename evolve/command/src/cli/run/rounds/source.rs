//! The source of a round: a copy of the current folder, in which its program can be built again
//! with other values, whatever the author does to the original meanwhile.

use crate::cli::export::Change;
use crate::cli::{Failure, catalogue};
use evolve_core::job::Job;
use evolve_core::job::policy_file::Policy;
use evolve_core::names::{SOURCE, SOURCE_FILE};
use evolve_program::{CACHE_TAG, Program};
use evolve_search::document::Document;
use evolve_search::file::{copy, copy_tree, link, make_plain_folder, make_writable, replace_plain};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io;
use std::path::{Component, Path, PathBuf};
use tempfile::TempDir;

/// The largest copy: a folder with more holds something else than a source.
const MOST_FILES: usize = 5000;
const MOST_BYTES: u64 = 200 << 20;

/// Folders that are no part of a source.
const LEFT_OUT: [&str; 4] = [".git", ".hg", "node_modules", "__pycache__"];

/// The description of a copy.
#[derive(Serialize, Deserialize)]
struct Description {
    /// The files whose markers declare parameters.
    marked: Vec<String>,
    /// A weights file with the problem as its job declares it, and the start values.
    policy: String,
}

/// The kept source of a run.
pub struct Source {
    folder: PathBuf,
    marked: Vec<String>,
    /// The problem as its job declares it, and the start values.
    pub policy: Policy,
}

impl Source {
    /// Keeps the source of a new run: copies the current folder, without the folder of runs. The
    /// folders of inputs are linked.
    ///
    /// # Errors
    /// If the folder is too large, or cannot be copied.
    pub fn keep(run: &Path, job: &Job) -> Result<(), Failure> {
        let Some(program) = Program::of(&*job.problem) else { return Ok(()) };
        let home = begin(run, SOURCE)?;
        let fault =
            |error: io::Error| Failure::Work(format!("cannot copy the current folder into {}: {error}", run.display()));
        Scope::of(program, run).copy(home.path()).map_err(fault)?;
        let policy = Policy::of_job(job);
        finish(home, &run.join(SOURCE))?;
        describe(run, Description { marked: program.sources().to_vec(), policy: policy.to_toml() })
    }

    /// Keeps the source of an earlier run for a run that plays the same version.
    ///
    /// # Errors
    /// If the source cannot be copied.
    pub fn keep_again(run: &Path, earlier: &Path) -> Result<(), Failure> {
        let Some(source) = Source::of(earlier)? else { return Ok(()) };
        let home = begin(run, SOURCE)?;
        copy_tree(&source.folder, home.path()).map_err(Failure::from)?;
        finish(home, &run.join(SOURCE))?;
        describe(run, Description { marked: source.marked, policy: source.policy.to_toml() })
    }

    /// Returns the kept source of a run, if any.
    ///
    /// # Errors
    /// If its description cannot be read.
    pub fn of(run: &Path) -> Result<Option<Self>, Failure> {
        let path = run.join(SOURCE_FILE);
        let fault = Failure::at(&path);
        let text = match fs::read(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            read => read.map_err(|error| fault(error.to_string()))?,
        };
        let Description { marked, policy } = serde_json::from_slice(&text).map_err(|error| fault(error.to_string()))?;
        let policy =
            Policy::parse(&Document::new(&path, policy), catalogue()).map_err(|error| fault(error.to_string()))?;
        Ok(Some(Source { folder: run.join(SOURCE), marked, policy }))
    }

    /// Returns whether the current folder still has the bytes of all kept files: then the program
    /// that was built meanwhile is that of this source. With `only_marked`, other files do not
    /// count.
    pub fn is_current(&self, only_marked: bool) -> bool {
        let is_same = |file: &Path| match (fs::read(self.folder.join(file)), fs::read(file)) {
            (Ok(kept), Ok(current)) => kept == current,
            _ => false,
        };
        match only_marked {
            true => self.marked.iter().all(|file| is_same(Path::new(file))),
            false => files(&self.folder).is_ok_and(|files| files.iter().all(|file| is_same(file))),
        }
    }

    /// Writes a copy of the source with the values of a policy into a new folder.
    ///
    /// # Errors
    /// If a file cannot be written, or a value does not fit its marker.
    pub fn write(&self, policy: &Policy, to: &Path) -> Result<(), Failure> {
        copy_tree(&self.folder, to).map_err(Failure::at(to))?;
        self.marked.iter().try_for_each(|file| {
            let file = to.join(file);
            // The original may be read-only.
            make_writable(&file).map_err(Failure::at(&file))?;
            Change::of(policy, &file)?.make()
        })
    }
}

/// Returns the files in a folder and below, relative to it, without links.
fn files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let (mut found, mut folders) = (Vec::new(), vec![PathBuf::new()]);
    while let Some(within) = folders.pop() {
        for entry in fs::read_dir(folder.join(&within))? {
            let entry = entry?;
            let (path, kind) = (within.join(entry.file_name()), entry.file_type()?);
            if kind.is_dir() {
                folders.push(path);
            } else if kind.is_file() {
                found.push(path);
            }
        }
    }
    Ok(found)
}

fn describe(run: &Path, description: Description) -> Result<(), Failure> {
    let text = serde_json::to_string_pretty(&description).map_err(io::Error::from)?;
    replace_plain(&run.join(SOURCE_FILE), text.as_bytes()).map_err(Failure::from)
}

/// Returns a new folder that becomes one with this name once it is [finished](finish).
pub fn begin(within: &Path, name: &str) -> Result<TempDir, Failure> {
    let fault = Failure::at(within);
    make_plain_folder(within).map_err(fault)?;
    tempfile::Builder::new().prefix(&format!(".{name}-")).tempdir_in(within).map_err(fault)
}

/// Gives a folder its name in one step. What an interrupted process left there goes first.
pub fn finish(folder: TempDir, to: &Path) -> Result<(), Failure> {
    let fault = Failure::at(to);
    match fs::remove_dir_all(to) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(fault(error)),
        _ => {}
    }
    // The name is free, so no other process can take it from here.
    let path = folder.keep();
    fs::rename(path, to).map_err(fault)
}

/// Removes `.` from a path.
fn clean(path: &Path) -> PathBuf {
    path.components().filter(|part| part.as_os_str() != OsStr::new(".")).collect()
}

/// Returns whether a path leads to a folder that contains it.
fn contains_itself(path: &Path) -> bool {
    let within = path.parent().and_then(|parent| fs::canonicalize(parent).ok());
    fs::canonicalize(path).is_ok_and(|real| within.is_some_and(|within| within.starts_with(real)))
}

/// Says which folder has most of too many files.
fn too_many(files: &[PathBuf]) -> String {
    let mut counts = BTreeMap::new();
    for first in files.iter().filter(|file| file.components().count() > 1).filter_map(|file| file.components().next()) {
        *counts.entry(first.as_os_str()).or_insert(0) += 1;
    }
    let most = counts.into_iter().max_by_key(|(_, count)| *count).map(|(folder, _)| Path::new(folder).display());
    let most = most.map(|folder| format!(", most of them in {folder}")).unwrap_or_default();
    format!("it has more than {MOST_FILES} files{most}: tune in a folder that has only the source")
}

/// Returns a source file of a program that is not within the current folder, if any.
pub fn outside(program: &Program) -> Option<&str> {
    let is_within = |part: Component<'_>| matches!(part, Component::Normal(_) | Component::CurDir);
    program.sources().iter().map(String::as_str).find(|file| !Path::new(file).components().all(is_within))
}

/// The part of the current folder that is a source.
pub struct Scope {
    /// The folders of inputs, which are linked.
    linked: BTreeSet<PathBuf>,
    /// The folder of runs.
    left_out: Option<PathBuf>,
}

impl Scope {
    /// Returns the scope of a program with a run.
    pub fn of(program: &Program, run: &Path) -> Self {
        let inputs = program.inputs().into_iter().filter_map(|file| Some(clean(file.parent()?)));
        let has_source =
            |folder: &PathBuf| program.sources().iter().any(|file| clean(Path::new(file)).starts_with(folder));
        Scope {
            linked: inputs.filter(|folder| !folder.as_os_str().is_empty() && !has_source(folder)).collect(),
            left_out: clean(run).components().next().map(|first| PathBuf::from(first.as_os_str())),
        }
    }

    /// Returns whether a folder is linked: one of inputs, or an environment of Python, whose
    /// programs know its path.
    fn is_linked(&self, folder: &Path) -> bool {
        self.linked.contains(folder) || folder.join("pyvenv.cfg").exists() && !folder.as_os_str().is_empty()
    }

    /// Returns the files, and the folders that are linked or contain others, each before its
    /// contents.
    fn paths(&self) -> io::Result<Vec<PathBuf>> {
        let (mut found, mut place) = (vec![PathBuf::new()], 0);
        while place < found.len() {
            let folder = found[place].clone();
            place += 1;
            if self.is_linked(&folder) || !Path::new(".").join(&folder).is_dir() {
                continue;
            }
            for entry in fs::read_dir(Path::new(".").join(&folder))? {
                let (entry, name) = entry.map(|entry| (entry.path(), entry.file_name()))?;
                let path = folder.join(&name);
                let is_left_out = LEFT_OUT.iter().any(|other| name == *other) || self.left_out.as_ref() == Some(&path);
                let is_source = !entry.join(CACHE_TAG).exists() && !contains_itself(&entry);
                if !is_left_out && is_source && (entry.is_dir() || entry.is_file()) {
                    found.push(path);
                }
            }
            if found.len() > MOST_FILES {
                return Err(io::Error::other(too_many(&found)));
            }
        }
        found.remove(0);
        found.sort();
        Ok(found)
    }

    fn copy(&self, home: &Path) -> io::Result<()> {
        let mut bytes = 0;
        for path in self.paths()? {
            let to = home.join(&path);
            if self.is_linked(&path) {
                link(&std::path::absolute(&path)?, &to)?;
            } else if path.is_dir() {
                fs::create_dir(&to)?;
            } else {
                bytes += copy(&path, &to)?;
            }
            if bytes > MOST_BYTES {
                return Err(io::Error::other(format!("it has more than {} MiB", MOST_BYTES >> 20)));
            }
        }
        Ok(())
    }

    /// Returns a number that changes with any file of the source, for this process only.
    pub fn stamp(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        for path in self.paths().unwrap_or_default() {
            // The time of a folder changes with files that are left out.
            let file = fs::metadata(&path).ok().filter(fs::Metadata::is_file);
            let file = file.map(|file| (file.len(), file.modified().ok()));
            (path, file).hash(&mut hasher);
        }
        hasher.finish()
    }
}
