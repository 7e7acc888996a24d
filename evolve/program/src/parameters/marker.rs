//! Parameters declared by comments in a source file of any language: `const int K = 5; // evolve:
//! [1, 20]`.
//!
//! A marker is a comment that ends its line and begins with `evolve:`. The text after it lists the
//! allowed values: `[1, 20]`, `[0.001, 10] log`, `[0, 1] step 0.1`, `["swap", "2opt"]` or `bool`; a
//! range may have a `unit`, too.
//!
//! The start value is the last value before the comment, or the default in a call that reads the
//! parameter, as in `K = param("K", 5)`. The name of the parameter is the last name before the
//! value. The declared type decides whether a number is whole; without a type, a number is whole if
//! it has neither point nor exponent. Markers inside comments and strings do not count.
//!
//! An element of a list has no variable: the parameter of `param("EVOLVE_W_0", 5), // evolve: [1,
//! 20]` is `W_0`. A list in one line is one parameter, with values by group.

mod limit;
mod list;
mod spec;

pub use limit::{LimitMarker, limits};
pub use list::List;

use super::{PREFIX, Parameters, variable};
use crate::file::ByKeys;
use crate::source::{self, Language, Piece, scan};
use evolve_search::model::parameter::{Kind, Parameter};
use regex::{Captures, Regex};
use spec::{Literal, SpecError, followed, parameter};
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::LazyLock;
use thiserror::Error;

/// A parameter declared by a line of source.
#[derive(Clone, Debug, PartialEq)]
pub struct Marker {
    pub parameter: Parameter,
    /// The range of the value in the text, including quotation marks; of each element of a list.
    pub places: Vec<Range<usize>>,
    /// The declared type of the value, or its suffix.
    pub typed: Option<String>,
    /// Whether the value is a switch that is written 0 or 1.
    pub is_digit: bool,
    /// The name by which the line reads its value, if it does.
    pub read: Option<String>,
    /// The features that the parameter follows.
    pub by: Named,
    /// The groups of a list's elements.
    pub list: Option<List>,
}

/// Features, each with its expression in the source.
pub type Named = Vec<(String, String)>;

/// Matches a comment that is a marker, and the text after `evolve:`.
static COMMENT: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"^(?://|#|--|;|%|/\*|\(\*|<!--|\{-)[\s;#/!*]*evolve:(?s:(.*))$").expect("a regex"));
const LITERAL: &str = r#"(?<text>"[^"]*"|'[^']*')|(?<number>[-+]?(?:[0-9][0-9_']*\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?)(?:_?(?<suffix>[ac-df-np-wyzAC-DF-NP-WYZ][A-Za-z0-9_]*))?|(?<word>[Tt]rue|[Ff]alse|TRUE|FALSE)"#;
const READER: &str = r#"(?:[A-Za-z_][\w:.]*(?:<[\w:<> ]*>)?\(\s*(?:\|\|\s*)?)+["'](?<read>[^"']*)["']\s*,"#;
const NAME: &str = r"(?:^|[^\w])(?<name>[\pL_]\w*)";
/// Matches a name and its value at the end of code: `int K = 5;`, `int K{5};`, `K: 5,`,
/// `let k: f64 = 5.0;`. Suffixes exclude the letters of `0x`, `0b`, `0o` and exponents, so that
/// such numbers are not misread.
static VALUE: LazyLock<Regex> = LazyLock::new(|| {
    let before = format!(r#"{NAME}["'\])]?(?:\s*:\s*[^=:,;?]+)?\s*(?:[:=]+\s*\{{?|\{{)\s*(?:{READER})?"#);
    Regex::new(&format!(r"{before}\s*\(?\s*(?:{LITERAL})\s*[\s;,)\]}}]*$")).expect("a regex")
});
/// Matches a name and its value with a blank between them: `#define K 5`, `(defvar k 5)`, `K 5`.
static DEFINED: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(&format!(r"(?:^\s*|[#(]\s*def\w*|\bset){NAME}\s+\(?\s*(?:{LITERAL})[\s;)]*$")).expect("a regex")
});
/// Words before a value that are no names.
const NO_NAMES: [&str; 8] = ["case", "else", "in", "not", "return", "throw", "when", "yield"];
/// Matches an element of a list, which has no name but that in the call that reads it:
/// `param("K_0", 5),`.
static ELEMENT: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(&format!(r"^\s*{READER}\s*(?:{LITERAL})\s*[\s;,)\]}}]*$")).expect("a regex"));
/// Match the names of types, floating-point types first.
static TYPE: LazyLock<Regex> = LazyLock::new(|| {
    let whole =
        "(?:unsigned|signed|long|short|int|Int|Long|size_t|usize|isize|u?int[0-9]+(?:_t)?|[iu](?:8|16|32|64|128))";
    Regex::new(&format!(r"\b(?:(?<float>double|float|Double|Float|float32|float64|f32|f64)|{whole})\b"))
        .expect("a regex")
});

