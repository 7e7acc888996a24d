//! Reads the series of a run from its `generations.csv`, `validation.csv` and `timing.csv`.

use crate::error::PlotError;
use evolve_core::statistics;
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
    /// One per row of `generations.csv`, in the file's order.
    pub generations: Vec<Generation>,
    /// One per evolved weight, in the order of the columns.
    pub weights: Vec<WeightPath>,
    /// The rows of `validation.csv`, in the file's order.
    pub checks: Vec<Check>,
    /// Games and seconds played by the end of a generation, from `timing.csv`; empty where there is none.
    pub times: Vec<Time>,
}

/// The scores within the population of one generation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Generation {
    /// The generation, from 0.
    pub generation: u64,
    /// Games played up to and including this generation, those of validations too.
    pub games: u64,
    /// The best candidate's score.
    pub best: f64,
    /// The mean score over the population.
    pub mean: f64,
    /// The standard deviation of the scores over the population.
    pub spread: f64,
}

/// One weight over the generations; all vectors are as long as [`Run::generations`].
#[derive(Debug, PartialEq)]
pub struct WeightPath {
    /// The weight's name.
    pub name: String,
    /// The value in the population's mean; where the table has none, that of the leaders, smoothed.
    pub mean: Vec<f64>,
    /// Whether `mean` is only the leaders', smoothed.
    pub smoothed: bool,
    /// The standard deviation over each generation's population, in the weight's units.
    pub deviation: Vec<f64>,
}

/// A policy on games that it was not selected on: a row of `validation.csv`.
#[derive(Clone, Debug, PartialEq)]
pub struct Check {
    /// `held-out`, `finalists` or `verdict`.
    pub stage: String,
    /// The generation that the policy is from; 0 for the starting weights.
    pub generation: u64,
    /// Games played until then, those of validations too.
    pub games_played: u64,
    /// `start`, `mean`, `last` or `elite`.
    pub policy: String,
    /// Games of this row.
    pub games: u64,
    /// The mean score.
    pub mean: f64,
    /// The standard error of `mean`.
    pub standard_error: f64,
    /// The mean difference to the starting weights on the same games, and its 95 % interval.
    pub difference: Option<(f64, f64, f64)>,
}

/// How far a run was, and when.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Time {
    /// The generation.
    pub generation: u64,
    /// Seconds spent on games by its end.
    pub seconds: f64,
}

impl Run {
    /// Reads the run in a folder. A missing `validation.csv` means no validations.
    ///
    /// # Errors
    ///
    /// Any of [`PlotError`]'s reading errors, and [`PlotError::EmptyRun`] if there is nothing to
    /// plot in it.
    pub fn read(folder: &Path) -> Result<Self, PlotError> {
        let table = Table::read(folder.join("generations.csv"))?;
        let generations = read_generations(&table)?;
        let weights = read_weights(&table)?;
        let checks = optional(folder.join("validation.csv"), read_checks)?;
        let times = optional(folder.join("timing.csv"), read_times)?;
        if generations.is_empty() && checks.is_empty() {
            return Err(PlotError::EmptyRun { run: folder.to_path_buf() });
        }
        Ok(Self { name: folder_name(folder), generations, weights, checks, times })
    }

    /// The checks of a stage.
    pub fn stage(&self, stage: &'static str) -> impl Iterator<Item = &Check> {
        self.checks.iter().filter(move |check| check.stage == stage)
    }

    /// The verdict's rows: the starting weights, and the finalist; `None` until the run is complete.
    pub fn verdict(&self) -> Option<(&Check, &Check)> {
        let mut rows = self.stage(VERDICT);
        Some((rows.next()?, rows.next()?))
    }
}

/// The rows of a table that need not be there.
fn optional<T>(path: PathBuf, read: impl Fn(&Table) -> Result<Vec<T>, PlotError>) -> Result<Vec<T>, PlotError> {
    match Table::read(path) {
        Ok(table) => read(&table),
        Err(PlotError::Read { source, .. }) if source.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(error),
    }
}

/// The last component of a folder's full path, so that `.` and `runs/a/..` have a name as well.
fn folder_name(folder: &Path) -> String {
    let full = fs::canonicalize(folder).unwrap_or_else(|_| folder.to_path_buf());
    let name = full.file_name().unwrap_or(full.as_os_str());
    name.to_string_lossy().into_owned()
}

fn read_generations(table: &Table) -> Result<Vec<Generation>, PlotError> {
    let [generation, best, mean] = table.columns(["generation", "best", "mean"])?;
    let games = table.either("games_played", "games")?;
    let spread = table.either("sd", "spread")?;
    let row = |record| {
        Ok(Generation {
            generation: table.count(record, generation)?,
            games: table.count(record, games)?,
            best: table.number(record, best)?,
            mean: table.number(record, mean)?,
            spread: table.number(record, spread)?,
        })
    };
    table.records.iter().map(row).collect()
}

