//! Imports from irace: `parameters.txt`, and `scenario.txt`, which names it.

use super::forbid::forbid;
use super::{Comparison, ImportError, Imported, Raw, bare, finish, number, parts, value};
use crate::suggest::Way;
use evolve_core::file::slashed;
use evolve_core::model::parameter::Kind;
use evolve_program::line_word;
use glob::Pattern;
use regex::Regex;
use std::fs;
use std::path::Path;
use std::sync::LazyLock;

static LINE: LazyLock<Regex> = LazyLock::new(|| {
    let text = r#"^\s*(?<name>[\w.\-]+)\s+(?<switch>"[^"]*"|'[^']*')\s+(?<kind>[rico])(?<log>,log)?\s+\((?<domain>[^)]*)\)\s*(?:\|\s*(?<condition>.*))?$"#;
    Regex::new(text).expect("a regex")
});
static SET: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"%in%\s*c?\s*\(([^()]*)\)").expect("a regex"));
static SETTING: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r#"(?m)^\s*\.?(?<key>\w+)\s*(?:=|<-)\s*(?<value>"[^"\n]*"|'[^'\n]*'|[^\s#]+)"#).expect("a regex")
});

/// The cost is the first number on the last line that a target runner prints.
const COST: &str = r"(?m)^\s*([-+]?[0-9.]+(?:[eE][-+]?[0-9]+)?)";

/// Settings that change what a trial is, and have no counterpart that could be written for them.
const OTHERS: [&str; 9] = [
    "aclib",
    "boundMax",
    "capping",
    "execDir",
    "maxTime",
    "repairConfiguration",
    "targetCmdline",
    "targetEvaluator",
    "targetRunnerTimeout",
];

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
    let forbidden = scenario.text("forbiddenFile")?.unwrap_or_default();
    let starts = scenario.text("configurationsFile")?.unwrap_or_default();
    let imported = read_with(&text_of(&file)?, &forbidden, &starts);
    let mut imported = imported.map_err(|error| error.at(file.display()))?;
    // Repeated trials of a deterministic algorithm are alike, so it gets the same seed in all of them.
    let is_deterministic = scenario.of("deterministic").is_some_and(|value| ["1", "TRUE", "T"].contains(&value));
    let random = if is_deterministic { "1" } else { "{random}" };
    let instance = scenario.instances(&mut imported)?;
    let launcher = scenario.of("targetRunnerLauncher").map(|launcher| format!("{launcher} ")).unwrap_or_default();
    let runner = scenario.path(scenario.of("targetRunner").unwrap_or("target-runner"));
    // A name without a folder would be searched in PATH.
    let runner = if runner.contains('/') { runner } else { format!("./{runner}") };
    let runner = line_word(&runner.replace('{', "{{").replace('}', "}}"), "{}");
    // The arguments are the configuration's number, the instance's number, seed and instance, followed by the
    // parameters.
    imported.command = Some(format!("{launcher}{runner} 1 1 {random} {instance}"));
    imported.score = Some(COST.to_string());
    let budget = scenario.of("maxExperiments").and_then(|count| count.trim_end_matches('L').parse::<f64>().ok());
    imported.budget = budget.map(|count| count as u64).filter(|&count| count > 0);
    for key in OTHERS {
        let is_usual = |value: &str| ["0", "FALSE", "F", "NA", "NULL", ".", "./"].contains(&value);
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

    /// Imports the instances, and returns the placeholder for them in the command.
    fn instances(&self, imported: &mut Imported) -> Result<&'static str, ImportError> {
        let folder = self.of("trainInstancesDir").map(|folder| self.path(folder.trim_end_matches('/')));
        let Some(list) = self.text("trainInstancesFile")? else {
            let folder = folder.unwrap_or_else(|| self.path("./Instances"));
            imported.files = vec![format!("{}/**/*", Pattern::escape(&folder))];
            return Ok("{input}");
        };
        let lines: Vec<&str> = list.lines().map(without_comment).filter(|line| !line.is_empty()).collect();
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
    fs::read_to_string(file).map_err(|error| ImportError::from(error).at(file.display()))
}

/// Returns the first word of a line, without quotation marks around it.
fn first_word(line: &str) -> &str {
    match line.chars().next() {
        Some(quote @ ('"' | '\'')) => line[1..].split(quote).next().unwrap_or_default(),
        _ => line.split_whitespace().next().unwrap_or_default(),
    }
}

