//! Writes the text of a first job.

mod facts;

pub use crate::lines::DraftError;
pub use facts::{Facts, Gap};

use crate::found::{FoundProgram, command_word, template_word};
use crate::import::Key;
use crate::instances::{InstanceKind, Instances};
use crate::lines::Lines;
use crate::scale::Scale;
use crate::suggest::{Passed, Read, Way};
use evolve_program::file::ParameterKeys;
use evolve_program::parameters::{EXAMPLES, Parameters, variable};
use serde_json::{Map, Value, json};
use std::fs;
use std::path::Path;

/// The content of a first job.
pub struct Draft<'a> {
    pub name: &'a str,
    pub found: &'a FoundProgram,
    pub known: &'a Facts,
    pub instances: &'a Instances,
    pub scale: Scale,
    pub reproduces: bool,
}

/// Returns whether a job still has all the example parameters, so that it never ran.
pub fn is_unfilled(text: &str) -> bool {
    let mut lines = text.lines().map(|line| line.split_once('=').map(|(name, value)| (name.trim(), value.trim())));
    EXAMPLES.iter().all(|example| lines.any(|line| line == Some(*example)))
}

/// Returns the name of a job: the name of its file or, if the file is called `job`, of the
/// program's folder.
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
    ///
    /// # Errors
    /// If the text would be read differently than it is meant.
    pub fn text(&self) -> Result<String, DraftError> {
        let Draft { found, known, .. } = self;
        let mut lines = Lines::default();
        lines.comment(
            "Written by `evolve init`; job.schema.json describes all keys. Next: evolve check, then evolve run.",
        );
        lines.key("name", self.name);
        lines.gap();
        lines.section("program");
        lines.key("build", found.build.clone());
        let examples =
            || EXAMPLES.iter().map(|(name, _)| Passed::value_of(name, Way::Variable(variable(name)))).collect();
        let passed: Vec<Passed> = if known.is_nothing() { examples() } else { known.passed.clone() };
        lines.comment("`{k}` is the value of the parameter k; `{args}` are all parameters as --NAME VALUE.");
        lines.key("command", self.command(&passed));
        let variables = passed.iter().filter_map(|Passed { value, way }| match way {
            Way::Variable(variable) => Some((variable.clone(), json!(value))),
            _ => None,
        });
        let variables: Map<String, Value> = variables.collect();
        if !variables.is_empty() {
            lines.key("env", variables);
        }
        lines.key("scorer", found.scorer.clone());
        self.instances.write(&mut lines);
        lines.comment("The pattern of the score; default: the last `Score = 123` in the output.");
        match &found.score {
            Some(score) => lines.key("score", score.as_str()),
            None => lines.comment("score = 'Score = (\\d+)'"),
        }
        match (found.minimizes, &known.origin) {
            (Some(true), _) => lines.key("goal", "minimize"),
            (Some(false), Some(_)) => lines.key("goal", "maximize"),
            (None, Some(_)) => {
                lines.comment("Set `goal`: without it, larger scores are better.");
                lines.comment("goal = \"minimize\"");
            }
            (_, None) => lines.key_with("goal", "maximize", "\"maximize\" or \"minimize\""),
        }
        lines.comment(self.scale.reason());
        lines.key("scale", self.scale.name());
        lines.key("timeout", "10s");
        if !self.reproduces {
            lines.key_with("deterministic", false, "repeated trials gave different scores");
        }
        for Key { comment, name, value } in &known.keys {
            lines.comment(comment);
            lines.key(name, value.clone());
        }
        if known.marked.is_some() {
            let source = found.source.as_deref().unwrap_or(Path::new("")).to_string_lossy();
            lines.comment("Comments such as `// evolve: [1, 20]` in this file declare parameters.");
            lines.key("source", json!([source]));
        }
        self.write_parameters(&mut lines);
        lines.gap();
        lines.section("search");
        let budget = found.budget.unwrap_or(2000);
        lines.key_with("budget", budget, "trials of the run, including the held-out test");
        lines.finish()
    }

    /// Returns the command with the arguments that the program takes.
    fn command(&self, passed: &[Passed]) -> String {
        let Draft { found, known, .. } = self;
        let mut command = found.command.clone();
        let mut arguments: Vec<_> =
            passed.iter().filter_map(|one| Some((one.way.place()?, one.value.as_str()))).collect();
        if !command.contains("{seed") {
            // Beside an input, the seed is for the program's own random numbers.
            let seed = if self.instances.kind == InstanceKind::Input { "{random}" } else { "{seed}" };
            arguments.extend(known.seeds.iter().map(|&place| (place, seed)));
        }
        arguments.sort_unstable();
        for (_, value) in arguments {
            command += &format!(" {value}");
        }
        for Passed { value, way } in passed {
            match way {
                Way::Option(option) => command += &format!(" {} {}", command_word(option), template_word(value)),
                Way::Prefix(prefix) if prefix.is_empty() => command += &format!(" {}", template_word(value)),
                Way::Prefix(prefix) if value.is_empty() => command += &format!(" {}", command_word(prefix)),
                Way::Prefix(prefix) => command += &format!(" {}{}", command_word(prefix), template_word(value)),
                Way::Variable(_) | Way::Argument(_) => {}
            }
        }
        command
    }

    /// Adds the section with the parameters of the job, if it declares any.
    fn write_parameters(&self, lines: &mut Lines) {
        let known = self.known;
        if known.is_nothing() {
            lines.gap();
            lines.comment(
                "These parameters are examples: replace them with your program's parameters, here and in `env`, and read \
                 them in the",
            );
            lines.comment("program. Kinds: int, float, choice, bool; `log = true` where ratios count.");
            lines.section("parameters");
            for (name, declaration) in EXAMPLES {
                let keys: toml::Value =
                    toml::from_str::<toml::Table>(&format!("k = {declaration}")).expect("TOML")["k"].clone();
                lines.key(name, json!(keys));
            }
        }
        if known.read.is_empty() {
            return;
        }
        lines.gap();
        match &known.origin {
            Some(origin) => lines.comment(&format!("From {origin}.")),
            None => lines.comment(
                "Values that the program reads. The ranges are guesses: check them. Use `log = true` where ratios count.",
            ),
        }
        for note in &known.notes {
            lines.comment(&format!("Not imported: {note}"));
        }
        lines.section("parameters");
        for (name, keys) in parameters(&known.read).keys() {
            // The unit follows from the range.
            lines.key(&name, json!(ParameterKeys { unit: None, ..keys }));
        }
    }
}

