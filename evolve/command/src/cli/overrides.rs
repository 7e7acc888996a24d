//! Sets keys of a job from the command line.

use super::{Failure, catalogue};
use evolve_core::job::Job;
use evolve_search::document::{Document, Fault};
use std::path::Path;
use toml_edit::{DocumentMut, Item, Key, Table, TableLike, Value};

/// Reads a job with some keys set to other values.
pub fn read(path: &Path, overrides: &[(String, String)]) -> Result<Job, Failure> {
    let job = document(path, overrides).and_then(|document| Job::parse(&document, catalogue()));
    job.map_err(|fault| Failure::Usage(fault.to_string()))
}

/// Reads a job with some keys set to other values, and its name and seed with these, if given.
pub fn job(path: &Path, set: &[(String, String)], (name, seed): (Option<&str>, Option<u64>)) -> Result<Job, Failure> {
    let name = name.map(|name| ("name".to_string(), format!("\"{}\"", name.escape_debug())));
    let seed = seed.map(|seed| ("seed".to_string(), seed.to_string()));
    read(path, &set.iter().cloned().chain(name).chain(seed).collect::<Vec<_>>())
}

/// Reads a file with some keys set to other values.
pub fn document(path: &Path, overrides: &[(String, String)]) -> Result<Document, Fault> {
    with(Document::read(path)?, overrides)
}

/// Returns a document with some keys set to other values, each as `section.key=value`, where the
/// value is TOML or else a text. The other parts of the document stay unchanged and in order,
/// because parameters are ordered.
pub fn with(document: Document, overrides: &[(String, String)]) -> Result<Document, Fault> {
    // Parsing the document reports invalid TOML.
    let Ok(mut file) = document.text().parse::<DocumentMut>() else { return Ok(document) };
    let mut flags = Vec::new();
    for (key, value) in overrides {
        let flag = format!("--set {key}={value}");
        let names = set(&mut file, key, value);
        let names = names.map_err(|message| Fault { path: flag.clone().into(), place: None, message })?;
        flags.push((names, flag));
    }
    Ok(document.with_set(file.to_string(), flags))
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

/// Parses one `section.key=value` of the command line.
pub fn parse(text: &str) -> Result<(String, String), String> {
    let (key, value) = text.split_once('=').ok_or_else(|| format!("`{text}` is not of the form section.key=value"))?;
    if key.trim().is_empty() {
        return Err("a key is missing before `=`".to_string());
    }
    Ok((key.trim().to_string(), value.trim().to_string()))
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
            for (key, value) in sets.iter().map(|text| parse(text).unwrap()) {
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
