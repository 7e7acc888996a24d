//! The text of a Python script.

use super::super::text::closed;
use super::super::{ImportError, arithmetic};
use evolve_program::source::{Language, PieceKind, blanked, scan};
use evolve_search::document::text::line_start;
use regex::Regex;
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// An assignment to a variable, or another way to change it.
static ASSIGNED: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?m)^[ \t]*(?:for[ \t]+)?(?<name>[A-Za-z_]\w*)[ \t]*(?::[^=\n]*)?(?<sign>=|\bin\b|[-+*/|&%]+=)[ \t]*(?<value>[^=\n][^\n]*)?$")
        .expect("a regex")
});

/// A script without comments and long strings, in which every statement is on one line.
pub struct Script {
    pub code: String,
    /// The value of each variable that is assigned once.
    constants: BTreeMap<String, Option<String>>,
}

pub struct Call<'s> {
    /// The name after the requested prefix.
    pub name: &'s str,
    pub arguments: &'s str,
    /// The places where the method begins, and after the call.
    pub start: usize,
    pub end: usize,
}

impl Script {
    pub fn new(text: &str) -> Self {
        let code = statements(text);
        let mut constants: BTreeMap<String, Option<String>> = BTreeMap::new();
        for found in ASSIGNED.captures_iter(&code) {
            let value =
                found.name("value").filter(|_| &found["sign"] == "=").map(|value| value.as_str().trim().to_string());
            // A second assignment makes the value unknown.
            let value = if constants.contains_key(&found["name"]) { None } else { value };
            constants.insert(found["name"].to_string(), value);
        }
        Script { code, constants }
    }

    /// Returns the value of a constant as written.
    pub fn constant(&self, name: &str) -> Option<&str> {
        self.constants.get(name)?.as_deref()
    }

    /// Returns the value of an expression of numbers.
    pub fn number(&self, text: &str) -> Result<f64, ImportError> {
        arithmetic::value(text, &|name| self.constant(name).map(String::from))
    }

    /// Returns the calls of methods or functions whose names have this prefix.
    pub fn calls(&self, prefix: &str) -> Vec<Call<'_>> {
        let call = |(start, _): (usize, &str)| {
            let behind = &self.code[start + prefix.len()..];
            let length = behind.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(behind.len());
            let (name, rest) = behind.split_at(length);
            // A method that is not called here has no arguments.
            let (arguments, rest) = rest.trim_start().strip_prefix('(').and_then(closed).unwrap_or(("", rest));
            Call { name, arguments: arguments.trim(), start, end: self.code.len() - rest.len() }
        };
        self.code.match_indices(prefix).map(call).collect()
    }

    /// Returns the text of the line before a call.
    pub fn before(&self, call: &Call<'_>) -> &str {
        &self.code[line_start(&self.code, call.start)..call.start]
    }

    pub fn line(&self, place: usize) -> &str {
        self.code[line_start(&self.code, place)..].lines().next().unwrap_or_default().trim()
    }
}

/// Returns whether an argument is given by its name.
pub fn is_named(part: &str) -> bool {
    let name = part.split_once('=').map_or("", |(name, _)| name.trim());
    !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// Removes the comments and long strings of a script, and joins the lines of each statement.
fn statements(text: &str) -> String {
    let mut pieces = scan(text, Language::Python);
    for piece in &mut pieces {
        let text = &text[piece.place.clone()];
        if piece.kind == PieceKind::Text && (text.starts_with("\"\"\"") || text.starts_with("'''")) {
            piece.kind = PieceKind::Comment;
        }
    }
    let code = blanked(text, &pieces, &[PieceKind::Comment]);
    let mut joined = String::with_capacity(code.len());
    let mut depth = 0_usize;
    for piece in &pieces {
        let part = &code[piece.place.clone()];
        if piece.kind != PieceKind::Code {
            joined += &if depth > 0 { part.replace('\n', " ") } else { part.to_string() };
            continue;
        }
        let mut before = ' ';
        for c in part.chars() {
            match c {
                '(' | '[' | '{' => depth += 1,
                ')' | ']' | '}' => depth = depth.saturating_sub(1),
                _ => {}
            }
            match c {
                '\n' if before == '\\' => {
                    joined.pop();
                    joined.push(' ');
                }
                '\n' if depth > 0 => joined.push(' '),
                '\r' => {}
                c => joined.push(c),
            }
            before = c;
        }
    }
    joined
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statements_are_on_one_line() {
        let text = "a = f(  # one (\n    1,\n    ')',\n)\nb = 2 + \\\n  3  # two\n'''\nc = 4\n'''\nd = [\n]\n";
        let script = Script::new(text);
        let lines: Vec<String> =
            script.code.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
        assert_eq!(lines, ["a = f( 1, ')', )", "b = 2 + 3", "", "", "", "d = [ ]"]);
        assert_eq!(script.number("b * 2").unwrap(), 10.0);
    }

    #[test]
    fn only_variables_that_never_change_are_constants() {
        let script = Script::new(
            "A = 1\nB: int = 2\nC = 3\nC += 1\nfor D in x:\n    E = 5\nif x == 6:\n    A2 = A == 1\nE = 6\n",
        );
        let known = ["A", "B", "C", "D", "E"].map(|name| script.constant(name));
        assert_eq!(known, [Some("1"), Some("2"), None, None, None]);
    }
}
