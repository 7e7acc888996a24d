//! The log of a run: one line of JSON for each generation, validation and trial. The checkpoint
//! holds the valid length and the checksum of the log; later bytes are cut off when the run
//! resumes. The tables are views of the log.

use super::folder::Folder;
use super::views::Views;
use crate::job::Job;
use crate::names::LOG;
use crate::run::course::Course;
use crate::run::course::memory::Memory;
use crate::run::course::record::{GenerationRecord, Record, TrialRecord};
use crate::run::course::rows::TrialRow;
use crate::run::course::schedule::{Planned, Schedule};
use crate::run::course::state::State;
use crate::run::error::RunError;
use crate::run::instances::Instances;
use crc32fast::Hasher;
use evolve_search::model::trial::Outcome;
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// Returns whether to record a generation, so that even millions of generations leave only one or
/// two thousand records. The first hundred are all recorded; after them, one whenever the number of
/// generations has grown by one percent since the last record.
fn is_due(recorded: Option<u64>, generation: u64) -> bool {
    let count = |generation: u64| u128::from(generation) + 1;
    recorded.is_none_or(|last| 100 * count(generation) >= 101 * count(last))
}

/// The part of a log that belongs to a run, as its checkpoint holds it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LogPart {
    pub bytes: u64,
    /// The checksum (CRC-32) of these bytes.
    pub crc: u32,
}

/// The log of a run and the tables made from it.
pub struct Log {
    path: PathBuf,
    file: File,
    length: u64,
    checksum: Hasher,
    /// The records to write next.
    pending: Vec<Record>,
    /// The generation of the last generation record.
    recorded: Option<u64>,
    instances: Instances,
    views: Views,
}

impl Log {
    /// Opens a log whose first bytes belong to the run, or creates it. Cuts off later bytes,
    /// rebuilds the tables, and recalls the outcomes of trials.
    ///
    /// # Errors
    /// If the log lacks these bytes, has others or is damaged, or a file cannot be written.
    pub fn open(folder: &Folder, job: &Job, of_run: LogPart, memory: &mut Memory) -> Result<Self, RunError> {
        let path = folder.file(LOG);
        let LogPart { bytes: length, crc } = of_run;
        let found = path.metadata().map_or(0, |file| file.len());
        if found < length {
            let what = format!("{found} bytes, but the checkpoint expects {length}");
            return Err(RunError::Damaged(path, what));
        }
        let io = RunError::io(&path);
        let mut file = File::options().write(true).create(true).truncate(false).open(&path).map_err(io)?;
        let checksum = checksum(&path, length)?;
        if checksum.clone().finalize() != crc {
            let what =
                format!("its first {length} bytes are not those that the run wrote: their checksum does not match");
            return Err(RunError::Damaged(path, what));
        }
        let mut recorded = None;
        let records = records(&path, length)?.map(|record| {
            let (record, _) = record?;
            match &record {
                Record::Generation(of) => recorded = Some(of.row.generation),
                Record::Trial(of) => memory.recall(of),
                Record::Validation(_) => {}
            }
            Ok(record)
        });
        let views = Views::make(folder, job, records)?;
        file.set_len(length).and_then(|()| file.seek(SeekFrom::Start(length))).map_err(RunError::io(&path))?;
        let (pending, instances) = (Vec::new(), Instances::default());
        Ok(Log { path, file, length, checksum, pending, recorded, instances, views })
    }

    /// Returns the part that belongs to the run.
    pub fn extent(&self) -> LogPart {
        LogPart { bytes: self.length, crc: self.checksum.clone().finalize() }
    }

    pub fn recorded(&self) -> Result<impl Iterator<Item = Result<TrialRecord, RunError>> + use<>, RunError> {
        let records = records(&self.path, self.length)?;
        Ok(records.filter_map(|record| match record {
            Ok((Record::Trial(trial), _)) => Some(Ok(trial)),
            Ok(_) => None,
            Err(error) => Some(Err(error)),
        }))
    }

    /// Returns the part that belonged to the run when it had played `trials` trials.
    pub fn extent_after(&self, trials: u64) -> Result<LogPart, RunError> {
        let mut bytes = 0;
        for record in records(&self.path, self.length)? {
            let (record, end) = record?;
            if record.trials() > trials {
                break;
            }
            bytes = end;
        }
        Ok(LogPart { bytes, crc: checksum(&self.path, bytes)?.finalize() })
    }

