//! Names of files that are not UTF-8. Patterns pass over them silently, which would drop instances.

use glob::Pattern;
use std::fs;
use std::path::{Path, PathBuf};

/// Returns the first path, in the order of its bytes, that a pattern would match if its name were
/// UTF-8.
pub fn passed_over(pattern: &str) -> Option<PathBuf> {
    let (folder, name) = pattern.rsplit_once(['/', std::path::MAIN_SEPARATOR]).unwrap_or((".", pattern));
    let folder = if folder.is_empty() { "/" } else { folder };
    let name_pattern = Pattern::new(name).ok()?;
    // The folders in the pattern match in the same way.
    let above = if folder.contains(['*', '?', '[']) { passed_over(folder) } else { None };
    let matches = |path: &Path| {
        let name_of = path.file_name().unwrap_or_default();
        // The characters that replace other bytes match `*` and `?`, as the bytes themselves would.
        name_of.to_str().is_none()
            && (name == "**" && path.is_dir() || name_pattern.matches(&name_of.to_string_lossy()))
    };
    let folders = glob::glob(folder).ok()?.flatten();
    let entries = folders.flat_map(|folder| fs::read_dir(folder).into_iter().flatten().flatten());
    entries.map(|entry| entry.path()).filter(|path| matches(path)).chain(above).min()
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    #[test]
    fn only_names_that_would_match_count() {
        let place = tempfile::tempdir().unwrap();
        let file = |path: &[u8]| {
            let path = place.path().join(OsStr::from_bytes(path));
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, "").unwrap();
            path
        };
        let found = |pattern: &str| passed_over(&format!("{}/{pattern}", place.path().display()));
        let (first, _) = (file(b"in/a\xff.txt"), file(b"in/b\xff.txt"));
        let (folder, _) = (file(b"x\xff/a.txt"), file(b"in/deep/plain.txt"));
        for pattern in ["in/*.txt", "*/*.txt", "**/a*.txt", "in/a?.txt"] {
            assert_eq!(found(pattern).as_deref(), Some(&*first), "{pattern}");
        }
        assert_eq!(found("x*/a.txt").as_deref(), folder.parent());
        for pattern in ["in/*.dat", "in/c*.txt", "in/deep/*.txt", "in/deep/plain.txt", "none/*"] {
            assert_eq!(found(pattern), None, "{pattern}");
        }
    }
}
