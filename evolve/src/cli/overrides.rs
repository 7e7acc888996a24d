//! Keys of a job set on the command line.

use super::{Failure, catalogue};
use evolve_core::config::Job;
use evolve_core::document::{Document, read_text};
use std::path::Path;

/// Reads a job with some of its keys set to other values, each as `section.key=value`; the value is TOML, or else a text.
pub fn read(path: &Path, overrides: &[(String, String)]) -> Result<Job, Failure> {
    let usage = |message: String| Failure::Usage(message);
    if overrides.is_empty() {
        return Job::read(path, catalogue()).map_err(|faults| usage(faults.to_string()));
    }
    let text = read_text(path).map_err(|error| usage(format!("{}: cannot be read: {error}", path.display())))?;
    let mut job: toml::Table =
        text.parse().map_err(|error: toml::de::Error| usage(format!("{}: {}", path.display(), error.message())))?;
    for (key, value) in overrides {
        set(&mut job, key, value).map_err(|message| usage(format!("{key}={value}: {message}")))?;
    }
    let text = toml::to_string(&job).map_err(|error| usage(error.to_string()))?;
    let shown = format!("{} with what was set on the command line", path.display());
    Job::parse(&Document::new(Path::new(&shown), text), catalogue()).map_err(|faults| usage(faults.to_string()))
}

fn set(job: &mut toml::Table, key: &str, value: &str) -> Result<(), String> {
    let value = toml::from_str::<toml::Table>(&format!("value = {value}"))
        .ok()
        .and_then(|mut table| table.remove("value"))
        .unwrap_or_else(|| toml::Value::String(value.to_string()));
    let (sections, name) = match key.rsplit_once('.') {
        Some((sections, name)) => (sections.split('.').collect(), name),
        None => (Vec::new(), key),
    };
    let mut table = job;
    for section in sections {
        let entry = table.entry(section).or_insert_with(|| toml::Value::Table(toml::Table::new()));
        table = entry.as_table_mut().ok_or_else(|| format!("`{section}` is no section"))?;
    }
    table.insert(name.to_string(), value);
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
