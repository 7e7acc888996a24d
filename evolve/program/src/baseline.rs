//! The baseline's results by case and scenario: the reference of ratios.
//!
//! On a relative scale, the search divides the score of each candidate by the baseline's score on
//! the same case, even if it returns to that case much later. The baseline is therefore played once
//! for each case, and the result is kept in a file in the folder of the run.
//!
//! This file is a cache. The run's log and checkpoint do not have these results, because they are
//! not trials of the run: a session, which knows neither file, measures them in the middle of a
//! trial. Without the cache, a resumed run plays the baseline again; if its program is not
//! deterministic, it then divides scores on the same case by different numbers.
//!
//! A worker on another machine has no folder of a run, and keeps the results in memory only.

use crate::failure::Trouble;
use crate::program::Attempt;
use crate::score::Scored;
use evolve_core::names::BASELINE;
use evolve_search::file::replace_plain;
use evolve_search::lock;
use evolve_search::model::problem::Notes;
use evolve_search::model::seed::Split;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{self, ErrorKind, Write};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

/// The case and scenario of a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Key {
    pub split: Split,
    pub number: u64,
    pub seed: u64,
    /// The index of the scenario.
    pub scenario: usize,
}

/// The known results of the baseline.
pub struct Baseline(Mutex<Scores>);

struct Scores {
    /// The results by key; empty while a result is measured.
    results: HashMap<Key, Arc<OnceLock<Attempt>>>,
    cache: Cache,
}

/// The file with the results.
enum Cache {
    /// The folder of a run may not exist before its first trial.
    Unread(Location),
    /// Results are appended.
    Open(File, Location),
    /// There is no folder, or it cannot be written.
    None,
}

/// The location of the file.
pub struct Location {
    pub folder: PathBuf,
    /// A digest that distinguishes programs and inputs.
    pub digest: u32,
    /// The receiver of notes about results that cannot be kept.
    pub notes: Notes,
}

/// A result in the file.
#[derive(Serialize, Deserialize)]
struct Entry {
    #[serde(flatten)]
    key: Key,
    score: f64,
    metrics: Vec<f64>,
    seconds: f64,
}

/// A line of the file, with the checksum (CRC-32) of its JSON without the checksum. The first line
/// identifies the program.
#[derive(Serialize, Deserialize)]
struct Line {
    #[serde(flatten)]
    entry: Entry,
    sum: u32,
}

impl Entry {
    fn sum(&self) -> u32 {
        crc32fast::hash(&serde_json::to_vec(self).expect("numbers have a JSON form"))
    }

    fn into_line(self) -> String {
        let sum = self.sum();
        serde_json::to_string(&Line { entry: self, sum }).expect("numbers have a JSON form") + "\n"
    }

    /// Parses a line; returns `None` if it is incomplete or was changed.
    fn of_line(line: &str) -> Option<Self> {
        let Line { entry, sum } = serde_json::from_str(line).ok()?;
        (entry.sum() == sum).then_some(entry)
    }
}

impl Baseline {
    /// Creates a cache in this place, or in memory if there is none.
    pub fn new(place: Option<Location>) -> Self {
        let cache = place.map_or(Cache::None, Cache::Unread);
        Baseline(Mutex::new(Scores { results: HashMap::new(), cache }))
    }

    /// Returns the baseline's result for a key. `play` measures it, unless it is known.
    pub fn result(&self, key: Key, play: impl FnOnce() -> Attempt) -> Attempt {
        let result = Arc::clone(lock(&self.0).read().results.entry(key).or_default());
        let attempt = result.get_or_init(|| {
            let attempt = play();
            if let Ok(measured) = &attempt.result {
                lock(&self.0).append(key, measured, attempt.time);
            }
            attempt
        });
        if matches!(attempt.result, Err(Trouble::Ends(_))) {
            // This trial was stopped, and may be requested again.
            lock(&self.0).results.remove(&key);
        }
        attempt.clone()
    }
}

