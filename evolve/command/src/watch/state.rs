//! The content of `state.json`: the progress of runs, and the data for the page of a run.

use evolve_core::job::Catalogue;
use evolve_core::lock;
use evolve_core::run::{Standing, Status, Unreadable, relative};
use evolve_report::page::{Input, Known, Page, distinguish_names};
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
        runs: Vec<Entry>,
    },
    /// Some runs on one page.
    Several {
        page: Box<Page>,
    },
    Run {
        #[serde(flatten)]
        status: Box<Status>,
        /// The data of the page; `null` if there are none yet.
        page: Option<Box<Page>>,
    },
}

/// A run in the list of all runs.
#[derive(Serialize)]
struct Entry {
    #[serde(flatten)]
    status: Status,
    /// A number that runs share which differ only in name and seed; `null` if a run is unreadable.
    job: Option<u32>,
}

/// The documents, which are rebuilt seldom enough that building them takes a small share of the
/// time.
pub struct States {
    root: PathBuf,
    catalogue: &'static Catalogue,
    made: Mutex<BTreeMap<Vec<String>, Made>>,
    /// The last landscape of each run.
    known: Mutex<BTreeMap<PathBuf, Known>>,
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
        States { root, catalogue, made: Mutex::default(), known: Mutex::default(), asked: Mutex::default() }
    }

    /// Returns the document of a run, of several runs on one page, or of all runs; `None` if a run
    /// does not exist.
    pub fn json(&self, runs: &[String]) -> Option<String> {
        *lock(&self.asked) = Some(Instant::now());
        // The lock lasts while a document is built, so that simultaneous requests get the same one.
        let mut all = lock(&self.made);
        if let Some(made) = all.get(runs)
            && made.at.elapsed() < (SELDOM * made.took).max(LEAST)
        {
            return Some(made.json.clone());
        }
        let start = Instant::now();
        let document = self.document(runs)?;
        let json = serde_json::to_string(&document).expect("plain data becomes JSON");
        let made = Made { at: Instant::now(), took: start.elapsed(), json: json.clone() };
        all.insert(runs.to_vec(), made);
        Some(json)
    }

    fn document(&self, runs: &[String]) -> Option<Document> {
        let all = Standing::below(&self.root, self.catalogue);
        // Search among the existing runs, so that no name leads to another folder.
        let named = |run: &String| all.iter().find(|of| relative(folder(of), &self.root) == *run);
        let standing = match runs {
            [] => all.first().filter(|first| all.len() == 1 || folder(first) == self.root),
            [run] => Some(named(run)?),
            runs => {
                let folders = runs.iter().map(|run| Some(folder(named(run)?))).collect::<Option<Vec<_>>>()?;
                let mut inputs: Vec<Input> = folders.into_iter().filter_map(|folder| self.input(folder)).collect();
                distinguish_names(&mut inputs);
                return (!inputs.is_empty()).then(|| Document::Several { page: Box::new(Page::new(&inputs, None)) });
            }
        };
        let Some(standing) = standing else {
            let entry = |of: &Result<Standing, Unreadable>| Entry {
                status: status(of, &self.root),
                job: of.as_ref().ok().map(|standing| standing.run.group),
            };
            let runs = all.iter().map(entry).collect();
            return Some(Document::Runs { version: env!("CARGO_PKG_VERSION"), runs });
        };
        // Reading may fail in the middle of a row; the next read succeeds.
        let input = self.input(folder(standing));
        let page = input.map(|input| Box::new(Page::new(&[input], None)));
        Some(Document::Run { status: Box::new(status(snapshot, &self.root)), page })
    }

    /// Reads a run. Its landscape is fitted again once the run has a tenth more trials.
    fn input(&self, folder: &Path) -> Option<Input> {
        let known = lock(&self.known).get(folder).cloned();
        let input = Input::read_after(folder, self.catalogue, known).ok()?;
        input.known().map(|known| lock(&self.known).insert(folder.to_path_buf(), known));
        Some(input)
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
