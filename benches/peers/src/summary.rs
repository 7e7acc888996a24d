//! Tables of what was measured, and their medians.

use serde::{Deserialize, Serialize};
use std::fs::OpenOptions;
use std::path::{Path, PathBuf};

/// What one run recommended after so many games.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Row {
    problem: String,
    method: String,
    seed: u64,
    games: usize,
    held_out: f64,
    standard_error: f64,
}

impl Row {
    /// A line of a table.
    pub fn new(problem: &str, method: &str, seed: u64, row: &crate::run::Row) -> Self {
        let (held_out, standard_error) = (row.held_out.mean, row.held_out.standard_error);
        Row { problem: problem.into(), method: method.into(), seed, games: row.games, held_out, standard_error }
    }
}

/// Adds lines to a table.
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

/// Prints the medians of tables.
pub fn print(paths: &[PathBuf]) -> Result<(), String> {
    let mut rows = Vec::new();
    for path in paths {
        let fault = |error: csv::Error| format!("{}: {error}", path.display());
        for row in csv::Reader::from_path(path).map_err(fault)?.deserialize() {
            rows.push(row.map_err(fault)?);
        }
    }
    table(&rows);
    Ok(())
}

/// Prints the median, the lowest and the highest of each problem, method and number of games.
pub fn table(rows: &[Row]) {
    let mut problems: Vec<&str> = Vec::new();
    let mut methods: Vec<&str> = Vec::new();
    let mut games: Vec<usize> = Vec::new();
    for row in rows {
        if !problems.contains(&row.problem.as_str()) {
            problems.push(&row.problem);
        }
        if !methods.contains(&row.method.as_str()) {
            methods.push(&row.method);
        }
        if !games.contains(&row.games) {
            games.push(row.games);
        }
    }
    games.sort_unstable();
    for problem in problems {
        println!("\n{problem}");
        print!("{:<40}", "");
        games.iter().for_each(|games| print!("{games:>24}"));
        println!();
        for method in &methods {
            print!("{method:<40}");
            for &games in &games {
                let mut values: Vec<f64> = rows
                    .iter()
                    .filter(|row| row.problem == problem && row.method == *method && row.games == games)
                    .map(|row| row.held_out)
                    .collect();
                values.sort_by(f64::total_cmp);
                match values.len() {
                    0 => print!("{:>24}", ""),
                    n => {
                        let median = (values[(n - 1) / 2] + values[n / 2]) / 2.0;
                        print!("{:>24}", format!("{median:.2} ({:.1}-{:.1})", values[0], values[n - 1]));
                    }
                }
            }
            println!();
        }
    }
}
