//! TOML files whose every value knows its line, so that all mistakes in a file can be answered with their places.

use crate::key::{Field, Key, integer, number};
use crate::retired;
use std::cell::RefCell;
use std::fmt;
use std::fs::File;
use std::io::{self, Read};
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

/// All that is wrong with a file, at least one fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Faults {
    /// In the order of the file, at most [`MOST_FAULTS`].
    pub faults: Vec<Fault>,
    /// How many more there are.
    pub more: usize,
}

/// More faults of a file than these are only counted.
pub const MOST_FAULTS: usize = 20;

impl fmt::Display for Faults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, fault) in self.faults.iter().enumerate() {
            write!(f, "{}{fault}", if i > 0 { "\n" } else { "" })?;
        }
        if self.more > 0 { write!(f, "\nand {} more", self.more) } else { Ok(()) }
    }
}

impl std::error::Error for Faults {}

impl From<Fault> for Faults {
    fn from(fault: Fault) -> Self {
        Faults { faults: vec![fault], more: 0 }
    }
}

/// The largest file that is read, in bytes; what people write is far smaller.
pub const LARGEST: u64 = 16 << 20;

/// The text of a TOML file, and what was found wrong with it so far.
#[derive(Clone, Debug)]
pub struct Document {
    path: PathBuf,
    text: String,
    /// Where each line starts.
    lines: Vec<usize>,
    faults: RefCell<Faults>,
}

impl Document {
    /// Reads a file.
    ///
    /// # Errors
    /// If it cannot be read, is larger than [`LARGEST`] or is no UTF-8.
    pub fn read(path: &Path) -> Result<Self, Faults> {
        match read_text(path) {
            Ok(text) => Ok(Self::new(path, text)),
            Err(error) => {
                Err(Fault { path: path.to_path_buf(), line: None, message: format!("cannot be read: {error}") }.into())
            }
        }
    }

    /// A document of that text; `path` stands in error messages.
    pub fn new(path: &Path, text: String) -> Self {
        let ends = text.bytes().enumerate().filter(|&(_, byte)| byte == b'\n');
        let lines = std::iter::once(0).chain(ends.map(|(place, _)| place + 1)).collect();
        let faults = RefCell::new(Faults { faults: Vec::new(), more: 0 });
        Document { path: path.to_path_buf(), text, lines, faults }
    }

    /// The file's path, as given.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The file's text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Reads the document, which is to be `what`, such as "a job": `read` takes what it wants out of the top level and
    /// reports what is wrong; `None` if it could not go on.
    ///
    /// # Errors
    /// All that is wrong with the file.
    pub fn parse<T>(&self, what: &'static str, read: impl FnOnce(&mut Section<'_>) -> Option<T>) -> Result<T, Faults> {
        let table = DeTable::parse(&self.text).map_err(|error| Fault {
            path: self.path.clone(),
            line: error.span().map(|span| self.line(&span)),
            message: error.message().to_string(),
        })?;
        *self.faults.borrow_mut() = Faults { faults: Vec::new(), more: 0 };
        let span = table.span();
        let mut top = self.section(what, String::new(), span, table.into_inner());
        let value = read(&mut top);
        drop(top);
        let mut faults = self.faults.replace(Faults { faults: Vec::new(), more: 0 });
        faults.faults.sort_by_key(|fault| fault.line);
        match value {
            Some(value) if faults.faults.is_empty() => Ok(value),
            _ => Err(faults),
        }
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
        entries.sort_by_key(|entry| (entry.line, entry.span.start));
        Section { document: self, what, name, span, entries, taken: Vec::new() }
    }

    fn line(&self, span: &Range<usize>) -> usize {
        self.lines.partition_point(|&start| start <= span.start)
    }

    fn report(&self, fault: Fault) {
        let mut faults = self.faults.borrow_mut();
        if faults.faults.len() < MOST_FAULTS { faults.faults.push(fault) } else { faults.more += 1 }
    }
}

/// The text of a file of bounded size.
///
/// # Errors
/// If it cannot be read, is larger than [`LARGEST`] or is no UTF-8.
pub fn read_text(path: &Path) -> io::Result<String> {
    let mut bytes = Vec::new();
    File::open(path)?.take(LARGEST + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > LARGEST {
        return Err(io::Error::other(format!("it is larger than {} MiB", LARGEST >> 20)));
    }
    String::from_utf8(bytes).map_err(|_| io::Error::other("it is not text (UTF-8)"))
}

/// One `name = value` of a document.
#[derive(Clone, Debug)]
struct Entry<'d> {
    name: String,
    line: usize,
    span: Range<usize>,
    value: DeValue<'d>,
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
    /// Names and lines of the entries that were taken.
    taken: Vec<(String, usize)>,
}

/// An entry of a section whose names are not declared, such as the settings of a player.
#[derive(Clone, Debug)]
pub struct Free<'d> {
    /// Its name.
    pub name: String,
    /// Its line.
    pub line: usize,
    document: &'d Document,
    span: Range<usize>,
    value: DeValue<'d>,
}

