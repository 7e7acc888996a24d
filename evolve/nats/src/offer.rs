//! The offer of a run to workers: its job, and the files of its program.

use crate::digest::Digest;
use crate::error::NatsError;
use evolve_search::file::{create_executable, is_executable, slashed};
use serde::{Deserialize, Serialize};
use std::fs;
use std::io::{self, Write};
use std::path::{Component, Path};

/// The offer of a run to workers.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Offer {
    /// The text of the job, self-contained except for its files.
    pub job: String,
    /// The files of the job's program.
    pub files: Vec<Sent>,
    /// Whether the job contains a program, which workers play only with permission.
    pub is_program: bool,
}

/// A file of the program.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sent {
    /// The path, either absolute or relative to the folder of the job.
    path: String,
    /// Whether the file is executable.
    is_executable: bool,
    content: Content,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
enum Content {
    /// The bytes of a file in the folder of the job.
    Bytes(Vec<u8>),
    /// The hash of a file with an absolute path, which must exist on every worker.
    There(Digest),
}

impl Sent {
    /// Prepares a file for sending. Relative paths refer to the current folder. `copy` has the
    /// contents in place of the file itself.
    ///
    /// # Errors
    /// If the file cannot be read, or is outside the folder.
    pub fn new(path: &Path, copy: Option<&Path>) -> Result<Self, NatsError> {
        let shown = path.display();
        if path.to_str().is_none() {
            return Err(NatsError::Usage(format!("{shown}: names of files that are sent must be UTF-8")));
        }
        if !path.is_absolute() && !is_inside(path) {
            return Err(NatsError::Usage(format!(
                "{shown} is outside of this folder, from which the job's files are sent; start the run in a folder \
                    above it, or give its absolute path and copy it to every machine"
            )));
        }
        let read = || {
            let source = copy.unwrap_or(path);
            let is_executable = is_executable(source)?;
            let content = match path.is_absolute() {
                true => Content::There(Digest::of_file(source)?),
                false => Content::Bytes(fs::read(source)?),
            };
            io::Result::Ok(Sent { path: slashed(path), is_executable, content })
        };
        read().map_err(|error| NatsError::Usage(format!("{shown} cannot be read: {error}")))
    }

    /// Writes the file into a folder, or checks that it exists on this machine.
    fn unpack(&self, folder: &Path) -> Result<(), NatsError> {
        let path = Path::new(&self.path);
        let bytes = match &self.content {
            Content::Bytes(bytes) => bytes,
            Content::There(digest) => {
                return match Digest::of_file(path) {
                    Ok(found) if found == *digest => Ok(()),
                    Ok(_) => Err(NatsError::Job(format!("{} differs from the file on the run's machine", self.path))),
                    Err(error) => Err(NatsError::Job(format!("{} must be on every machine: {error}", self.path))),
                };
            }
        };
        // A received file must not be written outside the folder.
        if path.is_absolute() || !is_inside(path) {
            return Err(NatsError::Job(format!("{} lies outside of the job's folder", self.path)));
        }
        let path = folder.join(path);
        let write = || {
            path.parent().map_or(Ok(()), fs::create_dir_all)?;
            create_executable(&path, self.is_executable)?.write_all(bytes)
        };
        write().map_err(|error| NatsError::Machine(format!("{} cannot be written: {error}", self.path)))
    }
}

impl Offer {
    /// Writes the files into a folder, and checks those that must already be on this machine.
    ///
    /// # Errors
    /// If a file cannot be written, is missing, or lies outside the folder.
    pub fn unpack(&self, folder: &Path) -> Result<(), NatsError> {
        self.files.iter().try_for_each(|file| file.unpack(folder))
    }
}

/// Returns whether a relative path stays below its folder.
fn is_inside(path: &Path) -> bool {
    path.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir)) && path.file_name().is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_arrive_unchanged() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::TempDir::new().unwrap();
        let path = folder.path().join("a");
        fs::write(&path, "abc").unwrap();
        let there = Sent::new(&path, None).unwrap();
        assert_eq!(there.content, Content::There(Digest::of(b"abc")));
        there.unpack(folder.path()).unwrap();
        fs::write(&path, "abd").unwrap();
        assert!(there.unpack(folder.path()).unwrap_err().to_string().contains("differs from the file"));

        let sent = |path: &str| Sent {
            path: path.to_string(),
            is_executable: true,
            content: Content::Bytes(b"#!/bin/sh".to_vec()),
        };
        sent("bin/b.sh").unpack(folder.path()).unwrap();
        let path = folder.path().join("bin/b.sh");
        assert_eq!(fs::read(&path).unwrap(), b"#!/bin/sh");
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o700);
        assert!(sent("../c").unpack(&folder.path().join("bin")).unwrap_err().to_string().contains("outside"));
        assert!(sent("/tmp/c").unpack(folder.path()).unwrap_err().to_string().contains("outside"));
    }

    #[test]
    fn files_stay_in_their_folder() {
        for (path, inside) in [
            ("a", true),
            ("./a/b", true),
            ("../a", false),
            ("a/../../b", false),
            ("/a", false),
            ("..", false),
            ("", false),
        ] {
            assert_eq!(is_inside(Path::new(path)), inside, "{path}");
        }
        assert!(Sent::new(Path::new("../x"), None).unwrap_err().to_string().contains("outside of this folder"));
    }
}
