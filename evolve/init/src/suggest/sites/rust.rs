//! The declarations of Rust.

use super::{Declared, Sites, Way, field_of, trimmed};
use crate::suggest::brackets::Scope;
use crate::suggest::literal::Numbers;
use crate::suggest::regex;
use regex::Regex;
use std::ops::Range;
use std::sync::LazyLock;

static CONST: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"^(?:#\[[^\n]*\]\s*)*(?:pub(?:\([^)]*\))?\s+)?(?<word>const|static)\s+(?<name>[A-Za-z_]\w*)\s*:\s*(?<type>[^=]+?)\s*=",
    )
});
static LET: LazyLock<Regex> =
    LazyLock::new(|| regex(r"^(?:#\[[^\n]*\]\s*)*let\s+(?<name>[A-Za-z_]\w*)\s*(?::\s*(?<type>[^=;]+?)\s*)?="));
static FIELD: LazyLock<Regex> = LazyLock::new(|| regex(r"^(?<name>[A-Za-z_]\w*)\s*:\s*"));
static OF: LazyLock<Regex> = LazyLock::new(|| regex(r"[\w:]+\s*$"));
/// Matches what follows the fields of a pattern.
static PATTERN: LazyLock<Regex> = LazyLock::new(|| regex(r"^\s*(?:=>|=[^=]|\||if\b|in\b)"));

impl Sites<'_> {
    pub(super) fn rust(&mut self) {
        let mut inside: Vec<Range<usize>> = Vec::new();
        for start in self.statements() {
            if let Some(parts) = CONST.captures(&self.code[start..]) {
                let name = parts["name"].to_string();
                let kind = parts["type"].to_string();
                let from = start + parts.get(0).expect("it matched").end();
                let word = start + parts.name("word").expect("it matched").start();
                let whole = from..self.end(from);
                let value = trimmed(&self.code, whole.clone());
                inside.push(value.clone());
                let up = self.up(start);
                let declared = Declared {
                    at: word,
                    way: Way::Constant,
                    numbers: Numbers::of(&kind, self.language),
                    read: [format!("{up}evolve_param(\"NAME\", "), ")".to_string()],
                    edits: vec![
                        (word..value.start, format!("static {name}: {up}Tuned<{kind}> = {up}Tuned::new(|| ")),
                        (value.end..value.end, ")".to_string()),
                    ],
                    valid: self.valid(start),
                    lazy: Some(name.clone()),
                    name,
                };
                match self.brackets.scope(start) {
                    Scope::Class => self.value_of_class(&declared, whole),
                    _ => {
                        self.value(&declared, whole);
                        self.fields(value, Some(&declared));
                    }
                }
            } else if let Some(parts) = LET.captures(&self.code[start..]) {
                let kind = parts.name("type").map_or("", |kind| kind.as_str());
                let from = start + parts.get(0).expect("it matched").end();
                let declared = Declared {
                    name: parts["name"].to_string(),
                    at: start,
                    way: Way::Variable,
                    numbers: Numbers::of(kind, self.language),
                    read: [format!("{}evolve_param(\"NAME\", ", self.up(start)), ")".to_string()],
                    edits: Vec::new(),
                    valid: self.valid(start),
                    lazy: None,
                };
                self.value(&declared, from..self.end(from));
            }
        }
        let fields: Vec<_> = self.brackets.all(Scope::Fields).map(|pair| pair.open).collect();
        for open in fields.into_iter().filter(|open| inside.iter().all(|place| !place.contains(open))) {
            self.fields(open..open + 1, None);
        }
    }

    /// Leaves out a constant of a type, which cannot be read when the program starts.
    fn value_of_class(&mut self, declared: &Declared, value: Range<usize>) {
        let found = self.found.len();
        self.value(declared, value);
        if self.found.len() > found {
            self.found.truncate(found);
            self.leave_out(declared, "an associated constant: declare it outside of `impl`");
        }
    }

    /// Adds the fields of the structs that begin in a place; `of` is the constant whose value they
    /// are.
    fn fields(&mut self, place: Range<usize>, of: Option<&Declared>) {
        let pairs: Vec<_> =
            self.brackets.all(Scope::Fields).filter(|pair| place.contains(&pair.open)).cloned().collect();
        for pair in pairs {
            if PATTERN.is_match(self.code.get(pair.close + 1..).unwrap_or_default()) {
                continue;
            }
            let way = OF.find(&self.code[..pair.open]).map_or(Way::Field, |name| field_of(name.as_str()));
            for part in self.brackets.parts(&self.code, pair.inside()) {
                let Some(field) = FIELD.captures(&self.code[part.clone()]) else { continue };
                let value = trimmed(&self.code, part.start + field.get(0).expect("it matched").end()..part.end);
                if !super::WHOLE_LITERAL.is_match(&self.code[value.clone()]) {
                    continue;
                }
                let declared = Declared {
                    name: field["name"].to_string(),
                    at: of.map_or(part.start, |of| of.at),
                    way,
                    numbers: None,
                    read: [format!("{}evolve_param(\"NAME\", ", self.up(part.start)), ")".to_string()],
                    edits: of.map_or_else(Vec::new, |of| of.edits.clone()),
                    valid: 0..self.code.len(),
                    lazy: of.and_then(|of| of.lazy.clone()),
                };
                match self.is_argument(pair.open) {
                    true => self.leave_out(&declared, "in the parentheses of a call"),
                    false => self.add(&declared, declared.name.clone(), None, value, Some(part.start)),
                }
            }
        }
    }

    /// Returns the path from a place to the top of its file.
    fn up(&self, at: usize) -> String {
        self.brackets.around(at).filter(|pair| pair.scope == Scope::Module).map(|_| "super::").collect()
    }
}
