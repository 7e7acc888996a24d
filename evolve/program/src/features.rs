//! Features of instances: numbers and words that are known before an instance is played.

use evolve_core::document::{LARGEST, read_text};
use evolve_core::model::features::{Feature, Features, Values};
use indexmap::IndexMap;
use regex::Regex;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Where features are found.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(untagged)]
#[schemars(
    title = "a table of numbers of fields or regular expressions, such as { n = 1, edges = 'm=(\\d+)' }, or the path of a \
             CSV file"
)]
pub enum FeatureKeys {
    /// A CSV file: a column `instance`, and a column for each feature.
    File(#[schemars(length(min = 1))] String),
    /// The place of each feature in the input.
    Places(IndexMap<String, Place>),
}

/// The place of a feature in the input of an instance.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Place {
    /// A field of the first line, from 1; blanks and commas separate fields.
    Field(#[schemars(range(min = 1, max = 1000))] usize),
    /// A regular expression with a group, of which the first match counts.
    Pattern(#[schemars(length(min = 1))] String),
}

impl Default for FeatureKeys {
    fn default() -> Self {
        FeatureKeys::Places(IndexMap::new())
    }
}

/// The reason why features cannot be read.
#[derive(Debug, Error, PartialEq)]
#[error("{message}")]
pub struct FeaturesError {
    /// The key in the table, if one is at fault.
    pub key: Option<String>,
    message: String,
}

impl FeaturesError {
    fn of(key: &str, message: String) -> Self {
        FeaturesError { key: Some(key.to_string()), message: format!("`features.{key}`: {message}") }
    }
}

impl From<String> for FeaturesError {
    fn from(message: String) -> Self {
        FeaturesError { key: None, message: format!("`features`: {message}") }
    }
}

impl FeatureKeys {
    pub fn is_empty(&self) -> bool {
        matches!(self, FeatureKeys::Places(places) if places.is_empty())
    }

    /// Reads the features of instances, each with its input.
    ///
    /// # Errors
    /// The first feature that an instance lacks.
    pub fn read(&self, instances: &[(&str, Option<PathBuf>)]) -> Result<Features, FeaturesError> {
        let columns: Vec<(String, Vec<String>)> = match self {
            FeatureKeys::File(path) => read_table(path, instances)?,
            FeatureKeys::Places(places) => read_inputs(places, instances)?,
        };
        let feature = |(name, texts): (String, Vec<String>)| Feature { name, values: values(texts) };
        Ok(Features::new(columns.into_iter().map(feature).collect()))
    }
}

/// Returns numbers if all texts are numbers, otherwise words.
fn values(texts: Vec<String>) -> Values {
    let number = |text: &String| text.parse().ok().filter(|number: &f64| number.is_finite());
    match texts.iter().map(number).collect::<Option<Vec<f64>>>() {
        Some(numbers) => Values::Numbers(numbers),
        None => Values::Words(texts),
    }
}

fn read_inputs(
    places: &IndexMap<String, Place>,
    instances: &[(&str, Option<PathBuf>)],
) -> Result<Vec<(String, Vec<String>)>, FeaturesError> {
    let mut patterns: HashMap<&str, Regex> = HashMap::new();
    for (name, place) in places {
        if let Place::Pattern(pattern) = place {
            let regex = Regex::new(pattern).map_err(|error| FeaturesError::of(name, error.to_string()))?;
            if regex.captures_len() < 2 {
                return Err(FeaturesError::of(name, format!("`{pattern}` needs a group (..) around the value")));
            }
            patterns.insert(name, regex);
        }
    }
    let mut columns: Vec<(String, Vec<String>)> = places.keys().map(|name| (name.clone(), Vec::new())).collect();
    for (instance, input) in instances {
        let Some(path) = input else {
            let message = "it is read from inputs, but no input belongs to an instance: set `files`, or `stdin` with \
                           `{seed}`, or list features in a CSV file";
            return Err(message.to_string().into());
        };
        let cannot = |error: std::io::Error| FeaturesError::from(format!("{}: {error}", path.display()));
        let first = first_line(path).map_err(cannot)?;
        let whole = if patterns.is_empty() { String::new() } else { read_text(path).map_err(cannot)? };
        for ((name, place), (_, column)) in places.iter().zip(&mut columns) {
            let found = match place {
                Place::Field(number) => {
                    let mut fields = first.split([' ', '\t', ',']).filter(|field| !field.is_empty());
                    number.checked_sub(1).and_then(|number| fields.nth(number))
                }
                Place::Pattern(_) => {
                    patterns[name.as_str()].captures(&whole).and_then(|found| Some(found.get(1)?.as_str()))
                }
            };
            match (found, place) {
                (Some(text), _) => column.push(text.to_string()),
                (None, Place::Field(number)) => {
                    let fields = first.split([' ', '\t', ',']).filter(|field| !field.is_empty()).count();
                    let message = format!(
                        "the first line of {} has {fields} fields, not {number}; the instance is `{}`",
                        path.display(),
                        instance
                    );
                    return Err(FeaturesError::of(name, message));
                }
                (None, Place::Pattern(pattern)) => {
                    return Err(FeaturesError::of(name, format!("{} has no match of `{pattern}`", path.display())));
                }
            }
        }
    }
    Ok(columns)
}

fn first_line(path: &Path) -> std::io::Result<String> {
    let mut line = Vec::new();
    BufReader::new(std::fs::File::open(path)?.take(LARGEST)).read_until(b'\n', &mut line)?;
    Ok(String::from_utf8_lossy(&line).trim().to_string())
}

fn read_table(path: &str, instances: &[(&str, Option<PathBuf>)]) -> Result<Vec<(String, Vec<String>)>, FeaturesError> {
    const KEY: &str = "instance";
    let fault = |what: String| FeaturesError::from(format!("{path}: {what}"));
    let text = read_text(Path::new(path)).map_err(|error| fault(error.to_string()))?;
    let mut reader = csv::ReaderBuilder::new().trim(csv::Trim::All).from_reader(text.as_bytes());
    let header = reader.headers().map_err(|error| fault(error.to_string()))?.clone();
    let Some(key) = header.iter().position(|name| name == KEY) else {
        return Err(fault(format!(
            "no column `{KEY}`; the columns are {}",
            header.iter().collect::<Vec<_>>().join(", ")
        )));
    };
    let mut rows = HashMap::new();
    for (i, row) in reader.records().enumerate() {
        let row = row.map_err(|error| fault(error.to_string()))?;
        if rows.insert(row[key].to_string(), row.clone()).is_some() {
            return Err(fault(format!("line {}: duplicate instance `{}`", i + 2, &row[key])));
        }
    }
    let others = (0..header.len()).filter(|&place| place != key);
    let mut columns: Vec<(usize, String, Vec<String>)> =
        others.map(|place| (place, header[place].to_string(), Vec::new())).collect();
    for (instance, _) in instances {
        let Some(row) = rows.get(*instance) else {
            return Err(fault(format!("no row for the instance `{instance}`")));
        };
        columns.iter_mut().for_each(|(place, _, texts)| texts.push(row[*place].to_string()));
    }
    Ok(columns.into_iter().map(|(_, name, texts)| (name, texts)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads features of three instances with these inputs.
    fn read(keys: &str, inputs: [&str; 3]) -> Result<Features, FeaturesError> {
        let folder = tempfile::tempdir().unwrap();
        let of = |(i, text): (usize, &&str)| {
            let path = folder.path().join(format!("{i}.txt"));
            std::fs::write(&path, text).unwrap();
            (format!("i{i}"), Some(path))
        };
        let own: Vec<_> = inputs.iter().enumerate().map(of).collect();
        let instances: Vec<_> = own.iter().map(|(instance, path)| (instance.as_str(), path.clone())).collect();
        let table = folder.path().join("features.csv");
        std::fs::write(&table, "n, instance\n5,i1\n4,i0\n7,i2\n9,other\n").unwrap();
        let text = keys.replace("TABLE", &table.to_string_lossy());
        serde_json::from_str::<FeatureKeys>(&text).unwrap().read(&instances)
    }

    fn column(features: &Features, i: usize) -> &Values {
        &features.columns()[i].values
    }

    #[test]
    fn fields_patterns_and_tables_are_read() {
        let inputs = ["10 3 tree\nseed=7\n", "20,4,grid\nseed=8\n", " 30\t3 tree\r\nseed=9"];
        let features = read(r#"{ "n": 1, "k": 2, "kind": 3, "seed": "seed=(\\d+)" }"#, inputs).unwrap();
        assert_eq!(column(&features, 0), &Values::Numbers(vec![10.0, 20.0, 30.0]));
        assert_eq!(column(&features, 2), &Values::Words(["tree", "grid", "tree"].map(String::from).to_vec()));
        assert_eq!(column(&features, 3), &Values::Numbers(vec![7.0, 8.0, 9.0]));
        let table = read("\"TABLE\"", inputs).unwrap();
        assert_eq!(column(&table, 0), &Values::Numbers(vec![4.0, 5.0, 7.0]));
    }

    #[test]
    fn what_an_instance_lacks_is_named() {
        let message = |keys: &str| read(keys, ["10 3", "20", "30 1"]).unwrap_err().to_string();
        let short = message(r#"{ "k": 2 }"#);
        assert!(short.contains("`features.k`: the first line of") && short.contains("has 1 fields, not 2"), "{short}");
        assert!(message(r#"{ "k": "x=(.)" }"#).ends_with("has no match of `x=(.)`"));
        assert!(message(r#"{ "k": "x" }"#).contains("needs a group"));
        assert!(message(r#"{ "k": "(" }"#).contains("`features.k`: "));
        assert!(message("\"none.csv\"").contains("none.csv: "));
    }
}
