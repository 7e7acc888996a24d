//! Imports from irace: `parameters.txt`, and `scenario.txt`, which names it.

mod scenario;

pub use scenario::read_scenario;

use super::arithmetic;
use super::expression::Expression;
use super::finish::{Clause, finish};
use super::parse::{Syntax, parse};
use super::raw::{Domain, Raw, Raws};
use super::text::{bare, closed, parts};
use super::{ImportError, Imported};
use crate::suggest::Way;
use evolve_search::model::parameter::{Kind, lost_end};
use regex::{Captures, Regex};
use std::sync::LazyLock;

/// The beginning of a declaration, up to its domain.
static LINE: LazyLock<Regex> = LazyLock::new(|| {
    let text = r#"^(?<name>[^\s"']+)\s+(?<switch>"[^"]*"|'[^']*')\s*(?<kind>[rico])(?<log>\s*,\s*log)?\s*\("#;
    Regex::new(text).expect("a regex")
});

/// Reads a table of parameters.
pub fn read(text: &str) -> Result<Imported, ImportError> {
    read_with(text, &Beside::default())
}

/// The files and settings that belong to a table of parameters.
#[derive(Default)]
struct Beside {
    forbidden: String,
    /// The table of configurations to start with.
    starts: String,
    /// The number of decimals.
    digits: Option<usize>,
}

/// Reads a table of parameters, and the files and settings that belong to it.
fn read_with(text: &str, beside: &Beside) -> Result<Imported, ImportError> {
    let mut imported = Imported { minimizes: Some(true), ..Imported::default() };
    let mut raws = Raws::default();
    let mut clauses: Vec<&str> = lines(&beside.forbidden).map(|(_, line)| line).collect();
    let mut conditions: Vec<(String, &str)> = Vec::new();
    let mut digits = beside.digits;
    let mut section = String::new();
    for (i, line) in lines(text) {
        if let Some(name) = line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
            section = name.trim().to_lowercase();
        } else if section == "global" {
            match line.split_once('=').map(|(key, value)| (key.trim(), value.trim().parse())) {
                Some(("digits", Ok(own))) => digits = Some(own),
                _ => imported.notes.push(line.to_string()),
            }
        } else if section == "forbidden" {
            clauses.push(line);
        } else {
            let at = |error: ImportError| error.at(format!("line {}", i + 1));
            let fault = || at(ImportError::NoDeclaration(line.to_string()));
            let found = LINE.captures(line).ok_or_else(fault)?;
            let (domain, rest) = closed(&line[found[0].len()..]).ok_or_else(fault)?;
            match rest.trim().strip_prefix('|') {
                Some(condition) => conditions.push((found["name"].to_string(), condition)),
                None if rest.trim().is_empty() => {}
                None => return Err(fault()),
            }
            let read = raw(&found, domain, &mut imported.notes).and_then(|raw| raws.add(raw));
            if let Err(error) = read {
                imported.notes.push(at(error).to_string());
            }
        }
    }
    for raw in &mut raws.list {
        let Domain::Tuned(Kind::Float { min, max, .. }) = raw.domain else { continue };
        let shown = digits.filter(|&digits| lost_end((min, max), digits).is_none());
        raw.format = shown.map(|digits| format!(":.{digits}")).unwrap_or_default();
    }
    for (name, text) in conditions {
        let condition = parsed(text, &raws);
        match (condition, raws.get_mut(&name)) {
            (Ok(condition), Some(raw)) => raw.also(condition),
            (Err(error), Some(_)) => imported.notes.push(format!("condition of {name}: {error}")),
            (_, None) => {}
        }
    }
    start(&mut raws, &beside.starts, &mut imported.notes);
    let clauses = clauses.into_iter().map(|line| -> Clause { (line.to_string(), parsed(line, &raws)) }).collect();
    finish(&raws, clauses, &mut imported);
    Ok(imported)
}

/// Returns the lines without comments that are not empty, and their indices.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let line = |line: &str| -> usize { line.find('#').unwrap_or(line.len()) };
    let lines = text.lines().map(move |own| own[..line(own)].trim());
    lines.enumerate().filter(|(_, line)| !line.is_empty())
}

