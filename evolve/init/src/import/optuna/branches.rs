//! The branches of a script, as conditions on earlier parameters.

use super::super::{Comparison, bare, parts, product};
use regex::{Match, Regex};
use std::collections::BTreeMap;
use std::sync::LazyLock;

fn regex(text: &str) -> Regex {
    Regex::new(text).expect("a regex")
}

/// A place that a script assigns to or reads from: `move`, `params["move"]`.
const PLACE: &str = r#"[A-Za-z_][\w.]*(?:\[\s*["'][^"']+["']\s*\])?"#;

static ASSIGNED: LazyLock<Regex> = LazyLock::new(|| {
    regex(&format!(
        r#"(?m)^[ \t]*(?<place>{PLACE})\s*(?::\s*\w+)?\s*=\s*\w+\.suggest_\w+\(\s*(?:name\s*=\s*)?["'](?<name>[^"']+)["']"#
    ))
});
static HEADER: LazyLock<Regex> =
    LazyLock::new(|| regex(r"^\s*(?<word>if|elif|else|for|while|match|case|def|class)\b(?<rest>.*):\s*(?:#.*)?$"));
static COMPARISON: LazyLock<Regex> =
    LazyLock::new(|| regex(&format!(r"^(?<place>{PLACE})\s*(?<operator>==|!=|<=|>=|<|>|\bin\b)\s*(?<value>.+)$")));
static SWITCH: LazyLock<Regex> = LazyLock::new(|| regex(&format!(r"^(?<not>not\s+)?(?<place>{PLACE})$")));
static KEY: LazyLock<Regex> = LazyLock::new(|| regex(r#"\[\s*["'](?<key>[^"']+)["']\s*\]$"#));

/// A literal: a number or a text.
static LITERAL: LazyLock<Regex> =
    LazyLock::new(|| regex(r#"^(?:[-+]?[0-9.][0-9_.eE+-]*|"[^"]*"|'[^']*'|True|False)$"#));

type Rows = Vec<Vec<Comparison>>;

/// The lines of a script, and the parameters that its variables hold.
pub struct Branches<'a> {
    code: &'a str,
    names: BTreeMap<&'a str, &'a str>,
}

impl<'a> Branches<'a> {
    /// Reads a script.
    pub fn of(code: &'a str) -> Self {
        let group = |found: &regex::Captures<'a>, name| found.name(name).map_or("", |part| part.as_str());
        let names = ASSIGNED.captures_iter(code).map(|found| (group(&found, "place"), group(&found, "name"))).collect();
        Branches { code, names }
    }

    /// Returns the rows of the condition under which a call is reached; none if always.
    ///
    /// # Errors
    /// The condition, if it is not one on parameters.
    pub fn rows(&self, call: Match<'_>) -> Result<Rows, String> {
        let lines: Vec<&str> = self.code[..call.start()].lines().collect();
        // The last line is the call's own, up to the call.
        let (mut depth, above) = match (lines.split_last(), self.code[..call.start()].ends_with('\n')) {
            (Some((own, above)), false) => (indent(own), above),
            _ => (call.as_str().len() - call.as_str().trim_start().len(), &lines[..]),
        };
        let mut all: Rows = Vec::new();
        let mut also = |rows: Rows| all = if all.is_empty() { rows } else { product(&all, &rows) };
        let behind = self.code[call.end()..].lines().next().unwrap_or_default().trim_start_matches([' ', ')', ',']);
        if let Some(condition) = behind.strip_prefix("if ") {
            let condition = condition.split(" else ").next().unwrap_or(condition);
            also(self.condition(condition).ok_or(condition)?);
        }
        for (i, line) in above.iter().enumerate().rev() {
            if line.trim().is_empty() || indent(line) >= depth {
                continue;
            }
            depth = indent(line);
            let Some(header) = HEADER.captures(line) else { continue };
            let rest = header["rest"].trim();
            match &header["word"] {
                "if" if rest.starts_with("__name__") => {}
                // A loop suggests the same parameter each time.
                "for" | "while" => {}
                "def" | "class" => break,
                "if" => also(self.condition(rest).ok_or(rest)?),
                "elif" | "else" => {
                    let branch = || format!("{} {rest}", &header["word"]).trim_end().to_string();
                    also(self.alternative(&above[..i], depth, rest).ok_or_else(branch)?);
                }
                _ => return Err(line.trim().trim_end_matches(':').to_string()),
            }
        }
        Ok(all)
    }

    /// Returns the rows of `elif rest` or `else` below `above`: no earlier branch is taken.
    fn alternative(&self, above: &[&str], depth: usize, rest: &str) -> Option<Rows> {
        let mut rows: Rows = if rest.is_empty() { vec![Vec::new()] } else { self.condition(rest)? };
        for line in above.iter().rev().filter(|line| !line.trim().is_empty()) {
            if indent(line) > depth {
                continue;
            }
            let header = HEADER.captures(line).filter(|_| indent(line) == depth)?;
            // Each row of the earlier condition has one comparison, so all of them fail.
            for row in self.condition(header["rest"].trim())? {
                let [(name, operator, value)] = &row[..] else { return None };
                let operator = match *operator {
                    "==" => "!=",
                    "!=" => "==",
                    "<" => ">=",
                    ">=" => "<",
                    ">" => "<=",
                    _ => ">",
                };
                rows = product(&rows, &[vec![(name.clone(), operator, value.clone())]]);
            }
            if &header["word"] == "if" {
                return Some(rows);
            }
        }
        None
    }

    /// Parses `move == "swap" and k > 3`, with `or` between alternatives.
    fn condition(&self, text: &str) -> Option<Rows> {
        let text = match text.strip_prefix('(').and_then(|text| text.strip_suffix(')')) {
            Some(inner) if !inner.contains(['(', ')']) => inner,
            _ => text,
        };
        let mut all = Vec::new();
        for alternative in text.split(" or ") {
            let mut rows = vec![Vec::new()];
            for part in alternative.split(" and ") {
                rows = product(&rows, &self.comparison(part.trim())?);
            }
            all.extend(rows);
        }
        Some(all)
    }

    fn comparison(&self, text: &str) -> Option<Rows> {
        let one = |name: &str, operator, value: &str| {
            let value = match value {
                "True" => "true",
                "False" => "false",
                value => bare(value),
            };
            vec![(name.to_string(), operator, value.to_string())]
        };
        let Some(found) = COMPARISON.captures(text) else {
            let found = SWITCH.captures(text)?;
            let value = if found.name("not").is_some() { "False" } else { "True" };
            return Some(vec![one(self.named(&found["place"])?, "==", value)]);
        };
        let (name, value) = (self.named(&found["place"])?, found["value"].trim());
        if &found["operator"] == "in" {
            let values = parts(value.strip_prefix(['(', '[', '{'])?.strip_suffix([')', ']', '}'])?);
            let are_literals = values.iter().all(|value| LITERAL.is_match(value));
            return are_literals.then(|| values.into_iter().map(|value| one(name, "==", value)).collect());
        }
        let operator = ["==", "!=", "<=", ">=", "<", ">"].into_iter().find(|sign| *sign == &found["operator"])?;
        LITERAL.is_match(value).then(|| vec![one(name, operator, value)])
    }

    /// Returns the parameter that a place holds: assigned by name, or by its key in a table such as `trial.params`.
    fn named<'p>(&self, place: &'p str) -> Option<&'p str>
    where
        'a: 'p,
    {
        let assigned = self.names.get(place).copied();
        assigned.or_else(|| KEY.captures(place)?.name("key").map(|key| key.as_str()))
    }
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}
