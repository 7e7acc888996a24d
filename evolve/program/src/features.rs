//! Features of instances: numbers and words that are known before an instance is played.

use evolve_search::document::{Complaint, LARGEST, read_text};
use evolve_search::model::features::{Feature, Values};
use evolve_search::model::trial::{INSTANCE, is_usable};
use evolve_search::statistics::counted;
use indexmap::IndexMap;
use regex::Regex;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::fmt;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

/// Where features are found.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(untagged)]
#[schemars(
    title = "a table of numbers of fields, regular expressions or lists, such as { n = 1, edges = 'm=(\\d+)' }, or the \
             path of a CSV file"
)]
pub enum FeatureKeys {
    /// A CSV file: a column `instance`, and a column for each feature.
    File(#[schemars(length(min = 1))] String),
    /// The place of each feature.
    Places(IndexMap<String, Place>),
}

/// The place of a feature: in the input of an instance, or in a list.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Place {
    /// A field of the first line, from 1; blanks and commas separate fields.
    Field(#[schemars(range(min = 1, max = 1000))] usize),
    /// A regular expression with a group, of which the first match counts.
    Pattern(#[schemars(length(min = 1))] String),
    /// The value on each instance, in their order.
    List(Vec<Listed>),
}

/// A value in a list.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Listed {
    Number(f64),
    Word(String),
}

impl Default for FeatureKeys {
    fn default() -> Self {
        FeatureKeys::Places(IndexMap::new())
    }
}

/// The reason why instances cannot be grouped by a name.
pub fn no_group(name: &str, known: &[Feature]) -> Complaint {
    let known: Vec<&str> = known.iter().map(|feature| feature.name.as_str()).collect();
    let message =
        format!("`group_by`: `{name}` is neither a metric nor a feature; the features are {}", known.join(", "));
    Complaint::new(&["group_by"], message)
}

impl FeatureKeys {
    pub fn is_empty(&self) -> bool {
        matches!(self, FeatureKeys::Places(places) if places.is_empty())
    }

    /// Returns whether the values are in the job itself, so that no file is read.
    pub fn are_listed(&self) -> bool {
        matches!(self, FeatureKeys::Places(places) if places.values().all(|place| matches!(place, Place::List(_))))
    }

    /// Reads the features of instances, each with its input.
    ///
    /// # Errors
    /// The first feature that an instance lacks.
    pub fn read(&self, instances: &[(&str, Option<PathBuf>)]) -> Result<Vec<Feature>, Complaint> {
        let columns: Vec<(String, Vec<String>)> = match self {
            FeatureKeys::File(path) => read_table(path, instances)?,
            FeatureKeys::Places(places) => read_places(places, instances)?,
        };
        let fault = |name: &str, what: &str| Complaint::new(&["features"], format!("`features`: {name}: {what}"));
        let mut all: Vec<Feature> = Vec::new();
        for (name, texts) in columns {
            if name.is_empty() || name == INSTANCE || all.iter().any(|known| known.name == name) {
                return Err(fault(&format!("`{name}`"), "each feature needs a name of its own, other than `instance`"));
            }
            if let Some(text) = texts.iter().find(|text| text.contains(char::is_control)) {
                return Err(fault(&name, &format!("\"{}\" has a control character", text.escape_debug())));
            }
            if let Some(place) = texts.iter().position(String::is_empty) {
                return Err(fault(&name, &format!("instance {} has no value", instances[place].0)));
            }
            let values = if self.are_words(&name) { Values::Words(texts) } else { values(texts) };
            if let Values::Numbers(numbers) = &values
                && let Some(number) = numbers.iter().find(|number| !is_usable(**number))
            {
                return Err(fault(&name, &format!("{number} is too large")));
            }
            all.push(Feature { name, values });
        }
        Ok(all)
    }

    /// Returns whether the job lists words for a feature, even if they look like numbers.
    fn are_words(&self, name: &str) -> bool {
        let FeatureKeys::Places(places) = self else { return false };
        let is_word = |value: &Listed| matches!(value, Listed::Word(_));
        matches!(places.get(name), Some(Place::List(values)) if values.iter().any(is_word))
    }