/// Returns the declarations of these values.
fn parameters(reads: &[Read]) -> Parameters {
    let mut parameters = Parameters::default();
    for read in reads {
        // Files of other tuners were already checked, and names in sources are valid variables.
        let _ = parameters.add(read.parameter.clone());
    }
    parameters
}

/// Returns the text of a job for a program without instances.
///
/// # Errors
/// As for [`Draft::text`].
#[cfg(test)]
pub fn written(found: &FoundProgram, known: &Facts) -> Result<String, DraftError> {
    let instances = Instances::of(found, known.has_seed(), Path::new("no folder")).expect("it needs no file");
    let scale = Scale::default();
    Draft { name: "x", found, known, instances: &instances, scale, reproduces: true }.text()
}

#[cfg(test)]
mod tests {
    use super::*;
    use evolve_program::source::Language;
    use std::path::PathBuf;

    /// The command of the job for a source, and its gap.
    fn command(text: &str, files: Option<&str>) -> (String, Option<Gap>) {
        let found = FoundProgram {
            command: "./main".to_string(),
            files: files.map(|files| vec![files.to_string()].into()),
            source: Some(PathBuf::from("main.cpp")),
            ..FoundProgram::default()
        };
        let known = Facts::of(text, Language::Cpp);
        let job: toml::Table = written(&found, &known).unwrap().parse().unwrap();
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
