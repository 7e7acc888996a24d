//! Keeps pictures that the program or its scorer writes in the first trials of the test, to compare
//! the baseline and the tuned candidate.

use crate::run::Printed;
use crate::scope::Scope;
use evolve_core::names::PICTURES;
use evolve_search::file::{make_plain_folder, replace_plain};
use evolve_search::model::problem::Context;
use evolve_search::model::seed::Split;
use evolve_search::model::trial::Case;
use std::fs;
use std::path::{Path, PathBuf};

/// The number of first cases whose pictures are kept.
const CASES: u64 = 8;
/// The largest kept picture in bytes.
const LARGEST: u64 = 1 << 20;

/// Keeps the picture of a trial, if there is one: the first file by name in the trial's folder that
/// ends with `.svg` or `.png`, or the standard output if that is SVG. The name consists of case,
/// scenario, and `baseline` or `tuned`.
pub fn keep(scope: &Scope<'_>, case: &Case, printed: &Printed) {
    if !matches!(case.split, Split::Test | Split::HeldOut) || case.number >= CASES {
        return;
    }
    let Context { run_folder: Some(folder), notes, .. } = &scope.program.context else { return };
    let folder = folder.join(PICTURES);
    let Some((extension, bytes)) = picture(scope.dir, &printed.stdout) else { return };
    let who = if scope.values == scope.program.start { "baseline" } else { "tuned" };
    let places = scope.program.declared.scenarios.rows();
    let place = places.iter().position(|scenario| scenario.name == scope.scenario.name).unwrap_or_default();
    // A picture that cannot be written is not worth an error; the run continues.
    let name = format!("{:04}-{place}-{who}.{extension}", case.number);
    let path = folder.join(name);
    let written = make_plain_folder(&folder).and_then(|()| replace_plain(&path, &bytes));
    if let Err(error) = written {
        notes.tell(&format!("{}: cannot keep the picture: {error}", path.display()));
    }
}

/// Returns the extension and bytes of a trial's picture.
fn picture(dir: &Path, stdout: &[u8]) -> Option<(&'static str, Vec<u8>)> {
    let files = fs::read_dir(dir).into_iter().flatten().flatten();
    let is_small =
        |path: &PathBuf| fs::symlink_metadata(path).is_ok_and(|file| file.is_file() && file.len() <= LARGEST);
    let mut files: Vec<PathBuf> = files.map(|file| file.path()).filter(is_small).collect();
    files.sort();
    for (extension, path) in files.iter().filter_map(|path| Some((path.extension()?, path))) {
        for known in ["svg", "png"] {
            if extension.eq_ignore_ascii_case(known) {
                return Some((known, fs::read(path).ok()?));
            }
        }
    }
    let text = stdout.trim_ascii();
    let is_svg = text.starts_with(b"<svg") || text.starts_with(b"<?xml") && text.windows(4).any(|word| word == b"<svg");
    (is_svg && text.len() as u64 <= LARGEST).then(|| ("svg", text.to_vec()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_are_found() {
        let folder = tempfile::TempDir::new().unwrap();
        assert_eq!(picture(folder.path(), b"Score = 3\n"), None);
        assert_eq!(picture(folder.path(), b"\n<svg></svg>\n"), Some(("svg", b"<svg></svg>".to_vec())));
        fs::write(folder.path().join("b.PNG"), b"png").unwrap();
        fs::write(folder.path().join("a.txt"), b"text").unwrap();
        assert_eq!(picture(folder.path(), b"<svg/>"), Some(("png", b"png".to_vec())));
        fs::write(folder.path().join("a.svg"), vec![b' '; LARGEST as usize + 1]).unwrap();
        assert_eq!(picture(folder.path(), b""), Some(("png", b"png".to_vec())));
    }
}
