//! The private copy of a program, which trials play, so that its author can change and build the
//! original meanwhile.
//!
//! Copies are made of the programs and scripts that the commands name, and of the modules beside a
//! script, as far as they are in the current folder. Trials still run in the current folder; only
//! these words of the commands change. The folder of the copies mirrors the current one (`mirror`),
//! so that a program finds the files next to itself. Files that cannot be copied are watched
//! instead (`watch`).
//!
//! A run keeps its copies in its folder, and plays them again when it resumes. Folders of copies
//! are named by their contents and never change, so that several processes can share them.

mod here;
mod loaded;
mod mirror;
mod watch;

pub use watch::Watch;

use crate::command::Command;
use crate::file::ProgramKeys;
use crate::watched::{InputError, checksum, files_of, find, is_path};
use evolve_core::names::{INPUTS, PROGRAM};
use evolve_core::run::recorded_inputs;
use evolve_process::can_execute;
use evolve_search::file::{copy_tree, gone, is_executable, make_plain_folder, rename, replace_plain, slashed};
use here::is_inside;
pub use here::normal;
pub use loaded::CACHE_TAG;
use loaded::{CACHE_TEXT, HOME};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// The copies that trials play, by the path of the original in the current folder.
#[derive(Debug, Default)]
pub struct Private {
    copies: BTreeMap<PathBuf, Copied>,
    /// The folder of copies that no run keeps.
    _home: Option<TempDir>,
}

#[derive(Debug)]
struct Copied {
    checksum: u32,
    path: PathBuf,
}

/// The files that commands use.
#[derive(Debug, Default)]
pub struct Used {
    /// Files to copy by their path relative to the current folder, as the job names them.
    pub copied: BTreeMap<PathBuf, PathBuf>,
    /// Files that trials read themselves.
    pub watched: BTreeSet<PathBuf>,
    /// Scripts and programs whose modules are in a folder with too many files to find them.
    too_many: BTreeSet<PathBuf>,
}

impl Used {
    /// Finds the files of a program's commands.
    ///
    /// # Errors
    /// If a program is missing, or it is unclear whether an argument names a file.
    pub fn of(keys: &ProgramKeys) -> Result<Self, InputError> {
        let mut used = Used::default();
        for command in keys.commands() {
            let program = command.templates().first().and_then(|program| program.literal());
            let mut scripts = 0;
            for file in files_of([command])? {
                let is_program = program.is_some_and(|program| find(program).is_some_and(|found| found == file));
                let is_code = if is_program { program.is_some_and(is_path) } else { loaded::is_code(&file) };
                let Some(own) = normal(&file).filter(|_| is_code && is_inside(&file)) else {
                    used.watched.insert(file);
                    continue;
                };
                scripts += 1;
                let modules = loaded::modules(&own);
                used.too_many.extend(modules.is_none().then(|| file.clone()));
                for module in modules.into_iter().flatten() {
                    used.copied.entry(module.clone()).or_insert(module);
                }
                used.watched.extend(loaded::named_in(&own));
                used.copied.insert(own, file);
            }
            // Such as the line of `sh -c`.
            let lines = command.templates().iter().map(|word| word.text()).filter(|word| word.contains(' '));
            used.watched.extend(lines.flat_map(loaded::named));
            // The program loads files from the current folder, which only it knows.
            if let Some(program) = program.filter(|_| scripts == 0) {
                let files = loaded::by(program);
                used.too_many.extend(files.is_none().then(|| PathBuf::from(program)));
                used.watched.extend(files.into_iter().flatten());
            }
        }
        let Used { copied, watched, .. } = &mut used;
        watched.retain(|file| normal(file).is_none_or(|file| !copied.contains_key(&file)));
        Ok(used)
    }

    /// Returns a note about files that are neither copied nor watched.
    pub fn note(&self) -> Option<String> {
        let file = slashed(self.too_many.first()?);
        Some(format!(
            "too many files to find those that {file} loads: the run neither copies nor watches them, so do not change them \
             before it ends"
        ))
    }

