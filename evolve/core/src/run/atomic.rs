//! Files that change in one step: after a crash at any moment they hold either the old bytes or the new ones.

use std::fs::{self, File, OpenOptions, Permissions};
use std::io::{self, ErrorKind, Write};
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

/// What the names of files end with that are still being written. They begin with a dot and the name that they will get.
pub const UNFINISHED: &str = ".new";

/// Puts a file with these bytes in the place of `path`. Where `path` is a symbolic link, that is the file that it leads
/// to. What is no file, such as a device or a pipe, is written to.
///
/// # Errors
/// If `path` is a folder, or cannot be written; the old file then stays.
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
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

/// Puts a plain file with these bytes in the place of `path`, which may hold a plain file or nothing.
///
/// # Errors
/// If `path` is anything else, such as a link, or cannot be written; the old file then stays.
pub fn replace_plain(path: &Path, bytes: &[u8]) -> io::Result<()> {
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
        Err(error) if error.kind() == ErrorKind::NotFound => fs::create_dir_all(path),
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

fn put(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let name = path.file_name().ok_or_else(|| io::Error::new(ErrorKind::InvalidInput, "this names no file"))?;
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let prefix = format!(".{}.", name.to_string_lossy());
    // The permissions that a new file usually gets; the process's mask takes from them.
    let permissions = Permissions::from_mode(0o666);
    let mut file =
        tempfile::Builder::new().prefix(&prefix).suffix(UNFINISHED).permissions(permissions).tempfile_in(folder)?;
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    file.persist(path).map_err(|error| error.error)?;
    File::open(folder)?.sync_all()
}

/// Removes what [`replace_plain`] left in a folder when it was killed.
pub fn clean(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name();
        let name = name.to_string_lossy();
        if name.starts_with('.') && name.ends_with(UNFINISHED) && entry.file_type()?.is_file() {
            fs::remove_file(entry.path())?;
        }
    }
    Ok(())
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
        for other in ["a.new", ".a.new"] {
            fs::write(file(other), "another's").unwrap();
        }
        for text in ["first", "second"] {
            replace(&file("a"), text.as_bytes()).unwrap();
            assert_eq!(fs::read_to_string(file("a")).unwrap(), text);
        }
        assert_eq!(names(&folder), [".a.new", "a", "a.new"]);
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
        fs::write(folder.path().join(".checkpoint.Xy12.new"), "half").unwrap();
        fs::write(folder.path().join(".keep"), "").unwrap();
        clean(folder.path()).unwrap();
        assert_eq!(names(&folder), [".keep"]);
    }
}
