//! Tables of measurements, and their medians.

use serde::{Deserialize, Serialize};
use std::fs::OpenOptions;
use std::path::{Path, PathBuf};

/// The score of a run's recommendation after some number of games.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Row {
    pub problem: String,
    /// The name of the optimizer.
    pub method: String,
    seed: u64,
    games: usize,
    held_out: f64,
    standard_error: f64,
}

impl Row {
    /// Creates a row of a table.
    pub fn new(problem: &str, method: &str, seed: u64, row: &crate::run::Row) -> Self {
        let (held_out, standard_error) = (row.held_out.mean, row.held_out.standard_error);
        Row { problem: problem.into(), method: method.into(), seed, games: row.games, held_out, standard_error }
    }
}

/// Appends rows to a table.
pub fn append(path: &Path, rows: &[Row]) -> Result<(), String> {
    let fault = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
    let file = OpenOptions::new().create(true).append(true).open(path).map_err(|error| fault(&error))?;
    let is_new = file.metadata().map_err(|error| fault(&error))?.len() == 0;
    let mut writer = csv::WriterBuilder::new().has_headers(is_new).from_writer(file);
    for row in rows {
        writer.serialize(row).map_err(|error| fault(&error))?;
    }
    writer.flush().map_err(|error| fault(&error))
}

/// Reads tables.
pub fn read(paths: &[PathBuf]) -> Result<Vec<Row>, String> {
    let mut rows = Vec::new();
    for path in paths {
        let fault = |error: csv::Error| format!("{}: {error}", path.display());
        for row in csv::Reader::from_path(path).map_err(fault)?.deserialize() {
            rows.push(row.map_err(fault)?);
        }
    }
    Ok(rows)
}

/// Returns the problems, methods and numbers of games of rows: the first two in order of
/// appearance, the last ascending.
pub fn headings(rows: &[Row]) -> (Vec<&str>, Vec<&str>, Vec<usize>) {
    let (mut problems, mut methods, mut games) = (Vec::new(), Vec::new(), Vec::new());
    for row in rows {
        if !problems.contains(&row.problem.as_str()) {
            problems.push(row.problem.as_str());
        }
        if !methods.contains(&row.method.as_str()) {
            methods.push(row.method.as_str());
        }
        if !games.contains(&row.games) {
            games.push(row.games);
        }
    }
    games.sort_unstable();
    (problems, methods, games)
}

/// Returns the scores of a method with all seeds, ascending; empty if it was not run.
pub fn values(rows: &[Row], problem: &str, method: &str, games: usize) -> Vec<f64> {
    let own = rows.iter().filter(|row| row.problem == problem && row.method == method && row.games == games);
    let mut values: Vec<f64> = own.map(|row| row.held_out).collect();
    values.sort_by(f64::total_cmp);
    values
}

/// Returns the median of ascending values, if there are any.
pub fn median(values: &[f64]) -> Option<f64> {
    let n = values.len();
    (n > 0).then(|| (values[(n - 1) / 2] + values[n / 2]) / 2.0)
}

/// Prints the median, minimum and maximum for each problem, method and number of games, with the
/// number of seeds.
pub fn table(rows: &[Row]) {
    let (problems, _, _) = headings(rows);
    for problem in problems {
        let own: Vec<Row> = rows.iter().filter(|row| row.problem == problem).cloned().collect();
        let (_, methods, games) = headings(&own);
        println!("\n{problem}");
        print!("{:<28}", "");
        games.iter().for_each(|games| print!("{games:>28}"));
        println!();
        for method in methods {
            print!("{method:<28}");
            for &games in &games {
                let values = values(&own, problem, method, games);
                let cell = median(&values).map(|median| {
                    // Shares need more digits than points.
                    let digits = if median.abs() < 10.0 { 4 } else { 2 };
                    let (low, high) = (values[0], values[values.len() - 1]);
                    format!("{median:.digits$} ({low:.digits$}-{high:.digits$}; {})", values.len())
                });
                print!("{:>28}", cell.unwrap_or_default());
            }
            println!();
        }
    }
}
