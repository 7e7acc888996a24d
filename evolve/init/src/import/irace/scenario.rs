//! Imports a scenario of irace: its settings, and the files that it names.

use super::super::text::bare;
use super::super::{ImportError, Imported};
use super::{Beside, lines, read_with};
use crate::found::{command_word, in_folder, template_word, up};
use crate::suggest::{Passed, Way};
use evolve_program::split;
use evolve_search::document::read_text;
use evolve_search::file::{is_same, slashed};
use glob::Pattern;
use regex::Regex;
use std::path::Path;
use std::sync::LazyLock;

static SETTING: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r#"(?m)^\s*\.?(?<key>\w+)\s*(?:=|<-)\s*(?<value>"[^"\n]*"|'[^'\n]*'|[^\s#]+)"#).expect("a regex")
});

/// The cost is the first number on the last line that a target runner prints.
const COST: &str = r"(?m)^\s*([-+]?[0-9.]+(?:[eE][-+]?[0-9]+)?)";

/// The arguments of a target runner, unless the scenario has others.
const ARGUMENTS: &str = "{configurationID} {instanceID} {seed} {instance} {bound} {targetRunnerArgs}";

/// irace settings that change a trial and have no equivalent in a job.
const OTHERS: [&str; 7] =
    ["aclib", "boundMax", "capping", "maxTime", "repairConfiguration", "targetEvaluator", "targetRunnerTimeout"];

/// A scenario: its settings, and the folder to which its paths are relative.
struct Scenario<'a> {
    settings: Vec<(&'a str, &'a str)>,
    folder: &'a Path,
}

/// Reads a scenario and the files that it names.
pub fn read_scenario(text: &str, folder: &Path) -> Result<Imported, ImportError> {
    let setting = |found: regex::Captures<'_>| {
        let [key, value] = ["key", "value"].map(|name| found.name(name).map_or(0..0, |part| part.range()));
        (&text[key], bare(&text[value]))
    };
    let scenario = Scenario { settings: SETTING.captures_iter(text).map(setting).collect(), folder };
    let file = folder.join(scenario.of("parameterFile").unwrap_or("parameters.txt"));
    let beside = Beside {
        forbidden: scenario.text("forbiddenFile")?.unwrap_or_default(),
        starts: scenario.text("configurationsFile")?.unwrap_or_default(),
        digits: scenario.of("digits").and_then(|digits| digits.trim_end_matches('L').parse().ok()),
    };
    let imported = read_with(&text_of(&file)?, &beside);
    let mut imported = imported.map_err(|error| error.at(file.display()))?;
    scenario.command(&mut imported)?;
    imported.score = Some(COST.to_string());
    let budget = scenario.of("maxExperiments").and_then(|count| count.trim_end_matches('L').parse::<f64>().ok());
    imported.budget = budget.map(|count| count as u64).filter(|&count| count > 0);
    for key in OTHERS {
        let is_usual = |value: &str| ["0", "FALSE", "F", "NA", "NULL"].contains(&value);
        if let Some(value) = scenario.of(key).filter(|value| !is_usual(value)) {
            imported.notes.push(format!("{key} = {value}"));
        }
    }
    Ok(imported)
}

