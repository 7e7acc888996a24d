//! Instances: what a program is played on. Each belongs to one purpose, and a deal goes round those of its own.

pub mod generator;
mod split;

pub use split::{Split, TooFew};

use evolve_core::document::{Free, Section};
use evolve_core::key::quoted;
use evolve_core::seed::{Purpose, seed};
use evolve_core::trial::Deal;
use std::path::{Path, PathBuf};

/// One instance.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Instance {
    /// Its name, `{instance}`: the seed, the name of the file without its ending, or as listed.
    pub name: String,
    /// Its seed, `{seed}`, if it has one: also a file has, whose name is a number.
    pub seed: Option<u64>,
    /// Its input file, if instances are files.
    pub file: Option<PathBuf>,
}

/// The instances of a program.
#[derive(Clone, Debug, PartialEq)]
pub enum Instances {
    /// A seed for every deal, which never end.
    Endless,
    /// Some instances.
    Listed {
        /// All of them.
        list: Vec<Instance>,
        /// Which purpose each is for; `None`: all are for all.
        split: Option<Split>,
        /// The key that lists them and its value in TOML; `None` if they are files by pattern.
        written: Option<(&'static str, String)>,
    },
}

/// The instance of a deal.
#[derive(Clone, Debug, PartialEq)]
pub struct Draw {
    /// The instance.
    pub instance: Instance,
    /// Which time its purpose comes to it, from 0.
    pub repetition: u64,
    /// A seed for the program's own dice.
    pub random: u64,
    /// The number of the deal among those of its purpose.
    pub number: u64,
    /// How many instances the purpose has; 0 if they never end.
    pub round: u64,
}

/// The most instances.
const MOST: u64 = 1_000_000;

impl Instances {
    /// Reads the keys that list instances. What is wrong is reported, also if there are too few of them.
    pub fn take(section: &mut Section<'_>, files: Option<&str>, split: bool) -> Option<Self> {
        let (seeds, names) = (section.take("seeds"), section.take("instances"));
        let all = names.as_ref().is_some_and(|names| names.text() == Some("all"));
        let names = names.filter(|_| !all);
        let line = |key: &str| section.line_of(key);
        let given = usize::from(seeds.is_some()) + usize::from(names.is_some()) + usize::from(files.is_some());
        if given > 1 {
            let lines = ["instances", "files", "seeds"].into_iter().find_map(line);
            section.report(lines, "instances are listed by one of `seeds`, `files` and `instances`");
            return None;
        }
        let (list, written, line) = if let Some(free) = seeds {
            (read_seeds(&free), Some(("seeds", seeds_toml(&free))), Some(free.line))
        } else if let Some(free) = names {
            let written = names_toml(&free);
            (read_names(&free), Some(("instances", written)), Some(free.line))
        } else if let Some(pattern) = files {
            (read_files(pattern), None, line("files"))
        } else {
            return Some(Instances::Endless);
        };
        let list = match list {
            Ok(list) => list,
            Err(message) => {
                section.report(line, message);
                return None;
            }
        };
        let split = match (split && !all).then(|| Split::of(list.len())) {
            None => None,
            Some(Ok(split)) => Some(split),
            Some(Err(error)) => {
                section.report(line, error.to_string());
                return None;
            }
        };
        Some(Instances::Listed { list, split, written })
    }

    /// The instances of a purpose, in the order in which deals come to them.
    pub fn of(&self, purpose: Purpose) -> Option<Vec<&Instance>> {
        let Instances::Listed { list, split, .. } = self else { return None };
        Some(match split {
            None => list.iter().collect(),
            Some(split) => split.of_purpose(purpose).iter().map(|&place| &list[place]).collect(),
        })
    }

    /// All instances; none if they never end.
    pub fn all(&self) -> &[Instance] {
        match self {
            Instances::Endless => &[],
            Instances::Listed { list, .. } => list,
        }
    }

