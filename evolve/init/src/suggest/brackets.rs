//! The brackets of a source, and the scopes between them.

use super::regex;
use evolve_program::source::Language;
use regex::Regex;
use std::ops::Range;
use std::sync::LazyLock;

/// The kind of text in a pair of brackets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// The whole file, or a namespace.
    Top,
    /// A module of Rust, whose items do not see those around it.
    Module,
    /// A class, a trait or an implementation.
    Class,
    /// Statements.
    Body,
    /// Arguments or an expression in parentheses.
    Parentheses,
    /// The elements of a list, or an index.
    Square,
    /// The elements of a list in braces.
    List,
    /// The fields of a struct with a name, as in `Param { k: 3 }`.
    Fields,
}

#[derive(Clone, Debug)]
pub struct Pair {
    /// The offsets of the opening and the closing bracket; `close` is the end of the text for an
    /// unclosed one.
    pub open: usize,
    pub close: usize,
    pub scope: Scope,
}

impl Pair {
    /// The place between the brackets.
    pub fn inside(&self) -> Range<usize> {
        self.open + 1..self.close
    }
}

/// All pairs of brackets of a text without comments and strings, by their beginning.
pub struct Brackets(Vec<Pair>);

impl Brackets {
    pub fn of(code: &str, language: Language) -> Self {
        let mut pairs: Vec<Pair> = Vec::new();
        let mut open: Vec<usize> = Vec::new();
        let mut head = 0;
        for (at, c) in code.char_indices() {
            let outer = open.last().map_or(Scope::Top, |&pair| pairs[pair].scope);
            match c {
                '(' | '[' | '{' => {
                    let scope = match c {
                        '(' => Scope::Parentheses,
                        '[' => Scope::Square,
                        _ => scope(&code[head..at], outer, language),
                    };
                    open.push(pairs.len());
                    pairs.push(Pair { open: at, close: code.len(), scope });
                }
                ')' | ']' | '}' => {
                    if let Some(pair) = open.pop() {
                        pairs[pair].close = at;
                    }
                }
                _ => {}
            }
            if matches!(c, '{' | '}' | ';') {
                head = at + 1;
            }
        }
        Brackets(pairs)
    }

    /// Returns the pairs around an offset, the innermost first.
    pub fn around(&self, at: usize) -> impl Iterator<Item = &Pair> {
        let end = self.0.partition_point(|pair| pair.open < at);
        self.0[..end].iter().rev().filter(move |pair| pair.close >= at)
    }

    /// Returns the scope of an offset.
    pub fn scope(&self, at: usize) -> Scope {
        self.around(at).next().map_or(Scope::Top, |pair| pair.scope)
    }

    /// Returns the pair that opens at an offset.
    pub fn opening(&self, at: usize) -> Option<&Pair> {
        self.0.binary_search_by_key(&at, |pair| pair.open).ok().map(|place| &self.0[place])
    }

    pub fn all(&self, scope: Scope) -> impl Iterator<Item = &Pair> {
        self.0.iter().filter(move |pair| pair.scope == scope)
    }

    /// Splits a place at the commas that are in no brackets of their own. The parts are trimmed,
    /// and not empty.
    pub fn parts(&self, code: &str, place: Range<usize>) -> Vec<Range<usize>> {
        let mut parts = Vec::new();
        let (mut start, mut at) = (place.start, place.start);
        let mut add = |part: Range<usize>| {
            let trimmed = trimmed(code, part);
            if !trimmed.is_empty() {
                parts.push(trimmed);
            }
        };
        while at < place.end {
            match code.as_bytes()[at] {
                b',' => {
                    add(start..at);
                    start = at + 1;
                }
                b'(' | b'[' | b'{' => at = self.opening(at).map_or(at, |pair| pair.close.min(place.end)),
                _ => {}
            }
            at += 1;
        }
        add(start..place.end);
        parts
    }
}

/// Returns a place without white space at its ends.
pub fn trimmed(code: &str, place: Range<usize>) -> Range<usize> {
    let text = &code[place.clone()];
    let start = place.start + (text.len() - text.trim_start().len());
    start..start + text.trim().len()
}

/// Returns the scope in braces, judged by the text before them.
fn scope(head: &str, outer: Scope, language: Language) -> Scope {
    static CLASS: LazyLock<Regex> = LazyLock::new(|| regex(r"\b(?:struct|class|union|enum|trait|impl)\b"));
    static SPACE: LazyLock<Regex> = LazyLock::new(|| regex(r"\b(?:namespace|mod|extern)\b"));
    static FUNCTION: LazyLock<Regex> = LazyLock::new(|| regex(r"\bfn\b|\|\s*$"));
    static FIELDS: LazyLock<Regex> = LazyLock::new(|| regex(r"(?:^|[^\w:])(?:[a-z]\w*::)*[A-Z]\w*(?:::\w+)*\s*$"));
    static KEYWORD: LazyLock<Regex> = LazyLock::new(|| regex(r"\b(?:if|while|for|match)\b|=>\s*$"));
    static LIST: LazyLock<Regex> = LazyLock::new(|| regex(r"[=,({\[\]\w>]\s*$"));
    static BODY: LazyLock<Regex> =
        LazyLock::new(|| regex(r"->|\)\s*$|(?:^|[^\w])(?:else|do|try|const|noexcept|override|final|mutable)\s*$"));
    match language {
        Language::Python => Scope::List,
        Language::Rust if FUNCTION.is_match(head) => Scope::Body,
        Language::C | Language::Cpp if BODY.is_match(head) => Scope::Body,
        _ if CLASS.is_match(head) && !head.contains('=') => Scope::Class,
        Language::Rust if SPACE.is_match(head) => Scope::Module,
        _ if outer == Scope::Top && SPACE.is_match(head) => Scope::Top,
        Language::Rust if FIELDS.is_match(head) && !KEYWORD.is_match(head) => Scope::Fields,
        Language::C | Language::Cpp if outer == Scope::List || LIST.is_match(head) => Scope::List,
        _ => Scope::Body,
    }
}
