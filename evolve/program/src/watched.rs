//! The files that a program's commands run and name. A run records their checksums and compares
//! them when it resumes, because scores of a changed program are not comparable.

use crate::command::Command;
use crate::host::FUNCTION;
use evolve_search::document::text::toml_string;
use evolve_search::file::slashed;
use evolve_search::lock;
use std::collections::BTreeMap;
use std::env::{self, consts::EXE_SUFFIX};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::SystemTime;
use thiserror::Error;

/// Returns the programs of some commands, and the files that their arguments name.
///
/// # Errors
/// If a program is missing, or it is unclear whether an argument names a file.
pub fn files_of<'c>(commands: impl IntoIterator<Item = &'c Command>) -> Result<Vec<PathBuf>, InputError> {
    let mut files = Vec::new();
    for command in commands {
        if let Some(program) = command.templates().first().and_then(|program| program.literal()) {
            files.push(find(program).ok_or_else(|| InputError::missing(program))?);
        }
        for path in command.fixed_words().skip(1).map(PathBuf::from) {
            if is_file(&path).map_err(|error| InputError::Unreadable(path.clone(), error))? {
                files.push(path);
            }
        }
    }
    Ok(files)
}

fn is_file(word: &Path) -> io::Result<bool> {
    use io::ErrorKind::{InvalidFilename, InvalidInput, NotADirectory, NotFound, PermissionDenied};
    match fs::metadata(word) {
        Ok(found) => Ok(found.is_file()),
        Err(error) => match error.kind() {
            NotFound | NotADirectory | InvalidFilename | InvalidInput | PermissionDenied => Ok(false),
            _ => Err(error),
        },
    }
}

/// Computes the checksum of a file (CRC-32).
pub fn checksum(path: &Path) -> io::Result<u32> {
    fs::read(path).map(|bytes| crc32fast::hash(&bytes))
}

/// Identifies a file by its contents, or a missing one by its path. A file is read once, until it
/// changes.
pub fn contents(path: &Path) -> String {
    type Sums = BTreeMap<(PathBuf, u64, Option<SystemTime>), String>;
    static KNOWN: Mutex<Sums> = Mutex::new(BTreeMap::new());
    let Ok(file) = fs::metadata(path) else { return slashed(path) };
    let key = (path.to_path_buf(), file.len(), file.modified().ok());
    let known = || lock(&KNOWN);
    if let Some(sum) = known().get(&key) {
        return sum.clone();
    }
    let sum = checksum(path).map_or_else(|_| slashed(path), |sum| format!("{sum:08x}"));
    known().insert(key, sum.clone());
    sum
}

/// Finds a program as a shell does: a name without a folder in `PATH`. On Windows, the extension
/// `.exe` may be omitted.
pub fn find(program: &str) -> Option<PathBuf> {
    let file = |path: &Path| {
        let whole = PathBuf::from(format!("{}{EXE_SUFFIX}", path.display()));
        [whole, path.to_path_buf()].into_iter().find(|path| path.is_file())
    };
    if is_path(program) {
        return file(Path::new(program));
    }
    let folders = env::var_os("PATH")?;
    env::split_paths(&folders).find_map(|folder| file(&folder.join(program)))
}

/// Returns whether a name is a valid variable name, also in a shell.
pub fn is_variable(name: &str) -> bool {
    !name.is_empty()
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        && !name.starts_with(|c: char| c.is_ascii_digit())
}

/// Returns whether a program is named with its folder.
pub fn is_path(program: &str) -> bool {
    Path::new(program).components().count() > 1
}

/// A program or a file that scores depend on, and that cannot be read.
#[derive(Debug, Error)]
pub enum InputError {
    /// A program that does not exist, and where it is instead.
    #[error("no program `{0}`{1}")]
    NoProgram(String, String),
    #[error("{} cannot be read: {}", .0.display(), .1)]
    Unreadable(PathBuf, io::Error),
}

impl InputError {
    pub fn missing(program: &str) -> Self {
        let here = !is_path(program) && find(&format!("./{program}")).is_some();
        let hint = match program.split_once('=') {
            _ if here => format!("; the one in this folder is `./{program}`"),
            _ if program == FUNCTION => {
                "; of a function, only `evolve serve` or its Python module can play trials".to_string()
            }
            // As in a shell.
            Some((name, value)) if is_variable(name) => {
                format!("; set variables with `env = {{ {name} = {} }}`", toml_string(value))
            }
            _ => String::new(),
        };
        InputError::NoProgram(program.to_string(), hint)
    }
}
