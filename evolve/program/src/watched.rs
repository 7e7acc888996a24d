//! The files that a program's commands run and name. A run lists them with their checksums and compares them when it
//! resumes: a score of another program is a wrong score.

use crate::command::Command;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The programs of some commands, and the files that their arguments name.
///
/// # Errors
/// A program is missing, or it cannot be determined whether an argument names a file.
pub fn files_of<'c>(commands: impl IntoIterator<Item = &'c Command>) -> Result<Vec<PathBuf>, String> {
    let mut files = Vec::new();
    for command in commands {
        if let Some(program) = command.templates().first().and_then(|program| program.literal()) {
            files.push(find(program).ok_or_else(|| missing(program))?);
        }
        for path in command.fixed_words().skip(1).map(PathBuf::from) {
            if is_file(&path).map_err(|error| format!("{} cannot be read: {error}", path.display()))? {
                files.push(path);
            }
        }
    }
    Ok(files)
}

/// Whether a word names a file. Most name none.
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

/// The checksum of a file (CRC-32).
pub fn checksum(path: &Path) -> io::Result<u32> {
    fs::read(path).map(|bytes| crc32fast::hash(&bytes))
}

/// Where a program is, as a shell looks for it: a name without `/` in `PATH`.
pub fn find(program: &str) -> Option<PathBuf> {
    if program.contains('/') {
        return Some(PathBuf::from(program)).filter(|path| path.is_file());
    }
    let folders = std::env::var_os("PATH")?;
    std::env::split_paths(&folders).map(|folder| folder.join(program)).find(|path| path.is_file())
}

/// The message about a missing program.
pub fn missing(program: &str) -> String {
    let here = !program.contains('/') && Path::new(program).is_file();
    let hint = if here { format!("; the one in this folder is `./{program}`") } else { String::new() };
    format!("no program `{program}`{hint}")
}
