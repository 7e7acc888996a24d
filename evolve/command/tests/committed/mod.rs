//! The runs in `results/`, as runs of the jobs in `configs/` as they are now: the search, checks
//! and verdict in a run's `config.toml` are from the version that made it.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

/// A folder like `results/`, without pages, plots and programs. This test's own.
pub fn results() -> &'static Path {
    static FOLDER: LazyLock<PathBuf> = LazyLock::new(|| {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(env!("CARGO_CRATE_NAME"));
        copy(&root.join("results"), &root.join("configs"), &folder);
        folder
    });
    &FOLDER
}

/// Copies the files of a run to a folder.
#[allow(dead_code)]
pub fn copied(run: &str, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(results().join(run)).unwrap() {
        let entry = entry.unwrap();
        fs::copy(entry.path(), to.join(entry.file_name())).unwrap();
    }
}

fn copy(from: &Path, jobs: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let (path, name) = entry.map(|entry| (entry.path(), entry.file_name())).unwrap();
        let there = to.join(&name);
        if path.is_dir() && name != "plots" {
            copy(&path, &jobs.join(&name), &there);
        } else if name == "config.toml" {
            let read = |path: &Path| fs::read_to_string(path).unwrap();
            let (config, job) = (read(&path), read(&jobs.with_extension("toml")));
            let (head, _) = config.split_once("[search]").unwrap();
            let (_, tail) = job.split_once("[search]").unwrap();
            fs::write(there, format!("{head}[search]{tail}")).unwrap();
        } else if name == "recommendation.toml" || path.extension().is_some_and(|extension| extension == "csv") {
            fs::copy(path, there).unwrap();
        }
    }
}