/// Takes the starts of the parameters from a table of configurations.
fn start(raws: &mut [Raw], table: &str, imported: &mut Imported) {
    let mut lines = table.lines().map(without_comment).filter(|line| !line.is_empty());
    let Some(header) = lines.next() else { return };
    let names: Vec<&str> = header.split_whitespace().map(bare).collect();
    let Some(first) = lines.next() else { return };
    for (name, text) in names.iter().zip(first.split_whitespace().map(bare)) {
        let own = super::identifier(name);
        let Some(raw) = raws.iter_mut().find(|raw| raw.parameter.name == own).filter(|_| text != "NA") else {
            continue;
        };
        let start = match &raw.parameter.kind {
            Kind::Choice(names) => names.iter().position(|name| name == text).map(|place| place as f64),
            _ => value(text).ok(),
        };
        match start.filter(|&start| raw.parameter.allows(start)) {
            Some(start) => raw.parameter.start = start,
            None => imported.notes.push(format!("the start {text} of {name}")),
        }
    }
    for further in lines {
        imported.notes.push(format!("a further configuration: {further}"));
    }
}

/// Reads a table of parameters.
pub fn read(text: &str) -> Result<Imported, ImportError> {
    read_with(text, "", "")
}

/// Reads a table of parameters, a file of forbidden combinations and a table of configurations.
fn read_with(text: &str, forbidden: &str, starts: &str) -> Result<Imported, ImportError> {
    let mut imported = Imported { minimizes: Some(true), ..Imported::default() };
    let mut raws: Vec<Raw> = Vec::new();
    let mut clauses: Vec<&str> = forbidden.lines().map(without_comment).filter(|line| !line.is_empty()).collect();
    let mut section = String::new();
    for (i, line) in text.lines().enumerate() {
        let line = without_comment(line);
        if let Some(name) = line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
            section = name.trim().to_lowercase();
        } else if line.is_empty() || section == "global" {
        } else if section == "forbidden" {
            clauses.push(line);
        } else {
            let at = |error: ImportError| error.at(format!("line {}", i + 1));
            let found = LINE.captures(line).ok_or_else(|| at(ImportError::NoDeclaration(line.to_string())))?;
            let kind = kind(&found["kind"], found.name("log").is_some(), &found["domain"]).map_err(at)?;
            let mut raw = Raw::new(&found["name"], kind, None);
            let switch = &found["switch"][1..found["switch"].len() - 1];
            raw.way = match switch.trim_end() {
                option if option.len() < switch.len() => Way::Option(option.to_string()),
                _ => Way::Prefix(switch.to_string()),
            };
            match found.name("condition").map(|condition| rows(condition.as_str())) {
                Some(Ok(rows)) => raw.also(rows),
                Some(Err(message)) => imported.notes.push(format!("condition of {}: {message}", &found["name"])),
                None => {}
            }
            raws.push(raw);
        }
    }
    start(&mut raws, starts, &mut imported);
    finish(raws, &mut imported);
    forbid(clauses.into_iter().map(|line| (line.to_string(), Some(condition(line)))).collect(), &mut imported);
    Ok(imported)
}

/// Removes the comment of a line.
fn without_comment(line: &str) -> &str {
    line.split('#').next().unwrap_or_default().trim()
}

/// Converts an expression of R to a condition.
fn condition(text: &str) -> String {
    let text = SET.replace_all(text, "in [$1]").replace("&&", "&").replace("||", "|");
    text.replace('&', "&&").replace('|', "||")
}

fn kind(kind: &str, log: bool, domain: &str) -> Result<Kind, ImportError> {
    let values = parts(domain);
    match (kind, &values[..]) {
        ("c" | "o", values) => Ok(Kind::Choice(values.iter().map(|name| bare(name).to_string()).collect())),
        (kind, [low, high]) => number(if kind == "i" { "int" } else { "float" }, value(low)?, value(high)?, log),
        _ => Err(ImportError::Domain(domain.to_string())),
    }
}

/// Parses a condition of R into rows: `a == "x" & b %in% c("y", "z")`, with `|` between alternatives.
fn rows(text: &str) -> Result<Vec<Vec<Comparison>>, ImportError> {
    let text = text.replace("&&", "&").replace("||", "|");
    super::rows(&text, ('&', '|'), |part| comparisons(part.trim_start_matches('(').trim()))
}

/// Parses a comparison, or a set into one comparison for each value.
fn comparisons(text: &str) -> Result<Vec<Comparison>, ImportError> {
    if let Some((name, set)) = text.split_once("%in%") {
        let set = set.trim().trim_start_matches("c(").trim_start_matches('(').trim_end_matches(')');
        return Ok(parts(set).into_iter().map(|one| (name.trim().to_string(), "==", bare(one).to_string())).collect());
    }
    let operators = ["==", "!=", "<=", ">=", "<", ">"];
    let found = operators.into_iter().find_map(|operator| Some((text.split_once(operator)?, operator)));
    let ((name, value), operator) = found.ok_or_else(|| ImportError::Comparison(text.to_string()))?;
    Ok(vec![(name.trim().to_string(), operator, bare(value.trim().trim_end_matches(')')).to_string())])
}
