//! Files that change in one step: after a crash at any moment they hold either the old bytes or the new ones.

use std::fs::{self, File, OpenOptions, Permissions, TryLockError};
use std::io::{self, ErrorKind, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// What the names of files end with that are still being written. They begin with a dot, the name that they will get,
/// another dot, and six letters and digits.
pub const UNFINISHED: &str = ".new";
const RANDOM: usize = 6;

/// Puts a file with these bytes in the place of `path`, and removes what earlier processes left half written of it. Where
/// `path` is a symbolic link, that is the file that it leads to. What is no file, such as a device or a pipe, is written
/// to.
///
/// # Errors
/// If `path` is a folder, or cannot be written; the old file then stays.
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    clean_before(&followed(path)?);
    write(path, bytes)
}

/// The same in a folder that was [cleaned](clean).
///
/// # Errors
/// As of [`replace`].
pub fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    match fs::metadata(path) {
        Ok(old) if old.is_dir() => Err(io::Error::new(
            ErrorKind::IsADirectory,
            "this is a folder; give the name of a file, in it or elsewhere",
        )),
        Ok(old) if !old.is_file() => OpenOptions::new().write(true).open(path)?.write_all(bytes),
        Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
        _ => put(&followed(path)?, bytes),
    }
}

/// As [`replace`], where `path` may hold a plain file or nothing.
///
/// # Errors
/// If `path` is anything else, such as a link, or cannot be written; the old file then stays.
pub fn replace_plain(path: &Path, bytes: &[u8]) -> io::Result<()> {
    is_plain_or_missing(path)?;
    clean_before(path);
    put(path, bytes)
}

/// The same in a folder that was [cleaned](clean).
///
/// # Errors
/// As of [`replace_plain`].
pub fn write_plain(path: &Path, bytes: &[u8]) -> io::Result<()> {
    is_plain_or_missing(path)?;
    put(path, bytes)
}

