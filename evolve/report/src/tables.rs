//! Reads back what a run wrote into `generations.csv`, `validation.csv` and `timing.csv`.

use crate::error::ReportError;
use csv::StringRecord;
use evolve_core::statistics;
use serde::de::{DeserializeOwned, Error as _, Unexpected};
use serde::{Deserialize, Deserializer};
use std::fmt::Display;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

/// The stage of checks while a run goes on.
pub const HELD_OUT: &str = "held-out";
const VERDICT: &str = "verdict";

/// All that is shown of one run.
#[derive(Debug)]
pub struct Run {
    /// The folder's name.
    pub name: String,
    /// The rows of `generations.csv`, in the file's order.
    pub generations: Vec<Generation>,
    /// One per evolved weight, in the order of the columns.
    pub weights: Vec<WeightPath>,
    /// The rows of `validation.csv`, in the file's order.
    pub checks: Vec<Check>,
    /// The rows of `timing.csv`; empty where there is none.
    pub times: Vec<Time>,
}

// Some columns had other names before version 2 of the tables.

/// The scores within the population of one generation.
#[derive(Clone, Copy, Debug, Deserialize)]
pub struct Generation {
    /// Counted from 0.
    pub generation: u64,
    /// Games played up to and including this generation, those of checks too.
    #[serde(alias = "games")]
    pub games_played: u64,
    /// The best candidate's score.
    #[serde(deserialize_with = "finite")]
    pub best: f64,
    /// The mean score over the population.
    #[serde(deserialize_with = "finite")]
    pub mean: f64,
}

/// One weight over the generations; all vectors are as long as [`Run::generations`].
#[derive(Debug)]
pub struct WeightPath {
    /// The weight's name.
    pub name: String,
    /// The value in the population's mean; where the table has none, that of the leaders, smoothed.
    pub mean: Vec<f64>,
    /// Whether `mean` is only the leaders', smoothed.
    pub is_smoothed: bool,
    /// The standard deviation over each generation's population, in the weight's units.
    pub deviation: Vec<f64>,
}

/// A policy on games that it was not selected on.
#[derive(Clone, Debug, Deserialize)]
pub struct Check {
    /// `held-out`, `finalists` or `verdict`.
    pub stage: String,
    /// The generation that the policy is from; 0 for the starting weights.
    pub generation: u64,
    /// Games played until then, those of checks too.
    pub games_played: u64,
    /// `start`, `mean`, `last` or `elite`.
    pub policy: String,
    /// Games of this row.
    pub games: u64,
    /// The mean objective.
    #[serde(rename = "objective", alias = "mean", deserialize_with = "finite")]
    pub mean: f64,
    /// The standard error of the mean score.
    #[serde(deserialize_with = "finite")]
    pub standard_error: f64,
    #[serde(deserialize_with = "finite")]
    difference: Option<f64>,
    #[serde(deserialize_with = "finite")]
    low: Option<f64>,
    #[serde(deserialize_with = "finite")]
    high: Option<f64>,
}

impl Check {
    /// The mean difference to the starting weights on the same games, and the ends of its 95 % interval.
    pub fn difference(&self) -> Option<(f64, f64, f64)> {
        Some((self.difference?, self.low?, self.high?))
    }
}

/// How far a run was, and when.
#[derive(Clone, Copy, Debug, Deserialize)]
pub struct Time {
    pub generation: u64,
    /// Seconds spent on games by its end.
    #[serde(deserialize_with = "finite")]
    pub seconds: f64,
}

/// A number that can be drawn, or none where there may be none.
fn finite<'de, D: Deserializer<'de>, N>(field: D) -> Result<N, D::Error>
where
    N: Deserialize<'de> + Into<Option<f64>> + Copy,
{
    let number = N::deserialize(field)?;
    match number.into() {
        Some(value) if !value.is_finite() => Err(D::Error::invalid_value(Unexpected::Float(value), &"a finite number")),
        _ => Ok(number),
    }
}

impl Run {
    /// Reads the run in a folder. A missing `validation.csv` or `timing.csv` is an empty one.
    ///
    /// # Errors
    /// If a table cannot be read, or there is neither a generation nor a check.
    pub fn read(folder: &Path) -> Result<Self, ReportError> {
        let table = Table::read(folder.join("generations.csv"))?;
        let (generations, weights) = (table.rows()?, table.weights()?);
        let checks: Vec<Check> = optional(folder.join("validation.csv"))?;
        let times = optional(folder.join("timing.csv"))?;
        if generations.is_empty() && checks.is_empty() {
            return Err(ReportError::Empty(folder.to_path_buf()));
        }
        Ok(Self { name: folder_name(folder), generations, weights, checks, times })
    }