    /// The instance of a deal.
    pub fn draw(&self, deal: &Deal) -> Draw {
        let random = short(seed(deal.seed, deal.purpose, 0, 1));
        match self {
            Instances::Endless => {
                let seed = short(deal.seed);
                let instance = Instance { name: seed.to_string(), seed: Some(seed), file: None };
                Draw { instance, repetition: 0, random, number: deal.number, round: 0 }
            }
            Instances::Listed { list, split, .. } => {
                let own = split.as_ref().map(|split| split.of_purpose(deal.purpose));
                let round = own.map_or(list.len(), <[usize]>::len) as u64;
                let turn = (deal.number % round) as usize;
                let instance = list[own.map_or(turn, |own| own[turn])].clone();
                Draw { instance, repetition: deal.number / round, random, number: deal.number, round }
            }
        }
    }
}

/// A seed of 31 bits, so that it is a positive `int` in any language.
fn short(seed: u64) -> u64 {
    seed >> 33
}

fn read_seeds(free: &Free<'_>) -> Result<Vec<Instance>, String> {
    const FORM: &str = "seeds are written as \"0-99\", \"0-49, 100-149\" or [1, 2, 3]";
    let ranges: Vec<(u64, u64)> = match (free.text(), free.list()) {
        (Some(text), _) => {
            let range = |part: &str| {
                let (first, last) = part.split_once('-').unwrap_or((part, part));
                Some((first.trim().parse().ok()?, last.trim().parse().ok()?))
            };
            text.split(',').map(range).collect::<Option<_>>().ok_or(FORM)?
        }
        (_, Some(list)) => {
            let one = |free: &Free<'_>| u64::try_from(free.integer()?).ok().map(|seed| (seed, seed));
            list.iter().map(one).collect::<Option<_>>().ok_or(FORM)?
        }
        _ => return Err(FORM.to_string()),
    };
    if ranges.iter().any(|(first, last)| first > last) {
        return Err(FORM.to_string());
    }
    let total = ranges.iter().try_fold(0u64, |sum, (first, last)| sum.checked_add((last - first).checked_add(1)?));
    if total.is_none_or(|total| total > MOST) {
        return Err(format!("these are more than {MOST} seeds; without `seeds` they never end"));
    }
    let seeds = ranges.into_iter().flat_map(|(first, last)| first..=last);
    distinct(seeds.map(|seed| Instance { name: seed.to_string(), seed: Some(seed), file: None }).collect())
}

fn seeds_toml(free: &Free<'_>) -> String {
    let list = || free.list().unwrap_or_default();
    let numbers = || list().iter().filter_map(Free::integer).map(|seed| seed.to_string()).collect::<Vec<_>>();
    free.text().map_or_else(|| format!("[{}]", numbers().join(", ")), quoted)
}

fn read_names(free: &Free<'_>) -> Result<Vec<Instance>, String> {
    let names: Option<Vec<String>> =
        free.list().and_then(|list| list.iter().map(|name| name.text().map(String::from)).collect());
    let names = names.ok_or("`instances` is a list of names, or \"all\"")?;
    distinct(names.into_iter().map(|name| Instance { seed: name.parse().ok(), name, file: None }).collect())
}

fn names_toml(free: &Free<'_>) -> String {
    let names: Vec<_> = free.list().unwrap_or_default().iter().filter_map(|name| name.text().map(quoted)).collect();
    format!("[{}]", names.join(", "))
}

fn read_files(pattern: &str) -> Result<Vec<Instance>, String> {
    let paths = glob::glob(pattern).map_err(|error| format!("`{pattern}` is no pattern of files: {error}"))?;
    let mut files = Vec::new();
    for path in paths {
        let path = path.map_err(|error| format!("`{pattern}`: {error}"))?;
        if path.is_file() {
            files.push(path);
        }
    }
    files.sort();
    if files.is_empty() {
        return Err(format!("there is no file `{pattern}`"));
    }
    let stem = |path: &Path| path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let stems: Vec<String> = files.iter().map(|path| stem(path)).collect();
    let mut sorted = stems.clone();
    sorted.sort();
    let unique = sorted.windows(2).all(|pair| pair[0] != pair[1]);
    let instance = |(path, stem): (PathBuf, String)| Instance {
        seed: stem.parse().ok(),
        name: if unique { stem } else { path.to_string_lossy().into_owned() },
        file: Some(path),
    };
    Ok(files.into_iter().zip(stems).map(instance).collect())
}

fn distinct(list: Vec<Instance>) -> Result<Vec<Instance>, String> {
    let mut names: Vec<&str> = list.iter().map(|instance| instance.name.as_str()).collect();
    names.sort_unstable();
    match names.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(pair) => Err(format!("the instance `{}` is listed twice", pair[0])),
        None if list.is_empty() => Err("there are no instances".to_string()),
        None => Ok(list),
    }
}
