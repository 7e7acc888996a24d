//! What systems do not agree on about files: who may execute one, how one takes the place of another, and how a path is
//! written down.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::Path;

pub use system::{create_executable, is_executable, rename, sync_folder, with_usual_permissions};

/// A path as it stands in files and tables: with `/` on every system.
pub fn slashed(path: &Path) -> String {
    path.to_string_lossy().replace(std::path::MAIN_SEPARATOR, "/")
}

#[cfg(unix)]
mod system {
    use super::{File, OpenOptions, Path, io};
    use std::fs::{self, Permissions};
    use std::os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _};

    /// Whether a file can be executed.
    ///
    /// # Errors
    /// It cannot be looked at.
    pub fn is_executable(path: &Path) -> io::Result<bool> {
        let file = fs::metadata(path)?;
        Ok(file.is_file() && file.permissions().mode() & 0o111 != 0)
    }

    /// Makes a file that only its owner can read and, if wanted, execute.
    ///
    /// # Errors
    /// It exists, or cannot be made.
    pub fn create_executable(path: &Path, is_executable: bool) -> io::Result<File> {
        let mode = if is_executable { 0o700 } else { 0o600 };
        OpenOptions::new().write(true).create_new(true).mode(mode).open(path)
    }

    /// Gives a new file the usual permissions: the process's mask takes from these.
    pub fn with_usual_permissions(builder: &mut tempfile::Builder<'_, '_>) {
        builder.permissions(Permissions::from_mode(0o666));
    }

    /// Puts a file in the place of another in one step.
    ///
    /// # Errors
    /// The other one stays.
    pub fn rename(from: &Path, to: &Path) -> io::Result<()> {
        fs::rename(from, to)
    }

    /// Has the names in a folder survive a power cut.
    ///
    /// # Errors
    /// The disk may have lost them.
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

    /// Whether a file can be executed, which its name tells.
    ///
    /// # Errors
    /// It cannot be looked at.
    pub fn is_executable(path: &Path) -> io::Result<bool> {
        let is_program = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("exe"));
        Ok(is_program && fs::metadata(path)?.is_file())
    }

    /// Makes a file; its name tells whether it can be executed.
    ///
    /// # Errors
    /// It exists, or cannot be made.
    pub fn create_executable(path: &Path, _: bool) -> io::Result<File> {
        OpenOptions::new().write(true).create_new(true).open(path)
    }

    /// A new file has those of its folder.
    pub fn with_usual_permissions(_: &mut tempfile::Builder<'_, '_>) {}

    /// Puts a file in the place of another in one step. Virus scanners and indexers hold new files open for a moment,
    /// so it is tried again for half a second.
    ///
    /// # Errors
    /// The other one stays.
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

    /// Whether somebody else has the file open and does not share it: `ERROR_SHARING_VIOLATION`.
    fn is_shared(error: &io::Error) -> bool {
        error.raw_os_error() == Some(32)
    }

    /// The journal of NTFS keeps the names; there is no more to be asked for.
    ///
    /// # Errors
    /// None.
    pub fn sync_folder(_: &Path) -> io::Result<()> {
        Ok(())
    }
}
