//! The assignments of Python.

use super::{Declared, LeftOut, Sites, Way, trimmed};
use crate::suggest::brackets::Scope;
use crate::suggest::literal::{LITERAL, Numbers};
use crate::suggest::regex;
use regex::Regex;
use std::ops::Range;
use std::sync::LazyLock;

static ASSIGNED: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"(?m)^(?<indent>[ \t]*)(?:self\.)?(?<name>[A-Za-z_]\w*)[ \t]*(?::[ \t]*(?<type>[\w.]+(?:\[[^\n=]*\])?)[ \t]*)?=",
    )
});
static TUPLE: LazyLock<Regex> =
    LazyLock::new(|| regex(&format!(r"(?m)^(?<names>[A-Z]\w*(?:\s*,\s*[A-Z]\w*)+)[ \t]*=[ \t]*\(?{LITERAL}\s*,")));

impl Sites<'_> {
    pub(super) fn python(&mut self) {
        const SEVERAL: &str = "several values on a line: write each on a line of its own";
        let code = self.code.clone();
        for parts in TUPLE.captures_iter(&code) {
            let place = parts.name("names").expect("it matched");
            let line = self.line(place.start());
            let names = place.as_str().split(',').map(|name| name.trim().to_string());
            self.left_out.extend(names.map(|name| LeftOut { name, line, reason: SEVERAL }));
        }
        for parts in ASSIGNED.captures_iter(&code) {
            let (whole, name) = (parts.get(0).expect("it matched"), parts.name("name").expect("it matched"));
            if self.brackets.scope(name.start()) != Scope::Top || code[whole.end()..].starts_with('=') {
                continue;
            }
            // Blanks in the code may be a string.
            let behind = &self.text[whole.end()..];
            let from = whole.end() + (behind.len() - behind.trim_start_matches([' ', '\t']).len());
            let line = from + code[from..].find('\n').unwrap_or(code.len() - from);
            let value = match self.brackets.opening(from) {
                Some(pair) => from..pair.close.min(code.len() - 1) + 1,
                None => trimmed(self.text, from..self.comment(from, line)),
            };
            let is_constant = parts["indent"].is_empty() && name.as_str() == name.as_str().to_ascii_uppercase();
            let declared = Declared {
                name: name.as_str().to_string(),
                at: name.start(),
                way: if is_constant { Way::Constant } else { Way::Variable },
                numbers: match parts.name("type").map(|kind| kind.as_str()) {
                    Some("int") => Some(Numbers::WHOLE),
                    Some("float") => Some(Numbers::Floats),
                    _ => None,
                },
                read: ["evolve_param(\"NAME\", ".to_string(), ")".to_string()],
                edits: Vec::new(),
                valid: 0..code.len(),
                lazy: None,
            };
            let rest = code[value.end..].split('\n').next().unwrap_or_default().trim();
            match code[value.clone()].split_once(';') {
                Some((first, _)) => {
                    if regex(&format!("^{LITERAL}$")).is_match(first.trim()) {
                        self.leave_out(&declared, SEVERAL);
                    }
                }
                None if !rest.is_empty() => {}
                None if code[value.clone()].starts_with('{') => self.entries(&declared, &value),
                None => self.value(&declared, value),
            }
        }
    }

    /// Returns where the comment of a line begins, or the line ends.
    fn comment(&self, from: usize, line: usize) -> usize {
        let is_comment = |piece: &&super::Piece| {
            piece.kind == super::PieceKind::Comment && (from..line).contains(&piece.place.start)
        };
        self.pieces.iter().find(is_comment).map_or(line, |piece| piece.place.start)
    }

    /// Adds the entries of a dictionary whose keys are names.
    fn entries(&mut self, declared: &Declared, value: &Range<usize>) {
        static KEY: LazyLock<Regex> = LazyLock::new(|| regex(r#"^["'](?<name>[A-Za-z_]\w*)["']\s*:\s*"#));
        let Some(inside) = self.brackets.opening(value.start).map(|pair| pair.inside()) else { return };
        for part in self.brackets.parts(self.text, inside) {
            let Some(key) = KEY.captures(&self.text[part.clone()]) else { continue };
            let literal = trimmed(&self.code, part.start + key.get(0).expect("it matched").end()..part.end);
            if !super::WHOLE_LITERAL.is_match(&self.code[literal.clone()]) {
                continue;
            }
            let way = if declared.way == Way::Constant { Way::Parameter } else { super::field_of(&declared.name) };
            let entry = Declared {
                name: key["name"].to_string(),
                at: part.start,
                way,
                numbers: None,
                read: declared.read.clone(),
                edits: Vec::new(),
                valid: declared.valid.clone(),
                lazy: None,
            };
            self.add(&entry, entry.name.clone(), Some(declared.name.clone()), literal, Some(part.start));
        }
    }
}
