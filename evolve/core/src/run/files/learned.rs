//! The trials that a run learns from earlier runs, copied into its folder at its start. The run
//! resumes from this copy, whatever happens to the earlier runs. The checkpoint holds its checksum.
//!
//! The table has one row for each trial. Before the trials of each run, a row without an objective
//! holds the run's best candidate.

use super::folder::Folder;
use crate::job::Job;
use crate::names::{LEARNED, column};
use crate::run::error::RunError;
use evolve_search::document::read_text;
use evolve_search::model::learned::{Earlier, Learned, Lesson};
use evolve_search::model::space::Space;
use evolve_search::model::trial::{CAPPED, is_usable};
use std::path::Path;
use std::sync::Arc;

/// The fixed columns; one for each tuned parameter follows.
const COLUMNS: [&str; 4] = ["run", "case", "objective", CAPPED];

/// Writes the trials that a new run learns from, and returns their checksum; `None` if there are
/// none.
///
/// # Errors
/// If the table cannot be written.
pub fn write(folder: &Folder, space: &Space) -> Result<Option<u32>, RunError> {
    if space.learned().runs.is_empty() {
        return Ok(None);
    }
    let text = table(space);
    folder.write(LEARNED, &text)?;
    Ok(Some(crc32fast::hash(&text)))
}

/// Returns the job of a resumed run with the trials that it learns from.
///
/// # Errors
/// If the copy differs from what the run wrote.
pub fn recalled(folder: &Path, job: Job, checksum: Option<u32>) -> Result<Job, RunError> {
    let learned = match checksum {
        None => Learned::default(),
        Some(checksum) => {
            let path = folder.join(LEARNED);
            let text = read_text(&path).map_err(RunError::io(&path))?;
            let is_same = crc32fast::hash(text.as_bytes()) == checksum;
            let read = if is_same { read(&text, &job.space) } else { None };
            let damaged = || RunError::Damaged(path, "not what the run learned as it began".to_string());
            read.ok_or_else(damaged)?
        }
    };
    Ok(Job { space: job.space.learning(Arc::new(learned)), ..job })
}

fn table(space: &Space) -> Vec<u8> {
    let mut rows = csv::Writer::from_writer(Vec::new());
    let mut write = |row: Vec<String>| rows.write_record(row).expect("writing to memory does not fail");
    let columns = COLUMNS.into_iter().map(str::to_string);
    write(columns.chain(space.tuned().map(|parameter| format!("{}{}", column::VALUE, parameter.name))).collect());
    let shown = |values: &[f64]| space.shown(values).collect::<Vec<_>>();
    for (run, earlier) in (1..).zip(&space.learned().runs) {
        write([vec![run.to_string(), String::new(), String::new(), String::new()], shown(&earlier.best)].concat());
        for Lesson { values, case, objective, is_bound } in &earlier.trials {
            let own = vec![run.to_string(), case.to_string(), format!("{objective:?}"), is_bound.to_string()];
            write([own, shown(values)].concat());
        }
    }
    rows.into_inner().expect("writing to memory does not fail")
}

fn read(text: &str, space: &Space) -> Option<Learned> {
    let mut runs: Vec<Earlier> = Vec::new();
    for row in csv::Reader::from_reader(text.as_bytes()).records() {
        let row = row.ok()?;
        let mut values = space.start().to_vec();
        for (&place, cell) in space.tuned_indices().iter().zip(row.iter().skip(COLUMNS.len())) {
            values[place] = space.parameters()[place].parse(cell)?;
        }
        let cell = |column: usize| row.get(column);
        if cell(2)?.is_empty() {
            runs.push(Earlier { best: values, trials: Vec::new() });
            continue;
        }
        let objective = cell(2)?.parse().ok().filter(|&objective| is_usable(objective))?;
        let (case, is_bound) = (cell(1)?.parse().ok()?, cell(3)?.parse().ok()?);
        runs.last_mut()?.trials.push(Lesson { values, case, objective, is_bound });
    }
    runs.iter().all(|run| !run.trials.is_empty()).then_some(Learned { runs })
}
