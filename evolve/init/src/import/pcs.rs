//! Imports SMAC's PCS files, in the first form (`k [1, 20] [5]i`) or the second (`k integer [1, 20]
//! [5] log`).

use super::arithmetic;
use super::expression::Expression;
use super::finish::{Clause, finish};
use super::parse::{Syntax, parse};
use super::raw::{Domain, Raw, Raws};
use super::text::{bare, parts};
use super::{ImportError, Imported};
use regex::{Captures, Regex};
use std::sync::LazyLock;

static LINE: LazyLock<Regex> = LazyLock::new(|| {
    let text = r"^(?<name>[^\s{\[|]+)\s*(?<kind>categorical|ordinal|integer|real)?\s*(?:\{(?<names>[^}]*)\}|\[(?<range>[^\]]*)\])\s*\[(?<start>[^\]]*)\]\s*(?<marks>log|[il]*)$";
    Regex::new(text).expect("a regex")
});

/// Reads a file.
pub fn read(text: &str) -> Result<Imported, ImportError> {
    let mut imported = Imported { minimizes: Some(true), ..Imported::default() };
    let mut raws = Raws::default();
    let mut clauses: Vec<&str> = Vec::new();
    let mut conditions: Vec<(&str, &str)> = Vec::new();
    for (i, line) in text.lines().enumerate() {
        let line = line.split('#').next().unwrap_or_default().trim();
        if line.is_empty() || ["forbidden:", "conditionals:"].contains(&line.to_lowercase().as_str()) {
        } else if line.starts_with('{') {
            clauses.push(line);
        } else if let Some((child, condition)) = line.split_once('|') {
            conditions.push((child.trim(), condition));
        } else {
            let at = format!("line {}", i + 1);
            let found = LINE.captures(line);
            let found = found.ok_or_else(|| ImportError::NoDeclaration(line.to_string()).at(&at))?;
            if let Err(error) = raw(&found, &mut imported.notes).and_then(|raw| raws.add(raw)) {
                imported.notes.push(error.at(at).to_string());
            }
        }
    }
    for (child, text) in conditions {
        let condition = parsed(text, &raws);
        match (condition, raws.get_mut(child)) {
            (Ok(condition), Some(raw)) => raw.also(condition),
            (Err(error), _) => imported.notes.push(format!("condition of {child}: {error}")),
            (Ok(_), None) => imported.notes.push(format!("condition of {child}, which is not declared")),
        }
    }
    let clauses = clauses.into_iter().map(|line| clause(line, &raws)).collect();
    finish(&raws, clauses, &mut imported);
    Ok(imported)
}

fn raw(found: &Captures<'_>, notes: &mut Vec<String>) -> Result<Raw, ImportError> {
    let of = |name| found.name(name).map(|found| found.as_str());
    let (name, start) = (&found["name"], bare(&found["start"]));
    let in_name = |error: ImportError| error.at(name);
    if let Some(names) = of("names") {
        let names: Vec<String> = parts(names).into_iter().map(|name| bare(name).to_string()).collect();
        let is_known = names.iter().any(|own| own == start);
        let domain = Domain::choice(names).map_err(in_name)?;
        if !is_known {
            notes.push(format!("the start {start} of {name}, which is not one of its values"));
        }
        return Ok(Raw { start: domain.place(start), ..Raw::new(name, domain) });
    }
    let [low, high] = parts(of("range").unwrap_or_default())[..] else { return Err(in_name(ImportError::Ends)) };
    let is_int = of("kind") == Some("integer") || of("kind").is_none() && found["marks"].contains('i');
    let log = found["marks"].contains('l');
    let number = |text: &str| arithmetic::number(text).map_err(in_name);
    let domain = Domain::numbers(is_int, number(low)?, number(high)?, log).map_err(in_name)?;
    Ok(Raw { start: Some(number(start)?), ..Raw::new(name, domain) })
}

/// Converts a forbidden combination, `{a=0, k=3}` or `{a == 0 && k > 2}`.
fn clause(line: &str, raws: &Raws) -> Clause {
    let inner = line.strip_prefix('{').and_then(|line| line.strip_suffix('}')).unwrap_or(line);
    (line.to_string(), parsed(inner, raws))
}

fn parsed(text: &str, raws: &Raws) -> Result<Expression, ImportError> {
    let parameter = |name: &str| raws.has(name).then(|| name.to_string());
    parse(text, &Syntax { parameter: &parameter, is_python: false, joins_by_comma: true })
}
