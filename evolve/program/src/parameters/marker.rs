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

pub use limit::{LimitMarker, limits};
pub use list::List;

use super::{LARGEST_INT, PREFIX, Parameters, variable};
use crate::file::ByKeys;
use crate::source::{self, Language, Piece, scan};
use evolve_search::model::parameter::{Kind, Parameter, StepError};
use regex::{Captures, Regex};
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
/// Matches a name and its value at the end of code: `int K = 5;`, `int K{5};`, `K: 5,`, `let k: f64 =
/// 5.0;`. Suffixes exclude the letters of `0x`, `0b`, `0o` and exponents, so that such numbers are
/// not misread.
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

/// A fault in a value or in the text after `evolve:`.
#[derive(Debug, Error)]
enum SpecError {
    #[error("{FORM}")]
    Form,
    #[error("its value is a switch; {FORM}")]
    Switch,
    #[error("a switch must be 0, 1, true or false")]
    SwitchValue,
    #[error("choices must not contain quotation marks, backslashes or control characters")]
    Choices,
    #[error("its value is not one of the choices")]
    NoChoice,
    #[error("{0} is octal in C; write it without the leading 0")]
    Octal(String),
    #[error("its value is a whole number, but its range is not")]
    WholeRange,
    #[error("whole numbers are within plus or minus 2^53")]
    LargeNumber,
    #[error("its value is not a whole number")]
    NotWhole,
    #[error("the range of a logarithmic parameter must lie above 0")]
    Logarithmic,
    #[error(transparent)]
    Step(#[from] StepError),
    #[error("write `by FEATURE=EXPRESSION`, such as `by n=N`, with the expression that has the feature in the source")]
    By,
    #[error("only numbers follow features")]
    Follows,
    #[error(
        "a list needs the feature that is its index, as in `// evolve: [1, 40] by k=K-2`; or write each element on its \
         own line"
    )]
    List,
    #[error("`{0}` is no index: write a variable, plus or minus a number, as in `by k=K-2`")]
    Index(String),
    #[error("its element {0} is not {1}")]
    Element(String, String),
    #[error("its elements read different variables; let all read {0}, which has the value of the instance")]
    Reads(String),
}

/// The forms of a marker, in messages.
const FORM: &str = "write `[1, 20]`, `[0.001, 10] log`, `[0, 1] step 0.1 unit 0.2`, `[\"a\", \"b\"]` or `bool` after \
                    `evolve:`";

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

