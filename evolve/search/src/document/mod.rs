//! TOML files, deserialized to types. A fault has its place, and the words of the type's schema.

pub mod cell;
mod fault;
pub mod schema;
mod section;
pub mod text;
mod time;

pub use fault::{Complaint, Fault};
pub use section::Section;
pub use time::{Deadline, Time};

use std::fs::File;
use std::io::{self, Read};
use std::ops::Range;
use std::path::{Path, PathBuf};
use toml::de::{DeTable, DeValue};

/// The largest accepted file in bytes, far larger than hand-written files.
pub const LARGEST: u64 = 16 << 20;

/// The entries of a table, in the order of the file.
pub type Table = serde_json::Map<String, serde_json::Value>;

/// The text of a TOML file, with the values that flags set.
#[derive(Clone, Debug)]
pub struct Document {
    path: PathBuf,
    /// The text that is parsed, including the values of flags.
    text: String,
    /// The original text, if flags set values. The places of faults refer to it.
    written: Option<String>,
    /// The keys that flags set, each with its flag.
    set: Vec<(Vec<String>, String)>,
}

impl Document {
    /// Reads a file.
    ///
    /// # Errors
    /// If the file cannot be read, is larger than [`LARGEST`] or is not UTF-8.
    pub fn read(path: &Path) -> Result<Self, Fault> {
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

    /// Creates a document from a text. Error messages show `path`.
    pub fn new(path: &Path, text: String) -> Self {
        Document { path: path.to_path_buf(), text, written: None, set: Vec::new() }
    }

    /// Returns the document with another text, in which flags such as `--set seed=2` set these
    /// keys. Faults in those keys name the flag; other faults name their place in the file.
    #[must_use]
    pub fn with_set(self, text: String, set: Vec<(Vec<String>, String)>) -> Self {
        Document { written: Some(self.written.unwrap_or(self.text)), text, set, ..self }
    }

    /// Returns the path of the file, as given.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the text that is parsed.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Parses the whole document, which messages call `what`, such as "a job".
    ///
    /// # Errors
    /// If the document is not TOML.
    pub fn top(&self, what: &'static str) -> Result<Section<'_>, Fault> {
        match DeTable::parse(&self.text) {
            Ok(table) => Ok(Section { document: self, what, at: Vec::new(), table: table.into_inner() }),
            Err(error) => {
                let start = error.span().map(|span| span.start);
                let message = start.and_then(|start| unquoted(&self.text, start));
                Err(Fault {
                    path: self.path.clone(),
                    place: start.map(|start| place(&self.text, start)),
                    message: message.unwrap_or_else(|| error.message().to_string()),
                })
            }
        }
    }

    /// Creates a fault in the value at a path.
    fn fault(&self, at: &[String], message: String) -> Fault {
        if let Some((_, flag)) = self.set.iter().rev().find(|(set, _)| at.starts_with(set)) {
            return Fault { path: PathBuf::from(flag), place: None, message };
        }
        let text = self.written.as_ref().unwrap_or(&self.text);
        let table = DeTable::parse(text).ok();
        let located = table.and_then(|table| locate(table.get_ref(), at));
        Fault { path: self.path.clone(), place: located.map(|located| place(text, located.start)), message }
    }
}

/// Returns the message for a text without quotes at an offset where TOML ends, such as `command =
/// ./solver`.
fn unquoted(text: &str, at: usize) -> Option<String> {
    let line = text::line_start(text, at);
    let (name, value) = text[line..].lines().next()?.split_once('=')?;
    let value = value.split(" #").next()?.trim();
    let is_bare =
        !value.starts_with(['"', '\'', '[', '{']) && value.contains(|c: char| c.is_alphabetic() || "/-".contains(c));
    let value = text::toml_string(value);
    let would_do = is_bare && toml::from_str::<toml::Table>(&format!("{name} = {value}")).is_ok();
    would_do.then(|| format!("the value of `{}` needs quotes: {value}", name.trim()))
}

/// Returns the line and column, both from 1, of an offset in a text.
fn place(text: &str, start: usize) -> (usize, usize) {
    let before = &text[..start];
    let line = text::line_start(text, start);
    (1 + before.matches('\n').count(), 1 + before[line..].chars().count())
}

/// The location of an element in a document.
struct Located {
    /// The offset of the key, of the element in a list, or of the innermost enclosing table that
    /// exists.
    start: usize,
    /// The range of the value, if it exists.
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

/// The byte order mark, which some editors write at the beginning of a file.
pub const MARK: char = '\u{feff}';

/// Returns whether a value is its type's default, which files leave out.
pub fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// Reads the text of a file of bounded size, without a byte order mark.
///
/// # Errors
/// If the file cannot be read, is larger than [`LARGEST`] or is not UTF-8.
pub fn read_text(path: &Path) -> io::Result<String> {
    let text = read_exact(path)?;
    Ok(text.strip_prefix(MARK).map(String::from).unwrap_or(text))
}

/// Reads the text of a file of bounded size exactly, so that it can be changed.
///
/// # Errors
/// As [`read_text`].
pub fn read_exact(path: &Path) -> io::Result<String> {
    let mut bytes = Vec::new();
    File::open(path)?.take(LARGEST + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > LARGEST {
        return Err(io::Error::other(format!("larger than {} MiB", LARGEST >> 20)));
    }
    String::from_utf8(bytes).map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "not UTF-8 text"))
}

/// Shortens a text that may be long.
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

    fn read(text: &str) -> Result<Job, Fault> {
        let document = Document::new(Path::new("job.toml"), text.to_string());
        document.top("a job")?.read()
    }

    #[test]
    fn a_byte_order_mark_is_skipped_unless_the_text_is_changed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("job.toml");
        std::fs::write(&path, "\u{feff}games = 1\n").unwrap();
        let document = Document::read(&path).unwrap();
        let message = document.top("a job").unwrap().read::<Job>().unwrap_err().to_string();
        assert!(message.contains("job.toml:1:1: "), "{message}");
        for mark in ["\u{feff}", ""] {
            std::fs::write(&path, format!("{mark}old")).unwrap();
            assert_eq!(read_text(&path).unwrap(), "old");
            assert_eq!(read_exact(&path).unwrap(), format!("{mark}old"));
        }
    }

