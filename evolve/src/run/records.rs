//! The tables of a run: one row a generation, one a validation, and wall time in a file of its own.
//!
//! `docs/files.md` describes their columns.

use super::error::RunError;
use super::files::Folder;
use super::state::{Finalist, Lengths, State, difference, spread};
use crate::config::Job;
use crate::statistics::Estimate;
use std::fs::{File, OpenOptions};
use std::io::{ErrorKind, Seek, SeekFrom, Write};
use std::path::PathBuf;

/// A table that rows are added to.
struct Table {
    path: PathBuf,
    file: File,
    rows: csv::Writer<Vec<u8>>,
}

/// The tables of a run.
pub struct Records {
    generations: Table,
    validation: Table,
    timing: Table,
}

/// The names of all tables.
pub const TABLES: [&str; 3] = [GENERATIONS, VALIDATION, TIMING];
const GENERATIONS: &str = "generations.csv";
const VALIDATION: &str = "validation.csv";
const TIMING: &str = "timing.csv";

impl Table {
    /// Opens a table and cuts off what was written after the checkpoint.
    fn open(folder: &Folder, name: &str, length: u64) -> Result<Self, RunError> {
        let path = folder.file(name);
        let open = || -> std::io::Result<(File, u64)> {
            let mut file = OpenOptions::new().create(length == 0).write(true).truncate(false).open(&path)?;
            let found = file.metadata()?.len();
            if found >= length {
                file.set_len(length)?;
                file.seek(SeekFrom::End(0))?;
            }
            Ok((file, found))
        };
        let (file, found) = match open() {
            Err(error) if error.kind() == ErrorKind::NotFound => {
                return Err(RunError::Damaged(path, format!("missing, but the checkpoint counts on {length} bytes")));
            }
            opened => opened.map_err(RunError::io(&path))?,
        };
        if found < length {
            let what = format!("{found} bytes, but the checkpoint counts on {length}");
            return Err(RunError::Damaged(path, what));
        }
        Ok(Table { path, file, rows: rows() })
    }

    fn row<I: AsRef<[u8]>>(&mut self, fields: impl IntoIterator<Item = I>) {
        self.rows.write_record(fields).expect("writing to memory does not fail");
    }

    /// Writes the rows added; how many bytes they are.
    fn append(&mut self) -> Result<u64, RunError> {
        let rows = std::mem::replace(&mut self.rows, rows());
        let bytes = rows.into_inner().expect("writing to memory does not fail");
        if !bytes.is_empty() {
            let mut write = || {
                self.file.write_all(&bytes)?;
                self.file.sync_data()
            };
            write().map_err(RunError::io(&self.path))?;
        }
        Ok(bytes.len() as u64)
    }
}

fn rows() -> csv::Writer<Vec<u8>> {
    csv::WriterBuilder::new().flexible(false).from_writer(Vec::new())
}

impl Records {
    /// The tables of a new run, with their headers still to be appended.
    pub fn create(folder: &Folder, job: &Job) -> Result<Self, RunError> {
        Self::open(folder, job, &Lengths::default())
    }

    /// The tables of a run as they were at its checkpoint.
    pub fn open(folder: &Folder, job: &Job, lengths: &Lengths) -> Result<Self, RunError> {
        let mut records = Records {
            generations: Table::open(folder, GENERATIONS, lengths.generations)?,
            validation: Table::open(folder, VALIDATION, lengths.validation)?,
            timing: Table::open(folder, TIMING, lengths.timing)?,
        };
        if lengths.generations == 0 {
            let mut header: Vec<String> =
                ["generation", "games", "best", "mean", "spread", "diversity"].map(String::from).into();
            header.extend(job.space.evolving().map(|weight| format!("weight.{}", weight.name)));
            header.extend(job.space.evolving().map(|weight| format!("sd.{}", weight.name)));
            records.generations.row(&header);
        }
        if lengths.validation == 0 {
            records.validation.row([
                "stage",
                "generation",
                "games_played",
                "policy",
                "games",
                "mean",
                "standard_error",
                "difference",
                "low",
                "high",
            ]);
        }
        if lengths.timing == 0 {
            records.timing.row(["generation", "games", "seconds", "games_per_second"]);
        }
        Ok(records)
    }

    /// Adds the row of a generation, led by the member `best`.
    pub fn generation(&mut self, job: &Job, state: &State, fitness: &[f64], best: usize) {
        let (mean, deviation) = spread(fitness);
        let spreads = state.genetic.spreads();
        let relative: f64 = spreads.iter().zip(job.space.evolving()).map(|(sd, weight)| sd / weight.scale).sum();
        let diversity = relative / spreads.len() as f64;
        let mut row = vec![state.genetic.generation.to_string(), state.games.to_string()];
        row.extend([fitness[best], mean, deviation, diversity].map(|value| value.to_string()));
        row.extend(state.genetic.population[best].genome.iter().map(f64::to_string));
        row.extend(spreads.iter().map(f64::to_string));
        self.generations.row(&row);
        let speed = if state.seconds > 0.0 { state.games as f64 / state.seconds } else { 0.0 };
        self.timing.row([
            state.genetic.generation.to_string(),
            state.games.to_string(),
            format!("{:.3}", state.seconds),
            format!("{speed:.1}"),
        ]);
    }

    /// Adds the row of a validation on the held-out games.
    pub fn validation(&mut self, stage: &str, state: &State, policy: &str, scores: &[f64], start: &[f64]) {
        self.compared(stage, state.genetic.generation, state.games, policy, scores, start);
    }

    /// Adds the row of a finalist.
    pub fn finalist(&mut self, state: &State, finalist: &Finalist, scores: &[f64], start: &[f64]) {
        self.compared("finalists", finalist.generation, state.games, &finalist.name, scores, start);
    }

    /// Adds a row of the verdict.
    pub fn verdict(&mut self, state: &State, policy: &str, generation: u64, scores: &[f64], start: &[f64]) {
        self.compared("verdict", generation, state.games, policy, scores, start);
    }

    fn compared(&mut self, stage: &str, generation: u64, played: u64, policy: &str, scores: &[f64], start: &[f64]) {
        let score = Estimate::of(scores);
        let difference = difference(scores, start);
        let (low, high) = difference.interval();
        let mut row = vec![stage.to_string(), generation.to_string(), played.to_string(), policy.to_string()];
        row.push(score.n.to_string());
        row.extend([score.mean, score.standard_error, difference.mean, low, high].map(|value| value.to_string()));
        self.validation.row(&row);
    }

    /// Writes the rows added, and counts them in `lengths`.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn append(&mut self, lengths: &mut Lengths) -> Result<(), RunError> {
        lengths.generations += self.generations.append()?;
        lengths.validation += self.validation.append()?;
        lengths.timing += self.timing.append()?;
        Ok(())
    }
}