/// A fault in the marker on a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineFault {
    pub line: usize,
    pub message: String,
}

impl LineFault {
    /// Lists faults, each on a line that begins with these words and its number.
    pub fn listed(faults: &[LineFault], words: &str) -> String {
        let lines = faults.iter().map(|LineFault { line, message }| format!("{words}{line}: {message}"));
        lines.collect::<Vec<_>>().join("\n")
    }
}

/// A fault in a marker.
#[derive(Debug, Error)]
enum MarkerError {
    #[error("write a marker after a name and its value, as in `K = 5; // evolve: [1, 20]`")]
    Place,
    #[error("`{name}`: {what}")]
    Parameter { name: String, what: SpecError },
}

/// Finds the markers in a text.
///
/// # Errors
/// All malformed markers and names that are marked twice.
pub fn find(text: &str, language: Language) -> Result<Vec<Marker>, Vec<LineFault>> {
    let mut markers: Vec<Marker> = Vec::new();
    let mut lines: BTreeMap<String, usize> = BTreeMap::new();
    let mut faults = Vec::new();
    for comment in comments(text, language).into_iter().filter(|comment| !limit::is_limit(comment.spec)) {
        let line = comment.line;
        match read_line(text, &comment) {
            Err(error) => faults.push(LineFault { line, message: error.to_string() }),
            Ok(marker) => match lines.insert(marker.parameter.name.clone(), line) {
                Some(first) => {
                    let message = format!("`{}` is marked on line {first} already", marker.parameter.name);
                    faults.push(LineFault { line, message });
                }
                None => markers.push(marker),
            },
        }
    }
    if faults.is_empty() { Ok(markers) } else { Err(faults) }
}

/// A comment that is a marker.
struct Comment<'t> {
    /// The number of its line.
    line: usize,
    /// The code before it on the line, and where this code begins in the text.
    code: &'t str,
    begin: usize,
    /// The text after `evolve:`.
    spec: &'t str,
}

/// Returns the markers in a text, of parameters and of time limits.
fn comments(text: &str, language: Language) -> Vec<Comment<'_>> {
    let mut comments = Vec::new();
    let mut begun = 0;
    for Piece { kind, place } in scan(text, language) {
        let spec = (kind == source::PieceKind::Comment && ends_line(text, &place))
            .then(|| COMMENT.captures(text[place.clone()].trim_end())?.get(1));
        if let Some(spec) = spec.flatten() {
            let line = text[..place.start].matches('\n').count() + 1;
            let begin = text[begun..place.start].rfind('\n').map_or(begun, |end| begun + end + 1);
            let closed = [("/*", "*/"), ("(*", "*)"), ("<!--", "-->"), ("{-", "-}")];
            let opened = &text[place.start..place.start + spec.start()];
            let end = closed.iter().find(|(begin, _)| opened.contains(begin)).map_or("", |(_, end)| end);
            let spec = spec.as_str().trim();
            let spec = spec.strip_suffix(end).unwrap_or(spec).trim_end();
            comments.push(Comment { line, code: &text[begin..place.start], begin, spec });
        }
        // A comment or string that spans lines does not belong to the line on which it ends.
        if kind != source::PieceKind::Code && text[place.clone()].contains('\n') {
            begun = place.end;
        }
    }
    comments
}

/// Returns the parts of the code before a marker: the name, the value, and the name by which the
/// line reads it.
fn value(code: &str) -> Option<Captures<'_>> {
    // In `c ? A : 5`, `A` is no name of the value.
    let is_choice = |name: regex::Match<'_>| {
        let statement = &code[..name.start()];
        statement[statement.rfind([';', '{', '}', ',']).map_or(0, |end| end + 1)..].contains('?')
    };
    let is_name = |found: &Captures<'_>| {
        found.name("name").is_none_or(|name| !NO_NAMES.contains(&name.as_str()) && !is_choice(name))
    };
    [&ELEMENT, &VALUE, &DEFINED].into_iter().find_map(|form| form.captures(code)).filter(is_name)
}

fn ends_line(text: &str, place: &Range<usize>) -> bool {
    text[place.end..].lines().next().is_none_or(|rest| rest.trim().is_empty())
}

/// Adds the parameters that a text declares. Returns its markers.
///
/// # Errors
/// As for [`find`], and names that are declared twice.
pub fn read(text: &str, language: Language, parameters: &mut Parameters) -> Result<Vec<Marker>, Vec<LineFault>> {
    let mut faults = Vec::new();
    let markers = find(text, language)?;
    for Marker { parameter, places, by, list, .. } in &markers {
        let line = text[..places[0].start].lines().count().max(1);
        let names: Vec<String> = by.iter().map(|(name, _)| name.clone()).collect();
        let by = match list {
            Some(list) => Some(list.keys(parameter)),
            None => (!names.is_empty()).then_some(ByKeys::Names(names)),
        };
        let added = parameters.add_by(parameter.clone(), by);
        faults.extend(added.err().map(|error| LineFault { line, message: error.to_string() }));
    }
    if faults.is_empty() { Ok(markers) } else { Err(faults) }
}

