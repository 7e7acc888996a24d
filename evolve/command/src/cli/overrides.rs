//! Sets keys of a job from the command line.

use super::{Failure, catalogue};
use evolve_core::job::Job;
use evolve_search::document::{Document, Fault};
use std::fmt;
use std::path::Path;
use std::str::FromStr;
use toml_edit::{DocumentMut, Item, Key, Table, TableLike, Value};

/// A key with its value, `section.key=value`, where the value is TOML or else a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Set {
    key: String,
    value: String,
}

impl Set {
    pub fn new(key: &str, value: &str) -> Self {
        Set { key: key.to_string(), value: value.to_string() }
    }
}

impl FromStr for Set {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (key, value) =
            text.split_once('=').ok_or_else(|| format!("`{text}` is not of the form section.key=value"))?;
        if key.trim().is_empty() {
            return Err("a key is missing before `=`".to_string());
        }
        Ok(Set::new(key.trim(), value.trim()))
    }
}

impl fmt::Display for Set {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}", self.key, self.value)
    }
}

/// The keys of a file that are set to other values; the last value of a key counts.
#[derive(Clone, Debug, Default)]
pub struct Overrides(Vec<Set>);

impl Overrides {
    pub fn new(sets: &[Set]) -> Self {
        Overrides(sets.to_vec())
    }

    pub fn and(mut self, key: &str, value: impl fmt::Display) -> Self {
        self.0.push(Set::new(key, &value.to_string()));
        self
    }

    pub fn name(self, name: Option<&str>) -> Self {
        match name {
            Some(name) => self.and("name", format_args!("\"{}\"", name.escape_debug())),
            None => self,
        }
    }

    pub fn seed(self, seed: Option<u64>) -> Self {
        match seed {
            Some(seed) => self.and("seed", seed),
            None => self,
        }
    }

    /// Returns these keys and then others.
    pub fn then(mut self, others: &Overrides) -> Self {
        self.0.extend_from_slice(&others.0);
        self
    }

    pub fn sets(&self, key: &str) -> bool {
        self.0.iter().any(|set| set.key == key)
    }

    /// Reads a job.
    pub fn job(&self, path: &Path) -> Result<Job, Failure> {
        let job = self.document(path).and_then(|document| Job::parse(&document, catalogue()));
        job.map_err(|fault| Failure::Usage(fault.to_string()))
    }

    /// Reads a file.
    pub fn document(&self, path: &Path) -> Result<Document, Fault> {
        self.of(Document::read(path)?)
    }

    /// Returns a document with these values. Its other parts stay unchanged and in order, because
    /// parameters are ordered.
    pub fn of(&self, document: Document) -> Result<Document, Fault> {
        // Parsing the document reports invalid TOML.
        let Ok(mut file) = document.text().parse::<DocumentMut>() else { return Ok(document) };
        let mut flags = Vec::new();
        for Set { key, value } in &self.0 {
            let flag = format!("--set {key}={value}");
            let names = set(&mut file, key, value);
            let names = names.map_err(|message| Fault { path: flag.clone().into(), place: None, message })?;
            flags.push((names, flag));
        }
        Ok(document.with_set(file.to_string(), flags))
    }
}

/// Sets a key of a file, and returns the names on the path to it.
///
/// # Errors
/// If the key is malformed, or lies within a value that is not a section.
pub fn set(job: &mut DocumentMut, key: &str, value: &str) -> Result<Vec<String>, String> {
    // Jobs have times as texts, and none of the kind of TOML.
    let read = value.parse::<Value>().ok().filter(|value| !value.is_datetime());
    let value = read.unwrap_or_else(|| Value::from(value));
    // Keys have TOML syntax: `parameters."a.b".start`.
    let path = Key::parse(key).map_err(|error| error.to_string())?;
    let all = path.iter().map(|key| key.get().to_string()).collect();
    let mut names: Vec<&str> = path.iter().map(Key::get).collect();
    let name = names.pop().ok_or("a key is missing")?;
    let mut table: &mut dyn TableLike = job.as_table_mut();
    for section in &names {
        let entry = table.entry(section).or_insert_with(|| Item::Table(Table::new()));
        table = entry.as_table_like_mut().ok_or_else(|| format!("`{section}` is not a section"))?;
    }
    if matches!(names[..], ["game" | "player" | "submission"]) && name == "name" {
        // Another game or player has other settings.
        table.clear();
    }
    match table.get_mut(name).and_then(Item::as_value_mut) {
        // Keep the surrounding comments and lines.
        Some(old) => {
            let decor = old.decor().clone();
            *old = value;
            *old.decor_mut() = decor;
        }
        None => drop(table.insert(name, Item::Value(value))),
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_set_keys_change() {
        let text = "name = \"first\" # mine\n\n[parameters]\nz = { int = [1, 2], start = 1 }\na = { bool = true, \
            condition = \"z == 1\" }\n\n\
                    [search]\nbudget = 100 # short\n";
        let with = |sets: &[&str]| {
            let mut job: DocumentMut = text.parse().unwrap();
            for Set { key, value } in sets.iter().map(|text| text.parse().unwrap()) {
                set(&mut job, &key, &value).unwrap();
            }
            job.to_string()
        };
        assert_eq!(with(&["search.budget=7"]), text.replace("100", "7"));
        assert_eq!(
            with(&["name=a/b", "parameters.z.start=2"]),
            text.replace("first", "a/b").replace("start = 1", "start = 2")
        );
        assert_eq!(with(&["weights.start=a"]), format!("{text}\n[weights]\nstart = \"a\"\n"));
        assert_eq!(
            with(&["player.name=a", "player.width=3", "player.name=b", "player.depth=1"]),
            format!("{text}\n[player]\nname = \"b\"\ndepth = 1\n")
        );
        assert_eq!(with(&["seed=2"]), text.replacen("\n\n", "\nseed = 2\n\n", 1));
        let mut job: DocumentMut = text.parse().unwrap();
        assert!(set(&mut job, "name.x", "1").unwrap_err().contains("`name` is not a section"));
    }
}
