//! Finds the instances of a program.

use crate::found::FoundProgram;
use crate::lines::Lines;
use evolve_program::features::{fields, first_line};
use evolve_program::instances::Splits;
use serde_json::{Map, Value, json};
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use thiserror::Error;

pub struct Instances {
    keys: Map<String, Value>,
    /// How to list them, if there are no keys.
    advice: &'static [&'static str],
    pub kind: InstanceKind,
}

/// The form in which a program gets its instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InstanceKind {
    Unknown,
    Seed,
    Input,
}

/// The reason why the instances of a folder cannot be listed.
#[derive(Debug, Error)]
pub enum InstancesError {
    #[error("{}: {error}", .folder.display())]
    Folder { folder: PathBuf, error: std::io::Error },
    /// Names are not text. A job could not refer to them.
    #[error(
        "{}: the names of {} of {of} input files are not UTF-8: {}; rename them", .folder.display(), .names.len(),
        listed(.names)
    )]
    Names { folder: PathBuf, of: usize, names: Vec<OsString> },
}

fn listed(names: &[OsString]) -> String {
    const MOST: usize = 5;
    let shown: Vec<String> = names.iter().take(MOST).map(|name| format!("{name:?}")).collect();
    shown.join(", ") + if names.len() > MOST { ", ..." } else { "" }
}

const NONE: [&str; 2] = [
    "No inputs were found. To play several instances: `{seed}` in `command`, `stdin = \"in/{seed:04}.txt\"` with \
     `seeds = \"0-99\"`,",
    "or `files = \"in/*.txt\"`.",
];
const NEW: [&str; 1] =
    ["`{seed}` is the seed of the instance; trials play new ones throughout. To list seeds: `seeds = \"0-99\"`."];

impl Instances {
    /// Finds the instances: as found with the program, in input files of the folder, or new seeds
    /// for a program that reads one, as `has_seed` says.
    ///
    /// # Errors
    /// If the input files cannot be listed.
    pub fn of(found: &FoundProgram, has_seed: bool, folder: &Path) -> Result<Self, InstancesError> {
        let (keys, count, kind) = match (&found.files, &found.seeds) {
            (Some(patterns), _) => {
                let files = patterns.files().ok();
                let features = files.as_deref().and_then(features);
                let keys = [("files", json!(patterns))].into_iter().chain(features).collect();
                // Without files, the first trials give the reason.
                (keys, files.map_or(Splits::LEAST, |files| files.len()), InstanceKind::Input)
            }
            (None, Some(seeds)) => {
                let count = match seeds.split_once('-') {
                    Some((first, last)) => {
                        last.parse().unwrap_or(0_usize).saturating_sub(first.parse().unwrap_or(0)) + 1
                    }
                    None => seeds.split(',').count(),
                };
                let kind = if found.stdin.is_some() { InstanceKind::Input } else { InstanceKind::Seed };
                let stdin = found.stdin.iter().map(|stdin| ("stdin", json!(stdin)));
                (stdin.chain([("seeds", json!(seeds))]).collect(), count, kind)
            }
            _ => match files(folder)? {
                Some((keys, count)) => (keys, count, InstanceKind::Input),
                None if !has_seed => {
                    return Ok(Instances { keys: Map::new(), advice: &NONE, kind: InstanceKind::Unknown });
                }
                None => return Ok(Instances { keys: Map::new(), advice: &NEW, kind: InstanceKind::Seed }),
            },
        };
        let mut keys: Map<String, Value> = keys.into_iter().map(|(name, value)| (name.to_string(), value)).collect();
        if count < Splits::LEAST {
            keys.insert("split".to_string(), json!(false));
        }
        Ok(Instances { keys, advice: &[], kind })
    }

    /// Adds the keys to a job.
    pub fn write(&self, lines: &mut Lines) {
        self.advice.iter().for_each(|line| lines.comment(line));
        for (name, value) in &self.keys {
            let remark = match &name[..] {
                "split" => "too few instances to hold any out: the verdict is about these instances only",
                "features" => "fields of each input's first line, with which effects may differ",
                _ => "",
            };
            lines.key_with(name, value.clone(), remark);
        }
    }
}

