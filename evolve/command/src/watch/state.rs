//! The content of `state.json`: the progress of runs, and the data for the page of a run.

use evolve_core::job::Catalogue;
use evolve_core::lock;
use evolve_core::run::{Snapshot, Status, Unreadable, relative};
use evolve_report::page::{Input, Page};
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};

fn folder(of: &Result<Snapshot, Unreadable>) -> &Path {
    of.as_ref().map_or_else(|unreadable| &unreadable.folder, |snapshot| &snapshot.folder)
}

fn status(of: &Result<Snapshot, Unreadable>, root: &Path) -> Status {
    of.as_ref().map_or_else(|unreadable| unreadable.status(root), |snapshot| snapshot.status(root))
}

/// The document for all runs, or for one run with the data of its page.
#[derive(Serialize)]
#[serde(untagged)]
enum Document {
    Runs {
        version: &'static str,
        runs: Vec<Status>,
    },
    Run {
        #[serde(flatten)]
        status: Box<Status>,
        /// The data of the page; `null` if there are none yet.
        page: Option<Box<Page>>,
    },
}

/// The documents, which are rebuilt seldom enough that building them takes a small share of the
/// time.
pub struct States {
    root: PathBuf,
    catalogue: &'static Catalogue,
    made: Mutex<BTreeMap<Option<String>, Made>>,
    /// The time of the last request.
    asked: Mutex<Option<Instant>>,
}

struct Made {
    at: Instant,
    took: Duration,
    json: String,
}

/// The smallest ratio of a document's age to its building time before it is rebuilt, so that
/// watching hardly slows a run down.
const SELDOM: u32 = 50;
/// The smallest age of a document before it is rebuilt.
const LEAST: Duration = Duration::from_millis(900);
/// The time after a request for which a page is assumed to be open.
const OPEN: Duration = Duration::from_secs(5);

impl States {
    pub fn new(root: PathBuf, catalogue: &'static Catalogue) -> Self {
        States { root, catalogue, made: Mutex::default(), asked: Mutex::default() }
    }

    /// Returns the document of a run, or of all runs; `None` if the run does not exist.
    pub fn json(&self, run: Option<&str>) -> Option<String> {
        *lock(&self.asked) = Some(Instant::now());
        // The lock lasts while a document is built, so that simultaneous requests get the same one.
        let mut all = lock(&self.made);
        let key = run.map(String::from);
        if let Some(made) = all.get(&key)
            && made.at.elapsed() < (SELDOM * made.took).max(LEAST)
        {
            return Some(made.json.clone());
        }
        let start = Instant::now();
        let document = self.document(run)?;
        let json = serde_json::to_string(&document).expect("plain data becomes JSON");
        let made = Made { at: Instant::now(), took: start.elapsed(), json: json.clone() };
        all.insert(key, made);
        Some(json)
    }

    fn document(&self, run: Option<&str>) -> Option<Document> {
        let all = Snapshot::below(&self.root, self.catalogue);
        let snapshot = match run {
            // Search among the existing runs, so that no name leads to another folder.
            Some(run) => Some(all.iter().find(|of| relative(folder(of), &self.root) == run)?),
            None => all.first().filter(|first| all.len() == 1 || folder(first) == self.root),
        };
        let Some(snapshot) = snapshot else {
            let runs = all.iter().map(|of| status(of, &self.root)).collect();
            return Some(Document::Runs { version: env!("CARGO_PKG_VERSION"), runs });
        };
        // Reading may fail in the middle of a row; the next read succeeds.
        let input = Input::read(folder(snapshot), self.catalogue).ok();
        let page = input.map(|input| Box::new(Page::new(&[input], None)));
        Some(Document::Run { status: Box::new(status(snapshot, &self.root)), page })
    }

    /// Waits until an open page has requested the state again, at most a few seconds.
    pub fn wait_for_page(&self) {
        let asked = || *lock(&self.asked);
        let is_open = |at: Option<Instant>| at.is_some_and(|at| at.elapsed() < OPEN);
        let before = asked();
        lock(&self.made).clear();
        while is_open(before) && asked() == before {
            thread::sleep(Duration::from_millis(50));
        }
        if asked() != before {
            // Allow time to send the answer.
            thread::sleep(Duration::from_millis(300));
        }
    }
}