    /// Returns a file that has changed since a run recorded it.
    pub fn changed_since(self, run: &Path) -> Option<PathBuf> {
        let recorded = recorded_inputs(run);
        let has_changed = |file: &PathBuf| {
            recorded.get(&slashed(file)).is_some_and(|then| checksum(file).is_ok_and(|now| now != *then))
        };
        self.copied.into_values().chain(self.watched).find(has_changed)
    }
}

/// Returns a file of a run's program that has changed since the run copied it.
pub fn changed_file(run: &Path) -> Option<PathBuf> {
    Private::recall(run)?.outdated().map(Path::to_path_buf)
}

/// Gives a new run the program that an earlier one played, which it then recalls as its own.
/// Without copies, the new run has none either. Returns whether there are any.
///
/// # Errors
/// If the copies cannot be copied.
pub fn hand_on(from: &Path, to: &Path) -> io::Result<bool> {
    if Private::recall(from).is_none_or(|private| private.is_empty()) {
        return Ok(false);
    }
    let folder = to.join(PROGRAM);
    gone(fs::remove_dir_all(&folder))?;
    make_plain_folder(&folder)?;
    copy_tree(&from.join(PROGRAM), &folder)?;
    fs::copy(from.join(INPUTS), to.join(INPUTS))?;
    Ok(true)
}

/// Returns whether two runs played the same program.
pub fn same_program(run: &Path, other: &Path) -> bool {
    let sums = |run: &Path| -> Option<BTreeMap<PathBuf, u32>> {
        let copies = Private::recall(run)?.copies;
        Some(copies.into_iter().map(|(file, copied)| (file, copied.checksum)).collect())
    };
    run == other || sums(run).is_some_and(|sums_of_run| sums(other) == Some(sums_of_run))
}

/// Returns the note about a file of a run's program that has changed since the run copied it.
pub fn changed_note(run: &Path) -> Option<String> {
    let file = slashed(&changed_file(run)?);
    Some(format!(
        "{file} has changed since the run began; the run played its own copy, and its result is about that one"
    ))
}

impl Private {
    /// Copies files, given relative to the current folder, into the folder of a run or, without
    /// one, into a temporary folder.
    ///
    /// # Errors
    /// If a file cannot be copied, or programs cannot be executed in that folder.
    pub fn make(files: BTreeSet<PathBuf>, run: Option<&Path>) -> io::Result<Self> {
        if files.is_empty() {
            return Ok(Private::default());
        }
        let (folder, home) = match run {
            Some(run) => (run.join(PROGRAM), None),
            None => {
                let home = tempfile::Builder::new().prefix(HOME).tempdir()?;
                (home.path().to_path_buf(), Some(home))
            }
        };
        make_plain_folder(&folder)?;
        // The copies can be made again, and do not belong into a repository or a backup.
        for (name, text) in [(".gitignore", "*\n"), (CACHE_TAG, CACHE_TEXT)] {
            if !folder.join(name).is_file() {
                replace_plain(&folder.join(name), text.as_bytes())?;
            }
        }
        let new = tempfile::Builder::new().prefix(".").tempdir_in(&folder)?;
        mirror::fill(new.path(), &files, run)?;
        for file in &files {
            if is_executable(file)? && !can_execute(&new.path().join(file)) {
                let message = format!("programs in {} cannot be executed", folder.display());
                return Err(io::Error::new(io::ErrorKind::PermissionDenied, message));
            }
        }
        let sums: Vec<(PathBuf, u32)> = files
            .into_iter()
            .map(|file| checksum(&new.path().join(&file)).map(|sum| (file, sum)))
            .collect::<io::Result<_>>()?;
        let text: String = sums.iter().map(|(file, sum)| line(file, *sum)).collect();
        let name = format!("{:08x}", crc32fast::hash(text.as_bytes()));
        let own = folder.join(&name);
        replace_plain(&folder.join(format!("{name}.txt")), text.as_bytes())?;
        // Another process may have made the same copies.
        if !is_sound(&own, &sums)
            && let Err(error) = rename(new.path(), &own)
            && !is_sound(&own, &sums)
        {
            // The copies of this name are damaged.
            fs::remove_dir_all(&own).map_err(|_| error)?;
            rename(new.path(), &own)?;
        }
        Ok(Private { copies: copies(&own, &sums), _home: home })
    }