impl Scores {
    /// Reads the file, unless it was read before. Drops lines of other programs or inputs, and
    /// incomplete or damaged lines: these cases are played again.
    fn read(&mut self) -> &mut Self {
        let place = match std::mem::replace(&mut self.cache, Cache::None) {
            Cache::Unread(place) => place,
            read => {
                self.cache = read;
                return self;
            }
        };
        let path = place.folder.join(BASELINE);
        let head = format!("{{\"program\":\"{:08x}\"}}", place.digest);
        let bytes = match fs::read(&path) {
            Err(error) if error.kind() != ErrorKind::NotFound => {
                place.tell(&error);
                return self;
            }
            read => read.unwrap_or_default(),
        };
        let text = String::from_utf8_lossy(&bytes);
        let own = text.split_once('\n').filter(|(first, _)| *first == head).map_or("", |(_, rest)| rest);
        let whole = own.split_inclusive('\n').filter(|line| line.ends_with('\n'));
        let mut kept = format!("{head}\n");
        for (text, Entry { key, score, metrics, seconds }) in
            whole.filter_map(|line| Some((line, Entry::of_line(line)?)))
        {
            let time = Duration::try_from_secs_f64(seconds).unwrap_or_default();
            let result = OnceLock::from(Attempt { result: Ok(Scored { score, metrics }), time });
            self.results.insert(key, Arc::new(result));
            kept.push_str(text);
        }
        let ready = if kept == *text { Ok(()) } else { replace_plain(&path, kept.as_bytes()) };
        // If the file cannot be written, the only cost is that trials are played again.
        match ready.and_then(|()| File::options().append(true).open(&path)) {
            Ok(file) => self.cache = Cache::Open(file, place),
            Err(error) => place.tell(&error),
        }
        self
    }

    fn append(&mut self, key: Key, measured: &Scored, time: Duration) {
        let Scored { score, metrics } = measured.clone();
        let text = Entry { key, score, metrics, seconds: time.as_secs_f64() }.into_line();
        if let Cache::Open(file, place) = &mut self.cache
            && let Err(error) = file.write_all(text.as_bytes())
        {
            place.tell(&error);
            // Lines after an incomplete one could not be read.
            self.cache = Cache::None;
        }
    }
}

impl Location {
    /// Notes that no further results are kept.
    fn tell(&self, error: &io::Error) {
        let path = self.folder.join(BASELINE);
        self.notes.tell(&format!("{}: {error}; the baseline is played again after a resume", path.display()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use evolve_search::model::trial::PlayError;

    #[test]
    fn only_results_of_the_same_program_are_reused() {
        let folder = tempfile::tempdir().unwrap();
        let open = |digest| {
            let folder = folder.path().to_path_buf();
            Baseline::new(Some(Location { folder, digest, notes: Notes::default() }))
        };
        let measured = Scored { score: 0.1 + 0.2, metrics: vec![1.5] };
        // Whether a result was known.
        let get = |baseline: &Baseline, number| {
            let key = Key { split: Split::Search, number, seed: u64::MAX - number, scenario: 1 };
            let mut is_known = true;
            let attempt = baseline.result(key, || {
                is_known = false;
                Attempt { result: Ok(measured.clone()), time: Duration::from_millis(3) }
            });
            assert_eq!((attempt.result, attempt.time), (Ok(measured.clone()), Duration::from_millis(3)));
            is_known
        };
        let baseline = open(7);
        assert_eq!([1, 2, 2].map(|number| get(&baseline, number)), [false, false, true]);
        // Simulate a kill during a write.
        let path = folder.path().join(BASELINE);
        let text = fs::read_to_string(&path).unwrap();
        fs::write(&path, &text[..text.len() - 5]).unwrap();
        let baseline = open(7);
        assert_eq!([1, 2, 3].map(|number| get(&baseline, number)), [true, false, false]);
        assert!(get(&open(7), 3));
        // A changed digit is detected, and the lines after it remain valid.
        let text = fs::read_to_string(&path).unwrap();
        fs::write(&path, text.replacen("\"score\":0.3", "\"score\":0.4", 1)).unwrap();
        let baseline = open(7);
        assert_eq!([1, 3].map(|number| get(&baseline, number)), [false, true]);
        assert!(!get(&open(8), 3));
    }

    #[test]
    fn a_stopped_result_is_measured_again() {
        let baseline = Baseline::new(None);
        let key = Key { split: Split::Search, number: 0, seed: 0, scenario: 0 };
        let stopped = Attempt { result: Err(Trouble::Ends(PlayError::Stopped)), time: Duration::ZERO };
        assert_eq!(baseline.result(key, || stopped.clone()).result, stopped.result);
        let measured = Attempt { result: Ok(Scored { score: 1.0, metrics: vec![] }), time: Duration::ZERO };
        assert_eq!(baseline.result(key, || measured.clone()).result, measured.result);
        assert_eq!(baseline.result(key, || stopped).result, measured.result);
    }
}
