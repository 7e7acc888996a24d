//! The branches of a script, as conditions on earlier parameters.

use super::super::expression::{Expression, MOST};
use super::super::parse::{Syntax, parse};
use super::super::text::closed;
use super::script::{Call, Script};
use crate::regex;
use regex::Regex;
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// An assignment to a place: `move = ..`, `params["move"] = ..`, or another way to change it.
static ASSIGNED: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r#"(?m)^[ \t]*(?:(?:if|elif|else)\b[^\n]*?:[ \t]+|for[ \t]+)?(?<place>[A-Za-z_][\w.]*)(?:\[\s*["'](?<key>[^"']+)["']\s*\])?[ \t]*(?::[^=\n]*)?(?<sign>=|\bin\b|[-+*/|&%]+=)[ \t]*(?<value>[^=\n][^\n]*)?$"#,
    )
});
/// The suggestion of a value, with its name.
static SUGGESTED: LazyLock<Regex> =
    LazyLock::new(|| regex(r#"^[\w.]+\.suggest_\w+\((?<arguments>\s*(?:name\s*=\s*)?["'](?<name>[^"']+)["'].*)$"#));
/// The header of a block, and a statement on the same line if there is one.
static HEADER: LazyLock<Regex> =
    LazyLock::new(|| regex(r"^\s*(?<word>if|elif|else|for|while|match|case|def|class)\b(?<rest>.*?):(?:\s+\S.*|\s*)$"));

/// The lines of a script, and the parameters that its variables hold.
pub struct Branches<'a> {
    lines: Vec<&'a str>,
    /// The place at which each line begins.
    starts: Vec<usize>,
    script: &'a Script,
    /// `None` where a place has another value as well, such as twice the suggested one.
    names: BTreeMap<String, Option<&'a str>>,
}

/// Returns the name of the parameter whose suggestion is the whole value.
fn suggested(value: &str) -> Option<&str> {
    let found = SUGGESTED.captures(value)?;
    let (_, rest) = closed(found.name("arguments")?.as_str())?;
    let is_whole = rest.trim().is_empty() || rest.trim_start().starts_with("if ");
    found.name("name").filter(|_| is_whole).map(|name| name.as_str())
}

impl<'a> Branches<'a> {
    /// Reads a script.
    pub fn of(script: &'a Script) -> Self {
        let mut names: BTreeMap<String, Option<&str>> = BTreeMap::new();
        for found in ASSIGNED.captures_iter(&script.code) {
            let place = match found.name("key") {
                None => found["place"].to_string(),
                Some(key) => format!("{}[{}]", &found["place"], key.as_str()),
            };
            let value = found.name("value").filter(|_| &found["sign"] == "=").map(|value| value.as_str().trim());
            if value == Some("None") {
                continue;
            }
            let name = value.and_then(suggested);
            names.entry(place).and_modify(|known| *known = known.filter(|_| *known == name)).or_insert(name);
        }
        let lines: Vec<&str> = script.code.split('\n').collect();
        let mut start = 0;
        let mut starts = Vec::new();
        for line in &lines {
            starts.push(start);
            start += line.len() + 1;
        }
        Branches { names, lines, starts, script }
    }

    /// Returns the condition under which a call is reached.
    ///
    /// # Errors
    /// The condition, if it is not one on parameters.
    pub fn condition(&self, call: &Call<'_>) -> Result<Expression, String> {
        let own = self.starts.partition_point(|&start| start <= call.start) - 1;
        let mut all = Vec::new();
        let behind = self.script.code[call.end..].lines().next().unwrap_or_default();
        if let Some(condition) = behind.trim_start_matches([' ', ')', ',']).strip_prefix("if ") {
            let condition = condition.split(" else ").next().unwrap_or(condition);
            all.push(self.parsed(condition)?);
        }
        // The call may follow the header on the same line.
        let mut depth = indent(self.lines[own]) + 1;
        for (i, line) in self.lines[..=own].iter().enumerate().rev() {
            if line.trim().is_empty() || indent(line) >= depth {
                continue;
            }
            depth = indent(line);
            let line = if i == own { self.script.before(call) } else { line };
            let Some(header) = HEADER.captures(line) else { continue };
            let rest = header["rest"].trim();
            match &header["word"] {
                "if" if rest.starts_with("__name__") => {}
                // A loop suggests the same parameter each time.
                "for" => {}
                "def" | "class" => break,
                "if" => all.push(self.parsed(rest)?),
                "elif" | "else" => {
                    let branch = || format!("{} {rest}", &header["word"]).trim_end().to_string();
                    all.push(self.alternative(&self.lines[..i], depth, rest).ok_or_else(branch)?);
                }
                _ => return Err(line.trim().trim_end_matches(':').to_string()),
            }
        }
        all.reverse();
        Ok(Expression::all(all))
    }

    /// Returns the condition of `elif rest` or `else` below `above`: no earlier branch is taken.
    fn alternative(&self, above: &[&str], depth: usize, rest: &str) -> Option<Expression> {
        let mut all = if rest.is_empty() { Vec::new() } else { vec![self.parsed(rest).ok()?] };
        for line in above.iter().rev().filter(|line| !line.trim().is_empty()) {
            if indent(line) > depth {
                continue;
            }
            let header = HEADER.captures(line).filter(|_| indent(line) == depth)?;
            if !["if", "elif"].contains(&&header["word"]) || all.len() > MOST {
                return None;
            }
            all.push(Expression::not(self.parsed(header["rest"].trim()).ok()?));
            if &header["word"] == "if" {
                return Some(Expression::all(all));
            }
        }
        None
    }

    fn parsed(&self, text: &str) -> Result<Expression, String> {
        let syntax = Syntax { parameter: &|place| self.named(place), is_python: true, joins_by_comma: false };
        parse(text, &syntax).map_err(|_| text.to_string())
    }

    /// Returns the parameter that a place holds: assigned by name, or by its key in a table such as
    /// `trial.params`.
    fn named(&self, place: &str) -> Option<String> {
        match self.names.get(place) {
            Some(assigned) => assigned.map(ToString::to_string),
            None => Some(place.strip_suffix(']')?.split_once('[')?.1.to_string()),
        }
    }
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}