fn parsed(text: &str, raws: &Raws) -> Result<Expression, ImportError> {
    let parameter = |name: &str| raws.has(name).then(|| name.to_string());
    parse(text, &Syntax { parameter: &parameter, is_python: false, joins_by_comma: false })
}

/// Reads a declaration.
fn raw(found: &Captures<'_>, domain: &str, notes: &mut Vec<String>) -> Result<Raw, ImportError> {
    let (name, switch) = (&found["name"], &found["switch"][1..found["switch"].len() - 1]);
    let in_name = |error: ImportError| error.at(name);
    let values = parts(domain);
    let is_category = ["c", "o"].contains(&&found["kind"]);
    let texts: Vec<String> = values.iter().map(|value| bare(value).trim().to_string()).collect();
    let ways = |mut raw: Raw| {
        // The words of a switch are separate arguments.
        let mut words: Vec<String> = switch.split_whitespace().map(String::from).collect();
        let own = if switch.ends_with(char::is_whitespace) { None } else { words.pop() };
        raw.way = match own {
            Some(own) => Way::Prefix(own),
            None => words.pop().map_or(Way::Prefix(String::new()), Way::Option),
        };
        Raw { before: words, ..raw }
    };
    if is_category && let [a, b] = &texts[..] {
        let is_flag =
            |text: &str| text.starts_with('-') && !text.contains(|c: char| c.is_whitespace() || "{}".contains(c));
        if let Some(flag) = [a, b].into_iter().find(|text| is_flag(text)).filter(|_| a.is_empty() || b.is_empty())
            && switch.trim().is_empty()
        {
            let raw = Raw::new(name, Domain::Tuned(Kind::Switch));
            let truth = [String::new(), flag.clone()];
            return Ok(ways(Raw {
                truth,
                format: format!(":{flag}"),
                start: Some(f64::from(u8::from(b.is_empty()))),
                ..raw
            }));
        }
    }
    let domain = match (is_category, &values[..]) {
        (true, _) => Domain::choice(texts.clone()),
        (false, [low, high]) => {
            let fault = |_| ImportError::Domain(domain.trim().to_string());
            let number = |text: &str| arithmetic::number(&bare(text).replace('^', "**")).map_err(fault);
            let (low, high) = (number(low).map_err(in_name)?, number(high).map_err(in_name)?);
            Domain::numbers(&found["kind"] == "i", low, high, found.name("log").is_some())
        }
        _ => Err(ImportError::Domain(domain.trim().to_string())),
    };
    let domain = domain.map_err(in_name)?;
    if let Domain::Fixed(_) = &domain {
        // The shell of irace splits a value into words.
        let text = format!("{switch}{}", texts.first().map_or("", String::as_str));
        let before = text.split_whitespace().map(String::from).collect();
        return Ok(Raw { before, is_before: true, ..Raw::new(name, domain) });
    }
    let raw = ways(Raw::new(name, domain));
    let is_no_word = |text: &String| {
        text.contains(char::is_whitespace)
            || text.is_empty() && !matches!(&raw.way, Way::Prefix(prefix) if !prefix.is_empty())
    };
    if is_category && texts.iter().any(is_no_word) {
        notes.push(format!("the words of the values of {name}: each value is one argument"));
    }
    Ok(raw)
}

/// Takes the starts of the parameters from a table of configurations.
fn start(raws: &mut Raws, table: &str, notes: &mut Vec<String>) {
    let mut lines = lines(table).map(|(_, line)| line);
    let Some(header) = lines.next() else { return };
    let Some(first) = lines.next() else { return };
    let names = header.split_whitespace().map(bare);
    for (name, text) in names.zip(first.split_whitespace().map(bare)).filter(|(_, text)| *text != "NA") {
        let Some(raw) = raws.get_mut(name) else { continue };
        let start = match &raw.domain {
            Domain::Fixed(_) => continue,
            Domain::Tuned(Kind::Choice(_)) => raw.domain.place(text),
            Domain::Tuned(Kind::Switch) => raw.truth.iter().position(|own| own == text).map(|place| place as f64),
            Domain::Tuned(_) => arithmetic::number(text).ok(),
        };
        match start {
            Some(start) => raw.start = Some(start),
            None => notes.push(format!("the start {text} of {name}")),
        }
    }
    notes.extend(lines.map(|further| format!("a further configuration: {further}")));
}
