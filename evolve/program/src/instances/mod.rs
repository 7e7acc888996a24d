//! Instances: the inputs of a program. Each belongs to one split, and the cases of a split cycle
//! through its instances.

mod copies;
mod splits;

pub use copies::{Copy, copies, named};
pub use splits::{Splits, TooFew};

use crate::file::{Patterns, PatternsError, ProgramKeys};
use crate::template::{BuiltIn, Shown};
use evolve_core::job::Reading;
use evolve_search::document::{Fault, Section};
use evolve_search::model::seed::{Split, seed};
use evolve_search::model::trial::Case;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use thiserror::Error;

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Instance {
    /// The name, `{instance}`: the seed, or the name of the file without its extension.
    pub name: String,
    /// The seed, `{seed}`, if any. A file whose name is a number has a seed too.
    pub seed: Option<u64>,
    /// The input file, if instances are files.
    pub file: Option<PathBuf>,
}

impl Instance {
    /// Returns the text of a placeholder that the instance alone determines.
    pub fn shown(&self, built_in: BuiltIn) -> Option<Shown> {
        match built_in {
            BuiltIn::Seed => self.seed.map(|seed| Shown::Int(seed as i64)),
            BuiltIn::Instance => Some(Shown::Text(self.name.clone())),
            _ => None,
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub enum Instances {
    /// Every case has its own seed, without limit.
    Endless,
    Listed {
        list: Vec<Instance>,
        splits: Splits,
        /// Listed files that are not instances, because an earlier one has their bytes.
        copies: Vec<Copy>,
    },
}

/// The reason why a list of instances cannot be read.
#[derive(Debug, Error)]
enum InstancesError {
    #[error("write seeds as \"0-99\" or \"0-49, 100, 102\", each below 2^63")]
    Form,
    #[error("more than {MOST} seeds; to give every trial a new seed, remove `seeds`")]
    TooMany,
    #[error("the seed {0} is listed twice")]
    Twice(u64),
    #[error(transparent)]
    Files(#[from] PatternsError),
    #[error(transparent)]
    TooFew(#[from] TooFew),
    /// The named files are copies of others.
    #[error("{0}; files with the bytes of an earlier file do not count: {1}")]
    TooFewContents(TooFew, String),
}

/// The instance of a case.
#[derive(Clone, Debug, PartialEq)]
pub struct Draw {
    pub instance: Instance,
    /// The seed for random numbers of the program.
    pub random: u64,
}

const MOST: u64 = 1_000_000;

impl Instances {
    /// Placeholder for files that no longer exist, or too few of them.
    fn gone() -> Self {
        Instances::Listed { list: Vec::new(), splits: Splits::shared(0), copies: Vec::new() }
    }

    /// Reads the instances that the keys of a section list.
    ///
    /// # Errors
    /// Faults in the keys, or too few instances.
    pub fn read(section: &Section<'_>, keys: &ProgramKeys, reading: Reading) -> Result<Self, Fault> {
        let (key, list) = match (&keys.seeds, &keys.files) {
            (None, None) => return Ok(Instances::Endless),
            (Some(seeds), None) => ("seeds", read_seeds(seeds).map(|list| (list, Vec::new()))),
            (None, Some(patterns)) => ("files", read_files(patterns, keys.passes_seed())),
            (Some(_), Some(_)) => {
                return Err(section.fault(&["files"], "list instances with either `seeds` or `files`"));
            }
        };
        let read = list.and_then(|(list, copies)| {
            let splits = if keys.split { Splits::of(list.len()) } else { Ok(Splits::shared(list.len())) };
            match splits {
                Ok(splits) => Ok(Instances::Listed { list, splits, copies }),
                Err(error) if copies.is_empty() => Err(error.into()),
                Err(error) => Err(InstancesError::TooFewContents(error, named(&copies))),
            }
        });
        match read {
            Err(_) if reading == Reading::ToLook && keys.files.is_some() => Ok(Instances::gone()),
            read => read.map_err(|error: InstancesError| section.fault(&[key], error)),
        }
    }

    /// Returns the instances of a split, in the order of its cases.
    pub fn of(&self, split: Split) -> Option<Vec<&Instance>> {
        let all = self.all();
        Some(self.places(split)?.into_iter().map(|place| &all[place]).collect())
    }

    /// Returns the indices of the instances of a split, in the order of its cases.
    pub fn places(&self, split: Split) -> Option<Vec<usize>> {
        let Instances::Listed { splits, .. } = self else { return None };
        Some(splits.of_split(split).to_vec())
    }

    /// Returns all instances; empty if they are unlimited.
    pub fn all(&self) -> &[Instance] {
        match self {
            Instances::Endless => &[],
            Instances::Listed { list, .. } => list,
        }
    }

    /// Returns the listed files that are copies of an instance.
    pub fn copies(&self) -> &[Copy] {
        match self {
            Instances::Endless => &[],
            Instances::Listed { copies, .. } => copies,
        }
    }

    /// Returns the instance of a case.
    pub fn draw(&self, case: &Case) -> Draw {
        let random = short(seed(case.seed, case.split, 0, 1));
        match self {
            Instances::Endless => {
                let seed = short(case.seed);
                let instance = Instance { name: seed.to_string(), seed: Some(seed), file: None };
                Draw { instance, random }
            }
            Instances::Listed { list, splits, .. } => {
                let own = splits.of_split(case.split);
                let turn = (case.number % own.len() as u64) as usize;
                Draw { instance: list[own[turn]].clone(), random }
            }
        }
    }
}

/// Shortens a seed to 31 bits, so that it is a positive `int` in any language.
fn short(seed: u64) -> u64 {
    seed >> 33
}

fn read_seeds(text: &str) -> Result<Vec<Instance>, InstancesError> {
    let range = |part: &str| {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let (first, last): (u64, u64) = (first.trim().parse().ok()?, last.trim().parse().ok()?);
        // Programs read seeds as signed numbers.
        (first <= last && i64::try_from(last).is_ok()).then_some((first, last))
    };
    let ranges: Vec<(u64, u64)> = text.split(',').map(range).collect::<Option<_>>().ok_or(InstancesError::Form)?;
    let total = ranges.iter().try_fold(0u64, |sum, (first, last)| sum.checked_add((last - first).checked_add(1)?));
    if total.is_none_or(|total| total > MOST) {
        return Err(InstancesError::TooMany);
    }
    let mut seeds: Vec<u64> = ranges.into_iter().flat_map(|(first, last)| first..=last).collect();
    let list = seeds.iter().map(|&seed| Instance { name: seed.to_string(), seed: Some(seed), file: None }).collect();
    seeds.sort_unstable();
    match seeds.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(pair) => Err(InstancesError::Twice(pair[0])),
        None => Ok(list),
    }
}

/// Writes seeds as `read_seeds` reads them: `0-49, 100`.
pub fn seeds(list: &[u64]) -> String {
    let ranges = list.chunk_by(|a, b| a + 1 == *b).map(|range| match range {
        [first, .., last] => format!("{first}-{last}"),
        _ => range[0].to_string(),
    });
    ranges.collect::<Vec<_>>().join(", ")
}

/// Returns an instance for each file, and the files that are copies. If the seed in a file's name
/// reaches the program, also files with the same bytes are different instances.
fn read_files(patterns: &Patterns, passes_seed: bool) -> Result<(Vec<Instance>, Vec<Copy>), InstancesError> {
    let mut files = patterns.files()?;
    let copies = if passes_seed { Vec::new() } else { copies(&files) };
    let dropped: BTreeSet<&PathBuf> = copies.iter().map(|copy| &copy.file).collect();
    files.retain(|file| !dropped.contains(file));
    let stem = |path: &Path| path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let stems: Vec<String> = files.iter().map(|path| stem(path)).collect();
    let mut sorted = stems.clone();
    sorted.sort();
    let unique = sorted.windows(2).all(|pair| pair[0] != pair[1]);
    let instance = |(path, stem): (PathBuf, String)| Instance {
        seed: stem.parse().ok().filter(|&seed| i64::try_from(seed).is_ok()),
        name: if unique { stem } else { path.to_string_lossy().into_owned() },
        file: Some(path),
    };
    let list = files.into_iter().zip(stems).map(instance).collect();
    Ok((list, copies))
}