impl<'d> Free<'d> {
    /// The value as a whole number.
    pub fn integer(&self) -> Option<i64> {
        integer(&self.value)
    }

    /// The value as a finite number.
    pub fn number(&self) -> Option<f64> {
        number(&self.value)
    }

    /// The value as a text.
    pub fn text(&self) -> Option<&str> {
        self.value.as_str()
    }

    /// The value as true or false.
    pub fn switch(&self) -> Option<bool> {
        self.value.as_bool()
    }

    /// The value as a list of finite numbers.
    pub fn numbers(&self) -> Option<Vec<f64>> {
        self.value.as_array()?.iter().map(|value| number(value.get_ref())).collect()
    }

    /// The value as a list, each entry with the name of this one.
    pub fn list(&self) -> Option<Vec<Free<'d>>> {
        let free = |value: &toml::Spanned<DeValue<'d>>| Free {
            name: self.name.clone(),
            line: self.document.line(&value.span()),
            document: self.document,
            span: value.span(),
            value: value.get_ref().clone(),
        };
        Some(self.value.as_array()?.iter().map(free).collect())
    }

    /// The value as a section of its own, `{ .. }`; `what` names it in messages.
    pub fn section(&self, parent: &Section<'d>) -> Option<Section<'d>> {
        let DeValue::Table(table) = self.value.clone() else { return None };
        Some(self.document.section(parent.what, parent.full(&self.name), self.span.clone(), table))
    }

    /// The value in TOML, as it is written.
    pub fn toml(&self) -> &'d str {
        self.document.text.get(self.span.clone()).unwrap_or_default()
    }

    /// The value as it is written, shortened.
    pub fn written(&self) -> String {
        shortened(self.document.text.get(self.span.clone()).unwrap_or("this value"))
    }
}

impl<'d> Section<'d> {
    fn take_entry(&mut self, name: &str) -> Option<Entry<'d>> {
        let place = self.entries.iter().position(|entry| entry.name == name)?;
        let entry = self.entries.remove(place);
        self.taken.push((entry.name.clone(), entry.line));
        Some(entry)
    }

    /// The line of an entry, taken or not.
    pub fn line_of(&self, name: &str) -> Option<usize> {
        let left = self.entries.iter().find(|entry| entry.name == name).map(|entry| entry.line);
        left.or_else(|| self.taken.iter().find(|(taken, _)| taken == name).map(|&(_, line)| line))
    }

    /// The value of a declared key, or its default. If it is not what the key takes, or missing, that is reported and
    /// something else stands in for it.
    pub fn get<T: Field>(&mut self, key: &Key) -> T {
        let Some(entry) = self.take_entry(key.name) else {
            return T::read(key.default()).unwrap_or_else(|| {
                self.report(None, format!("{} needs `{}`: {}", self.title(), key.name, key.meaning));
                T::stand_in()
            });
        };
        let value = key.takes.check(&entry.value);
        value.and_then(|value| T::read(Some(value))).unwrap_or_else(|| {
            let given = self.document.text.get(entry.span.clone()).unwrap_or("this value");
            let given = if entry.value.as_str() == Some("") { "an empty one".to_string() } else { shortened(given) };
            let message = format!("`{}` takes {}, not {given}", self.full(key.name), key.takes);
            self.report(Some(entry.line), message);
            T::stand_in()
        })
    }

    /// Takes an entry of any kind.
    pub fn take(&mut self, name: &str) -> Option<Free<'d>> {
        let document = self.document;
        let Entry { name, line, span, value } = self.take_entry(name)?;
        Some(Free { name, line, document, span, value })
    }

    /// The section of that name inside this one; if there is none, an empty one. If it is a value instead, that is
    /// reported.
    pub fn section(&mut self, name: &str) -> Section<'d> {
        let full = self.full(name);
        let (document, what) = (self.document, self.what);
        let empty = |span| Section { document, what, name: full.clone(), span, entries: vec![], taken: vec![] };
        let Some(entry) = self.take_entry(name) else { return empty(self.span.clone()) };
        match entry.value {
            DeValue::Table(table) => document.section(what, full, entry.span, table),
            _ => {
                self.report(Some(entry.line), format!("`{full}` is a section: write [{full}]"));
                empty(entry.span)
            }
        }
    }

    /// Whether a section or value of that name is still to be taken.
    pub fn has(&self, name: &str) -> bool {
        self.entries.iter().any(|entry| entry.name == name)
    }

    /// Whether anything is still to be taken.
    pub fn has_any(&self) -> bool {
        !self.entries.is_empty()
    }

    /// All entries that are left, in the order of the file.
    pub fn rest(&mut self) -> Vec<Free<'d>> {
        let document = self.document;
        self.taken.extend(self.entries.iter().map(|entry| (entry.name.clone(), entry.line)));
        let free = |Entry { name, line, span, value }| Free { name, line, document, span, value };
        self.entries.drain(..).map(free).collect()
    }

    /// Ends the reading of a section whose keys are `declared`: what was never taken is reported.
    pub fn finish(&mut self, declared: &[&str]) {
        for entry in std::mem::take(&mut self.entries) {
            if let Some(message) = self.retired(&entry.name) {
                self.report(Some(entry.line), message);
                continue;
            }
            if let Some(answer) = retired::answer(&entry.name, "").filter(|_| self.name.is_empty()) {
                self.report(Some(entry.line), format!("{} no longer has [{}]: {answer}", self.title(), entry.name));
                continue;
            }
            let known: Vec<_> = declared.iter().map(|name| format!("`{name}`")).collect();
            let hint = match nearest(&entry.name, declared.iter().copied()) {
                Some(near) => format!("did you mean `{near}`?"),
                None if known.is_empty() => "it has none".to_string(),
                None => format!("it has {}", known.join(", ")),
            };
            self.report(Some(entry.line), format!("{} has no key `{}`; {hint}", self.title(), entry.name));
        }
    }

    /// What to say of a key that this section once had.
    pub fn retired(&self, name: &str) -> Option<String> {
        let answer = retired::answer(&self.name, name)?;
        Some(format!("{} no longer has `{name}`: {answer}", self.title()))
    }

    /// Reports what is wrong at a line of this document; without one, at the line of the section.
    pub fn report(&self, line: Option<usize>, message: impl Into<String>) {
        let line = line.or((!self.name.is_empty()).then(|| self.document.line(&self.span)));
        self.document.report(Fault { path: self.document.path.clone(), line, message: message.into() });
    }

    /// Whether more faults would only be counted, so that hints on them are not worth their time.
    pub fn is_full(&self) -> bool {
        self.document.faults.borrow().faults.len() >= MOST_FAULTS
    }

    /// Whether nothing wrong was found in the whole document so far, so that what is dear may be looked at, too.
    pub fn is_faultless(&self) -> bool {
        self.document.faults.borrow().faults.is_empty()
    }

    /// The document's path, as given.
    pub fn path(&self) -> &'d Path {
        &self.document.path
    }

    /// The section as it is called in messages.
    pub fn title(&self) -> String {
        if self.name.is_empty() { self.what.to_string() } else { format!("[{}]", self.name) }
    }

    fn full(&self, name: &str) -> String {
        if self.name.is_empty() { name.to_string() } else { format!("{}.{name}", self.name) }
    }
}