impl Scenario<'_> {
    /// Returns a setting, unless it is empty.
    fn of(&self, key: &str) -> Option<&str> {
        let (_, value) = self.settings.iter().rfind(|(own, _)| *own == key)?;
        Some(*value).filter(|value| !value.is_empty() && *value != "NULL")
    }

    fn path(&self, path: &str) -> String {
        slashed(&self.folder.join(path))
    }

    /// Reads the file that a setting names, if any.
    fn text(&self, key: &str) -> Result<Option<String>, ImportError> {
        self.of(key).map(|file| text_of(&self.folder.join(file))).transpose()
    }

    /// Imports the command of a trial and its instances.
    fn command(&self, imported: &mut Imported) -> Result<(), ImportError> {
        // Repeated trials of a deterministic algorithm are alike, so it gets the same seed in all
        // of them.
        let is_deterministic = self.of("deterministic").is_some_and(|value| ["1", "TRUE", "T"].contains(&value));
        let seed = if is_deterministic { "1" } else { "{random}" };
        let instance = self.instances(imported)?;
        let (folder, back) = self.start_folder(&mut imported.notes).unzip();
        let back: String = back.unwrap_or_default();
        let from_folder =
            |path: &str| if Path::new(path).is_absolute() { path.to_string() } else { format!("{back}{path}") };
        let runner = self.path(self.of("targetRunner").unwrap_or("target-runner"));
        // A name without a folder would be searched in PATH.
        let runner = from_folder(&if runner.contains('/') { runner } else { format!("./{runner}") });
        let instance = match instance {
            "{input}" if imported.files.iter().all(|file| !Path::new(file).is_absolute()) => {
                format!("{back}{instance}")
            }
            instance => instance.to_string(),
        };
        let written = self.of("targetCmdline").unwrap_or(ARGUMENTS);
        let arguments = split(written).unwrap_or_else(|_| written.split_whitespace().map(String::from).collect());
        let launcher = self.of("targetRunnerLauncher");
        let has_runner = arguments.iter().any(|word| word.contains("{targetRunner}"));
        let mut words: Vec<String> =
            launcher.iter().flat_map(|launcher| launcher.split_whitespace()).map(command_word).collect();
        if launcher.is_none() || !has_runner {
            words.push(command_word(&runner));
        }
        let filled = |word: &String| {
            let mut word = word.replace('{', "{{").replace('}', "}}");
            let runner = runner.replace('{', "{{").replace('}', "}}");
            for (name, value) in [
                ("configurationID", "1"),
                ("instanceID", "1"),
                ("seed", seed),
                ("instance", &instance),
                ("bound", ""),
                ("targetRunner", &runner),
            ] {
                word = word.replace(&format!("{{{{{name}}}}}"), value);
            }
            word
        };
        let is_given = |word: &&String| *word != "{bound}";
        let place = arguments.iter().position(|word| word == "{targetRunnerArgs}").unwrap_or_else(|| {
            imported.notes.push(format!("targetCmdline = {written}: the parameters are its last arguments"));
            arguments.len()
        });
        words.extend(arguments[..place].iter().filter(is_given).map(|word| template_word(&filled(word))));
        let behind = arguments.iter().skip(place + 1).filter(is_given);
        imported.passed.extend(behind.map(|word| Passed { value: filled(word), way: Way::Prefix(String::new()) }));
        imported.command = Some(match folder {
            Some(folder) => in_folder(&folder, &words),
            None => words.join(" "),
        });
        Ok(())
    }

    /// Returns the folder in which the command starts, if it is not the current one, and the path
    /// back.
    fn start_folder(&self, notes: &mut Vec<String>) -> Option<(String, String)> {
        let folder = self.path(self.of("execDir")?);
        let path = Path::new(&folder);
        if is_same(path, Path::new(".")) {
            return None;
        }
        // All paths are absolute if the path of the scenario is.
        let back = if path.is_absolute() && self.folder.is_absolute() { Some(String::new()) } else { up(&folder) };
        let back = back.filter(|_| path.is_dir());
        if back.is_none() {
            notes.push(format!("execDir = {folder}, which is no folder below the current one: commands start here"));
        }
        back.map(|back| (folder, back))
    }

    /// Imports the instances, and returns the placeholder for them in the command.
    fn instances(&self, imported: &mut Imported) -> Result<&'static str, ImportError> {
        let folder = self.of("trainInstancesDir").map(|folder| self.path(folder.trim_end_matches('/')));
        let Some(list) = self.text("trainInstancesFile")? else {
            let folder = folder.unwrap_or_else(|| self.path("./Instances"));
            imported.files = vec![format!("{}/**/*", Pattern::escape(&folder))];
            return Ok("{input}");
        };
        let lines: Vec<&str> = lines(&list).map(|(_, line)| line).collect();
        let names: Vec<&str> = lines.iter().map(|line| first_word(line)).collect();
        for (line, name) in lines.iter().zip(&names).filter(|(line, name)| bare(line) != **name) {
            imported.notes.push(format!("the arguments of the instance {name}: {line}"));
        }
        let path = |name: &&str| folder.as_ref().map_or_else(|| self.path(name), |folder| format!("{folder}/{name}"));
        let paths: Vec<String> = names.iter().map(path).collect();
        let are_numbers = !names.is_empty() && names.iter().all(|name| name.parse::<u64>().is_ok());
        if are_numbers && !paths.iter().any(|path| Path::new(path).exists()) {
            imported.seeds = Some(names.join(", "));
            return Ok("{seed}");
        }
        imported.files = paths.iter().map(|path| Pattern::escape(path)).collect();
        let others: Vec<&str> = paths.iter().map(String::as_str).filter(|path| !Path::new(path).is_file()).collect();
        if let [first, ..] = others[..] {
            let count = others.len();
            imported.notes.push(format!("{count} of {} instances, which are not files, such as {first}", paths.len()));
        }
        Ok("{input}")
    }
}

fn text_of(file: &Path) -> Result<String, ImportError> {
    read_text(file).map_err(|error| ImportError::from(error).at(file.display()))
}

/// Returns the first word of a line, without quotation marks around it.
fn first_word(line: &str) -> &str {
    match line.chars().next() {
        Some(quote @ ('"' | '\'')) => line[1..].split(quote).next().unwrap_or_default(),
        _ => line.split_whitespace().next().unwrap_or_default(),
    }
}
