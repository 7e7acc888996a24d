//! The baseline's results by deal and scenario, as references for ratios.
//!
//! The baseline is played once for each deal. Its results are kept in the folder of the run, so that a resumed run
//! compares with the same scores.

use crate::score::Scored;
use evolve_core::file::replace_plain;
use evolve_core::lock;
use evolve_core::model::problem::Notes;
use evolve_core::model::seed::Split;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{self, ErrorKind, Write};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

/// The name of the file in the folder of a run.
pub const STARTS: &str = "starts.jsonl";

/// The deal and scenario of a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Key {
    /// The split of the deal.
    pub split: Split,
    pub number: u64,
    pub seed: u64,
    /// The index of the scenario.
    pub scenario: usize,
}

/// A result that may not be known yet.
pub type Pending<A> = Arc<OnceLock<A>>;

/// The known results of the baseline.
#[derive(Debug)]
pub struct Starts<A>(Mutex<Known<A>>);

#[derive(Debug)]
struct Known<A> {
    starts: HashMap<Key, Pending<A>>,
    is_open: bool,
    /// The file to which results are appended, until writing fails.
    kept: Option<(File, StartsFile)>,
}

/// The location of the file.
#[derive(Debug)]
pub struct StartsFile {
    /// The folder of the run.
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

/// A line of the file, with the checksum (CRC-32) of its JSON without the checksum. The first line identifies the
/// program.
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

impl<A> Default for Starts<A> {
    fn default() -> Self {
        Starts(Mutex::new(Known { starts: HashMap::new(), is_open: false, kept: None }))
    }
}

impl<A> Starts<A> {
    /// Returns the baseline's result for a key. The first call loads the file of the run, if there is one.
    pub fn get(
        &self,
        key: Key,
        place: impl FnOnce() -> Option<StartsFile>,
        known: impl Fn(Scored, Duration) -> A,
    ) -> Pending<A> {
        let mut state = lock(&self.0);
        if !std::mem::replace(&mut state.is_open, true)
            && let Some(place) = place()
        {
            state.open(place, known);
        }
        state.starts.entry(key).or_insert_with(|| Arc::new(OnceLock::new())).clone()
    }

    /// Forgets a result, so that it can be requested again.
    pub fn forget(&self, key: Key) {
        lock(&self.0).starts.remove(&key);
    }

    /// Appends a result.
    pub fn write(&self, key: Key, measured: &Scored, time: Duration) {
        let Scored { score, metrics, .. } = measured.clone();
        let text = Entry { key, score, metrics, seconds: time.as_secs_f64() }.into_line();
        let kept = &mut lock(&self.0).kept;
        if let Some((file, place)) = kept
            && let Err(error) = file.write_all(text.as_bytes())
        {
            place.tell(&error);
            // Lines after an incomplete one could not be read.
            *kept = None;
        }
    }
}

impl<A> Known<A> {
    /// Loads the file, and appends to it from now on. Drops lines of other programs or inputs, and incomplete or
    /// damaged lines: these deals are played again.
    fn open(&mut self, place: StartsFile, known: impl Fn(Scored, Duration) -> A) {
        let path = place.folder.join(STARTS);
        let head = format!("{{\"program\":\"{:08x}\"}}", place.digest);
        let bytes = match fs::read(&path) {
            Err(error) if error.kind() != ErrorKind::NotFound => return place.tell(&error),
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
            let start = OnceLock::from(known(Scored::new(score, metrics), time));
            self.starts.insert(key, Arc::new(start));
            kept.push_str(text);
        }
        let ready = if kept == *text { Ok(()) } else { replace_plain(&path, kept.as_bytes()) };
        // If the file cannot be written, the only cost is that trials are played again.
        match ready.and_then(|()| File::options().append(true).open(&path)) {
            Ok(file) => self.kept = Some((file, place)),
            Err(error) => place.tell(&error),
        }
    }
}

impl StartsFile {
    /// Notes that no further results are kept.
    fn tell(&self, error: &io::Error) {
        let path = self.folder.join(STARTS);
        self.notes.tell(&format!("{}: {error}; the baseline is played again after a resume", path.display()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_results_of_the_same_program_are_reused() {
        let folder = tempfile::tempdir().unwrap();
        let key = |number| Key { split: Split::Search, number, seed: u64::MAX - number, scenario: 1 };
        let measured = Scored::new(0.1 + 0.2, vec![1.5]);
        let open = Starts::<Scored>::default;
        let get = |starts: &Starts<Scored>, number, digest| {
            let place = || Some(StartsFile { folder: folder.path().to_path_buf(), digest, notes: Notes::default() });
            starts.get(key(number), place, |measured, _| measured).get().cloned()
        };
        let starts = open();
        assert_eq!(get(&starts, 1, 7), None);
        starts.write(key(1), &measured, Duration::from_millis(3));
        starts.write(key(2), &measured, Duration::from_millis(3));
        // Simulate a kill during a write.
        let path = folder.path().join(STARTS);
        let text = fs::read_to_string(&path).unwrap();
        fs::write(&path, &text[..text.len() - 5]).unwrap();
        let starts = open();
        assert_eq!(get(&starts, 1, 7), Some(measured.clone()));
        assert_eq!(get(&starts, 2, 7), None);
        starts.write(key(3), &measured, Duration::ZERO);
        assert_eq!(get(&open(), 3, 7), Some(measured.clone()));
        // A changed digit is detected, and the lines after it remain valid.
        let text = fs::read_to_string(&path).unwrap();
        fs::write(&path, text.replacen("\"score\":0.3", "\"score\":0.4", 1)).unwrap();
        let starts = open();
        assert_eq!((get(&starts, 1, 7), get(&starts, 3, 7)), (None, Some(measured)));
        assert_eq!(get(&open(), 3, 8), None);
    }
}
