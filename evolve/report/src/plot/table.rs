//! Reads the series of a run from its `generations.csv` and `validation.csv`.

use super::PlotError;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

/// All that the plots show of one run.
#[derive(Debug)]
pub struct Run {
    /// The folder's name.
    pub name: String,
    /// One per row of `generations.csv`, in the file's order.
    pub generations: Vec<Generation>,
    /// One per evolved weight, in the order of the columns.
    pub weights: Vec<WeightPath>,
    /// The held-out validations, in the file's order.
    pub validations: Vec<Validation>,
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

/// One weight over the generations; both vectors are as long as [`Run::generations`].
#[derive(Debug, PartialEq)]
pub struct WeightPath {
    /// The weight's name.
    pub name: String,
    /// The value in each generation's leader.
    pub leader: Vec<f64>,
    /// The standard deviation over each generation's population, in the weight's units.
    pub deviation: Vec<f64>,
}

/// The score of one recommendation on the held-out deals.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Validation {
    /// The generation that recommended it; 0 for the starting weights.
    pub generation: u64,
    /// Games played until then, those of validations too.
    pub games: u64,
    /// The mean score.
    pub mean: f64,
    /// The standard error of `mean`.
    pub standard_error: f64,
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
        let validations = match Table::read(folder.join("validation.csv")) {
            Ok(table) => read_validations(&table)?,
            Err(PlotError::Read { source, .. }) if source.kind() == io::ErrorKind::NotFound => Vec::new(),
            Err(error) => return Err(error),
        };
        if generations.is_empty() && validations.is_empty() {
            return Err(PlotError::EmptyRun { run: folder.to_path_buf() });
        }
        Ok(Self { name: folder_name(folder), generations, weights, validations })
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
            Ok(WeightPath {
                name: name.to_string(),
                leader: table.series(column)?,
                deviation: table.series(deviation)?,
            })
        })
        .collect()
}

fn read_validations(table: &Table) -> Result<Vec<Validation>, PlotError> {
    let [stage, generation, games, standard_error] =
        table.columns(["stage", "generation", "games_played", "standard_error"])?;
    let mean = table.either("objective", "mean")?;
    // The final rounds are played on other deals: their means do not belong on the same curve.
    let held_out = table.records.iter().filter(|r| &r[stage] == "held-out");
    held_out
        .map(|record| {
            Ok(Validation {
                generation: table.count(record, generation)?,
                games: table.count(record, games)?,
                mean: table.number(record, mean)?,
                standard_error: table.number(record, standard_error)?,
            })
        })
        .collect()
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
