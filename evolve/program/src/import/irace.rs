//! Imports from irace: `parameters.txt`, and `scenario.txt`, which names it.

use super::forbid::forbid;
use super::{Comparison, ImportError, Imported, Raw, bare, finish, number, parts, value};
use crate::suggest::Way;
use evolve_core::model::parameter::Kind;
use regex::Regex;
use std::fs;
use std::path::Path;
use std::sync::LazyLock;

static LINE: LazyLock<Regex> = LazyLock::new(|| {
    let text = r#"^\s*(?<name>[\w.\-]+)\s+(?<switch>"[^"]*"|'[^']*')\s+(?<kind>[rico])(?<log>,log)?\s+\((?<domain>[^)]*)\)\s*(?:\|\s*(?<condition>.*))?$"#;
    Regex::new(text).expect("a regex")
});
static SET: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"%in%\s*c?\s*\(([^()]*)\)").expect("a regex"));
static SETTING: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r#"(?m)^\s*(?<key>\w+)\s*=\s*(?<value>"[^"]*"|'[^']*'|[^\s#]+)"#).expect("a regex"));

/// The cost is the first number on the last line that a target runner prints.
const COST: &str = r"(?m)^\s*([-+]?[0-9.]+(?:[eE][-+]?[0-9]+)?)";

/// Reads a scenario and the parameters that it names.
pub fn read_scenario(text: &str, folder: &Path) -> Result<Imported, ImportError> {
    let of = |key: &str| {
        let found = SETTING.captures_iter(text).filter(|found| &found["key"] == key).last()?;
        Some(bare(&found["value"]).to_string())
    };
    let file = folder.join(of("parameterFile").unwrap_or_else(|| "parameters.txt".to_string()));
    let text = |file: &Path| fs::read_to_string(file).map_err(|error| ImportError::from(error).at(file.display()));
    let forbidden = of("forbiddenFile").filter(|file| !file.is_empty());
    let forbidden = forbidden.map(|file| text(&folder.join(file))).transpose()?.unwrap_or_default();
    let imported = read_with(&text(&file)?, &forbidden);
    let mut imported = imported.map_err(|error| error.at(file.display()))?;
    let runner = of("targetRunner").unwrap_or_else(|| "./target-runner".to_string());
    // The arguments are the configuration's number, the instance's number, seed and instance, followed by the
    // parameters.
    imported.command = Some(format!("{runner} 1 1 {{random}} {{input}}"));
    imported.files = Some(format!("{}/*", of("trainInstancesDir").unwrap_or_else(|| "./Instances".to_string())));
    imported.score = Some(COST.to_string());
    if let Some(list) = of("trainInstancesFile").filter(|list| !list.is_empty()) {
        imported.notes.push(format!("instances are listed in {list}: name their files in `files`"));
    }
    Ok(imported)
}

/// Reads a table of parameters.
pub fn read(text: &str) -> Result<Imported, ImportError> {
    read_with(text, "")
}

/// Reads a table of parameters, and a file of forbidden combinations.
fn read_with(text: &str, forbidden: &str) -> Result<Imported, ImportError> {
    let mut imported = Imported { minimizes: Some(true), ..Imported::default() };
    let mut raws: Vec<Raw> = Vec::new();
    let mut clauses: Vec<&str> = forbidden.lines().map(plain).filter(|line| !line.is_empty()).collect();
    let mut section = String::new();
    for (i, line) in text.lines().enumerate() {
        let line = plain(line);
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
            raw.way = match switch.strip_suffix(' ') {
                Some(option) => Way::Option(option.to_string()),
                None => Way::Prefix(switch.to_string()),
            };
            match found.name("condition").map(|condition| rows(condition.as_str())) {
                Some(Ok(rows)) => raw.also(rows),
                Some(Err(message)) => imported.notes.push(format!("condition of {}: {message}", &found["name"])),
                None => {}
            }
            raws.push(raw);
        }
    }
    finish(raws, &mut imported);
    forbid(clauses.into_iter().map(|line| (line.to_string(), Some(condition(line)))).collect(), &mut imported);
    Ok(imported)
}

/// Removes the comment of a line.
fn plain(line: &str) -> &str {
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
