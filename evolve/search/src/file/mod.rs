//! Operations on files: atomic replacement, and operations that differ between systems.

mod atomic;

use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::Path;

pub use atomic::{begin, clean, make_folder, make_plain_folder, put, replace, replace_plain};
pub use system::{create_executable, is_executable, link, make_writable, rename, sync_folder, with_usual_permissions};

/// Formats a path for files and tables, with `/` as the separator on every system.
pub fn slashed(path: &Path) -> String {
    path.to_string_lossy().replace(std::path::MAIN_SEPARATOR, "/")
}

/// Accepts that a file or folder to remove does not exist.
///
/// # Errors
/// If it exists, and could not be removed.
pub fn gone(removed: io::Result<()>) -> io::Result<()> {
    removed.or_else(|error| if error.kind() == io::ErrorKind::NotFound { Ok(()) } else { Err(error) })
}

/// Returns whether two paths lead to the same file or folder, which exists.
pub fn is_same(one: &Path, other: &Path) -> bool {
    let real = |path| fs::canonicalize(path).ok();
    real(one).is_some_and(|one| real(other) == Some(one))
}

/// Copies a file with its permissions and the time of its last change: with a new time, an earlier
/// build could look newer than its changed source. Returns the size.
///
/// # Errors
/// If the file cannot be copied.
pub fn copy(from: &Path, to: &Path) -> io::Result<u64> {
    let size = fs::copy(from, to)?;
    // Windows copies the time.
    if cfg!(unix) {
        File::open(to)?.set_modified(fs::metadata(from)?.modified()?)?;
    }
    Ok(size)
}

/// Copies the contents of a folder, with its links, into another one.
///
/// # Errors
/// If a file cannot be copied, or exists.
pub fn copy_tree(from: &Path, to: &Path) -> io::Result<()> {
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let (kind, to) = (entry.file_type()?, to.join(entry.file_name()));
        if kind.is_symlink() {
            link(&fs::read_link(entry.path())?, &to)?;
        } else if kind.is_dir() {
            fs::create_dir(&to)?;
            copy_tree(&entry.path(), &to)?;
        } else {
            copy(&entry.path(), &to)?;
        }
    }
    Ok(())
}

#[cfg(unix)]
mod system {
    use super::{File, OpenOptions, Path, io};
    use std::fs::{self, Permissions};
    use std::os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _};

    /// Returns whether a file can be executed.
    ///
    /// # Errors
    /// If the metadata of the file cannot be read.
    pub fn is_executable(path: &Path) -> io::Result<bool> {
        let file = fs::metadata(path)?;
        Ok(file.is_file() && file.permissions().mode() & 0o111 != 0)
    }

    /// Creates a file that only its owner can read and, if `is_executable`, execute.
    ///
    /// # Errors
    /// If the file exists or cannot be created.
    pub fn create_executable(path: &Path, is_executable: bool) -> io::Result<File> {
        let mode = if is_executable { 0o700 } else { 0o600 };
        OpenOptions::new().write(true).create_new(true).mode(mode).open(path)
    }

    /// Lets the owner of a file write it.
    ///
    /// # Errors
    /// If its permissions cannot be read or changed.
    pub fn make_writable(path: &Path) -> io::Result<()> {
        let mode = fs::metadata(path)?.permissions().mode();
        fs::set_permissions(path, Permissions::from_mode(mode | 0o200))
    }

    /// Creates a second path to a file or a folder. A relative target starts in the folder of
    /// `link`.
    ///
    /// # Errors
    /// If `link` exists or cannot be created.
    pub fn link(target: &Path, link: &Path) -> io::Result<()> {
        std::os::unix::fs::symlink(target, link)
    }

    /// Gives a new file the usual permissions, which the umask of the process reduces.
    pub fn with_usual_permissions(builder: &mut tempfile::Builder<'_, '_>) {
        builder.permissions(Permissions::from_mode(0o666));
    }

    /// Renames a file, replacing `to` in one step.
    ///
    /// # Errors
    /// If the rename fails. The file at `to` then stays.
    pub fn rename(from: &Path, to: &Path) -> io::Result<()> {
        fs::rename(from, to)
    }

    /// Syncs the names in a folder, so that they survive a power failure.
    ///
    /// # Errors
    /// If the folder cannot be synced. A power failure may then lose names.
    pub fn sync_folder(path: &Path) -> io::Result<()> {
        File::open(path)?.sync_all()
    }
}

#[cfg(windows)]
mod system {
    use super::{File, OpenOptions, Path, io};
    use std::fs;
    use std::thread;
    use std::time::Duration;

    /// Returns whether a file can be executed, according to its extension.
    ///
    /// # Errors
    /// If the metadata of the file cannot be read.
    pub fn is_executable(path: &Path) -> io::Result<bool> {
        let is_program = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("exe"));
        Ok(is_program && fs::metadata(path)?.is_file())
    }

    /// Creates a file. Its extension decides whether it can be executed.
    ///
    /// # Errors
    /// If the file exists or cannot be created.
    pub fn create_executable(path: &Path, _: bool) -> io::Result<File> {
        OpenOptions::new().write(true).create_new(true).open(path)
    }

    /// Lets everyone write a file.
    ///
    /// # Errors
    /// If its permissions cannot be read or changed.
    pub fn make_writable(path: &Path) -> io::Result<()> {
        let mut permissions = fs::metadata(path)?.permissions();
        permissions.set_readonly(false);
        fs::set_permissions(path, permissions)
    }

    /// Creates a second path to a file or a folder. A relative target starts in the folder of
    /// `link`. Users without the right to create symbolic links get hard links to files, and no
    /// links to folders.
    ///
    /// # Errors
    /// If `link` exists or cannot be created.
    pub fn link(target: &Path, link: &Path) -> io::Result<()> {
        use std::os::windows::fs::{symlink_dir, symlink_file};
        let from = link.parent().map_or_else(|| target.to_path_buf(), |folder| folder.join(target));
        match from.is_dir() {
            true => symlink_dir(target, link),
            false => symlink_file(target, link).or_else(|_| fs::hard_link(from, link)),
        }
    }

    /// Does nothing: a new file inherits the permissions of its folder.
    pub fn with_usual_permissions(_: &mut tempfile::Builder<'_, '_>) {}

    /// Renames a file, replacing `to` in one step. Retries for half a second, because virus
    /// scanners and indexers hold new files open for a moment.
    ///
    /// # Errors
    /// If the rename fails. The file at `to` then stays.
    pub fn rename(from: &Path, to: &Path) -> io::Result<()> {
        for wait in [5, 10, 20, 40, 80, 160, 200] {
            match fs::rename(from, to) {
                Err(error) if error.kind() == io::ErrorKind::PermissionDenied || is_shared(&error) => {
                    thread::sleep(Duration::from_millis(wait));
                }
                done => return done,
            }
        }
        fs::rename(from, to)
    }

    /// Returns whether another process has the file open without sharing it
    /// (`ERROR_SHARING_VIOLATION`).
    fn is_shared(error: &io::Error) -> bool {
        error.raw_os_error() == Some(32)
    }

    /// Does nothing: the journal of NTFS preserves the names.
    ///
    /// # Errors
    /// None.
    pub fn sync_folder(_: &Path) -> io::Result<()> {
        Ok(())
    }
}