/// The name that was probably meant, if one is near enough.
pub fn nearest<'n>(name: &str, names: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    // Longer than any name; comparing takes time that grows with both lengths.
    const LONGEST: usize = 100;
    let short: String = name.chars().take(LONGEST).collect();
    let near = names.into_iter().map(|other| (strsim::jaro_winkler(&short, other), other));
    let best = near.max_by(|a, b| a.0.total_cmp(&b.0))?;
    (best.0 > 0.8).then_some(best.1)
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
    use crate::key::Takes;

    fn document(text: &str) -> Document {
        Document::new(Path::new("job.toml"), text.to_string())
    }

    const GAMES: Key =
        Key { name: "games", takes: Takes::Integer(2, 10), default: "4", meaning: "games of a candidate" };

    #[test]
    fn all_faults_name_their_lines() {
        let document = document("a = 1\n\n[evolution]\ngames = 1\ngmaes = 2\n");
        let faults = document
            .parse("a job", |top| {
                let mut section = top.section("evolution");
                let games: usize = section.get(&GAMES);
                section.finish(&["games"]);
                top.finish(&["evolution"]);
                Some(games)
            })
            .unwrap_err();
        assert_eq!(
            faults.to_string(),
            "job.toml:1: a job has no key `a`; it has `evolution`\n\
             job.toml:4: `evolution.games` takes a whole number from 2 to 10, not 1\n\
             job.toml:5: [evolution] has no key `gmaes`; did you mean `games`?"
        );
    }

    #[test]
    fn a_key_left_out_has_its_default() {
        assert_eq!(document("").parse("a job", |top| Some(top.get::<usize>(&GAMES))), Ok(4));
    }

    #[test]
    fn broken_toml_is_answered_with_its_line() {
        let faults = document("a = 1\nb = = 2\n").parse("a job", |_| Some(())).unwrap_err();
        assert_eq!(faults.faults[0].line, Some(2));
    }

    #[test]
    fn numbers_out_of_every_range_are_refused() {
        let faults = document("games = 99999999999999999999\n").parse("a job", |top| Some(top.get::<usize>(&GAMES)));
        assert!(faults.unwrap_err().to_string().contains("from 2 to 10"));
    }

    #[test]
    fn many_faults_are_counted() {
        let text: String = (0..100_000).map(|i| format!("key{i} = 1\n")).collect();
        let faults = document(&text).parse("a job", |top| {
            for free in top.rest() {
                top.report(Some(free.line), free.name);
            }
            Some(())
        });
        let faults = faults.unwrap_err();
        assert_eq!((faults.faults.len(), faults.more), (MOST_FAULTS, 100_000 - MOST_FAULTS));
    }

    #[test]
    fn endless_files_are_refused() {
        let faults = Document::read(Path::new("/dev/zero")).unwrap_err();
        assert!(faults.to_string().contains("larger than 16 MiB"), "{faults}");
    }
}
