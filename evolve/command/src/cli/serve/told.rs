//! The scores that the other process reported, in a file in the run's folder. They are written
//! before the answer to `tell`, so that the end of this process loses none: the run counts scores
//! in the order of its trials, and saves them only from time to time.

use evolve_core::job::Plan;
use evolve_core::names::TOLD;
use evolve_core::run::{Run, RunError, TrialRecord};
use evolve_program::host::{HostAnswer, HostTrial};
use evolve_search::file::replace_plain;
use evolve_search::model::seed::Split;
use evolve_search::model::space::Space;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, VecDeque};
use std::fs::{self, File};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

/// A trial in a scenario, as the log names it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Key {
    split: Split,
    number: u64,
    /// The values of the tuned parameters.
    values: Vec<String>,
    scenario: usize,
}

impl Key {
    pub fn of(space: &Space, trial: &HostTrial<'_>) -> Self {
        let values = space.shown(trial.values).collect();
        Key { split: trial.case.split, number: trial.case.number, values, scenario: trial.scenario }
    }
}

#[derive(Serialize, Deserialize)]
struct Line {
    #[serde(flatten)]
    key: Key,
    #[serde(flatten)]
    answer: HostAnswer,
}

/// The file of reported scores, open for appending.
pub struct Told {
    path: PathBuf,
    file: File,
}

/// Scores by trial, the oldest first. A run may play a trial several times.
pub type Scores = BTreeMap<Key, VecDeque<HostAnswer>>;

impl Told {
    /// Opens the file of a run that has just begun or resumed. Returns the scores that the run has
    /// not counted, and keeps only these in the file.
    pub fn open(run: &Run<'_>) -> Result<(Self, Scores), RunError> {
        let path = run.folder().join(TOLD);
        let mut scores = read(&path)?;
        if !scores.is_empty() {
            for record in run.recorded()? {
                forget(&mut scores, &run.state().plan, record?);
            }
            let lines = scores.iter().flat_map(|(key, answers)| answers.iter().map(|answer| line(key, answer)));
            replace_plain(&path, lines.collect::<String>().as_bytes()).map_err(RunError::io(&path))?;
        }
        let file = File::options().append(true).create(true).open(&path).map_err(RunError::io(&path))?;
        Ok((Told { path, file }, scores))
    }

    /// Appends scores. This process may then end at once; a failure of the power may lose the last
    /// ones.
    pub fn append<'a>(&mut self, scores: impl IntoIterator<Item = (&'a Key, &'a HostAnswer)>) -> Result<(), RunError> {
        let lines: String = scores.into_iter().map(|(key, answer)| line(key, answer)).collect();
        self.file.write_all(lines.as_bytes()).map_err(RunError::io(&self.path))
    }

    /// Removes the scores from the file.
    pub fn clear(&self) {
        // If it fails, the run ends again by the same score.
        let _ = self.file.set_len(0);
    }

    /// Removes the file of a complete run.
    pub fn remove(folder: &Path) {
        // The run no longer needs it.
        let _ = fs::remove_file(folder.join(TOLD));
    }
}

fn line(key: &Key, answer: &HostAnswer) -> String {
    let line = Line { key: key.clone(), answer: answer.clone() };
    serde_json::to_string(&line).expect("a score has a JSON form") + "\n"
}

/// Reads the file. A line that is not whole was being written when the process ended, so that it
/// was not answered.
fn read(path: &Path) -> Result<Scores, RunError> {
    let text = match fs::read(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Scores::new()),
        text => text.map_err(RunError::io(path))?,
    };
    let mut scores = Scores::new();
    for line in text.split(|&byte| byte == b'\n') {
        if let Ok(Line { key, answer }) = serde_json::from_slice(line) {
            scores.entry(key).or_default().push_back(answer);
        }
    }
    Ok(scores)
}

/// Removes the oldest score in each scenario of a trial that the run has counted.
fn forget(scores: &mut Scores, plan: &Plan, TrialRecord { row, values, .. }: TrialRecord) {
    let first = Key { split: plan.split(row.stage), number: row.number, values, scenario: 0 };
    let last = Key { scenario: usize::MAX, ..first.clone() };
    let known: Vec<Key> = scores.range(first..=last).map(|(key, _)| key.clone()).collect();
    for key in known {
        let answers = scores.get_mut(&key).expect("it is known");
        answers.pop_front();
        if answers.is_empty() {
            scores.remove(&key);
        }
    }
}
