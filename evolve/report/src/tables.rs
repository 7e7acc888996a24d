//! Reads back the tables of a run.

use crate::error::ReportError;
use csv::StringRecord;

use evolve_core::job::Stage;
use evolve_core::job::recorded::RecordedVerdict;
use evolve_core::names::{GENERATIONS, RECOMMENDATION, TIMING, VALIDATION, column};
use evolve_core::run::rows::{GenerationRow, TimeRow, ValidationRow};
use serde::de::DeserializeOwned;
use std::fmt::Display;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

#[derive(Debug)]
pub struct Run {
    pub name: String,
    /// The rows of `generations.csv`, in file order.
    pub generations: Vec<GenerationRow>,
    /// The tuned weights, in column order.
    pub weights: Vec<WeightPath>,
    /// The rows of `validation.csv`, in file order.
    pub estimates: Vec<ValidationRow>,
    /// The rows of `timing.csv`; empty without that file.
    pub times: Vec<TimeRow>,
    /// The verdict in `recommendation.toml`; `None` without that file, and until the tables have
    /// the rows of the test.
    pub verdict: Option<RecordedVerdict>,
}

/// A weight over the generations. All vectors are as long as [`Run::generations`].
#[derive(Debug)]
pub struct WeightPath {
    pub name: String,
    /// The value in the search's mean after each generation.
    pub mean: Vec<f64>,
    /// The standard deviation within each generation, in the unit of the weight.
    pub deviation: Vec<f64>,
}

impl Run {
    /// Reads the run in a folder. A missing `validation.csv` or `timing.csv` counts as empty.
    ///
    /// # Errors
    /// If a table cannot be read, or the run has neither a generation nor a validation.
    pub fn read(folder: &Path) -> Result<Self, ReportError> {
        let table = Table::read(folder.join(GENERATIONS))?;
        let (generations, weights) = (table.rows()?, table.weights()?);
        let estimates: Vec<ValidationRow> = optional(folder.join(VALIDATION))?;
        let times = optional(folder.join(TIMING))?;
        if generations.is_empty() && estimates.is_empty() {
            return Err(ReportError::Empty(folder.to_path_buf()));
        }
        let mut run = Self { name: folder_name(folder), generations, weights, estimates, times, verdict: None };
        // An unfinished run has no verdict, even if its folder holds weights.
        run.verdict = run.tested().and_then(|_| RecordedVerdict::read(&folder.join(RECOMMENDATION)).ok());
        Ok(run)
    }

    pub fn stage(&self, stage: Stage) -> impl Iterator<Item = &ValidationRow> {
        self.estimates.iter().filter(move |row| row.stage == stage)
    }

    /// Returns the rows of the test: the starting weights and the finalist; `None` until the run is
    /// complete.
    pub fn tested(&self) -> Option<(&ValidationRow, &ValidationRow)> {
        let mut rows = self.stage(Stage::Test);
        Some((rows.next()?, rows.next()?))
    }

    /// Returns the number of trials so far, including validations.
    pub fn trials_played(&self) -> u64 {
        let generations = self.generations.iter().map(|row| row.trials_played);
        generations.chain(self.estimates.iter().map(|row| row.trials_played)).max().unwrap_or(0)
    }
}

/// Reads the rows of a table that may be missing.
fn optional<T: DeserializeOwned>(path: PathBuf) -> Result<Vec<T>, ReportError> {
    match Table::read(path) {
        Ok(table) => table.rows(),
        Err(ReportError::Read(_, error)) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(error),
    }
}

/// Returns the last component of a folder's full path, so that `.` and `runs/a/..` have a name as
/// well.
fn folder_name(folder: &Path) -> String {
    let full = fs::canonicalize(folder).unwrap_or_else(|_| folder.to_path_buf());
    let name = full.file_name().unwrap_or(full.as_os_str());
    name.to_string_lossy().into_owned()
}

/// A CSV file with a header. Every record has as many fields as the header.
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
        let numbers = |prefix: &str, name: &str| {
            let name = format!("{prefix}{name}");
            let missing = || ReportError::Table(self.path.clone(), format!("no column \"{name}\""));
            self.numbers(&name)?.ok_or_else(missing)
        };
        let weight = |name: &str| {
            let (mean, deviation) = (numbers(column::MEAN, name)?, numbers(column::DEVIATION, name)?);
            Ok(WeightPath { name: name.to_string(), mean, deviation })
        };
        self.headers.iter().filter_map(|header| header.strip_prefix(column::WEIGHT)).map(weight).collect()
    }

    /// Returns the numbers of a column, if a column has this name.
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
