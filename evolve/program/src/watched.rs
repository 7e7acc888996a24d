//! Programs that must not be replaced while a run goes on: a score of another program is a wrong score.

use crate::command::Command;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// Files as they were when the run began.
#[derive(Debug, Default)]
pub struct Watched(Vec<(PathBuf, Stamp)>);

#[derive(Clone, Debug, PartialEq)]
struct Stamp {
    length: u64,
    modified: Option<SystemTime>,
    checksum: u32,
}

impl Watched {
    /// The programs of some commands, and the files that their words name.
    ///
    /// # Errors
    /// If there is no such program, or a file cannot be read.
    pub fn of<'c>(commands: impl IntoIterator<Item = &'c Command>) -> Result<Self, String> {
        let mut files: Vec<PathBuf> = Vec::new();
        for command in commands {
            let mut words = command.templates().iter();
            if let Some(program) = words.next().and_then(|program| program.literal()) {
                files.push(find(program).ok_or_else(|| missing(program))?);
            }
            for path in command.fixed_words().skip(1).map(PathBuf::from) {
                if is_file(&path).map_err(|error| unreadable(&path, &error))? {
                    files.push(path);
                }
            }
        }
        files.sort();
        files.dedup();
        let stamp = |path: PathBuf| {
            let stamp = Stamp::of(&path).map_err(|error| unreadable(&path, &error))?;
            Ok((path, stamp))
        };
        files.into_iter().map(stamp).collect::<Result<_, String>>().map(Watched)
    }

    /// The files with their checksums.
    pub fn checksums(&self) -> impl Iterator<Item = (&Path, u32)> {
        self.0.iter().map(|(path, stamp)| (path.as_path(), stamp.checksum))
    }

    /// The first file that is not as it was. One that was only written again stays as it was.
    pub fn changed(&mut self) -> Option<&Path> {
        for (path, stamp) in &mut self.0 {
            let metadata = fs::metadata(&*path);
            if metadata.is_ok_and(|now| now.len() == stamp.length && now.modified().ok() == stamp.modified) {
                continue;
            }
            match Stamp::of(path) {
                Ok(now) if (now.length, now.checksum) == (stamp.length, stamp.checksum) => *stamp = now,
                _ => return Some(path),
            }
        }
        None
    }
}

fn unreadable(path: &Path, error: &io::Error) -> String {
    format!("{} cannot be read: {error}", path.display())
}

/// Whether a word names a file. Most name none.
///
/// # Errors
/// If that cannot be told.
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
///
/// # Errors
/// If it cannot be read.
pub fn checksum(path: &Path) -> io::Result<u32> {
    Stamp::of(path).map(|stamp| stamp.checksum)
}

impl Stamp {
    fn of(path: &Path) -> io::Result<Self> {
        let mut file = fs::File::open(path)?;
        let metadata = file.metadata()?;
        let mut hasher = crc32fast::Hasher::new();
        let mut buffer = vec![0; 1 << 16];
        loop {
            match file.read(&mut buffer)? {
                0 => break,
                read => hasher.update(&buffer[..read]),
            }
        }
        Ok(Stamp { length: metadata.len(), modified: metadata.modified().ok(), checksum: hasher.finalize() })
    }
}

/// Where a program is, as a shell looks for it: a name without `/` in `PATH`.
pub fn find(program: &str) -> Option<PathBuf> {
    if program.contains('/') {
        return Some(PathBuf::from(program)).filter(|path| path.is_file());
    }
    let folders = std::env::var_os("PATH")?;
    std::env::split_paths(&folders).map(|folder| folder.join(program)).find(|path| path.is_file())
}

/// What to say of a program that is not there.
pub fn missing(program: &str) -> String {
    let here = !program.contains('/') && Path::new(program).is_file();
    let hint = if here { format!("; the one in this folder is `./{program}`") } else { String::new() };
    format!("there is no program `{program}`{hint}")
}