    #[test]
    fn texts_without_quotes_are_named() {
        for (line, quoted) in [
            ("time = ./main", "\"./main\""),
            ("time = in/x  # inputs", "\"in/x\""),
            ("time = 0-59", "\"0-59\""),
            ("time = minimize", "\"minimize\""),
        ] {
            let message = read(&format!("games = 3\n{line}\n")).unwrap_err().to_string();
            assert!(message.ends_with(&format!(": the value of `time` needs quotes: {quoted}")), "{message}");
            assert!(message.starts_with("job.toml:2:"), "{message}");
        }
        for other in ["games = 1,000", "games = [1, 2", "games =", "time = \"8h"] {
            let message = read(&format!("{other}\n")).unwrap_err().to_string();
            assert!(!message.contains("needs quotes"), "{message}");
        }
    }

    #[test]
    fn faults_have_places() {
        for (text, said) in [
            ("games = 3\na = 1\n", "job.toml:2:1: a job has no key `a`; it has `games`, `time`"),
            ("\n  games = 1\n", "job.toml:2:3: `games` takes a whole number from 2 to 10, not 1"),
            ("gmaes = 2\n", "job.toml:1:1: a job has no key `gmaes`; did you mean `games`?"),
            ("games = 1.5\n", "job.toml:1:1: `games` takes a whole number from 2 to 10, not 1.5"),
            (
                "games = 99999999999999999999\n",
                "job.toml:1:1: `games` takes a whole number from 2 to 10, not 99999999999999999999",
            ),
            (
                "# how long\ntime = \"soon\"\n",
                "job.toml:2:1: `time`: must be a duration such as \"90s\", \"20m\" or \"8h\", not \"soon\"",
            ),
        ] {
            assert_eq!(read(text).unwrap_err().to_string(), said);
        }
    }

    #[test]
    fn an_omitted_key_has_its_default() {
        let job = read("").unwrap();
        assert_eq!((job.games, job.time), (4, None));
    }

    #[test]
    fn syntax_errors_have_places() {
        assert_eq!(read("games = 2\nb = = 2\n").unwrap_err().place, Some((2, 5)));
    }

    #[test]
    fn a_byte_order_mark_is_no_text() {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), "\u{feff}games = 1\n").unwrap();
        assert_eq!(read_text(file.path()).unwrap(), "games = 1\n");
        assert_eq!(read_exact(file.path()).unwrap(), "\u{feff}games = 1\n");
        assert_eq!(Document::read(file.path()).unwrap().text(), "games = 1\n");
    }

    #[test]
    fn endless_files_are_refused() {
        let fault = Document::read(Path::new("/dev/zero")).unwrap_err();
        assert!(fault.to_string().contains("larger than 16 MiB"), "{fault}");
    }
}
