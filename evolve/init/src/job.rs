//! Writes the text of a first job.

use crate::found::{Found, command_words};
use crate::import::Imported;
use crate::instances::{InstanceKind, Instances};
use crate::scale::Scale;
use crate::suggest::{Read, Way, arguments, reads};
use evolve_core::document::text::{to_toml, toml_string};
use evolve_program::file::ParameterKeys;
use evolve_program::parameters::marker::{self, Marker};
use evolve_program::parameters::{EXAMPLES, Parameters, variable};
use evolve_program::source::Language;
use serde_json::{Map, Value, json};
use std::fs;
use std::path::Path;

/// The known parameters of a program.
#[derive(Default)]
pub struct Known {
    /// The parameters that markers in the source declare; empty if the markers are invalid, which reading the job
    /// reports.
    pub marked: Option<Vec<Marker>>,
    /// Other values that the program reads.
    pub read: Vec<Read>,
    /// The file of another tuner that declares the parameters, if any; `notes` lists its unsupported features.
    pub origin: Option<String>,
    pub notes: Vec<String>,
    /// The forbidden combinations.
    pub forbid: Vec<String>,
    /// The positional arguments that are seeds.
    seeds: Vec<usize>,
    /// The first positional argument that the command does not pass, if the program reads more.
    pub gap: Option<Gap>,
    /// The way in which each parameter reaches the program.
    ways: Vec<(String, Way)>,
}

/// A positional argument whose meaning is unknown.
#[derive(Debug, PartialEq, Eq)]
pub struct Gap {
    pub place: usize,
    /// The number of the line that reads it, or the next one.
    pub line: usize,
    /// The known arguments behind it, which cannot be passed: `{seed}`, or the name of a parameter in braces.
    pub behind: Vec<String>,
}

impl Known {
    /// Finds the parameters in the text of a source.
    pub fn of(text: &str, language: Language) -> Self {
        let mut read = reads(text, language);
        let arguments = arguments(text, language);
        let known = |at: usize| match arguments.get(&at)?.is_seed {
            true => Some("{seed}".to_string()),
            false => {
                read.iter().find(|read| place(&read.way) == Some(at)).map(|read| format!("{{{}}}", read.parameter.name))
            }
        };
        let last = arguments.keys().last().copied().unwrap_or(0);
        let gap = (1..=last).find(|&place| known(place).is_none()).map(|place| {
            let line = arguments.range(place..).next().map_or(0, |(_, argument)| argument.line);
            Gap { place, line, behind: (place..=last).filter_map(known).collect() }
        });
        let end = gap.as_ref().map_or(usize::MAX, |gap| gap.place);
        read.retain(|read| place(&read.way).is_none_or(|place| place < end));
        let seeds = arguments.range(..end).filter(|(_, argument)| argument.is_seed).map(|(&place, _)| place).collect();
        let markers = marker::find(text, language);
        let marked = markers.map_or(Some(Vec::new()), |markers| Some(markers).filter(|markers| !markers.is_empty()));
        let mut ways = Vec::new();
        for marker in marked.iter().flatten() {
            let name = &marker.parameter.name;
            let own = Way::Variable(variable(name));
            let is_its = |read: &Read| {
                Some(&read.parameter.name) == marker.read.as_ref() || read.parameter.name == *name || read.way == own
            };
            let way = read.iter().position(is_its).map(|place| read.remove(place).way);
            ways.push((name.clone(), way.unwrap_or(own)));
        }
        ways.extend(read.iter().map(|read| (read.parameter.name.clone(), read.way.clone())));
        Known { marked, read, seeds, gap, ways, ..Known::default() }
    }

    /// Converts the parameters of another tuner's file.
    pub fn imported(origin: String, imported: Imported) -> Self {
        let Imported { mut reads, mut notes, forbid, .. } = imported;
        let mut parameters = Parameters::default();
        reads.retain(|read| match parameters.add(read.parameter.clone()) {
            Ok(()) => true,
            Err(message) => {
                notes.push(format!("{}: {message}", read.parameter.name));
                false
            }
        });
        let ways = reads.iter().map(|read| (read.parameter.name.clone(), read.way.clone())).collect();
        Known { read: reads, origin: Some(origin), notes, forbid, ways, ..Known::default() }
    }

    /// Returns whether there are no parameters.
    pub fn is_nothing(&self) -> bool {
        self.marked.is_none() && self.read.is_empty()
    }

