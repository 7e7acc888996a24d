//! The files beside the table of trials: kept failures and pictures.

use crate::page::thin::short;
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use evolve_core::names::FAILURES;
use evolve_core::names::failure::{AGAIN, PARAMETERS, REASON, STDERR, STDOUT};
use evolve_search::document::Document;
use evolve_search::model::space::Space;
use evolve_search::shell::shell_word;
use serde::Serialize;
use std::fs;
use std::path::{Path, PathBuf};

/// A failure with kept files.
#[derive(Serialize)]
pub struct Kept {
    pub name: String,
    pub reason: String,
    /// The command that reproduces the failure.
    pub again: String,
    /// The end of the program's output.
    pub output: String,
    /// The tuned values.
    pub values: Vec<Option<f64>>,
}

#[derive(Serialize)]
pub struct Picture {
    pub title: String,
    /// The picture as a `data:` address.
    pub source: String,
}

/// The largest number of failures on a page.
const MOST_FAILURES: usize = 60;
/// The largest total size of pictures in bytes, before encoding.
const MOST_BYTES: usize = 900_000;

/// Returns the entries of a folder, ordered by name.
fn entries(folder: &Path) -> Vec<PathBuf> {
    let mut entries: Vec<PathBuf> = fs::read_dir(folder).into_iter().flatten().flatten().map(|e| e.path()).collect();
    entries.sort();
    entries
}

/// The last lines of a program's output on a page, and their letters.
const LINES: usize = 12;
const LETTERS: usize = 1000;

/// Returns the end of the kept output of a trial, on both streams.
fn output(folder: &Path) -> String {
    let read = |name: &str| fs::read(folder.join(name)).map_or_else(|_| String::new(), |bytes| end(&bytes));
    [read(STDOUT), read(STDERR)].into_iter().filter(|text| !text.is_empty()).collect::<Vec<_>>().join("\n")
}

fn end(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(&bytes[bytes.len().saturating_sub(LETTERS)..]).into_owned();
    let lines: Vec<&str> = text.trim_end().lines().collect();
    lines[lines.len().saturating_sub(LINES)..].join("\n")
}

/// Returns the tuned values of a kept trial.
fn kept_values(folder: &Path, space: &Space) -> Vec<Option<f64>> {
    let file = Document::read(&folder.join(PARAMETERS));
    let values = file.and_then(|file| file.top("a kept trial")?.entries()).unwrap_or_default();
    space.tuned().map(|parameter| parameter.of_json(values.get(&parameter.name)?).map(short)).collect()
}

/// Returns the failures in a folder of a run that commands call `shown`.
pub fn kept(folder: &Path, shown: &str, space: &Space) -> Vec<Kept> {
    let kept = |path: PathBuf| {
        let name = path.file_name()?.to_string_lossy().into_owned();
        let reason = fs::read_to_string(path.join(REASON)).ok()?.trim().to_string();
        let again = format!("sh {}", shell_word(&format!("{shown}/{FAILURES}/{name}/{AGAIN}")));
        Some(Kept { name, reason, again, output: output(&path), values: kept_values(&path, space) })
    };
    entries(folder).into_iter().filter_map(kept).take(MOST_FAILURES).collect()
}

/// Returns the pictures in a folder, as many as there is room for.
pub fn pictures(folder: &Path) -> Vec<Picture> {
    let mut room = MOST_BYTES;
    let mut pictures = Vec::new();
    for path in entries(folder) {
        let kind = match path.extension().and_then(|extension| extension.to_str()) {
            Some("svg") => "image/svg+xml",
            Some("png") => "image/png",
            _ => continue,
        };
        let Ok(bytes) = fs::read(&path) else { continue };
        let Some(left) = room.checked_sub(bytes.len()) else { continue };
        room = left;
        // A name such as `0003-0-tuned` consists of case, scenario and candidate.
        let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let title = match stem.splitn(3, '-').collect::<Vec<_>>()[..] {
            [case, scenario, who] => {
                let number = |text: &str| {
                    text.parse::<u64>().map_or(text.to_string(), |number| number.saturating_add(1).to_string())
                };
                format!("trial {}, scenario {}, {who}", number(case), number(scenario))
            }
            _ => stem,
        };
        pictures.push(Picture { title, source: format!("data:{kind};base64,{}", BASE64_STANDARD.encode(bytes)) });
    }
    pictures
}

#[cfg(test)]
mod tests {
    use super::*;
    use evolve_core::job::policy_file::values_of;
    use evolve_search::document::text::to_toml;
    use evolve_search::model::parameter::Parameter;

    #[test]
    fn kept_values_are_read_back() {
        let folder = tempfile::TempDir::new().unwrap();
        let way = Parameter::choice("way", ["to \"a\"", "b = c"], 0);
        let parameters = vec![Parameter::int("k", 1, 9, 5), Parameter::float("a.b", 0.0, 1.0, 0.5), way];
        for values in [[6.0, 0.25, 0.0], [1.0, 1.0, 1.0]] {
            fs::write(folder.path().join(PARAMETERS), to_toml(&values_of(&parameters, &values))).unwrap();
            let space = Space::new(parameters.clone(), vec![5.0, 0.5, 0.0], vec![0, 1, 2]);
            assert_eq!(kept_values(folder.path(), &space), values.map(Some));
            assert_eq!(kept_values(&folder.path().join("none"), &space), [None; 3]);
        }
    }
}
