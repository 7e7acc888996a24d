//! The content of `state.json`: the progress of runs, and the data for the page of a run.

use evolve_contest::Games;
use evolve_core::job::Catalogue;
use evolve_core::lock;
use evolve_core::run::{Snapshot, Status, Unreadable, relative};
use evolve_report::page::{Input, Known, Page, distinguish_names};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fs;
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
    /// The watched folder; `None`: the folders `results` below the current one.
    folder: Option<PathBuf>,
    catalogue: &'static Catalogue,
    games: &'static Games,
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

/// The name of the folder of runs, and how many folders below the current one it is looked for.
const RESULTS: &str = "results";
const DEPTH: usize = 4;

/// Returns the folders of runs below the current folder: `results` alone, if there is no other.
fn results() -> Vec<PathBuf> {
    let mut found = Vec::new();
    results_below(Path::new("."), DEPTH, &mut found);
    match &found[..] {
        [] => vec![PathBuf::from(RESULTS)],
        [one] if one == Path::new("./results") => vec![PathBuf::from(RESULTS)],
        _ => found,
    }
}

/// Collects the folders `results` below a folder. Skips hidden folders, links and folders of packages.
fn results_below(folder: &Path, depth: usize, found: &mut Vec<PathBuf>) {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let folders = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
    let mut folders: Vec<PathBuf> = folders.map(|entry| entry.path()).collect();
    folders.sort();
    for folder in folders {
        let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        match name.as_str() {
            RESULTS => found.push(folder),
            "target" | "node_modules" => {}
            _ if name.starts_with('.') || depth == 0 => {}
            _ => results_below(&folder, depth - 1, found),
        }
    }
}

/// The smallest ratio of a document's age to its building time before it is rebuilt, so that
/// watching hardly slows a run down.
const SELDOM: u32 = 50;
/// The smallest age of a document before it is rebuilt.
const LEAST: Duration = Duration::from_millis(900);
/// The time after a request for which a page is assumed to be open.
const OPEN: Duration = Duration::from_secs(5);

impl States {
    pub fn new(folder: Option<PathBuf>, catalogue: &'static Catalogue, games: &'static Games) -> Self {
        let (made, known, asked) = (Mutex::default(), Mutex::default(), Mutex::default());
        States { folder, catalogue, games, made, known, asked }
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
        let roots = self.folder.clone().map_or_else(results, |folder| vec![folder]);
        let all: Vec<_> = roots.iter().flat_map(|root| Snapshot::below(root, self.catalogue)).collect();
        // Runs in several folders are named from the current folder.
        let root = if let [root] = &roots[..] { root.as_path() } else { Path::new(".") };
        // Search among the existing runs, so that no name leads to another folder.
        let named = |run: &String| all.iter().find(|of| relative(folder(of), root) == *run);
        let snapshot = match runs {
            [] => all.first().filter(|first| all.len() == 1 || folder(first) == root),
            [run] => Some(named(run)?),
            runs => {
                let folders = runs.iter().map(|run| Some(folder(named(run)?))).collect::<Option<Vec<_>>>()?;
                let mut inputs: Vec<Input> = folders.into_iter().filter_map(|folder| self.input(folder)).collect();
                distinguish_names(&mut inputs);
                return (!inputs.is_empty())
                    .then(|| Document::Several { page: Box::new(Page::new(&inputs, None, self.games)) });
            }
        };
        let Some(snapshot) = snapshot else {
            let entry = |of: &Result<Snapshot, Unreadable>| Entry {
                status: status(of, root),
                job: of.as_ref().ok().map(|snapshot| snapshot.run.group),
            };
            let runs = all.iter().map(entry).collect();
            return Some(Document::Runs { version: env!("CARGO_PKG_VERSION"), runs });
        };
        // Reading may fail in the middle of a row; the next read succeeds.
        let input = self.input(folder(snapshot));
        let page = input.map(|input| Box::new(Page::new(&[input], None, self.games)));
        Some(Document::Run { status: Box::new(status(snapshot, root)), page })
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