/// Separates the features that a parameter follows from the rest of a marker: `[1, 20] by n=N,
/// k=K-2`.
fn followed(spec: &str) -> Result<(&str, Named), SpecError> {
    // Choices may contain the word.
    let Some((rest, by)) = spec.rsplit_once(" by ").filter(|(rest, _)| !rest.contains('"')) else {
        return Ok((spec, Vec::new()));
    };
    let pair = |part: &str| {
        let (name, expression) = part.split_once('=').ok_or(SpecError::By)?;
        let (name, expression) = (name.trim(), expression.trim());
        // A second feature without a comma before it.
        let is_two = expression.replace("==", "").contains('=');
        match name.is_empty() || expression.is_empty() || is_two {
            true => Err(SpecError::By),
            false => Ok((name.to_string(), expression.to_string())),
        }
    };
    Ok((rest.trim_end(), by.split(',').map(pair).collect::<Result<_, _>>()?))
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

enum Literal<'t> {
    Text(&'t str),
    /// A number, and whether it is whole.
    Number(&'t str, bool),
    Word(&'t str),
}

fn parameter(name: &str, literal: &Literal<'_>, spec: &str) -> Result<Parameter, SpecError> {
    match literal {
        Literal::Word(word) => match spec {
            "bool" | "" => Ok(Parameter::switch(name, word.eq_ignore_ascii_case("true"))),
            _ => Err(SpecError::Switch),
        },
        Literal::Number(number, _) if spec == "bool" => match *number {
            "0" | "1" => Ok(Parameter::switch(name, *number == "1")),
            _ => Err(SpecError::SwitchValue),
        },
        Literal::Text(start) => {
            let names: Vec<String> = serde_json::from_str(spec).map_err(|_| SpecError::Form)?;
            // The names are written between quotation marks, whose escapes depend on the unknown
            // language.
            let is_odd = |c: char| c.is_control() || "\"'\\\u{2028}\u{2029}".contains(c);
            if names.iter().any(|name| name.contains(is_odd)) {
                return Err(SpecError::Choices);
            }
            let start = names.iter().position(|name| name == start);
            let start = start.ok_or(SpecError::NoChoice)?;
            Ok(Parameter::choice(name, names, start))
        }
        Literal::Number(number, is_whole) => {
            let (ends, keys) = spec.strip_prefix('[').and_then(|spec| spec.split_once(']')).ok_or(SpecError::Form)?;
            let (min, max) = ends.split_once(',').ok_or(SpecError::Form)?;
            let digits: String = number.chars().filter(|c| !"_'".contains(*c)).collect();
            let float =
                |text: &str| text.trim().parse().ok().filter(|value: &f64| value.is_finite()).ok_or(SpecError::Form);
            let plain = digits.trim_start_matches(['-', '+']);
            if plain.len() > 1 && plain.starts_with('0') && plain.bytes().all(|byte| byte.is_ascii_digit()) {
                return Err(SpecError::Octal((*number).to_string()));
            }
            let parameter = if *is_whole {
                let whole = |text: &str| {
                    let number = text.trim().parse().map_err(|_| SpecError::WholeRange)?;
                    match (-LARGEST_INT..=LARGEST_INT).contains(&number) {
                        true => Ok(number),
                        false => Err(SpecError::LargeNumber),
                    }
                };
                // `int n = 1e5` is whole as well.
                let start =
                    float(&digits).ok().filter(|start| start.fract() == 0.0 && start.abs() <= LARGEST_INT as f64);
                let start = start.ok_or(SpecError::NotWhole)?;
                Parameter::int(name, whole(min)?, whole(max)?, start as i64)
            } else {
                Parameter::float(name, float(min)?, float(max)?, float(&digits)?)
            };
            let keys = Keys::read(keys, &float)?;
            let parameter = match keys.log {
                true if parameter.range().0 <= 0.0 => return Err(SpecError::Logarithmic),
                true => parameter.log(),
                false => parameter,
            };
            let parameter = keys.step.map_or(Ok(parameter.clone()), |step| parameter.step(step))?;
            Ok(match keys.unit {
                Some(unit) => parameter.unit(unit),
                None => parameter,
            })
        }
    }
}

/// The keys after the range of a number, such as `step 0.1 unit 0.2`.
#[derive(Default)]
struct Keys {
    log: bool,
    step: Option<f64>,
    unit: Option<f64>,
}

impl Keys {
    fn read(text: &str, number: &dyn Fn(&str) -> Result<f64, SpecError>) -> Result<Self, SpecError> {
        let mut keys = Keys::default();
        let mut words = text.split([' ', '\t', ',']).filter(|word| !word.is_empty());
        while let Some(word) = words.next() {
            match word {
                "log" => keys.log = true,
                "step" => keys.step = Some(number(words.next().unwrap_or_default())?),
                "unit" => keys.unit = Some(number(words.next().unwrap_or_default())?),
                _ => return Err(SpecError::Form),
            }
        }
        Ok(keys)
    }
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
mod tests {
    use super::*;

    #[test]
    fn markers_of_many_languages() {
        for (line, parameter, value) in [
            ("const int K = 5; // evolve: [1, 20]", Parameter::int("K", 1, 20, 5), "5"),
            (
                "static constexpr double TEMP=1e1; // evolve: [1e-3, 1e3] log",
                Parameter::float("TEMP", 1e-3, 1e3, 10.0).log(),
                "1e1",
            ),
            ("float x = -2.5f; /* evolve: [-5, 5] */", Parameter::float("x", -5.0, 5.0, -2.5), "-2.5"),
            (
                "long n = 100'000; // evolve: [1, 1000000] log",
                Parameter::int("n", 1, 1_000_000, 100_000).log(),
                "100'000",
            ),
            ("MOVE = '2opt'  # evolve: [\"swap\", \"2opt\"]", Parameter::choice("MOVE", ["swap", "2opt"], 1), "'2opt'"),
            ("GREEDY = False  # evolve: bool", Parameter::switch("GREEDY", false), "False"),
            ("pub const WIDTH: usize = 30; // evolve: [1, 100]", Parameter::int("WIDTH", 1, 100, 30), "30"),
            ("const double K{5}; // evolve: [1, 20]", Parameter::float("K", 1.0, 20.0, 5.0), "5"),
            ("#define K 5 // evolve: [1, 20]", Parameter::int("K", 1, 20, 5), "5"),
            ("  \"k\": 5, // evolve: [1, 20]", Parameter::int("k", 1, 20, 5), "5"),
            ("(defvar k 5) ;; evolve: [1, 20]", Parameter::int("k", 1, 20, 5), "5"),
            ("k :: Int; k = 5 -- evolve: [1, 20]", Parameter::int("k", 1, 20, 5), "5"),
            ("let k: f64 = 5.0; // evolve: [1, 20]", Parameter::float("k", 1.0, 20.0, 5.0), "5.0"),
            (
                "double SHARE = 0.3; // evolve: [0.1, 0.95] step 0.1",
                Parameter::float("SHARE", 0.1, 0.95, 0.3).step(0.1).unwrap(),
                "0.3",
            ),
            (
                "int N = 26; /* evolve: [1, 100] unit 50 step 25 */",
                Parameter::int("N", 1, 100, 26).step(25.0).unwrap().unit(50.0),
                "26",
            ),
            ("N = 30  # evolve: [1, 100], log, unit 0.5", Parameter::int("N", 1, 100, 30).log().unit(0.5), "30"),
            // The declared type decides.
            ("double RANGE = 60; // evolve: [2, 200] log", Parameter::float("RANGE", 2.0, 200.0, 60.0).log(), "60"),
            ("RANGE: float = 60  # evolve: [2, 200]", Parameter::float("RANGE", 2.0, 200.0, 60.0), "60"),
            ("f(double x); int n = 1e5; // evolve: [1, 1000000]", Parameter::int("n", 1, 1_000_000, 100_000), "1e5"),
            ("void f(double x, int n = 5 // evolve: [1, 20]", Parameter::int("n", 1, 20, 5), "5"),
            // The value is the default of the call that reads it.
            ("const int K = param<int>(\"K\", 5); // evolve: [1, 20]", Parameter::int("K", 1, 20, 5), "5"),
            (
                "static K: Tuned<f64> = Tuned::new(|| evolve_param(\"EVOLVE_K\", 5.0)); // evolve: [1, 20]",
                Parameter::float("K", 1.0, 20.0, 5.0),
                "5.0",
            ),
            ("const int K{param<int>(\"EVOLVE_K\", 5)}; // evolve: [1, 20]", Parameter::int("K", 1, 20, 5), "5"),
            // Elements of lists, and fields.
            (
                "    evolve_param<double>(\"EVOLVE_W_0\", 5), // evolve: [1, 20]",
                Parameter::float("W_0", 1.0, 20.0, 5.0),
                "5",
            ),
            ("    super::evolve_param(\"EVOLVE_W_1\", 5) // evolve: [1, 20]", Parameter::int("W_1", 1, 20, 5), "5"),
            (
                "    min_k: evolve_param(\"EVOLVE_MIN_K\", 5.), // evolve: [1, 20]",
                Parameter::float("min_k", 1.0, 20.0, 5.0),
                "5.",
            ),
            (
                "    .min_k = evolve_param<int>(\"EVOLVE_MIN_K\", 5) // evolve: [1, 20]",
                Parameter::int("min_k", 1, 20, 5),
                "5",
            ),
            ("k = float(os.environ.get('AHC_K', 5))  # evolve: [1, 20]", Parameter::float("k", 1.0, 20.0, 5.0), "5"),
        ] {
            let found = find(line, Language::Other).unwrap();
            assert_eq!(found.len(), 1, "{line}");
            assert_eq!(found[0].parameter, parameter, "{line}");
            assert_eq!(&line[found[0].places[0].clone()], value, "{line}");
        }
        assert_eq!(find("int k = 5; // no evolve here\n", Language::Cpp).unwrap(), []);
    }

    #[test]
    fn values_without_a_name_are_refused() {
        for line in [
            "int x = y -1; // evolve: [-9, 9]",
            "int k = c ? A : 5; // evolve: [1, 20]",
            "K = 3 if x else 5  # evolve: [1, 20]",
            "return 5; // evolve: [1, 9]",
        ] {
            let faults = find(line, Language::Other).unwrap_err();
            assert!(faults[0].message.starts_with("write a marker after a name"), "{line}: {faults:?}");
        }
        let found = find("größe = 2.5  # evolve: [1, 9]\nK 5 # evolve: [1, 9]", Language::Other).unwrap();
        assert_eq!(found.iter().map(|marker| &*marker.parameter.name).collect::<Vec<_>>(), ["größe", "K"]);
    }

    #[test]
    fn switches_keep_their_notation() {
        for (line, placeholder) in [
            ("int G = P(\"EVOLVE_G\", 1); // evolve: bool", "{G:d}"),
            ("bool G = P(\"EVOLVE_G\", true); // evolve: bool", "{G}"),
            ("int G = P(\"EVOLVE_G\", 1); // evolve: [0, 1]", "{G}"),
        ] {
            assert_eq!(find(line, Language::Cpp).unwrap()[0].placeholder(), placeholder, "{line}");
        }
    }

    #[test]
    fn expressions_after_by_stay_whole() {
        for line in [
            "double t = 30; // evolve: [1, 1000] log by n=v.size(), m=f(K)",
            "double t = 30; /* evolve: [1, 1000] log by n=v.size(), m=f(K) */",
        ] {
            let pair = |name: &str, own: &str| (name.to_string(), own.to_string());
            assert_eq!(find(line, Language::Cpp).unwrap()[0].by, [pair("n", "v.size()"), pair("m", "f(K)")]);
        }
    }

    /// Code in comments and strings declares no parameter and is not rewritten.
    #[test]
    fn markers_in_comments_and_strings_do_not_count() {
        for (language, text) in [
            (Language::Cpp, "// int K = 5; // evolve: [1, 20]\n"),
            (Language::Cpp, "/*\nint K = 5; // evolve: [1, 20]\n*/\n"),
            (Language::Cpp, "auto help = R\"(\nint K = 5; // evolve: [1, 20]\n)\";\n"),
            (Language::Cpp, "puts(\"int K = 5; // evolve: [1, 20]\");\n"),
            (Language::Rust, "let help = r#\"\nK = 5; // evolve: [1, 20]\n\"#;\n"),
            (Language::Python, "# K = 5  # evolve: [1, 20]\n"),
            (Language::Python, "\"\"\"\nK = 5  # evolve: [1, 20]\n\"\"\"\n"),
            (Language::Slashes, "help = `\nK = 5; // evolve: [1, 20]\n`;\n"),
            (Language::Other, "; (defvar k 5) ; evolve: [1, 20]\n"),
        ] {
            assert_eq!(find(text, language).unwrap(), [], "{text}");
            let both =
                format!("{text}int L = 5; {} evolve: [1, 20]", if language == Language::Python { "#" } else { "//" });
            let found = find(&both, language).unwrap();
            assert_eq!(found.len(), 1, "{both}");
            assert_eq!(&both[found[0].places[0].clone()], "5");
        }
    }

    #[test]
    fn invalid_markers_are_reported_with_their_lines() {
        let text = "int a = 1; // evolve: [0, 9]\nint b; // evolve: [1, 2]\nint c = 3; // evolve: 3\nint d = 3; // \
            evolve: [0, 9.5]\nint e = 0x10; // evolve: [0, 20]\nint f = 1; // evolve: [0, 9223372036854775807]\nint g \
            = 010; // evolve: [1, 20]\nint h = 1.5; // evolve: [1, 20]\n";
        let faults = find(text, Language::Cpp).unwrap_err();
        assert_eq!(faults.iter().map(|fault| fault.line).collect::<Vec<_>>(), [2, 3, 4, 5, 6, 7, 8]);
        assert!(faults[5].message.contains("octal"), "{faults:?}");
        for (marker, said) in [
            ("int a = 1; // evolve: [0, 9] step", "write `[1, 20]`"),
            ("int a = 1; // evolve: [0, 9] steps 2", "write `[1, 20]`"),
            ("int a = 1; // evolve: [0, 9] step 0.5", "`a`: a whole number has a whole step, not 0.5"),
            ("int a = 1; // evolve: [1, 9] log step 2", "`a`: a logarithmic parameter has no step"),
            (
                "int a = 1; // evolve: [0, 9] step 2",
                "not a whole number from 0 to 8 in steps of 2; the nearest are 0 and 2",
            ),
            ("int a = 1; // evolve: [0, 9] unit 0", "the unit of `a` must be from"),
        ] {
            let faults = read(marker, Language::Cpp, &mut Parameters::default()).unwrap_err();
            assert!(faults[0].message.contains(said), "{faults:?}");
        }
        let twice = "int a = 1; // evolve: [0, 9]\nint a = 10; // evolve: [0, 9]\n";
        let fault = LineFault { line: 2, message: "`a` is marked on line 1 already".to_string() };
        assert_eq!(find(twice, Language::Cpp).unwrap_err(), [fault]);
        let reserved = "\nint seed = 1; // evolve: [0, 9]\n";
        assert_eq!(read(reserved, Language::Cpp, &mut Parameters::default()).unwrap_err()[0].line, 2);
    }
}
