//! Atomic replacement of files: after a crash at any moment, a file holds either the old bytes or
//! the new ones.

use super::{rename, sync_folder, with_usual_permissions};
use std::fs::{self, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::Path;
use tempfile::NamedTempFile;

/// The ending of a partial file, which is named `.NAME.RANDOM.new` after the file that it will
/// become.
const UNFINISHED: &str = ".new";
const RANDOM: usize = 6;

/// Replaces a file that a user named. Follows a link, and writes into the target if it is not a
/// regular file, such as a device or a pipe.
///
/// # Errors
/// If `path` is a folder, is read-only or cannot be written. The old file then stays.
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    match fs::metadata(path) {
        Ok(old) if old.is_dir() => {
            let message = "this is a folder; name a file";
            Err(io::Error::new(ErrorKind::IsADirectory, message))
        }
        Ok(old) if !old.is_file() => OpenOptions::new().write(true).open(path)?.write_all(bytes),
        // Renaming over a read-only file would succeed, although its owner protected it.
        Ok(old) if old.permissions().readonly() => {
            Err(io::Error::new(ErrorKind::PermissionDenied, "this file is read-only; make it writable first"))
        }
        Ok(_) => replace_plain(&fs::canonicalize(path)?, bytes),
        Err(_) if !folder_of(path).is_dir() => Err(io::Error::new(ErrorKind::NotFound, "its folder does not exist")),
        Err(_) => replace_plain(path, bytes),
    }
}

/// Replaces a file or a link. Keeps the permissions of the old file, and removes partial files of
/// earlier processes.
///
/// # Errors
/// If `path` is a folder or cannot be written. The old file then stays.
pub fn replace_plain(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = begin(path)?;
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    put(file, path)?;
    sync_folder(folder_of(path))
}

/// Renames a file that [`begin`] created to `path`.
///
/// # Errors
/// If the rename fails. The old file then stays.
pub fn put(file: NamedTempFile, path: &Path) -> io::Result<()> {
    let (_, unfinished) = file.keep().map_err(|error| error.error)?;
    rename(&unfinished, path).inspect_err(|_| {
        // A leftover partial file does no harm.
        let _ = fs::remove_file(&unfinished);
    })
}

/// Creates a partial file, which replaces `path` like [`replace_plain`] once it is complete.
pub fn begin(path: &Path) -> io::Result<NamedTempFile> {
    let (folder, name) = (folder_of(path), path.file_name().unwrap_or_default().to_string_lossy());
    // A leftover partial file does no harm.
    let _ = remove_unfinished(folder, |of| of == name);
    let mut builder = tempfile::Builder::new();
    with_usual_permissions(&mut builder);
    builder.suffix(UNFINISHED).rand_bytes(RANDOM);
    let file = builder.prefix(&format!(".{name}.")).tempfile_in(folder)?;
    if let Ok(old) = fs::symlink_metadata(path)
        && old.is_file()
    {
        file.as_file().set_permissions(old.permissions())?;
    }
    Ok(file)
}

/// Removes the partial files of killed processes from a folder.
pub fn clean(folder: &Path) -> io::Result<()> {
    remove_unfinished(folder, |_| true)
}

/// Removes partial files whose final name is wanted.
fn remove_unfinished(folder: &Path, is_wanted: impl Fn(&str) -> bool) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if unfinished(&entry.file_name().to_string_lossy()).is_some_and(&is_wanted) && entry.file_type()?.is_file() {
            fs::remove_file(entry.path()).or_else(|error| match error.kind() {
                // Another process has completed the file meanwhile.
                ErrorKind::NotFound => Ok(()),
                _ => Err(error),
            })?;
        }
    }
    Ok(())
}

/// Returns the final name of a partial file.
fn unfinished(name: &str) -> Option<&str> {
    let (whole, random) = name.strip_prefix('.')?.strip_suffix(UNFINISHED)?.rsplit_once('.')?;
    (random.len() == RANDOM && random.bytes().all(|byte| byte.is_ascii_alphanumeric())).then_some(whole)
}

/// Returns the folder that contains a file.
fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Creates a folder inside the folder of a run, if it does not exist.
///
/// # Errors
/// If the folder cannot be created, or `path` is something else, such as a link to a folder.
pub fn make_plain_folder(path: &Path) -> io::Result<()> {
    match fs::symlink_metadata(path) {
        Ok(found) if !found.is_dir() => Err(io::Error::other("this is not a folder of the run; remove it")),
        _ => make_folder(path),
    }
}

/// Creates a folder and its missing parents, and syncs each to disk.
pub fn make_folder(path: &Path) -> io::Result<()> {
    if path.is_dir() {
        return Ok(());
    }
    let parent = folder_of(path);
    if parent != Path::new(".") {
        make_folder(parent)?;
    }
    match fs::create_dir(path) {
        // Another process created the folder first.
        Err(error) if error.kind() == ErrorKind::AlreadyExists && path.is_dir() => Ok(()),
        made => made.and_then(|()| sync_folder(parent)),
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::fs::Permissions;
    use std::os::unix::fs::{PermissionsExt as _, symlink};
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
    fn links_named_by_users_are_followed_and_permissions_stay() {
        let folder = TempDir::new().unwrap();
        let file = |name: &str| folder.path().join(name);
        fs::create_dir(file("sub")).unwrap();
        symlink("sub/b", file("a")).unwrap();
        symlink("../c", file("sub/b")).unwrap();
        fs::write(file("c"), "first").unwrap();
        fs::set_permissions(file("c"), Permissions::from_mode(0o754)).unwrap();
        replace(&file("a"), b"second").unwrap();
        assert_eq!(fs::read_to_string(file("c")).unwrap(), "second");
        assert_eq!(fs::metadata(file("c")).unwrap().permissions().mode() & 0o777, 0o754);
        assert!(file("a").is_symlink() && file("sub/b").is_symlink() && !file("c").is_symlink());
        replace_plain(&file("a"), b"third").unwrap();
        assert!(!file("a").is_symlink());
        assert_eq!(fs::read_to_string(file("c")).unwrap(), "second");
        assert_eq!(names(&folder), ["a", "c", "sub"]);
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
        let error = replace(&folder.path().join("missing/a"), b"text").unwrap_err().to_string();
        assert_eq!(error, "its folder does not exist");
    }

    #[test]
    fn partial_files_are_removed() {
        let folder = TempDir::new().unwrap();
        for other in [".a.Xy12Zz.new", ".a.b.Xy12Zz.new", ".checkpoint.Xy12Zz.new", ".keep"] {
            fs::write(folder.path().join(other), "half").unwrap();
        }
        replace(&folder.path().join("a"), b"whole").unwrap();
        assert_eq!(names(&folder), [".a.b.Xy12Zz.new", ".checkpoint.Xy12Zz.new", ".keep", "a"]);
        clean(folder.path()).unwrap();
        assert_eq!(names(&folder), [".keep", "a"]);
    }

    #[test]
    fn folders_are_made_with_their_parents() {
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
