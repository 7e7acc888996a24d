//! A folder that looks like the current one: with copies of some files, and links to everything
//! beside them.

use super::here::normal;
use super::loaded::{COMPILED, is_script};
use evolve_search::file::link;
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

/// Fills the new folder `home` with copies of `files`, which are relative to the current folder,
/// and with links to everything beside them and beside their folders. Omits the folder of runs that
/// contains `run`.
///
/// # Errors
/// If a file cannot be copied. A missing link is an error only if a copy may need it: a script
/// looks for more beside itself than an executable does.
pub fn fill(home: &Path, files: &BTreeSet<PathBuf>, run: Option<&Path>) -> io::Result<()> {
    let run = run.and_then(normal);
    let runs = run.as_deref().and_then(|run| run.components().next()).map(Component::as_os_str);
    let has_script = files.iter().any(|file| is_script(file));
    let folders: BTreeSet<&Path> = files.iter().flat_map(|file| file.ancestors().skip(1)).collect();
    // A folder comes before those inside it.
    for &folder in &folders {
        if !folder.as_os_str().is_empty() {
            fs::create_dir(home.join(folder))?;
        }
        for entry in fs::read_dir(Path::new(".").join(folder))? {
            let name = entry?.file_name();
            let path = folder.join(&name);
            let (from, to) = (Path::new(".").join(&path), home.join(&path));
            let is_run = folder.as_os_str().is_empty() && runs == Some(name.as_os_str());
            if files.contains(&path) {
                fs::copy(from, to).map(drop)?;
            } else if !folders.contains(path.as_path()) && !is_run && name != COMPILED {
                link(&target(home, &path)?, &to).or_else(|error| if has_script { Err(error) } else { Ok(()) })?;
            }
        }
    }
    Ok(())
}

/// Returns the target of the link to a path of the current folder: relative if `home` is in this
/// folder, too, so that the folder can be moved.
fn target(home: &Path, path: &Path) -> io::Result<PathBuf> {
    let depth = |path: &Path| path.parent().map_or(0, |folder| folder.components().count());
    match normal(home) {
        Some(home) => {
            let up = std::iter::repeat_n(OsStr::new(".."), home.components().count() + depth(path));
            Ok(up.collect::<PathBuf>().join(path))
        }
        None => std::path::absolute(path),
    }
}