/// Reads the marker of a parameter in a text.
fn read_line(text: &str, &Comment { code, begin, spec, .. }: &Comment<'_>) -> Result<Marker, MarkerError> {
    let Some(found) = value(code) else {
        let list = list::Written::of(code).ok_or(MarkerError::Place)?;
        let fault = |what| MarkerError::Parameter { name: list.name.to_string(), what };
        let (spec, by) = followed(spec).map_err(fault)?;
        let (parameter, groups) = list.parameter(spec, &by).map_err(fault)?;
        let places = list.places().map(|place| begin + place.start..begin + place.end).collect();
        let read = list.read(text)?;
        return Ok(Marker { parameter, places, typed: None, is_digit: false, read, by, list: Some(groups) });
    };
    let read = found.name("read").map(|read| read.as_str());
    let name = found.name("name").map(|name| name.as_str());
    // One of the two patterns has matched.
    let name = name.or(read.map(|read| read.strip_prefix(PREFIX).unwrap_or(read))).unwrap_or_default();
    let value = ["text", "number", "word"].iter().find_map(|group| found.name(group)).expect("one of them");
    let suffix = found.name("suffix").map(|suffix| suffix.as_str());
    let before = &code[..value.start()];
    let typed = suffix.or(declared(before).map(|(name, _)| name)).map(String::from);
    let literal = match (found.name("text"), found.name("number")) {
        (Some(text), _) => Literal::Text(text.as_str().trim_matches(['"', '\''])),
        (_, Some(number)) => {
            Literal::Number(number.as_str(), is_whole(before, number.as_str(), suffix.unwrap_or_default()))
        }
        _ => Literal::Word(value.as_str()),
    };
    let places = std::iter::once(begin + value.start()..begin + value.end()).collect();
    let fault = |what| MarkerError::Parameter { name: name.to_string(), what };
    let (spec, by) = followed(spec).map_err(fault)?;
    let parameter = parameter(name, &literal, spec).map_err(fault)?;
    if !by.is_empty() && !parameter.is_number() {
        return Err(fault(SpecError::Follows));
    }
    let is_digit = parameter.kind == Kind::Switch && matches!(literal, Literal::Number(..));
    Ok(Marker { parameter, places, typed, is_digit, read: read.map(String::from), by, list: None })
}

/// Returns whether a number is whole, by its declared type or else its notation.
fn is_whole(before: &str, number: &str, suffix: &str) -> bool {
    let is_point = || number.contains(['.', 'e', 'E']) || suffix.starts_with('f');
    declared(before).map_or_else(|| !is_point(), |(_, is_float)| !is_float)
}

/// Returns the type of the number that follows this code, if it is declared, and whether this is a
/// floating-point type.
fn declared(before: &str) -> Option<(&str, bool)> {
    let before = before.trim_end_matches([' ', '{']);
    let declaration = &before[before.rfind([';', '{', '}']).map_or(0, |end| end + 1)..];
    let last = TYPE.captures_iter(declaration).last()?;
    Some((last.get(0).expect("the whole match").as_str(), last.name("float").is_some()))
}

impl Marker {
    /// Returns whether the line itself reads the parameter from its variable in the environment, as
    /// `evolve init --suggest` writes it.
    pub fn reads_itself(&self) -> bool {
        self.read.as_ref() == Some(&variable(&self.parameter.name))
    }

    /// Returns the placeholder of its value, in the notation of the source.
    pub fn placeholder(&self) -> String {
        format!("{{{}{}}}", self.parameter.name, if self.is_digit { ":d" } else { "" })
    }

    /// Returns the text that replaces the value `old`, in the same notation.
    pub fn written(&self, old: &str, value: f64) -> String {
        let shown = self.parameter.show(value);
        match &self.parameter.kind {
            Kind::Choice(_) => {
                let quote = old.chars().next().filter(|c| *c == '\'').unwrap_or('"');
                format!("{quote}{shown}{quote}")
            }
            Kind::Switch if old == "0" || old == "1" => u8::from(value != 0.0).to_string(),
            Kind::Switch if old.starts_with('T') || old.starts_with('F') => {
                let upper = shown.to_uppercase();
                if old == old.to_uppercase() { upper } else { upper[..1].to_string() + &shown[1..] }
            }
            _ => shown,
        }
    }
}

#[cfg(test)]
mod tests;