fn read_weights(table: &Table) -> Result<Vec<WeightPath>, PlotError> {
    let names = table.headers.iter().enumerate();
    names
        .filter_map(|(column, header)| Some((column, header.strip_prefix("weight.")?)))
        .map(|(column, name)| {
            let [deviation] = table.columns([&format!("sd.{name}")])?;
            let mean = table.columns([&format!("mean.{name}")]).ok();
            Ok(WeightPath {
                name: name.to_string(),
                mean: match mean {
                    Some([mean]) => table.series(mean)?,
                    None => smoothed(&table.series(column)?),
                },
                smoothed: mean.is_none(),
                deviation: table.series(deviation)?,
            })
        })
        .collect()
}

/// The mean of each value and its neighbours, a twentieth of all on either side.
fn smoothed(values: &[f64]) -> Vec<f64> {
    let reach = (values.len() / 20).max(1);
    let mean = |i: usize| statistics::mean(&values[i.saturating_sub(reach)..values.len().min(i + reach + 1)]);
    (0..values.len()).map(mean).collect()
}

fn read_checks(table: &Table) -> Result<Vec<Check>, PlotError> {
    let [stage, generation, games_played, standard_error] =
        table.columns(["stage", "generation", "games_played", "standard_error"])?;
    let mean = table.either("objective", "mean")?;
    let [policy, games, difference, low, high] = table.columns(["policy", "games", "difference", "low", "high"])?;
    let check = |record: &csv::StringRecord| {
        let compared = !record[difference].is_empty();
        let number = |column| table.number(record, column);
        Ok(Check {
            stage: record[stage].to_string(),
            generation: table.count(record, generation)?,
            games_played: table.count(record, games_played)?,
            policy: record[policy].to_string(),
            games: table.count(record, games)?,
            mean: number(mean)?,
            standard_error: number(standard_error)?,
            difference: match compared {
                true => Some((number(difference)?, number(low)?, number(high)?)),
                false => None,
            },
        })
    };
    table.records.iter().map(check).collect()
}

fn read_times(table: &Table) -> Result<Vec<Time>, PlotError> {
    let [generation, seconds] = table.columns(["generation", "seconds"])?;
    let time =
        |record| Ok(Time { generation: table.count(record, generation)?, seconds: table.number(record, seconds)? });
    table.records.iter().map(time).collect()
}

/// A CSV file with a header; every record has as many fields as the header.
struct Table {
    path: PathBuf,
    headers: csv::StringRecord,
    records: Vec<csv::StringRecord>,
}

impl Table {
    fn read(path: PathBuf) -> Result<Self, PlotError> {
        let file = match File::open(&path) {
            Ok(file) => file,
            Err(source) => return Err(PlotError::Read { path, source }),
        };
        let mut reader = csv::ReaderBuilder::new().trim(csv::Trim::All).from_reader(file);
        let headers = reader.headers().cloned();
        let records = reader.records().collect();
        match (headers, records) {
            (Ok(headers), Ok(records)) => Ok(Self { path, headers, records }),
            (Err(source), _) | (_, Err(source)) => Err(PlotError::Csv { path, source }),
        }
    }

    /// The index of a column that had another name before version 2 of the tables.
    fn either(&self, name: &str, before: &str) -> Result<usize, PlotError> {
        self.columns([name]).or_else(|error| self.columns([before]).map_err(|_| error)).map(|[column]| column)
    }

    /// The indices of the columns with these names.
    fn columns<const N: usize>(&self, names: [&str; N]) -> Result<[usize; N], PlotError> {
        let mut columns = [0; N];
        for (column, name) in columns.iter_mut().zip(names) {
            let found = self.headers.iter().position(|header| header == name);
            *column =
                found.ok_or_else(|| PlotError::MissingColumn { path: self.path.clone(), column: name.to_string() })?;
        }
        Ok(columns)
    }

    fn series(&self, column: usize) -> Result<Vec<f64>, PlotError> {
        let number = |record| self.number(record, column);
        self.records.iter().map(number).collect()
    }

    fn number(&self, record: &csv::StringRecord, column: usize) -> Result<f64, PlotError> {
        let number = record[column].parse().ok().filter(|x: &f64| x.is_finite());
        number.ok_or_else(|| self.unexpected(record, column, "a finite number"))
    }

    fn count(&self, record: &csv::StringRecord, column: usize) -> Result<u64, PlotError> {
        let count = record[column].parse();
        count.map_err(|_| self.unexpected(record, column, "a whole number"))
    }

    fn unexpected(&self, record: &csv::StringRecord, column: usize, expected: &'static str) -> PlotError {
        PlotError::Value {
            path: self.path.clone(),
            line: record.position().map_or(0, csv::Position::line),
            column: self.headers[column].to_string(),
            found: record[column].to_string(),
            expected,
        }
    }
}
