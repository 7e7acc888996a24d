//! TOML files whose every value knows its line, so that a mistake in it can be answered with its place.

use std::fmt;
use std::ops::Range;
use std::path::{Path, PathBuf};
use toml::de::{DeTable, DeValue};

/// What is wrong with a file, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The file.
    pub path: PathBuf,
    /// The line, from 1; `None` if the file as a whole is at fault.
    pub line: Option<usize>,
    /// What is wrong and what is allowed.
    pub message: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "{}:{line}: {}", self.path.display(), self.message),
            None => write!(f, "{}: {}", self.path.display(), self.message),
        }
    }
}

impl std::error::Error for Fault {}

/// The text of a TOML file.
#[derive(Clone, Debug)]
pub struct Document {
    path: PathBuf,
    text: String,
}

impl Document {
    /// Reads a file.
    ///
    /// # Errors
    /// If it cannot be read or is no UTF-8.
    pub fn read(path: &Path) -> Result<Self, Fault> {
        match std::fs::read_to_string(path) {
            Ok(text) => Ok(Self::new(path, text)),
            Err(error) => {
                Err(Fault { path: path.to_path_buf(), line: None, message: format!("cannot be read: {error}") })
            }
        }
    }

    /// A document of that text; `path` stands in error messages.
    pub fn new(path: &Path, text: String) -> Self {
        Document { path: path.to_path_buf(), text }
    }

    /// The file's path, as given.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The file's text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The top level of the document, which is to be `what`, such as "a job".
    ///
    /// # Errors
    /// If it is no TOML.
    pub fn top(&self, what: &'static str) -> Result<Section<'_>, Fault> {
        let table = DeTable::parse(&self.text).map_err(|error| Fault {
            path: self.path.clone(),
            line: error.span().map(|span| self.line(&span)),
            message: error.message().to_string(),
        })?;
        let span = table.span();
        Ok(self.section(what, String::new(), span, table.into_inner()))
    }

    fn section<'d>(&'d self, what: &'static str, name: String, span: Range<usize>, table: DeTable<'d>) -> Section<'d> {
        let mut entries: Vec<_> = table
            .into_iter()
            .map(|(key, value)| Entry {
                line: self.line(&key.span()),
                name: key.into_inner().into_owned(),
                span: value.span(),
                value: value.into_inner(),
            })
            .collect();
        // In the order of the file, so that of several mistakes the first is named.
        entries.sort_by_key(|entry| entry.line);
        Section { document: self, what, name, span, entries }
    }

    fn line(&self, span: &Range<usize>) -> usize {
        let before = &self.text.as_bytes()[..span.start.min(self.text.len())];
        before.iter().filter(|&&byte| byte == b'\n').count() + 1
    }
}

/// One `name = value` of a document.
#[derive(Clone, Debug)]
struct Entry<'d> {
    name: String,
    line: usize,
    span: Range<usize>,
    value: DeValue<'d>,
}

/// What a key takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Takes {
    /// Any text that is not empty.
    Text,
    /// One of these texts.
    Choice(&'static [&'static str]),
    /// A whole number from the first to the second.
    Integer(u64, u64),
    /// A number from the first to the second.
    Number(f64, f64),
    /// A length of time like "90s", "20m" or "8h 30m".
    Duration,
    /// A list of texts.
    Texts,
}

impl fmt::Display for Takes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Takes::Text => write!(f, "a text"),
            Takes::Choice(texts) => {
                let texts: Vec<_> = texts.iter().map(|text| format!("\"{text}\"")).collect();
                write!(f, "{}", texts.join(" or "))
            }
            Takes::Integer(min, max) => write!(f, "a whole number from {min} to {max}"),
            Takes::Number(min, max) => write!(f, "a number from {min} to {max}"),
            Takes::Duration => write!(f, "a length of time like \"90s\", \"20m\" or \"8h\""),
            Takes::Texts => write!(f, "a list of texts"),
        }
    }
}

/// A key of a file, declared once: reading, checking and the reference page follow from it.
#[derive(Clone, Copy, Debug)]
pub struct Key {
    /// Its name within its section.
    pub name: &'static str,
    /// What it takes.
    pub takes: Takes,
    /// The value in TOML if the key is left out; `None` if the meaning says what then holds.
    pub default: Option<&'static str>,
    /// What it does, for a person.
    pub meaning: &'static str,
}

