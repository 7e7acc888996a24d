//! Paths in the current folder.

use std::fs;
use std::path::{Component, Path, PathBuf};

/// Returns the path of a file relative to the current folder, without `.`; `None` if it leads out
/// of this folder.
pub fn normal(file: &Path) -> Option<PathBuf> {
    let here = std::env::current_dir().ok()?;
    let relative = if file.is_absolute() { file.strip_prefix(&here).ok()? } else { file };
    let mut path = PathBuf::new();
    for part in relative.components() {
        match part {
            Component::Normal(name) => path.push(name),
            Component::CurDir => {}
            _ => return None,
        }
    }
    (path.file_name().is_some()).then_some(path)
}

/// Returns whether a file is in the current folder, also if links are followed.
pub fn is_inside(file: &Path) -> bool {
    let real = || Some(fs::canonicalize(file).ok()?.starts_with(fs::canonicalize(".").ok()?));
    normal(file).is_some() && real().unwrap_or(false)
}
