//! A table that rows are added to. How many bytes of it belong to the run is in the checkpoint.

use super::error::RunError;
use std::fs::{self, File};
use std::io::{Seek, SeekFrom, Write};
use std::path::PathBuf;

/// The names of the tables that every run has.
pub const TABLES: [&str; 3] = [GENERATIONS, VALIDATION, TIMING];
pub const GENERATIONS: &str = "generations.csv";
pub const VALIDATION: &str = "validation.csv";
pub const TIMING: &str = "timing.csv";

/// A table that rows are added to.
pub struct Table {
    path: PathBuf,
    file: File,
    length: u64,
    rows: csv::Writer<Vec<u8>>,
}

impl Table {
    /// Opens a table, makes it if nothing of it is there yet, and cuts off what goes beyond a length: it was written
    /// after the checkpoint.
    ///
    /// # Errors
    /// If it is shorter.
    pub fn open(path: PathBuf, length: u64) -> Result<Self, RunError> {
        let found = fs::metadata(&path).map_or(0, |file| file.len());
        if found < length {
            let what = format!("{found} bytes, but the checkpoint counts on {length}");
            return Err(RunError::Damaged(path, what));
        }
        let file = File::options().write(true).create(true).truncate(false).open(&path).map_err(RunError::io(&path))?;
        let mut table = Table { path, file, length: 0, rows: rows() };
        table.cut(length)?;
        Ok(table)
    }

    /// How many bytes were written to it.
    pub fn length(&self) -> u64 {
        self.length
    }

    /// Cuts off what goes beyond a length.
    pub fn cut(&mut self, length: u64) -> Result<(), RunError> {
        let cut = self.file.set_len(length).and_then(|()| self.file.seek(SeekFrom::Start(length)));
        self.length = cut.map_err(RunError::io(&self.path))?;
        Ok(())
    }

    /// Adds a row, to be written by [`append`](Self::append).
    pub fn row<I: AsRef<[u8]>>(&mut self, fields: impl IntoIterator<Item = I>) {
        self.rows.write_record(fields).expect("writing to memory does not fail");
    }

    /// Writes the rows added.
    pub fn append(&mut self) -> Result<(), RunError> {
        let rows = std::mem::replace(&mut self.rows, rows());
        let bytes = rows.into_inner().expect("writing to memory does not fail");
        if bytes.is_empty() {
            return Ok(());
        }
        let written = self.file.write_all(&bytes).and_then(|()| self.file.sync_data());
        written.map_err(RunError::io(&self.path))?;
        self.length += bytes.len() as u64;
        Ok(())
    }
}

fn rows() -> csv::Writer<Vec<u8>> {
    csv::Writer::from_writer(Vec::new())
}