/// A checked value.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// Of [`Takes::Text`] and [`Takes::Choice`].
    Text(String),
    /// Of [`Takes::Integer`].
    Integer(u64),
    /// Of [`Takes::Number`].
    Number(f64),
    /// Of [`Takes::Duration`].
    Duration(std::time::Duration),
    /// Of [`Takes::Texts`].
    Texts(Vec<String>),
}

impl Takes {
    /// The value, if it is allowed.
    fn check(&self, value: &DeValue<'_>) -> Option<Value> {
        match *self {
            Takes::Text => value.as_str().filter(|text| !text.is_empty()).map(|text| Value::Text(text.to_string())),
            Takes::Choice(texts) => {
                value.as_str().filter(|text| texts.contains(text)).map(|text| Value::Text(text.to_string()))
            }
            Takes::Integer(min, max) => {
                let integer = u64::try_from(integer(value)?).ok()?;
                (min..=max).contains(&integer).then_some(Value::Integer(integer))
            }
            Takes::Number(min, max) => {
                let number = number(value)?;
                (min..=max).contains(&number).then_some(Value::Number(number))
            }
            Takes::Duration => {
                let duration = humantime::parse_duration(value.as_str()?).ok()?;
                (!duration.is_zero()).then_some(Value::Duration(duration))
            }
            Takes::Texts => {
                let texts = value.as_array()?.iter();
                texts.map(|text| text.get_ref().as_str().map(String::from)).collect::<Option<_>>().map(Value::Texts)
            }
        }
    }
}

impl Key {
    /// The declared default, if there is one.
    ///
    /// # Panics
    /// If the declaration contradicts itself.
    pub fn default(&self) -> Option<Value> {
        let text = self.default?;
        let value = DeValue::parse(text).expect("a declared default is TOML");
        Some(self.takes.check(value.get_ref()).expect("a declared default is allowed"))
    }
}

fn integer(value: &DeValue<'_>) -> Option<i64> {
    let integer = value.as_integer()?;
    i64::from_str_radix(integer.as_str(), integer.radix()).ok()
}

/// A finite number, written as an integer or not.
fn number(value: &DeValue<'_>) -> Option<f64> {
    let number = match value {
        DeValue::Float(float) => float.as_str().parse().ok()?,
        _ => integer(value)? as f64,
    };
    f64::is_finite(number).then_some(number)
}

/// A table of a document. Entries are taken out one by one; [`finish`](Self::finish) then finds those left over.
#[derive(Debug)]
pub struct Section<'d> {
    document: &'d Document,
    /// What the document is.
    what: &'static str,
    /// Empty at the top level.
    name: String,
    span: Range<usize>,
    entries: Vec<Entry<'d>>,
}

/// An entry of a section whose names are not declared, such as the settings of a player.
#[derive(Clone, Debug)]
pub struct Free<'d> {
    /// Its name.
    pub name: String,
    /// Its line.
    pub line: usize,
    value: DeValue<'d>,
}

impl Free<'_> {
    /// The value as a whole number.
    pub fn integer(&self) -> Option<i64> {
        integer(&self.value)
    }

    /// The value as a finite number.
    pub fn number(&self) -> Option<f64> {
        number(&self.value)
    }

    /// The value as a list of finite numbers.
    pub fn numbers(&self) -> Option<Vec<f64>> {
        self.value.as_array()?.iter().map(|value| number(value.get_ref())).collect()
    }
}

