//! The tables of a run: CSV views of its log. They grow with the log and are rebuilt from it when a
//! run resumes, so the run does not depend on them.

use super::folder::Folder;
use crate::job::Job;
use crate::names::column::{DEVIATION, MEAN, VALUE, WEIGHT};
use crate::names::{GENERATIONS, TIMING, TRIAL_TIMES, TRIALS, VALIDATION};
use crate::run::course::record::Record;
use crate::run::course::rows::{GenerationRow, TimeRow, TrialRow, TrialTimeRow, ValidationRow};
use crate::run::error::RunError;
use evolve_search::document::cell::cell;
use evolve_search::file;
use serde::Serialize;
use serde_json::Value;
use std::fs::File;
use std::path::PathBuf;

/// The tables of a run, open for appending.
pub struct Views(Vec<View>);

struct View {
    name: &'static str,
    path: PathBuf,
    rows: csv::Writer<File>,
}

/// Returns the names of a run's tables. The tables of trials exist only if the problem records
/// trials.
pub fn names(job: &Job) -> &'static [&'static str] {
    const ALL: [&str; 5] = [GENERATIONS, VALIDATION, TIMING, TRIALS, TRIAL_TIMES];
    if job.problem.behaviour().is_external { &ALL } else { &ALL[..3] }
}

impl Views {
    /// Builds the tables from the records of a log, replacing the existing files.
    ///
    /// # Errors
    /// If the log cannot be read, or a table cannot be written.
    pub fn make(
        folder: &Folder,
        job: &Job,
        records: impl Iterator<Item = Result<Record, RunError>>,
    ) -> Result<Self, RunError> {
        let (mut views, mut files) = (Views(Vec::new()), Vec::new());
        for name in names(job) {
            let path = folder.file(name);
            let file = file::begin(&path).map_err(RunError::io(&path))?;
            let rows = csv::Writer::from_writer(file.as_file().try_clone().map_err(RunError::io(&path))?);
            let mut view = View { name, path, rows };
            view.write(header(name, job))?;
            views.0.push(view);
            files.push(file);
        }
        for record in records {
            views.add(&record?)?;
        }
        views.flush(false)?;
        for (view, file) in views.0.iter().zip(files) {
            file::put(file, &view.path).map_err(RunError::io(&view.path))?;
        }
        Ok(views)
    }

    /// Adds the rows of a record to the tables.
    pub fn add(&mut self, record: &Record) -> Result<(), RunError> {
        self.0.iter_mut().try_for_each(|view| row(view.name, record).map_or(Ok(()), |row| view.write(row)))
    }

    /// Writes pending rows, and syncs them to disk if `sync` is set.
    pub fn flush(&mut self, sync: bool) -> Result<(), RunError> {
        self.0.iter_mut().try_for_each(|View { path, rows, .. }| {
            let done = rows.flush().and_then(|()| if sync { rows.get_ref().sync_data() } else { Ok(()) });
            done.map_err(RunError::io(path))
        })
    }
}

impl View {
    fn write(&mut self, row: Vec<String>) -> Result<(), RunError> {
        self.rows.write_record(row).map_err(|error| RunError::Io(self.path.clone(), error.into()))
    }
}

fn header(view: &str, job: &Job) -> Vec<String> {
    let of_each = |prefixes: &[&str]| -> Vec<String> {
        let names = |prefix| job.space.tuned().map(move |parameter| format!("{prefix}{}", parameter.name));
        prefixes.iter().flat_map(names).collect()
    };
    match view {
        GENERATIONS => [columns(GenerationRow::default()), of_each(&[WEIGHT, MEAN, DEVIATION])].concat(),
        VALIDATION => columns(ValidationRow::default()),
        TIMING => columns(TimeRow::default()),
        TRIALS => [columns(TrialRow::default()), of_each(&[VALUE])].concat(),
        _ => columns(TrialTimeRow::default()),
    }
}

/// Formats a record as a row of the table `view`; returns `None` if the record does not belong
/// there.
fn row(view: &str, record: &Record) -> Option<Vec<String>> {
    let rounded = |value: f64, to: f64| (value * to).round() / to;
    Some(match (view, record) {
        (GENERATIONS, Record::Generation(of)) => cells((&of.row, &of.points)),
        (TIMING, Record::Generation(of)) => {
            let GenerationRow { generation, trials_played, .. } = of.row;
            let speed = if of.seconds > 0.0 { trials_played as f64 / of.seconds } else { 0.0 };
            let (seconds, trials_per_second) = (rounded(of.seconds, 1e3), rounded(speed, 10.0));
            cells(TimeRow { generation, trials_played, seconds, trials_per_second })
        }
        (VALIDATION, Record::Validation(row)) => cells(row),
        (TRIALS, Record::Trial(of)) => cells((&of.row, &of.values)),
        (TRIAL_TIMES, Record::Trial(of)) => {
            let seconds = of.seconds.map(|seconds| rounded(seconds, 1e4));
            cells(TrialTimeRow { trial: of.row.trial, seconds, started: of.started.clone() })
        }
        _ => return None,
    })
}

/// Returns the names of a row's fields.
fn columns(row: impl Serialize) -> Vec<String> {
    match serde_json::to_value(row) {
        Ok(Value::Object(fields)) => fields.into_iter().map(|(name, _)| name).collect(),
        _ => unreachable!("rows have fields"),
    }
}

/// Returns the fields of a row as cells. Unlike the `csv` crate, writes whole numbers as `4`, not
/// `4.0`.
fn cells(row: impl Serialize) -> Vec<String> {
    fn add(value: Value, cells: &mut Vec<String>) {
        match value {
            Value::Object(fields) => fields.into_iter().for_each(|(_, value)| add(value, cells)),
            Value::Array(values) => values.into_iter().for_each(|value| add(value, cells)),
            Value::Number(number) if number.is_f64() => cells.extend(number.as_f64().map(|value| value.to_string())),
            Value::Null => cells.push(String::new()),
            Value::String(text) => cells.push(cell(&text).into_owned()),
            other => cells.push(other.to_string()),
        }
    }
    let mut cells = Vec::new();
    add(serde_json::to_value(row).expect("rows have a JSON form"), &mut cells);
    cells
}
