//! TOML files read into types that are checked against their schemas, with the place of every mistake.

pub(crate) mod retired;
pub mod schema;
pub mod text;
mod time;

pub use time::Time;

use self::schema::Mistake;
use schemars::Schema;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::ops::Range;
use std::path::{Path, PathBuf};
use toml::de::{DeTable, DeValue};

/// A fault in a file: its place and a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Path of the file, or the flag that set the value.
    pub path: PathBuf,
    /// Line and column, from 1; `None` if the file as a whole is at fault.
    pub place: Option<(usize, usize)>,
    /// The fault and the values that are allowed.
    pub message: String,
}

impl Fault {
    /// The line, from 1.
    pub fn line(&self) -> Option<usize> {
        self.place.map(|(line, _)| line)
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Fault { path, place, message } = self;
        match place {
            Some((line, column)) => write!(f, "{}:{line}:{column}: {message}", path.display()),
            None => write!(f, "{}: {message}", path.display()),
        }
    }
}

impl std::error::Error for Fault {}

/// The faults in a file, at least one.
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

/// The text of a TOML file and the values that flags set over it.
#[derive(Clone, Debug)]
pub struct Document {
    path: PathBuf,
    /// Text of the file.
    text: String,
    /// The file before anything was set: places are in it.
    written: Option<String>,
    /// The keys that were set, each with the flag that did.
    set: Vec<(Vec<String>, String)>,
}

impl Document {
    /// Reads a file.
    ///
    /// # Errors
    /// If it cannot be read, is larger than [`LARGEST`] or is no UTF-8.
    pub fn read(path: &Path) -> Result<Self, Faults> {
        let text = read_text(path).map_err(|error| Fault {
            path: path.to_path_buf(),
            place: None,
            message: match error.kind() {
                io::ErrorKind::NotFound => {
                    let meant = PathBuf::from(format!("{}.toml", path.display()));
                    let hint =
                        if meant.is_file() { format!("; did you mean {}?", meant.display()) } else { String::new() };
                    format!("no such file{hint}")
                }
                _ => format!("cannot be read: {error}"),
            },
        })?;
        Ok(Self::new(path, text))
    }

    /// A document of that text; `path` stands in error messages.
    pub fn new(path: &Path, text: String) -> Self {
        Document { path: path.to_path_buf(), text, written: None, set: Vec::new() }
    }

    /// Returns the document with another text, in which flags such as `--set seed=2` set these keys. Faults in those
    /// keys name the flag; other faults name their place in the file.
    #[must_use]
    pub fn with_set(self, text: String, set: Vec<(Vec<String>, String)>) -> Self {
        Document { written: Some(self.written.unwrap_or(self.text)), text, set, path: self.path }
    }