impl<'d> Section<'d> {
    fn take_entry(&mut self, name: &str) -> Option<Entry<'d>> {
        let place = self.entries.iter().position(|entry| entry.name == name)?;
        Some(self.entries.remove(place))
    }

    /// The line of an entry that is still to be taken.
    pub fn line_of(&self, name: &str) -> Option<usize> {
        self.entries.iter().find(|entry| entry.name == name).map(|entry| entry.line)
    }

    /// The value of a declared key, or its default; `None` if it has neither.
    ///
    /// # Errors
    /// If the value is not what the key takes.
    pub fn take(&mut self, key: &Key) -> Result<Option<Value>, Fault> {
        let Some(entry) = self.take_entry(key.name) else {
            return Ok(key.default());
        };
        match key.takes.check(&entry.value) {
            Some(value) => Ok(Some(value)),
            None => {
                let given = self.document.text.get(entry.span.clone()).unwrap_or("this value");
                let message = format!("`{}` takes {}, not {}", self.full(key.name), key.takes, shortened(given));
                Err(self.fault(Some(entry.line), message))
            }
        }
    }

    /// The section of that name inside this one; if there is none, an empty one.
    ///
    /// # Errors
    /// If it is a value instead.
    pub fn section(&mut self, name: &str) -> Result<Section<'d>, Fault> {
        let full = self.full(name);
        let Some(entry) = self.take_entry(name) else {
            let span = self.span.clone();
            return Ok(Section { document: self.document, what: self.what, name: full, span, entries: Vec::new() });
        };
        match entry.value {
            DeValue::Table(table) => Ok(self.document.section(self.what, full, entry.span, table)),
            _ => Err(self.fault(Some(entry.line), format!("`{full}` is a section: write [{full}]"))),
        }
    }

    /// Whether a section or value of that name is still to be taken.
    pub fn has(&self, name: &str) -> bool {
        self.entries.iter().any(|entry| entry.name == name)
    }

    /// All entries that are left, in the order of the file.
    pub fn rest(&mut self) -> Vec<Free<'d>> {
        let free = |entry: Entry<'d>| Free { name: entry.name, line: entry.line, value: entry.value };
        self.entries.drain(..).map(free).collect()
    }

    /// Ends the reading of a section whose keys are `declared`.
    ///
    /// # Errors
    /// If an entry was never taken.
    pub fn finish(self, declared: &[&str]) -> Result<(), Fault> {
        let Some(entry) = self.entries.first() else { return Ok(()) };
        let place = if self.name.is_empty() { self.what.to_string() } else { format!("[{}]", self.name) };
        let known: Vec<_> = declared.iter().map(|name| format!("`{name}`")).collect();
        let message = format!("{place} has no key `{}`; it has {}", entry.name, known.join(", "));
        Err(self.fault(Some(entry.line), message))
    }

    /// A fault at a line of this document; without one, at the line of the section.
    pub fn fault(&self, line: Option<usize>, message: impl Into<String>) -> Fault {
        let line = line.or((!self.name.is_empty()).then(|| self.document.line(&self.span)));
        Fault { path: self.document.path.clone(), line, message: message.into() }
    }

    fn full(&self, name: &str) -> String {
        if self.name.is_empty() { name.to_string() } else { format!("{}.{name}", self.name) }
    }
}

/// The start of a text that may be long.
fn shortened(text: &str) -> String {
    const MOST: usize = 40;
    let first = text.lines().next().unwrap_or("");
    if text.len() <= MOST && first == text {
        return text.to_string();
    }
    first.chars().take(MOST).chain("...".chars()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn document(text: &str) -> Document {
        Document::new(Path::new("job.toml"), text.to_string())
    }

    const GAMES: Key =
        Key { name: "games", takes: Takes::Integer(2, 10), default: Some("4"), meaning: "games of a candidate" };

    #[test]
    fn faults_name_the_line() {
        let document = document("a = 1\n\n[evolution]\ngames = 1\nplans = 2\n");
        let mut top = document.top("a job").unwrap();
        let mut section = top.section("evolution").unwrap();
        let fault = section.take(&GAMES).unwrap_err();
        assert_eq!(fault.to_string(), "job.toml:4: `evolution.games` takes a whole number from 2 to 10, not 1");
        let fault = section.finish(&["games"]).unwrap_err();
        assert_eq!(fault.to_string(), "job.toml:5: [evolution] has no key `plans`; it has `games`");
        let fault = top.finish(&["evolution"]).unwrap_err();
        assert_eq!(fault.to_string(), "job.toml:1: a job has no key `a`; it has `evolution`");
    }

    #[test]
    fn a_key_left_out_has_its_default() {
        let document = document("");
        assert_eq!(document.top("a job").unwrap().take(&GAMES), Ok(Some(Value::Integer(4))));
    }

    #[test]
    fn broken_toml_is_answered_with_its_line() {
        let fault = document("a = 1\nb = = 2\n").top("a job").unwrap_err();
        assert_eq!(fault.line, Some(2));
    }

    #[test]
    fn numbers_out_of_every_range_are_refused() {
        let document = document("games = 99999999999999999999\n");
        let fault = document.top("a job").unwrap().take(&GAMES).unwrap_err();
        assert!(fault.message.contains("from 2 to 10"), "{fault}");
    }
}
