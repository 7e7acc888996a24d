//! Imports SMAC's PCS files, in the first form (`k [1, 20] [5]i`) or the second (`k integer [1, 20] [5] log`).

use super::forbid::forbid;
use super::{Comparison, ImportError, Imported, Raw, bare, finish, number, parts, value};
use evolve_core::model::parameter::Kind;
use regex::Regex;
use std::sync::LazyLock;

static LINE: LazyLock<Regex> = LazyLock::new(|| {
    let text = r"^(?<name>[^\s{\[|]+)\s*(?<kind>categorical|ordinal|integer|real)?\s*(?:\{(?<names>[^}]*)\}|\[(?<range>[^\]]*)\])\s*\[(?<start>[^\]]*)\]\s*(?<marks>log|[il]*)$";
    Regex::new(text).expect("a regex")
});

/// Reads a file.
pub fn read(text: &str) -> Result<Imported, ImportError> {
    let mut imported = Imported { minimizes: Some(true), ..Imported::default() };
    let mut raws: Vec<Raw> = Vec::new();
    let mut clauses = Vec::new();
    let mut conditions: Vec<(usize, &str)> = Vec::new();
    for (i, line) in text.lines().enumerate() {
        let line = line.split('#').next().unwrap_or_default().trim();
        let at = |error: ImportError| error.at(format!("line {}", i + 1));
        if line.is_empty() || ["forbidden:", "conditionals:"].contains(&line.to_lowercase().as_str()) {
        } else if line.starts_with('{') {
            clauses.push((line.to_string(), Some(condition(line))));
        } else if line.contains('|') {
            conditions.push((i, line));
        } else {
            let found = LINE.captures(line).ok_or_else(|| at(ImportError::NoDeclaration(line.to_string())))?;
            let of = |name| found.name(name).map(|found| found.as_str());
            let start = bare(&found["start"]);
            let raw = match (of("names"), of("range")) {
                (Some(names), _) => {
                    let names: Vec<String> = parts(names).into_iter().map(|name| bare(name).to_string()).collect();
                    let place = names.iter().position(|name| name == start);
                    let place = place.ok_or_else(|| at(ImportError::NoChoice(start.to_string())))?;
                    Raw::new(&found["name"], Kind::Choice(names), Some(place as f64))
                }
                (None, range) => {
                    let ends = parts(range.unwrap_or_default());
                    let [low, high] = ends[..] else { return Err(at(ImportError::Ends)) };
                    let is_int = of("kind") == Some("integer") || of("kind").is_none() && found["marks"].contains('i');
                    let log = found["marks"].contains('l');
                    let kind =
                        value(low).and_then(|low| number(if is_int { "int" } else { "float" }, low, value(high)?, log));
                    Raw::new(&found["name"], kind.map_err(at)?, Some(value(start).map_err(at)?))
                }
            };
            raws.push(raw);
        }
    }
    for (i, line) in conditions {
        let at = |error: ImportError| error.at(format!("line {}", i + 1));
        let (child, text) = line.split_once('|').unwrap_or((line, ""));
        let rows = rows(text).map_err(at)?;
        let raw = raws.iter_mut().find(|raw| raw.parameter.name == super::identifier(child.trim()));
        raw.ok_or_else(|| at(ImportError::Unknown(child.trim().to_string())))?.also(rows);
    }
    finish(raws, &mut imported);
    forbid(clauses, &mut imported);
    Ok(imported)
}

/// Converts a forbidden combination, `{a=0, k=3}` or `{a == 0 && k > 2}`, to a condition.
fn condition(line: &str) -> String {
    let inner = line.strip_prefix('{').and_then(|line| line.trim_end().strip_suffix('}')).unwrap_or(line);
    let sets = inner.replace('{', "[").replace('}', "]");
    if ["==", "!=", "<", ">", "&&", "||"].iter().any(|sign| inner.contains(sign)) {
        return sets;
    }
    let part = |part: &str| match part.split_once('=') {
        Some((name, value)) => format!("{} == '{}'", name.trim(), bare(value)),
        None => part.to_string(),
    };
    parts(&sets).into_iter().map(part).collect::<Vec<_>>().join(" && ")
}

/// Parses a condition into rows: `a in {x, y} && b > 3`, with `||` between alternatives.
fn rows(text: &str) -> Result<Vec<Vec<Comparison>>, ImportError> {
    super::rows(&text.replace("&&", "&").replace("||", "|"), ('&', '|'), comparisons)
}

fn comparisons(text: &str) -> Result<Vec<Comparison>, ImportError> {
    if let Some((name, set)) = text.split_once(" in ") {
        let set = set.trim().trim_start_matches('{').trim_end_matches('}');
        return Ok(parts(set).into_iter().map(|one| (name.trim().to_string(), "==", bare(one).to_string())).collect());
    }
    let operators = ["==", "!=", "<", ">"];
    let found = operators.into_iter().find_map(|operator| Some((text.split_once(operator)?, operator)));
    let ((name, value), operator) = found.ok_or_else(|| ImportError::Condition(text.to_string()))?;
    Ok(vec![(name.trim().to_string(), operator, bare(value).to_string())])
}