    /// Returns the file of a table.
    pub fn file(&self) -> Option<&str> {
        if let FeatureKeys::File(path) = self { Some(path) } else { None }
    }
}

/// Returns numbers if all texts are numbers, otherwise words.
fn values(texts: Vec<String>) -> Values {
    // Plus 0, so that -0 is 0.
    let number = |text: &String| Some(text.parse::<f64>().ok().filter(|number| number.is_finite())? + 0.0);
    match texts.iter().map(number).collect::<Option<Vec<f64>>>() {
        Some(numbers) => Values::Numbers(numbers),
        None => Values::Words(texts),
    }
}

/// A place, ready to be looked up.
enum Finder<'a> {
    Field(usize),
    Pattern(Regex),
    List(&'a [Listed]),
}

impl<'a> Finder<'a> {
    /// Prepares a place for this number of instances.
    fn new(place: &'a Place, instances: usize) -> Result<Self, String> {
        match place {
            Place::Field(number) => Ok(Finder::Field(*number)),
            Place::Pattern(pattern) => {
                let regex = Regex::new(pattern).map_err(|error| error.to_string())?;
                match regex.captures_len() {
                    0 | 1 => Err(format!("`{pattern}` needs a group (..) around the value")),
                    _ => Ok(Finder::Pattern(regex)),
                }
            }
            Place::List(values) if values.len() == instances => Ok(Finder::List(values)),
            Place::List(values) => Err(format!("{} values for {instances} instances", values.len())),
        }
    }

    /// Returns the value on the instance at an index, with this input.
    fn find(&self, index: usize, input: &mut Input<'_>) -> Result<String, String> {
        match self {
            Finder::Field(number) => {
                let fields: Vec<&str> = fields(input.line()?).collect();
                let found = number.checked_sub(1).and_then(|place| fields.get(place)).map(ToString::to_string);
                let count = fields.len();
                found.ok_or_else(|| {
                    format!("the first line of {} has {}, not {number}", input.name(), counted(count as u64, "field"))
                })
            }
            Finder::Pattern(regex) => {
                let found = regex.captures(input.text()?).and_then(|found| Some(found.get(1)?.as_str().to_string()));
                found.ok_or_else(|| format!("{} has no match of `{regex}`", input.name()))
            }
            Finder::List(values) => Ok(values[index].to_string()),
        }
    }
}

/// The input of an instance, of which each part is read at most once, when it is needed.
struct Input<'a> {
    path: Option<&'a Path>,
    line: Option<String>,
    text: Option<String>,
}

impl Input<'_> {
    fn name(&self) -> String {
        self.path.map_or_else(String::new, |path| path.display().to_string())
    }

    fn read(&self, read: fn(&Path) -> io::Result<String>) -> Result<String, String> {
        read(self.path.ok_or(NO_INPUT)?).map_err(|error| format!("{}: {error}", self.name()))
    }

    fn line(&mut self) -> Result<&str, String> {
        if self.line.is_none() {
            self.line = Some(self.read(first_line)?);
        }
        Ok(self.line.as_deref().unwrap_or_default())
    }

    fn text(&mut self) -> Result<&str, String> {
        if self.text.is_none() {
            self.text = Some(self.read(read_text)?);
        }
        Ok(self.text.as_deref().unwrap_or_default())
    }
}

fn read_places(
    places: &IndexMap<String, Place>,
    instances: &[(&str, Option<PathBuf>)],
) -> Result<Vec<(String, Vec<String>)>, Complaint> {
    let fault =
        |name: &str, message: String| Complaint::new(&["features", name], format!("`features.{name}`: {message}"));
    let mut finders = Vec::new();
    for (name, place) in places {
        finders.push(Finder::new(place, instances.len()).map_err(|message| fault(name, message))?);
    }
    let mut columns: Vec<(String, Vec<String>)> = places.keys().map(|name| (name.clone(), Vec::new())).collect();
    for (index, (_, path)) in instances.iter().enumerate() {
        let mut input = Input { path: path.as_deref(), line: None, text: None };
        for (finder, (name, column)) in finders.iter().zip(&mut columns) {
            column.push(finder.find(index, &mut input).map_err(|message| fault(name, message))?);
        }
    }
    Ok(columns)
}

impl fmt::Display for Listed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Listed::Number(number) => number.fmt(f),
            Listed::Word(word) => word.fmt(f),
        }
    }
}

const NO_INPUT: &str = "no input belongs to an instance: set `files`, or `stdin` with `{seed}`, or list the values";