    /// The file's path, as given.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The text that is read.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// All of the document, which is to be `what`, such as "a job".
    ///
    /// # Errors
    /// If it is no TOML.
    pub fn top(&self, what: &'static str) -> Result<Section<'_>, Faults> {
        match toml::from_str(&self.text) {
            Ok(value) => Ok(Section { document: self, what, at: Vec::new(), value }),
            Err(error) => {
                let place = error.span().map(|span| place(&self.text, span.start));
                let message = match error.message() {
                    "JSON number out of range" => "the number is too large",
                    message => message,
                };
                Err(Fault { path: self.path.clone(), place, message: message.to_string() }.into())
            }
        }
    }

    /// Mistakes as faults with their places.
    fn faults(&self, mistakes: Vec<Mistake>) -> Faults {
        let more = mistakes.len().saturating_sub(MOST_FAULTS);
        let read = DeTable::parse(&self.text).ok();
        let written = self.written.as_ref().and_then(|written| DeTable::parse(written).ok());
        let fault = |Mistake { at, mut message, shows_value }: Mistake| {
            if shows_value {
                let span = read.as_ref().and_then(|table| locate(table.get_ref(), &at)?.value);
                message += ", not ";
                message += &match span.map_or("this", |span| &self.text[span]) {
                    "\"\"" | "''" => "an empty one".to_string(),
                    value => shortened(value),
                };
            }
            if let Some((_, flag)) = self.set.iter().rev().find(|(set, _)| at.starts_with(set)) {
                return Fault { path: PathBuf::from(flag), place: None, message };
            }
            let (table, text) = match &self.written {
                Some(written_text) => (&written, written_text),
                None => (&read, &self.text),
            };
            let found = table.as_ref().and_then(|table| locate(table.get_ref(), &at));
            Fault { path: self.path.clone(), place: found.map(|found| place(text, found.start)), message }
        };
        let mut faults: Vec<Fault> = mistakes.into_iter().take(MOST_FAULTS).map(fault).collect();
        faults.sort_by_key(|fault| fault.place);
        Faults { faults, more }
    }
}

/// The line and the column, both from 1, of a place in a text.
fn place(text: &str, start: usize) -> (usize, usize) {
    let before = &text[..start];
    let line = before.rfind('\n').map_or(0, |end| end + 1);
    (1 + before.matches('\n').count(), 1 + before[line..].chars().count())
}

/// Where something is in a document.
struct Located {
    /// Offset of its key, of itself in a list, or of the innermost table around it that exists.
    start: usize,
    /// The value, if it is there.
    value: Option<Range<usize>>,
}

fn locate(table: &DeTable<'_>, at: &[String]) -> Option<Located> {
    let (name, rest) = at.split_first()?;
    let (key, value) = table.iter().find(|(key, _)| key.get_ref() == name)?;
    let inner = match (value.get_ref(), rest) {
        (DeValue::Table(table), _) => locate(table, rest),
        (DeValue::Array(list), [place]) => {
            let one = place.parse().ok().and_then(|place: usize| list.get(place));
            one.map(|one| Located { start: one.span().start, value: Some(one.span()) })
        }
        _ => None,
    };
    let value = rest.is_empty().then(|| value.span());
    inner.or(Some(Located { start: key.span().start, value }))
}

/// The text of a file of bounded size.
///
/// # Errors
/// If it cannot be read, is larger than [`LARGEST`] or is no UTF-8.
pub fn read_text(path: &Path) -> io::Result<String> {
    let mut bytes = Vec::new();
    File::open(path)?.take(LARGEST + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > LARGEST {
        return Err(io::Error::other(format!("larger than {} MiB", LARGEST >> 20)));
    }
    String::from_utf8(bytes).map_err(|_| io::Error::other("not UTF-8 text"))
}

/// A table of a document.
#[derive(Clone, Debug)]
pub struct Section<'d> {
    document: &'d Document,
    /// Kind of document, for messages.
    what: &'static str,
    /// The names on the way to it; none at the top level.
    at: Vec<String>,
    value: Map<String, Value>,
}

impl<'d> Section<'d> {
    /// The section of that name inside this one; if there is none, an empty one.
    #[must_use]
    pub fn section(&self, name: &str) -> Section<'d> {
        let value = self.value.get(name).and_then(Value::as_object).cloned().unwrap_or_default();
        Section { document: self.document, what: self.what, at: self.join(&[name]), value }
    }

    /// Whether there is a section or value of that name.
    pub fn has(&self, name: &str) -> bool {
        self.value.contains_key(name)
    }

    /// The entries, in the order of the file.
    pub fn entries(&self) -> &Map<String, Value> {
        &self.value
    }

    /// Checks the document against a schema.
    ///
    /// # Errors
    /// Every violation, with its place and the values that are allowed.
    pub fn check(&self, schema: &Schema) -> Result<(), Faults> {
        let mistakes = schema::check(schema, &Value::Object(self.value.clone()), self.what, &self.at);
        if mistakes.is_empty() { Ok(()) } else { Err(self.document.faults(mistakes)) }
    }