/// Keys of a job and their values.
type Keys = Vec<(&'static str, Value)>;

/// Finds the input files of a folder. Returns a pattern of seeds or names, and the number of files.
fn files(folder: &Path) -> Result<Option<(Keys, usize)>, InstancesError> {
    for below in ["in", "input", "inputs", "tools/in", "tests"] {
        let own = folder.join(below);
        if !own.is_dir() {
            continue;
        }
        let entries = fs::read_dir(&own).and_then(Iterator::collect::<Result<Vec<_>, _>>);
        let entries = entries.map_err(|error| InstancesError::Folder { folder: below.into(), error })?;
        let names: Vec<OsString> = entries.into_iter().map(|entry| entry.file_name()).collect();
        let ends = |name: &OsString, ending: &str| name.as_encoded_bytes().ends_with(ending.as_bytes());
        let ending = [".txt", ".in"].into_iter().find(|ending| names.iter().any(|name| ends(name, ending)));
        let Some(ending) = ending else { continue };
        let mut names: Vec<OsString> = names.into_iter().filter(|name| ends(name, ending)).collect();
        names.sort();
        let stems: Vec<&str> = names.iter().filter_map(|name| name.to_str()?.strip_suffix(ending)).collect();
        if stems.len() < names.len() {
            let of = names.len();
            names.retain(|name| name.to_str().is_none());
            return Err(InstancesError::Names { folder: below.into(), of, names });
        }
        let width = stems.iter().map(|stem| stem.len()).min().unwrap_or(0);
        let number = |stem: &&str| stem.parse().ok().filter(|number: &u64| format!("{number:0width$}") == **stem);
        let numbers: Option<Vec<u64>> = stems.iter().map(number).collect();
        // A pattern of seeds allows no gaps.
        let range = numbers.and_then(|numbers| {
            let (first, last) = (*numbers.iter().min()?, *numbers.iter().max()?);
            (last - first + 1 == numbers.len() as u64).then_some((first, last))
        });
        let paths: Vec<PathBuf> = names.iter().map(|name| own.join(name)).collect();
        let mut keys = match range {
            Some((first, last)) => {
                let stdin = format!("{below}/{{seed:0{width}}}{ending}");
                vec![("stdin", json!(stdin)), ("seeds", json!(format!("{first}-{last}")))]
            }
            None => vec![("files", json!(format!("{below}/*{ending}")))],
        };
        keys.extend(features(&paths));
        return Ok(Some((keys, stems.len())));
    }
    Ok(None)
}

/// Finds features: fields of the first lines that are numbers and differ between inputs. A line of
/// many fields is data rather than a header.
fn features(inputs: &[PathBuf]) -> Option<(&'static str, Value)> {
    const NAMES: [&str; 4] = ["n", "m", "k", "l"];
    let number = |field: &str| field.parse().ok().filter(|number: &f64| number.is_finite());
    let numbers = |path: &PathBuf| fields(&first_line(path).ok()?).map(number).collect::<Option<Vec<f64>>>();
    let lines: Vec<Vec<f64>> = inputs.iter().map(numbers).collect::<Option<_>>()?;
    let first = lines.first().filter(|first| first.len() <= NAMES.len())?;
    if lines.iter().any(|line| line.len() != first.len()) {
        return None;
    }
    let differs = |place: usize| lines.iter().any(|line| line[place] != first[place]);
    // Numbers that count the inputs are seeds.
    let counts = |place: usize| lines.windows(2).all(|pair| pair[1][place] == pair[0][place] + 1.0);
    let is_feature = |&place: &usize| differs(place) && !counts(place);
    let keys: Map<String, Value> =
        (0..first.len()).filter(is_feature).map(|place| (NAMES[place].to_string(), json!(place + 1))).collect();
    (!keys.is_empty()).then(|| ("features", Value::Object(keys)))
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use std::os::unix::ffi::OsStringExt;
    use tempfile::TempDir;

    #[test]
    fn numbers_in_first_lines_that_differ_are_features() {
        let folder = TempDir::new().unwrap();
        let of = |texts: &[&str]| {
            let write = |(i, text): (usize, &&str)| {
                let path = folder.path().join(format!("{i}.txt"));
                std::fs::write(&path, text).unwrap();
                path
            };
            let paths: Vec<PathBuf> = texts.iter().enumerate().map(write).collect();
            features(&paths).map(|(_, value)| value.to_string())
        };
        assert_eq!(of(&["10 7 2\n1", "20 7 5\n4"]), Some(r#"{"n":1,"k":3}"#.to_string()));
        for texts in [["3 4", "3 4"], ["3 4", "5"], ["3 a", "5 b"], ["7", "8"], ["1 2 3 4 5", "9 3 4 5 6"], ["", "1"]] {
            assert_eq!(of(&texts), None, "{texts:?}");
        }
    }

    #[test]
    fn files_whose_names_are_not_text_are_named() {
        let folder = TempDir::new().unwrap();
        fs::create_dir(folder.path().join("in")).unwrap();
        for i in 0..4 {
            fs::write(folder.path().join(format!("in/{i:04}.txt")), "").unwrap();
        }
        let listed = files(folder.path()).unwrap();
        assert_eq!(listed, Some((vec![("stdin", json!("in/{seed:04}.txt")), ("seeds", json!("0-3"))], 4)));
        fs::write(folder.path().join("in").join(OsString::from_vec(b"caf\xe9.txt".to_vec())), "").unwrap();
        assert_eq!(
            files(folder.path()).unwrap_err().to_string(),
            "in: the names of 1 of 5 input files are not UTF-8: \"caf\\xE9.txt\"; rename them"
        );
    }
}
