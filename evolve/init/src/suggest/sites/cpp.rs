//! The declarations of C and C++.

use super::{Declared, Edit, Sites, Way, field_of, trimmed};
use crate::suggest::brackets::Scope;
use crate::suggest::literal::{LITERAL, Numbers};
use crate::suggest::regex;
use evolve_program::source::Language;
use regex::Regex;
use std::ops::Range;
use std::sync::LazyLock;

/// Matches the types of a declaration, and the beginning of its first name.
static HEAD: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"^(?:(?:public|private|protected)\s*:\s*)?(?<type>(?:[A-Za-z_][\w:]*(?:<[^;(){}=]*>)?(?:\s*[*&]+\s*|\s+))+?)[A-Za-z_]\w*\s*[\[={]",
    )
});
static NAME: LazyLock<Regex> =
    LazyLock::new(|| regex(r"^(?<name>[A-Za-z_]\w*)\s*(?<size>(?:\[[^\]\n]*\]\s*)*)(?<set>=|\{)"));
static DEFINE: LazyLock<Regex> = LazyLock::new(|| {
    regex(&format!(
        r"(?m)^[ \t]*(?<before>#[ \t]*define[ \t]+)(?<name>[A-Za-z_]\w*)(?<gap>[ \t]+\(?)(?<value>{LITERAL})(?<after>\)?)[ \t]*\r?$"
    ))
});
static FIELD: LazyLock<Regex> = LazyLock::new(|| regex(r"^\.(?<name>[A-Za-z_]\w*)\s*=\s*"));
static OF: LazyLock<Regex> = LazyLock::new(|| regex(r"(?<name>[A-Za-z_]\w*)\s*(?:[A-Za-z_]\w*\s*=?\s*)?$"));
static INNER: LazyLock<Regex> = LazyLock::new(|| regex(r"\b(?:array|vector)\s*<\s*(?<kind>[\w: ]+?)\s*[,>]"));
const QUALIFIERS: [&str; 5] = ["static", "inline", "const", "constexpr", "thread_local"];
/// Words that begin other statements.
const OTHERS: [&str; 16] = [
    "return",
    "using",
    "typedef",
    "extern",
    "else",
    "case",
    "goto",
    "new",
    "throw",
    "operator",
    "friend",
    "struct",
    "namespace",
    "class",
    "enum",
    "union",
];

impl Sites<'_> {
    pub(super) fn cpp(&mut self) {
        self.defines();
        for start in self.statements() {
            let Some(head) = HEAD.captures(&self.code[start..]).and_then(|parts| parts.name("type")) else { continue };
            let types = start + head.start()..start + head.end();
            self.declaration(&types, start);
        }
        self.designated();
    }

    fn declaration(&mut self, types: &Range<usize>, start: usize) {
        let written = self.code[types.clone()].to_string();
        let words: Vec<&str> = written.split_whitespace().collect();
        if words.iter().any(|word| OTHERS.contains(word)) {
            return;
        }
        let scope = self.brackets.scope(types.start);
        let is_constant = words.iter().any(|word| ["const", "constexpr"].contains(word));
        let end = self.end(types.end);
        for part in self.brackets.parts(&self.code, types.end..end) {
            let Some(parts) = NAME.captures(&self.code[part.clone()]) else { continue };
            let (name, set) = (parts["name"].to_string(), parts.name("set").expect("it matched"));
            let from = part.start + if set.as_str() == "=" { set.end() } else { set.start() };
            let is_global = scope == Scope::Top && name.starts_with(|c: char| c.is_ascii_uppercase());
            let way = if is_constant || is_global { Way::Constant } else { Way::Variable };
            let value = self.code[from..part.end].trim();
            let is_list = !parts["size"].is_empty() || INNER.is_match(&written);
            // A string at the end of a part looks blank.
            let to = part.end + self.code[part.end..end].find(',').unwrap_or(end - part.end);
            let braces = self.brackets.opening(trimmed(&self.code, from..to).start);
            // The values of other types in braces are the arguments of a constructor.
            if !is_list && braces.is_some_and(|pair| self.brackets.parts(&self.code, pair.inside()).len() > 1) {
                continue;
            }
            let (kind, edits) = retyped(&words, types, scope, way, value);
            let declared = Declared {
                name,
                at: start,
                way,
                numbers: numbers(&written).or_else(|| numbers(&kind)),
                read: [format!("evolve_param<{kind}>(\"NAME\", "), ")".to_string()],
                edits,
                valid: self.valid(start),
                lazy: None,
            };
            // A pointer is not a number, but may be a string.
            if written.contains(['*', '&']) {
                self.is_word(&declared, from..to);
            } else {
                self.value(&declared, from..to);
            }
        }
    }

    /// Adds the constants of the preprocessor, which become constants of the language.
    fn defines(&mut self) {
        let text = super::blanked(
            self.text,
            &self.pieces,
            &[evolve_program::source::PieceKind::Comment, evolve_program::source::PieceKind::Text],
        );
        for parts in DEFINE.captures_iter(&text) {
            let place = |name: &str| parts.name(name).expect("it matched").range();
            if self.brackets.scope(place("value").start) != Scope::Top {
                continue;
            }
            let kind = kind_of(&parts["value"]);
            let declared = Declared {
                name: parts["name"].to_string(),
                at: place("name").start,
                way: Way::Constant,
                numbers: numbers(kind),
                read: [format!("evolve_param<{kind}>(\"NAME\", "), ");".to_string()],
                edits: vec![
                    (place("before"), format!("const {kind} ")),
                    (place("gap"), " = ".to_string()),
                    (place("after"), String::new()),
                ],
                valid: 0..self.code.len(),
                lazy: None,
            };
            self.add(&declared, declared.name.clone(), None, place("value"), None);
        }
    }

    /// Adds the fields of `Param p = {.k = 3}`.
    fn designated(&mut self) {
        let lists: Vec<_> = self.brackets.all(Scope::List).cloned().collect();
        for pair in lists {
            if self.is_argument(pair.open) {
                continue;
            }
            let start = self.code[..pair.open].rfind([';', '{', '}']).map_or(0, |end| end + 1);
            let head = &self.code[start..pair.open];
            let way = OF.captures(head).map_or(Way::Field, |parts| field_of(&parts["name"]));
            let constexpr = head.find("constexpr").map(|at| start + at);
            for part in self.brackets.parts(&self.code, pair.inside()) {
                let Some(field) = FIELD.captures(&self.code[part.clone()]) else { continue };
                let value = trimmed(&self.code, part.start + field.get(0).expect("it matched").end()..part.end);
                let kind = kind_of(&self.code[value.clone()]);
                let declared = Declared {
                    name: field["name"].to_string(),
                    at: part.start,
                    way,
                    numbers: numbers(kind),
                    read: [format!("evolve_param<{kind}>(\"NAME\", "), ")".to_string()],
                    edits: constexpr.map(|at| (at..at + 9, "const".to_string())).into_iter().collect(),
                    valid: 0..self.code.len(),
                    lazy: None,
                };
                if super::WHOLE_LITERAL.is_match(&self.code[value.clone()]) {
                    self.add(&declared, declared.name.clone(), None, value, Some(part.start));
                }
            }
        }
    }
}

