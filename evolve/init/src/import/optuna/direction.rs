//! Whether a study minimizes its objective.

use super::super::text::{closed, parts};
use super::script::{Script, is_named};
use crate::regex;
use regex::Regex;
use std::collections::BTreeSet;
use std::sync::LazyLock;

/// A value of a variable, an argument or a key with this name.
static MENTION: LazyLock<Regex> = LazyLock::new(|| {
    regex(r#"(?:["'](?<key>directions?)["']\s*:|\b(?<name>directions?)\s*(?::\s*[\w.]+\s*)?=)[ \t]*"#)
});
static LITERAL: LazyLock<Regex> = LazyLock::new(|| {
    regex(r#"^(?i)(?:["'](?:minimize|maximize)["']|(?:\w+\.)*StudyDirection\.(?:minimize|maximize))$"#)
});
static FUNCTION: LazyLock<Regex> = LazyLock::new(|| regex(r"^(?<name>\w+)\(\)$"));
static RETURN: LazyLock<Regex> = LazyLock::new(|| regex(r"^\s*return\s+(?<value>.+)$"));

/// The place of the direction among the arguments of `create_study`.
const PLACE: usize = 4;
/// The largest number of constants and functions that refer to each other.
const DEEPEST: usize = 10;

/// Returns whether a script minimizes.
///
/// # Errors
/// The mention in the script, if it leaves the direction open.
pub fn minimizes(script: &Script) -> Result<bool, String> {
    let mut found = BTreeSet::new();
    for mention in MENTION.captures_iter(&script.code) {
        let behind = mention.get(0).map_or(0, |whole| whole.end());
        let value = argument(script.code[behind..].lines().next().unwrap_or_default());
        // A comparison.
        if value.starts_with('=') {
            continue;
        }
        let name = mention.name("key").or(mention.name("name")).map_or("", |name| name.as_str());
        if name == "directions" {
            return Err(format!("directions = {value}"));
        }
        found.extend(read(value, script, 0)?);
    }
    let is_call = |end: usize| script.code[..end].ends_with(')');
    let studies = script.calls("create_study").into_iter().filter(|call| call.name.is_empty() && is_call(call.end));
    let studies: Vec<Vec<&str>> = studies.map(|study| parts(study.arguments)).collect();
    for arguments in &studies {
        let plain = arguments.iter().filter(|part| !is_named(part) && !part.starts_with('*'));
        if let Some(value) = plain.into_iter().nth(PLACE) {
            found.extend(read(value, script, 0)?);
        }
    }
    let hidden = studies.iter().flatten().find(|part| part.starts_with("**"));
    match (found.len(), found.first(), hidden, studies.is_empty()) {
        (1, Some(minimizes), ..) => Ok(*minimizes),
        (0, _, Some(hidden), _) => Err(format!("create_study({hidden})")),
        // The default of Optuna.
        (0, _, None, false) => Ok(true),
        (0, _, None, true) => Err("the script does not create the study".to_string()),
        _ => Err("the script has both".to_string()),
    }
}

/// Returns the text up to the end of the argument or statement.
fn argument(text: &str) -> &str {
    let text = closed(text).map_or(text, |(inside, _)| inside);
    parts(text).first().copied().unwrap_or_default()
}

/// Returns the directions that an expression may be; none if it only refers to another mention.
fn read(value: &str, script: &Script, depth: usize) -> Result<Vec<bool>, String> {
    let value = value.trim();
    if LITERAL.is_match(value) {
        return Ok(vec![value.to_lowercase().contains("minimize")]);
    }
    if ["direction", "self.direction"].contains(&value) {
        return Ok(Vec::new());
    }
    if value == "None" {
        return Ok(vec![true]);
    }
    if depth < DEEPEST {
        if let Some(constant) = script.constant(value) {
            return read(constant, script, depth + 1);
        }
        if let Some(function) = FUNCTION.captures(value)
            && let Some(returned) = returned(&function["name"], script)
        {
            let all: Result<Vec<_>, _> = returned.into_iter().map(|value| read(value, script, depth + 1)).collect();
            return all.map(|all| all.concat());
        }
    }
    Err(value.to_string())
}

/// Returns the value that a function of the script returns.
fn returned<'s>(name: &str, script: &'s Script) -> Option<Vec<&'s str>> {
    let start = script.code.find(&format!("def {name}("))?;
    let body = script.code[start..].lines().skip(1);
    let body = body.take_while(|line| line.trim().is_empty() || line.starts_with(char::is_whitespace));
    let values = body.filter_map(|line| Some(RETURN.captures(line)?.name("value")?.as_str()));
    Some(values.collect::<Vec<_>>()).filter(|values| !values.is_empty())
}