    /// Returns whether an argument of the program is a seed.
    pub fn has_seed(&self) -> bool {
        !self.seeds.is_empty()
    }

    /// Returns the names of the parameters.
    pub fn names(&self) -> Vec<&str> {
        self.ways.iter().map(|(name, _)| name.as_str()).collect()
    }
}

fn place(way: &Way) -> Option<usize> {
    if let Way::Argument(place) = way { Some(*place) } else { None }
}

/// The content of a first job.
pub struct Draft<'a> {
    pub name: &'a str,
    pub found: &'a Found,
    pub known: &'a Known,
    pub instances: &'a Instances,
    pub scale: Scale,
    pub reproduces: bool,
}

/// Returns whether a job still has all the example parameters, so that it never ran.
pub fn is_unfilled(text: &str) -> bool {
    let mut lines = text.lines().map(|line| line.split_once('=').map(|(name, value)| (name.trim(), value.trim())));
    EXAMPLES.iter().all(|example| lines.any(|line| line == Some(*example)))
}

/// Returns the name of a job: the name of its file or, if the file is called `job`, of the program's folder.
pub fn name(file: &Path, folder: &Path) -> String {
    let folder = fs::canonicalize(folder).unwrap_or_default();
    let name = file.file_stem().filter(|&stem| stem != "job").or(folder.file_name());
    let name = name.unwrap_or_default().to_string_lossy();
    let plain = |c: char| if c.is_ascii_alphanumeric() || c == '-' || c == '_' { c } else { '-' };
    let name: String = name.chars().map(plain).collect();
    match name.trim_matches('-') {
        "" => "program".to_string(),
        name => name.to_string(),
    }
}

impl Draft<'_> {
    /// Returns the text of the job.
    pub fn text(&self) -> String {
        let Draft { found, known, .. } = self;
        let mut text = format!(
            "# Written by `evolve init`; job.schema.json describes all keys. Next: evolve check, then evolve run.\nname = \
                {}\n\n[program]\n",
            toml_string(self.name)
        );
        if let Some(build) = &found.build {
            text += &format!("build = {}\n", literal(build));
        }
        let example = |(name, _): &(&str, &str)| ((*name).to_string(), Way::Variable(variable(name)));
        let examples: Vec<_> = EXAMPLES.iter().map(example).collect();
        let ways = if known.is_nothing() { &examples } else { &known.ways };
        let mut command = found.command.clone();
        let mut arguments: Vec<_> = ways.iter().filter_map(|(name, way)| Some((place(way)?, name.as_str()))).collect();
        if !command.contains("{seed") {
            // Beside an input, the seed is for the program's own random numbers.
            let seed = if self.instances.kind == InstanceKind::Input { "random" } else { "seed" };
            arguments.extend(known.seeds.iter().map(|&place| (place, seed)));
        }
        arguments.sort_unstable();
        for (_, name) in arguments {
            command += &format!(" {{{name}}}");
        }
        for (name, way) in ways {
            match way {
                Way::Option(option) => command += &format!(" {} {{{name}}}", command_words(option)),
                Way::Prefix(prefix) => command += &format!(" {}{{{name}}}", command_words(prefix)),
                Way::Variable(_) | Way::Argument(_) => {}
            }
        }
        text += "# `{k}` is the value of the parameter k; `{args}` are all parameters as --NAME VALUE.\n";
        text += &format!("command = {}\n", literal(&command));
        // Lines that read their parameter declare it completely.
        let marked = || known.marked.iter().flatten();
        let reads_itself = |name: &str| marked().any(|one| one.parameter.name == *name && one.reads_itself());
        let variables: Vec<String> = ways
            .iter()
            .filter(|(name, _)| !reads_itself(name))
            .filter_map(|(name, way)| match way {
                Way::Variable(variable) => Some(format!("{variable} = \"{{{name}}}\"")),
                _ => None,
            })
            .collect();
        if !variables.is_empty() {
            text += &format!("env = {{ {} }}\n", variables.join(", "));
        }
        if let Some(scorer) = &found.scorer {
            text += &format!("scorer = {}\n", literal(scorer));
        }
        text += self.instances.keys();
        text += "# The pattern of the score; default: the last `Score = 123` in the output.\n";
        text += &match &found.score {
            Some(score) => format!("score = {}\n", literal(score)),
            None => "# score = 'Score = (\\d+)'\n".to_string(),
        };
        text += if found.minimizes {
            "goal = \"minimize\"\n"
        } else {
            "goal = \"maximize\"        # \"maximize\" or \"minimize\"\n"
        };
        text += &format!("# {}\nscale = \"{}\"\ntimeout = \"10s\"\n", self.scale.reason(), self.scale.name());
        if !self.reproduces {
            text += "deterministic = false        # repeated trials gave different scores\n";
        }
        if !known.forbid.is_empty() {
            let list: String = known.forbid.iter().map(|text| format!("    {},\n", literal(text))).collect();
            text += &format!("# Forbidden combinations.\nforbid = [\n{list}]\n");
        }
        if known.marked.is_some() {
            let source = found.source.as_deref().unwrap_or(Path::new("")).to_string_lossy();
            text += "# Comments such as `// evolve: [1, 20]` in this file declare parameters.\n";
            text += &format!("source = [{}]\n", toml_string(&source));
        }
        if !known.read.is_empty() {
            text += &match &known.origin {
                Some(origin) => format!("\n# From {origin}.\n"),
                None => {
                    "\n# Values that the program reads. The ranges are guesses: check them. Use `log = true` where ratios \
                    count.\n"
                        .to_string()
                }
            };
            for note in &known.notes {
                text += &format!("# Not imported: {note}\n");
            }
            text += &parameters(&known.read);
        }
        if known.is_nothing() {
            text += "\n# These parameters are examples: replace them with your program's parameters, here and in `env`, and read them \
                     in the\n# program. Kinds: int, float, choice, bool; `log = true` where ratios count.\n[parameters]\n";
            for (name, declaration) in EXAMPLES {
                text += &format!("{name:11} = {declaration}\n");
            }
        }
        let budget = found.budget.unwrap_or(2000);
        text + &format!(
            "\n[evolution]\nbudget = {budget:<4}             # trials of the run, including the held-out test\n"
        )
    }
}