    /// Adds the trials of a batch that were played, if they are
    /// [external](evolve_search::model::behaviour::Behaviour::is_external), before the course
    /// counts them.
    pub fn trials(&mut self, course: &Course, schedule: &Schedule, played: &[(Planned, Outcome)]) {
        let (job, state) = (course.job(), course.state());
        if !job.problem.behaviour().is_external {
            return;
        }
        let metrics = job.problem.metrics();
        for ((Planned { candidate, case, .. }, outcome), trial) in played.iter().zip(state.trials()..) {
            let names = self.instances.of(job, case.split);
            let row = TrialRow::of(trial, state.stage, case, names, outcome, &metrics);
            let values = job.space.shown(&schedule.candidates[*candidate]);
            let seconds = outcome.time.map(|time| time.as_secs_f64());
            let started = outcome.started.map(|started| humantime::format_rfc3339_millis(started).to_string());
            let (values, scenarios) = (values.collect(), outcome.scenarios.clone());
            self.pending.push(Record::Trial(TrialRecord { row, values, seconds, started, scenarios }));
        }
    }

    /// Adds records, generations only as far as they are [due](is_due).
    pub fn add(&mut self, records: Vec<Record>) {
        for record in records {
            match record {
                Record::Generation(of) if !is_due(self.recorded, of.row.generation) => {}
                Record::Generation(of) => self.add_generation(of),
                other => self.pending.push(other),
            }
        }
    }

    fn add_generation(&mut self, record: GenerationRecord) {
        self.recorded = Some(record.row.generation);
        self.pending.push(Record::Generation(record));
    }

    /// Writes the pending records and, when the search is over, the last generation.
    pub fn append(&mut self, state: &State) -> Result<(), RunError> {
        if let Some(last) = state.search.latest.as_ref().filter(|_| state.ended)
            && self.recorded != Some(last.row.generation)
        {
            self.add_generation(last.clone());
        }
        let mut lines = Vec::new();
        for record in &self.pending {
            serde_json::to_writer(&mut lines, record).expect("a record has a JSON form");
            lines.push(b'\n');
            self.views.add(record)?;
        }
        if !lines.is_empty() {
            let written = self.file.write_all(&lines).and_then(|()| self.file.sync_data());
            written.map_err(RunError::io(&self.path))?;
        }
        self.length += lines.len() as u64;
        self.checksum.update(&lines);
        self.pending.clear();
        self.views.flush(state.verdict().is_some())
    }
}

/// Returns the checksum of the first `length` bytes of a log.
fn checksum(path: &Path, length: u64) -> Result<Hasher, RunError> {
    let mut read = BufReader::new(File::open(path).map_err(RunError::io(path))?.take(length));
    let mut checksum = Hasher::new();
    loop {
        let bytes = read.fill_buf().map_err(RunError::io(path))?;
        if bytes.is_empty() {
            return Ok(checksum);
        }
        checksum.update(bytes);
        let count = bytes.len();
        read.consume(count);
    }
}

/// Returns the records in the first `length` bytes of a log, each with the offset of its end.
fn records(
    path: &Path,
    length: u64,
) -> Result<impl Iterator<Item = Result<(Record, u64), RunError>> + use<>, RunError> {
    let path = path.to_path_buf();
    let file = File::open(&path).map_err(RunError::io(&path))?;
    let mut end = 0;
    Ok(BufReader::new(file.take(length)).lines().map(move |line| {
        let line = line.map_err(RunError::io(&path))?;
        end += line.len() as u64 + 1;
        let record = serde_json::from_str(&line).map_err(|error| error.to_string());
        let whole = record.and_then(|record| match end {
            end if end > length => Err("the checkpoint's length ends within a line".to_string()),
            _ => Ok((record, end)),
        });
        whole.map_err(|what| RunError::Damaged(path.clone(), format!("before byte {end}: {what}")))
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_grows_by_seventy_generations_when_a_run_doubles() {
        let recorded = |generations: u64| {
            let mut recorded = Vec::new();
            for generation in 0..generations {
                if is_due(recorded.last().copied(), generation) {
                    recorded.push(generation);
                }
            }
            recorded.len()
        };
        assert_eq!([1, 100, 1000, 2000, 4_000_000].map(recorded), [1, 100, 294, 361, 1122]);
    }
}