/// Returns the fields of a line.
pub fn fields(line: &str) -> impl Iterator<Item = &str> {
    line.split([' ', '\t', ',']).filter(|field| !field.is_empty())
}

/// Returns the first line of a file.
///
/// # Errors
/// If the file cannot be read.
pub fn first_line(path: &Path) -> std::io::Result<String> {
    let mut line = Vec::new();
    BufReader::new(std::fs::File::open(path)?.take(LARGEST)).read_until(b'\n', &mut line)?;
    Ok(String::from_utf8_lossy(&line).trim_start_matches('\u{feff}').trim().to_string())
}

fn read_table(path: &str, instances: &[(&str, Option<PathBuf>)]) -> Result<Vec<(String, Vec<String>)>, Complaint> {
    const MAKE: &str = "`evolve features` writes a table from what a command or the program prints";
    let fault = |what: String| Complaint::new(&["features"], format!("`features`: {path}: {what}"));
    let text = read_text(Path::new(path)).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => fault(format!("no such file; {MAKE}")),
        _ => fault(error.to_string()),
    })?;
    let mut reader = csv::ReaderBuilder::new().trim(csv::Trim::All).from_reader(text.as_bytes());
    let header = reader.headers().map_err(|error| fault(error.to_string()))?.clone();
    let Some(key) = header.iter().position(|name| name == INSTANCE) else {
        return Err(fault(format!(
            "no column `{INSTANCE}`; the columns are {}",
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
            return Err(fault(format!("no row for the instance `{instance}`; {MAKE}")));
        };
        columns.iter_mut().for_each(|(place, _, texts)| texts.push(row[*place].to_string()));
    }
    Ok(columns.into_iter().map(|(_, name, texts)| (name, texts)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads features of three instances with these inputs.
    fn read(keys: &str, inputs: [&str; 3]) -> Result<Vec<Feature>, Complaint> {
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

    fn column(features: &[Feature], i: usize) -> &Values {
        &features[i].values
    }

    #[test]
    fn fields_patterns_and_tables_are_read() {
        let inputs = ["10 3 tree\nseed=7\n", "20,4,grid\nseed=8\n", " 30\t3 tree\r\nseed=9"];
        let features = read(r#"{ "n": 1, "k": 2, "kind": 3, "seed": "seed=(\\d+)" }"#, inputs).unwrap();
        assert_eq!(column(&features, 0), &Values::Numbers(vec![10.0, 20.0, 30.0]));
        assert_eq!(column(&features, 2), &Values::Words(["tree", "grid", "tree"].map(String::from).to_vec()));
        assert_eq!(column(&features, 3), &Values::Numbers(vec![7.0, 8.0, 9.0]));
        let listed = read(r#"{ "n": [4, 5.5, 7], "kind": ["a", 1, "b"] }"#, inputs).unwrap();
        assert_eq!(column(&listed, 0), &Values::Numbers(vec![4.0, 5.5, 7.0]));
        assert_eq!(column(&listed, 1), &Values::Words(["a", "1", "b"].map(String::from).to_vec()));
        let words = read(r#"{ "kind": ["1", "01", "1"] }"#, inputs).unwrap();
        assert_eq!(column(&words, 0), &Values::Words(["1", "01", "1"].map(String::from).to_vec()));
        let table = read("\"TABLE\"", inputs).unwrap();
        assert_eq!(column(&table, 0), &Values::Numbers(vec![4.0, 5.0, 7.0]));
    }

    #[test]
    fn what_an_instance_lacks_is_named() {
        let message = |keys: &str| read(keys, ["10 3", "20", "30 1"]).unwrap_err().to_string();
        let short = message(r#"{ "k": 2 }"#);
        assert!(short.contains("`features.k`: the first line of") && short.contains("has 1 field, not 2"), "{short}");
        assert!(message(r#"{ "k": "x=(.)" }"#).ends_with("has no match of `x=(.)`"));
        assert!(message(r#"{ "k": "x" }"#).contains("needs a group"));
        assert!(message(r#"{ "k": "(" }"#).contains("`features.k`: "));
        assert!(message(r#"{ "k": [1, 2] }"#).ends_with("`features.k`: 2 values for 3 instances"));
        assert!(message(r#"{ "k": ["a", "", "b"] }"#).ends_with("`features`: k: instance i1 has no value"));
        assert!(message("\"none.csv\"").contains("none.csv: no such file; `evolve features` writes"));
    }
}