    pub fn stage(&self, stage: &'static str) -> impl Iterator<Item = &Check> {
        self.checks.iter().filter(move |check| check.stage == stage)
    }

    /// The verdict's rows: the starting weights, and the finalist; `None` until the run is complete.
    pub fn verdict(&self) -> Option<(&Check, &Check)> {
        let mut rows = self.stage(VERDICT);
        Some((rows.next()?, rows.next()?))
    }

    /// Games played so far, those of checks too.
    pub fn games(&self) -> u64 {
        let generations = self.generations.iter().map(|row| row.games_played);
        generations.chain(self.checks.iter().map(|check| check.games_played)).max().unwrap_or(0)
    }
}

/// The rows of a table that need not be there.
fn optional<T: DeserializeOwned>(path: PathBuf) -> Result<Vec<T>, ReportError> {
    match Table::read(path) {
        Ok(table) => table.rows(),
        Err(ReportError::Read(_, error)) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(error),
    }
}

/// The last component of a folder's full path, so that `.` and `runs/a/..` have a name as well.
fn folder_name(folder: &Path) -> String {
    let full = fs::canonicalize(folder).unwrap_or_else(|_| folder.to_path_buf());
    let name = full.file_name().unwrap_or(full.as_os_str());
    name.to_string_lossy().into_owned()
}

/// The mean of each value and its neighbours, a twentieth of all on either side.
fn smoothed(values: &[f64]) -> Vec<f64> {
    let reach = (values.len() / 20).max(1);
    let mean = |i: usize| statistics::mean(&values[i.saturating_sub(reach)..values.len().min(i + reach + 1)]);
    (0..values.len()).map(mean).collect()
}

/// A CSV file with a header; every record has as many fields as the header.
struct Table {
    path: PathBuf,
    headers: StringRecord,
    records: Vec<StringRecord>,
}

impl Table {
    fn read(path: PathBuf) -> Result<Self, ReportError> {
        let file = match File::open(&path) {
            Ok(file) => file,
            Err(error) => return Err(ReportError::Read(path, error)),
        };
        let mut reader = csv::ReaderBuilder::new().trim(csv::Trim::All).from_reader(file);
        let headers = reader.headers().cloned();
        let records = reader.records().collect();
        match (headers, records) {
            (Ok(headers), Ok(records)) => Ok(Self { path, headers, records }),
            (Err(error), _) | (_, Err(error)) => Err(ReportError::Table(path, error.to_string())),
        }
    }

    fn rows<T: DeserializeOwned>(&self) -> Result<Vec<T>, ReportError> {
        let row = |record: &StringRecord| {
            record.deserialize(Some(&self.headers)).map_err(|error| match error.kind() {
                csv::ErrorKind::Deserialize { err, .. } => {
                    let column = err.field().and_then(|field| self.headers.get(field as usize));
                    self.fault(record, column, err.kind())
                }
                _ => self.fault(record, None, &error),
            })
        };
        self.records.iter().map(row).collect()
    }

    fn weights(&self) -> Result<Vec<WeightPath>, ReportError> {
        let weight = |name: &str| {
            let mean = self.numbers(&format!("mean.{name}"))?;
            Ok(WeightPath {
                name: name.to_string(),
                is_smoothed: mean.is_none(),
                mean: match mean {
                    Some(mean) => mean,
                    None => smoothed(&self.numbers(&format!("weight.{name}"))?.unwrap_or_default()),
                },
                deviation: self
                    .numbers(&format!("sd.{name}"))?
                    .ok_or_else(|| ReportError::Table(self.path.clone(), format!("no column \"sd.{name}\"")))?,
            })
        };
        self.headers.iter().filter_map(|header| header.strip_prefix("weight.")).map(weight).collect()
    }

    /// The numbers of a column, if there is one of that name.
    fn numbers(&self, name: &str) -> Result<Option<Vec<f64>>, ReportError> {
        let Some(column) = self.headers.iter().position(|header| header == name) else { return Ok(None) };
        let number = |record: &StringRecord| {
            let found = &record[column];
            let number = found.parse().ok().filter(|number: &f64| number.is_finite());
            number.ok_or_else(|| self.fault(record, Some(name), &format!("expected a finite number, found {found:?}")))
        };
        self.records.iter().map(number).collect::<Result<_, _>>().map(Some)
    }

    fn fault(&self, record: &StringRecord, column: Option<&str>, what: &dyn Display) -> ReportError {
        let line = record.position().map_or(0, csv::Position::line);
        let column = column.map_or(String::new(), |column| format!(", column {column:?}"));
        ReportError::Table(self.path.clone(), format!("line {line}{column}: {what}"))
    }
}