    /// Returns the copies that a run made when it started, if all of them are there.
    pub fn recall(run: &Path) -> Option<Self> {
        let recorded = recorded_inputs(run);
        let recorded: BTreeMap<PathBuf, u32> =
            recorded.into_iter().filter_map(|(path, sum)| Some((normal(Path::new(&path))?, sum))).collect();
        let folder = run.join(PROGRAM);
        let entries = fs::read_dir(&folder).ok()?.flatten();
        let mut lists: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
        lists.retain(|list| list.extension().is_some_and(|ending| ending == "txt"));
        lists.sort();
        lists.into_iter().find_map(|list| {
            let text = fs::read_to_string(&list).ok()?;
            let sums: Vec<(PathBuf, u32)> = text.lines().map(read_line).collect::<Option<_>>()?;
            let own = list.with_extension("");
            let is_own = sums.iter().all(|(file, sum)| recorded.get(file) == Some(sum));
            (is_own && is_sound(&own, &sums)).then(|| Private { copies: copies(&own, &sums), _home: None })
        })
    }

    /// Returns a command that plays the copies.
    pub fn played(&self, command: &Command) -> Command {
        command.replacing(|word| {
            // The original may be gone.
            let found = is_path(word).then(|| find(word)).flatten();
            let file = found.unwrap_or_else(|| PathBuf::from(word));
            let Copied { path, .. } = self.copies.get(&normal(&file)?)?;
            let is_absolute = Path::new(word).is_absolute();
            let path = if is_absolute { std::path::absolute(path).ok()? } else { path.clone() };
            Some(path.to_string_lossy().into_owned())
        })
    }

    pub fn is_empty(&self) -> bool {
        self.copies.is_empty()
    }

    /// Returns the copy of a file and its checksum.
    pub fn copy_of(&self, file: &Path) -> Option<(&Path, u32)> {
        let Copied { checksum, path } = self.copies.get(&normal(file)?)?;
        Some((path, *checksum))
    }

    /// Returns the files with copies.
    pub fn files(&self) -> impl Iterator<Item = &Path> {
        self.copies.keys().map(PathBuf::as_path)
    }

    /// Returns the first file that differs from its copy, if it exists.
    pub fn outdated(&self) -> Option<&Path> {
        let differs = |(file, copied): &(&PathBuf, &Copied)| checksum(file).is_ok_and(|sum| sum != copied.checksum);
        self.copies.iter().find(differs).map(|(file, _)| file.as_path())
    }
}

fn copies(own: &Path, sums: &[(PathBuf, u32)]) -> BTreeMap<PathBuf, Copied> {
    let copied =
        |(file, checksum): &(PathBuf, u32)| (file.clone(), Copied { checksum: *checksum, path: own.join(file) });
    sums.iter().map(copied).collect()
}

/// Returns whether a folder has the copies with these checksums.
fn is_sound(own: &Path, sums: &[(PathBuf, u32)]) -> bool {
    sums.iter().all(|(file, sum)| checksum(&own.join(file)).is_ok_and(|found| found == *sum))
}

/// Returns the line of a copy in the list of a folder.
fn line(file: &Path, sum: u32) -> String {
    format!("{sum:08x}  {}\n", slashed(file))
}

fn read_line(line: &str) -> Option<(PathBuf, u32)> {
    let (sum, file) = line.split_once("  ")?;
    Some((PathBuf::from(file), u32::from_str_radix(sum, 16).ok()?))
}