/// Returns the type of a declared value, and the changes after which its declaration need not be
/// known when compiling.
fn retyped(words: &[&str], types: &Range<usize>, scope: Scope, way: Way, value: &str) -> (String, Vec<Edit>) {
    let is_qualifier = |word: &&str| QUALIFIERS.contains(word);
    let own = words.iter().copied().filter(|word| !is_qualifier(word)).collect::<Vec<_>>().join(" ");
    let is_inferred = own.is_empty() || own == "auto";
    let own = if is_inferred { kind_of(value).to_string() } else { own };
    let kind = INNER.captures(&own).map_or(own.clone(), |parts| parts["kind"].to_string());
    // A value of another type is converted in the same way as the literal.
    let kind = if numbers(&kind).is_some() { kind } else { kind_of(value).to_string() };
    let mut before: Vec<&str> = words.iter().copied().filter(is_qualifier).collect();
    let (was_static, was_constexpr) = (before.contains(&"static"), before.contains(&"constexpr"));
    before.iter_mut().filter(|word| **word == "constexpr").for_each(|word| *word = "const");
    before.dedup();
    match scope {
        // `static` reads the parameter only once, however often the function is called. A variable
        // that changes through a reference must start anew in each call.
        Scope::Body if !was_static && way == Way::Constant => before.insert(0, "static"),
        // A static member that is not known when compiling is defined in its class only if it is
        // inline.
        Scope::Class if was_static && !before.contains(&"inline") => before.insert(0, "inline"),
        _ if !(was_constexpr || is_inferred && way == Way::Constant) => return (kind, Vec::new()),
        _ => {}
    }
    let before: String = before.iter().map(|word| format!("{word} ")).collect();
    (kind, vec![(types.clone(), format!("{before}{own} "))])
}

fn numbers(types: &str) -> Option<Numbers> {
    Numbers::of(types, Language::Cpp)
}

/// Returns the type of a literal, or the widest one of the literals of a list.
fn kind_of(value: &str) -> &'static str {
    const KINDS: [&str; 10] = [
        "bool",
        "int",
        "unsigned",
        "long",
        "unsigned long",
        "long long",
        "unsigned long long",
        "float",
        "double",
        "long double",
    ];
    let kind = |literal: &str| {
        let literal = literal.to_ascii_lowercase();
        let digits = literal.trim_end_matches(['f', 'l', 'u']);
        let suffix = &literal[digits.len()..];
        let is_above = |largest: i64| {
            digits.replace('\'', "").parse().is_ok_and(|value: i64| value > largest || value < -1 - largest)
        };
        match () {
            () if ["true", "false"].contains(&&literal[..]) => "bool",
            () if suffix.contains('f') => "float",
            () if digits.contains(['.', 'e']) && suffix.contains('l') => "long double",
            () if digits.contains(['.', 'e']) => "double",
            () if suffix.contains('u') => match suffix.matches('l').count() {
                0 if !is_above(u32::MAX.into()) => "unsigned",
                1 => "unsigned long",
                _ => "unsigned long long",
            },
            () => match suffix.len() {
                0 if !is_above(i32::MAX.into()) => "int",
                1 => "long",
                _ => "long long",
            },
        }
    };
    let rank = |literal: &str| KINDS.iter().position(|one| *one == kind(literal));
    let literals = value.split(['{', '}', ',']).map(str::trim).filter(|literal| !literal.is_empty());
    literals.filter_map(rank).max().map_or("int", |rank| KINDS[rank])
}