    /// Reads it into a type, once it is checked against the schema of that type. Other entries are left to others.
    ///
    /// # Errors
    /// The first value that is not allowed though the schema allows it, such as a text that is no time.
    pub fn read<T: DeserializeOwned>(&self) -> Result<T, Faults> {
        serde_path_to_error::deserialize(Value::Object(self.value.clone())).map_err(|error| {
            let names: Vec<String> = error.path().iter().map(ToString::to_string).collect();
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            let message = format!("`{}`: {}", self.join(&names).join("."), error.inner());
            self.fault(&names, message)
        })
    }

    /// A fault in a value below this section, found by the names on the way to it; without names, in the section
    /// itself.
    pub fn fault(&self, names: &[&str], message: impl Into<String>) -> Faults {
        let mistake = Mistake { at: self.join(names), message: message.into(), shows_value: false };
        self.document.faults(vec![mistake])
    }

    /// Refuses all of these entries, each for its reason.
    ///
    /// # Errors
    /// If there is one.
    pub fn refuse<'n>(&self, entries: impl Iterator<Item = (&'n str, String)>) -> Result<(), Faults> {
        let mistake = |(name, message)| Mistake { at: self.join(&[name]), message, shows_value: false };
        let mistakes: Vec<_> = entries.map(mistake).collect();
        if mistakes.is_empty() { Ok(()) } else { Err(self.document.faults(mistakes)) }
    }

    /// The section as it is called in messages.
    pub fn title(&self) -> String {
        schema::title(self.what, &self.at)
    }

    fn join(&self, names: &[&str]) -> Vec<String> {
        self.at.iter().cloned().chain(names.iter().map(ToString::to_string)).collect()
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
    use schemars::JsonSchema;
    use serde::Deserialize;

    #[derive(Debug, Deserialize, JsonSchema)]
    #[serde(default, deny_unknown_fields)]
    struct Job {
        /// games of a candidate
        #[schemars(range(min = 2, max = 10))]
        games: usize,
        time: Option<super::Time>,
    }

    impl Default for Job {
        fn default() -> Self {
            Job { games: 4, time: None }
        }
    }

    fn read(text: &str) -> Result<Job, Faults> {
        let document = Document::new(Path::new("job.toml"), text.to_string());
        let top = document.top("a job")?;
        top.check(&schema::of::<Job>())?;
        top.read()
    }

    #[test]
    fn all_faults_name_their_places() {
        assert_eq!(
            read("a = 1\n\n  games = 1\ngmaes = 2\n").unwrap_err().to_string(),
            "job.toml:1:1: a job has no key `a`; it has `games`, `time`\n\
             job.toml:3:3: `games` takes a whole number from 2 to 10, not 1\n\
             job.toml:4:1: a job has no key `gmaes`; did you mean `games`?"
        );
        assert_eq!(
            read("# how long\ntime = \"soon\"\n").unwrap_err().to_string(),
            "job.toml:2:1: `time`: must be a duration such as \"90s\", \"20m\" or \"8h\", not \"soon\""
        );
    }

    #[test]
    fn a_key_left_out_has_its_default() {
        let job = read("").unwrap();
        assert_eq!((job.games, job.time), (4, None));
    }

    #[test]
    fn broken_toml_is_answered_with_its_place() {
        assert_eq!(read("games = 2\nb = = 2\n").unwrap_err().faults[0].place, Some((2, 5)));
        let said = read("games = 99999999999999999999\n").unwrap_err().to_string();
        assert_eq!(said, "job.toml:1:9: the number is too large");
    }

    #[test]
    fn many_faults_are_counted() {
        let text: String = (0..100_000).map(|i| format!("key{i} = 1\n")).collect();
        let faults = read(&text).unwrap_err();
        assert_eq!((faults.faults.len(), faults.more), (MOST_FAULTS, 100_000 - MOST_FAULTS));
    }

    #[test]
    fn endless_files_are_refused() {
        let faults = Document::read(Path::new("/dev/zero")).unwrap_err();
        assert!(faults.to_string().contains("larger than 16 MiB"), "{faults}");
    }
}