/// Whether there is a plain file at `path`, and not a link to one.
///
/// # Errors
/// If there is something else.
pub fn is_plain_or_missing(path: &Path) -> io::Result<bool> {
    match fs::symlink_metadata(path) {
        Ok(found) if found.is_file() => Ok(true),
        Ok(found) => {
            let what = if found.is_symlink() { "a link" } else { "no plain file" };
            Err(io::Error::other(format!(
                "this is {what}, and a run writes to plain files of its own alone; remove it"
            )))
        }
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

/// Makes a folder inside a run's own, unless there is one.
///
/// # Errors
/// If there is something else, such as a link to a folder, or it cannot be made.
pub fn make_plain_folder(path: &Path) -> io::Result<()> {
    match fs::symlink_metadata(path) {
        Ok(found) if found.is_dir() => Ok(()),
        Ok(_) => Err(io::Error::other("this is no folder of the run's own, or a link to one; remove it")),
        Err(error) if error.kind() == ErrorKind::NotFound => make_folder(path),
        Err(error) => Err(error),
    }
}

/// Opens a plain file to read and write, and makes it if `create`; links are not followed.
///
/// # Errors
/// If it is anything else, or cannot be opened.
pub fn open_plain(path: &Path, create: bool) -> io::Result<File> {
    is_plain_or_missing(path)?;
    let no_follow = rustix::fs::OFlags::NOFOLLOW.bits() as i32;
    OpenOptions::new().read(true).write(true).create(create).truncate(false).custom_flags(no_follow).open(path)
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

/// Removes what earlier processes left half written of a file.
fn clean_before(path: &Path) {
    if let Some(name) = path.file_name() {
        // What cannot be removed is another's, and in nobody's way.
        let _ = clean(folder_of(path), &format!(".{}.", name.to_string_lossy()));
    }
}

fn put(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let name = path.file_name().ok_or_else(|| io::Error::new(ErrorKind::InvalidInput, "this names no file"))?;
    let folder = folder_of(path);
    let mut file = begin(folder, &format!(".{}.", name.to_string_lossy()))?;
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    file.persist(path).map_err(|error| error.error)?;
    File::open(folder)?.sync_all()
}

/// The folder that a file is in.
fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Begins a file. It is locked while it is being written, so that nobody cleans it away.
fn begin(folder: &Path, prefix: &str) -> io::Result<NamedTempFile> {
    loop {
        // The permissions that a new file usually gets; the process's mask takes from them.
        let permissions = Permissions::from_mode(0o666);
        let mut builder = tempfile::Builder::new();
        builder.prefix(prefix).suffix(UNFINISHED).rand_bytes(RANDOM).permissions(permissions);
        let file = builder.tempfile_in(folder)?;
        // Where the file system has no locks, nobody can clean either.
        let _ = file.as_file().lock();
        // Somebody who cleans may have been faster than the lock.
        if file.as_file().metadata()?.nlink() > 0 {
            return Ok(file);
        }
    }
}

/// Removes what was being written in a folder by processes that were killed, if its name begins so.
///
/// # Errors
/// If something cannot be read or removed, with its name.
pub fn clean(folder: &Path, prefix: &str) -> io::Result<()> {
    let named = |path: &Path, error: io::Error| io::Error::new(error.kind(), format!("{}: {error}", path.display()));
    let is_unfinished = |name: &str| {
        let whole = name.strip_suffix(UNFINISHED).filter(|_| name.starts_with('.') && name.starts_with(prefix));
        let random = whole.and_then(|whole| whole.rsplit_once('.')).map(|(_, random)| random);
        random.is_some_and(|random| random.len() == RANDOM && random.bytes().all(|byte| byte.is_ascii_alphanumeric()))
    };
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if !is_unfinished(&name) {
            continue;
        }
        let is_file = match fs::symlink_metadata(&path) {
            Err(error) if error.kind() != ErrorKind::NotFound => return Err(named(&path, error)),
            found => found.is_ok_and(|found| found.is_file()),
        };
        if is_file {
            let remove = || match File::open(&path)?.try_lock() {
                Ok(()) => fs::remove_file(&path),
                // Whoever is writing it holds its lock.
                Err(TryLockError::WouldBlock) => Ok(()),
                Err(TryLockError::Error(error)) => Err(error),
            };
            match remove() {
                // Written, or cleaned by another, meanwhile.
                Err(error) if error.kind() == ErrorKind::NotFound => {}
                removed => removed.map_err(|error| named(&path, error))?,
            }
        }
    }
    Ok(())
}

/// Makes a folder and those above it, unless they are there, so that they stay.
///
/// # Errors
/// If one cannot be made.
pub fn make_folder(path: &Path) -> io::Result<()> {
    if fs::metadata(path).is_ok_and(|found| found.is_dir()) {
        return Ok(());
    }
    let parent = folder_of(path);
    if parent != Path::new(".") {
        make_folder(parent)?;
    }
    match fs::create_dir(path) {
        // Somebody was faster.
        Err(error) if error.kind() == ErrorKind::AlreadyExists && path.is_dir() => Ok(()),
        made => made.and_then(|()| File::open(parent)?.sync_all()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;
    use std::process::Command;
    use std::thread;
    use tempfile::TempDir;

    fn names(folder: &TempDir) -> Vec<String> {
        let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let mut names: Vec<_> = names.collect();
        names.sort();
        names
    }

    #[test]
    fn only_the_file_itself_is_replaced() {
        let folder = TempDir::new().unwrap();
        let file = |name: &str| folder.path().join(name);
        for other in ["a.new", ".a.new", ".a.note.new", ".b.abcdef.new"] {
            fs::write(file(other), "another's").unwrap();
        }
        for text in ["first", "second"] {
            replace(&file("a"), text.as_bytes()).unwrap();
            assert_eq!(fs::read_to_string(file("a")).unwrap(), text);
        }
        assert_eq!(names(&folder), [".a.new", ".a.note.new", ".b.abcdef.new", "a", "a.new"]);
        assert_eq!(fs::read_to_string(file("a.new")).unwrap(), "another's");
    }

    #[test]
    fn links_are_followed_where_users_name_them_alone() {
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
        assert!(replace_plain(&file("a"), b"third").unwrap_err().to_string().contains("a link"));
        assert!(open_plain(&file("a"), true).is_err());
        assert_eq!(fs::read_to_string(file("c")).unwrap(), "second");
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
        assert!(error.starts_with("this is a folder; "), "{error}");
        assert!(replace(&folder.path().join("missing/a"), b"text").is_err());
        assert!(replace_plain(folder.path(), b"text").is_err());
    }

    #[test]
    fn nothing_is_left_behind() {
        let folder = TempDir::new().unwrap();
        fs::write(folder.path().join(".checkpoint.Xy12Zz.new"), "half").unwrap();
        fs::write(folder.path().join(".keep"), "").unwrap();
        clean(folder.path(), ".").unwrap();
        assert_eq!(names(&folder), [".keep"]);
        // Only by whoever writes the same, and not while somebody does.
        fs::write(folder.path().join(".a.Xy12Zz.new"), "half").unwrap();
        write(&folder.path().join("a"), b"written").unwrap();
        assert_eq!(names(&folder), [".a.Xy12Zz.new", ".keep", "a"]);
        let writing = begin(folder.path(), ".a.").unwrap();
        replace(&folder.path().join("a"), b"replaced").unwrap();
        clean(folder.path(), ".").unwrap();
        assert_eq!(names(&folder).len(), 3);
        drop(writing);
        assert_eq!(names(&folder), [".keep", "a"]);
    }

    #[test]
    fn folders_are_made_with_those_above() {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("a/b/c");
        for _ in 0..2 {
            make_folder(&path).unwrap();
            assert!(path.is_dir());
        }
        fs::write(path.join("file"), "").unwrap();
        assert!(make_folder(&path.join("file")).is_err());
        assert!(make_folder(&path.join("file/d")).is_err());
    }
}