/// Returns the section that declares these values.
fn parameters(reads: &[Read]) -> String {
    let mut parameters = Parameters::default();
    for read in reads {
        // Files of other tuners were already checked, and names in sources are valid variables.
        let _ = parameters.add(read.parameter.clone());
    }
    // The step follows from the range.
    let keys = parameters.keys().into_iter().map(|(name, keys)| (name, json!(ParameterKeys { step: None, ..keys })));
    to_toml(&Map::from_iter([("parameters".to_string(), Value::Object(keys.collect()))]))
}

/// Formats a text as TOML, unescaped where possible.
fn literal(text: &str) -> String {
    if text.contains(['"', '\\']) && !text.contains(['\'', '\n']) { format!("'{text}'") } else { toml_string(text) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::PathBuf;

    /// The command of the job for a source, and its gap.
    fn command(text: &str, files: Option<&str>) -> (String, Option<Gap>) {
        let found = Found {
            command: "./main".to_string(),
            files: files.map(|files| vec![files.to_string()].into()),
            source: Some(PathBuf::from("main.cpp")),
            ..Found::default()
        };
        let known = Known::of(text, Language::Cpp);
        let instances = Instances::of(&found, known.has_seed(), Path::new("no folder")).unwrap();
        let draft = Draft {
            name: "x",
            found: &found,
            known: &known,
            instances: &instances,
            scale: Scale::default(),
            reproduces: true,
        };
        let job: toml::Table = draft.text().parse().unwrap();
        let command = job["program"]["command"].as_str().unwrap().to_string();
        (command, known.gap)
    }

    #[test]
    fn arguments_are_passed_in_their_places() {
        let seed = "int seed = argc > 1 ? atoi(argv[1]) : 0;\n";
        let depth = "int depth = argc > 2 ? atoi(argv[2]) : 5;\n";
        assert_eq!(command(seed, None), ("./main {seed}".to_string(), None));
        assert_eq!(command(&format!("{depth}{seed}"), None), ("./main {seed} {depth}".to_string(), None));
        assert_eq!(command(seed, Some("in/*.txt")), ("./main {random}".to_string(), None));
        assert_eq!(command("int k = 5;", None), ("./main".to_string(), None));
        assert_eq!(command(depth, None).1, Some(Gap { place: 1, line: 1, behind: vec!["{depth}".to_string()] }));
        let named = "string mode = argv[2];\nint depth = argc > 3 ? atoi(argv[3]) : 5;\n";
        let gap = Gap { place: 2, line: 2, behind: vec!["{depth}".to_string()] };
        assert_eq!(command(&format!("{seed}{named}"), None), ("./main {seed}".to_string(), Some(gap)));
    }
}
