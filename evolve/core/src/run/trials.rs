//! Reads back the table of trials of a run: every reader of a run's folder reads it here.

use super::rows::{TrialRow, TrialTimeRow};
use crate::names::{TRIAL_TIMES, TRIALS, column};
use csv::{Reader, StringRecord};
use evolve_search::document::cell;
use evolve_search::model::parameter::Parameter;
use evolve_search::model::space::Space;
use std::fs::File;
use std::path::Path;

/// The table of trials of a run.
pub struct Trials {
    reader: Reader<File>,
    headers: StringRecord,
}

/// A trial with its tuned values, those that its parameters allow.
pub struct PastTrial {
    pub row: TrialRow,
    pub values: Vec<Option<f64>>,
}

impl PastTrial {
    /// Returns whether the trial is one of these tuned values.
    pub fn is_of(&self, values: &[f64]) -> bool {
        self.values.iter().zip(values).all(|(own, value)| *own == Some(*value))
    }
}

impl Trials {
    /// Opens the table of the run in a folder; `None` if there is none, because only runs of
    /// programs have one.
    pub fn open(folder: &Path) -> Option<Self> {
        let mut reader = Reader::from_path(folder.join(TRIALS)).ok()?;
        let headers = reader.headers().ok()?.clone();
        Some(Trials { reader, headers })
    }

    /// Returns the rows, without the escapes of cells, up to an incomplete one, which the run may
    /// be writing.
    pub fn rows(&mut self) -> impl Iterator<Item = TrialRow> {
        self.records().map(|(row, _)| row)
    }

    /// Returns the trials of candidates in a space, as [`rows`](Self::rows) does.
    pub fn played(mut self, space: &Space) -> Vec<PastTrial> {
        let column = |parameter: &Parameter| {
            self.headers.iter().position(|header| header.strip_prefix(column::VALUE) == Some(&parameter.name))
        };
        let columns: Vec<Option<usize>> = space.tuned().map(column).collect();
        let played = |(row, record): (TrialRow, StringRecord)| {
            let value = |(parameter, column): (&Parameter, &Option<usize>)| parameter.parse(record.get((*column)?)?);
            PastTrial { row, values: space.tuned().zip(&columns).map(value).collect() }
        };
        self.records().map(played).collect()
    }

    /// Returns the rows with all their cells.
    fn records(&mut self) -> impl Iterator<Item = (TrialRow, StringRecord)> {
        let Trials { reader, headers } = self;
        reader.records().map_while(Result::ok).map_while(|record| {
            let record: StringRecord = record.iter().map(cell::text).collect();
            Some((record.deserialize(Some(headers)).ok()?, record))
        })
    }
}

/// Returns the times of the trials of the run in a folder, as far as they are known.
pub fn times(folder: &Path) -> impl Iterator<Item = TrialTimeRow> {
    let table = Reader::from_path(folder.join(TRIAL_TIMES));
    table.into_iter().flat_map(Reader::into_deserialize).map_while(Result::ok)
}

#[cfg(test)]
mod tests;
