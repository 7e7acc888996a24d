//! Keys of a job set on the command line.

use super::{Failure, catalogue};
use evolve_core::config::Job;
use evolve_core::document::{Document, read_text};
use std::path::Path;
use toml_edit::{DocumentMut, Item, Table, TableLike, TomlError, Value};

/// Reads a job with some of its keys set to other values, each as `section.key=value`; the value is TOML, or else a text.
/// All else stays as it is written, in its order: parameters have one.
pub fn read(path: &Path, overrides: &[(String, String)]) -> Result<Job, Failure> {
    let usage = |message: String| Failure::Usage(message);
    if overrides.is_empty() {
        return Job::read(path, catalogue()).map_err(|faults| usage(faults.to_string()));
    }
    let text = read_text(path).map_err(|error| usage(format!("{}: cannot be read: {error}", path.display())))?;
    let mut job: DocumentMut =
        text.parse().map_err(|error: TomlError| usage(format!("{}: {}", path.display(), error.message())))?;
    for (key, value) in overrides {
        set(&mut job, key, value).map_err(|message| usage(format!("{key}={value}: {message}")))?;
    }
    let shown = format!("{} with what was set on the command line", path.display());
    Job::parse(&Document::new(Path::new(&shown), job.to_string()), catalogue())
        .map_err(|faults| usage(faults.to_string()))
}

fn set(job: &mut DocumentMut, key: &str, value: &str) -> Result<(), String> {
    let value = value.parse::<Value>().unwrap_or_else(|_| Value::from(value));
    let mut names: Vec<&str> = key.split('.').collect();
    let name = names.pop().expect("a split text has a part");
    let mut table: &mut dyn TableLike = job.as_table_mut();
    for section in names {
        let entry = table.entry(section).or_insert_with(|| Item::Table(Table::new()));
        table = entry.as_table_like_mut().ok_or_else(|| format!("`{section}` is no section"))?;
    }
    match table.get_mut(name).and_then(Item::as_value_mut) {
        // What stands around it stays: comments, and lines.
        Some(old) => {
            let decor = old.decor().clone();
            *old = value;
            *old.decor_mut() = decor;
        }
        None => drop(table.insert(name, Item::Value(value))),
    }
    Ok(())
}

/// One `section.key=value` of the command line.
pub fn parse(text: &str) -> Result<(String, String), String> {
    let (key, value) = text.split_once('=').ok_or_else(|| format!("`{text}` is no section.key=value"))?;
    if key.trim().is_empty() {
        return Err("a key is missing before `=`".to_string());
    }
    Ok((key.trim().to_string(), value.trim().to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_set_changes() {
        let text = "name = \"first\" # mine\n\n[parameters]\nz = { int = [1, 2], start = 1 }\na = { bool = true, when = \"z == 1\" }\n\n\
                    [evolution]\nbudget = 100 # short\n";
        let with = |sets: &[&str]| {
            let mut job: DocumentMut = text.parse().unwrap();
            for (key, value) in sets.iter().map(|text| parse(text).unwrap()) {
                set(&mut job, &key, &value).unwrap();
            }
            job.to_string()
        };
        assert_eq!(with(&["evolution.budget=7"]), text.replace("100", "7"));
        assert_eq!(
            with(&["name=a/b", "parameters.z.start=2"]),
            text.replace("first", "a/b").replace("start = 1", "start = 2")
        );
        assert_eq!(with(&["final.games=5"]), format!("{text}\n[final]\ngames = 5\n"));
        assert_eq!(with(&["seed=2"]), text.replacen("\n\n", "\nseed = 2\n\n", 1));
        let mut job: DocumentMut = text.parse().unwrap();
        assert!(set(&mut job, "name.x", "1").unwrap_err().contains("`name` is no section"));
    }
}
