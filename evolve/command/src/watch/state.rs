//! The content of `state.json`: the progress of runs, and the data for the page of a run.

use crate::lineage::{self, Chart};
use evolve_contest::Games;
use evolve_core::job::policy_file::Policy;
use evolve_core::job::{Catalogue, Job};
use evolve_core::names::{REPORT, RESULTS};
use evolve_core::run::{Snapshot, Status, Unreadable, relative};
use evolve_report::page::{Input, Known, Page, distinguish_names};
use evolve_search::file::slashed;
use evolve_search::lock;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

fn folder(of: &Result<Snapshot, Unreadable>) -> &Path {
    of.as_ref().map_or_else(|unreadable| &unreadable.folder, |snapshot| &snapshot.folder)
}

fn status(of: &Result<Snapshot, Unreadable>, root: &Path) -> Status {
    of.as_ref().map_or_else(|unreadable| unreadable.status(root), |snapshot| snapshot.status(root))
}

/// The document for all runs, or for one run with the data of its page.
#[derive(Serialize)]
#[serde(untagged)]
enum WatchJson {
    Runs {
        version: &'static str,
        runs: Vec<Entry>,
        /// The gains of runs that follow each other.
        series: Vec<Chart>,
    },
    /// Some runs on one page.
    Several { page: Box<Page> },
    Run {
        #[serde(flatten)]
        status: Box<Status>,
        /// The command that serves the page.
        server: &'static str,
        /// Whether the command has ended the run, and serves no later state.
        is_last: bool,
        /// The file of the report, once there is one of the complete run.
        report: Option<String>,
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
    /// The time of the last change, in seconds since 1970.
    saved: Option<u64>,
    #[serde(flatten)]
    details: Details,
}

/// What the list says of a run beside its progress.
#[derive(Clone, Default, Serialize)]
struct Details {
    seed: Option<u64>,
    /// The mean scores of the baseline and of the tuned values in the test.
    scores: Option<[f64; 2]>,
    /// The tuned values that differ from the start, or the incumbent's: name and value.
    values: Vec<(String, String)>,
    /// Its place among the runs that follow each other, if it is complete.
    #[serde(skip)]
    version: Option<lineage::Entry>,
}

impl Details {
    fn of(snapshot: &Snapshot, catalogue: &Catalogue) -> Self {
        let folder = &snapshot.folder;
        let Ok(job) = Job::recorded(folder, catalogue) else { return Details::default() };
        let policy = Policy::read(folder, catalogue).ok();
        let start = job.space.start();
        let value = |&place: &usize| {
            let (parameter, value) = (&job.space.parameters()[place], policy.as_ref()?.values[place]);
            (value != start[place]).then(|| (parameter.name.clone(), parameter.show(value)))
        };
        let verdict = policy.as_ref().and_then(|policy| policy.verdict.as_ref());
        Details {
            seed: Some(job.seed),
            scores: verdict.filter(|verdict| verdict.trials > 0).map(|verdict| [verdict.start, verdict.mean]),
            values: job.space.tuned_indices().iter().filter_map(value).collect(),
            version: policy.as_ref().and_then(|policy| lineage::Entry::of(snapshot, &job, policy)),
        }
    }
}

/// The documents, which are rebuilt seldom enough that building them takes a small share of the
/// time.
pub struct States {
    /// The watched folder; `None`: the folders `results` below the current one.
    folder: Option<PathBuf>,
    command: &'static str,
    catalogue: &'static Catalogue,
    games: &'static Games,
    documents: Mutex<Documents>,
    /// The last details of each run, and when it was saved.
    details: Mutex<BTreeMap<PathBuf, (SystemTime, Details)>>,
    /// The last landscape of each run.
    known: Mutex<BTreeMap<PathBuf, Known>>,
}

#[derive(Default)]
struct Documents {
    /// The last document for each request.
    made: BTreeMap<Vec<String>, Made>,
    /// Whether the run has ended, so that what is made now is the last document.
    is_last: bool,
}

struct Made {
    at: Instant,
    took: Duration,
    json: String,
}

/// The name of the folder of runs, and how many folders below the current one it is looked for.
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

/// Collects the folders `results` below a folder. Skips hidden folders, links and folders of
/// packages.
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

impl States {
    pub fn new(
        folder: Option<PathBuf>,
        command: &'static str,
        catalogue: &'static Catalogue,
        games: &'static Games,
    ) -> Self {
        let (documents, details, known) = (Mutex::default(), Mutex::default(), Mutex::default());
        States { folder, command, catalogue, games, documents, details, known }
    }

    /// Returns the document of a run, of several runs on one page, or of all runs, and whether it
    /// is the last one; `None` if a run does not exist.
    pub fn json(&self, runs: &[String]) -> Option<(String, bool)> {
        // The lock lasts while a document is built, so that simultaneous requests get the same one.
        let Documents { made: all, is_last } = &mut *lock(&self.documents);
        if let Some(made) = all.get(runs)
            && made.at.elapsed() < (SELDOM * made.took).max(LEAST)
        {
            return Some((made.json.clone(), *is_last));
        }
        let start = Instant::now();
        let document = self.document(runs, *is_last)?;
        let json = serde_json::to_string(&document).expect("plain data becomes JSON");
        let made = Made { at: Instant::now(), took: start.elapsed(), json: json.clone() };
        all.insert(runs.to_vec(), made);
        Some((json, *is_last))
    }

    /// Makes every later document the last one.
    pub fn end(&self) {
        *lock(&self.documents) = Documents { made: BTreeMap::new(), is_last: true };
    }

    fn document(&self, runs: &[String], is_last: bool) -> Option<WatchJson> {
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
                    .then(|| WatchJson::Several { page: Box::new(Page::new(&inputs, None, self.games)) });
            }
        };
        let Some(snapshot) = snapshot else {
            let entry = |of: &Result<Snapshot, Unreadable>| Entry {
                status: status(of, root),
                job: of.as_ref().ok().map(|snapshot| snapshot.run.group),
                saved: of
                    .as_ref()
                    .ok()
                    .and_then(|snapshot| Some(snapshot.saved.duration_since(UNIX_EPOCH).ok()?.as_secs())),
                details: of.as_ref().map_or_else(|_| Details::default(), |snapshot| self.details(snapshot)),
            };
            let runs: Vec<Entry> = all.iter().map(entry).collect();
            let versions = runs.iter().filter_map(|run| run.details.version.clone()).collect();
            let series = lineage::series(versions).iter().filter_map(|series| Chart::of(series)).collect();
            return Some(WatchJson::Runs { version: env!("CARGO_PKG_VERSION"), runs, series });
        };
        // Reading may fail in the middle of a row; the next read succeeds.
        let input = self.input(folder(snapshot));
        let page = input.map(|input| Box::new(Page::new(&[input], None, self.games)));
        let report = folder(snapshot).join(REPORT);
        let is_complete = snapshot.as_ref().is_ok_and(Snapshot::is_complete);
        let report = (is_complete && report.exists()).then(|| slashed(&report));
        let status = Box::new(status(snapshot, root));
        Some(WatchJson::Run { status, server: self.command, is_last, report, page })
    }

    /// Returns the details of a run, read again after each of its saves.
    fn details(&self, snapshot: &Snapshot) -> Details {
        let mut known = lock(&self.details);
        if let Some((_, details)) = known.get(&snapshot.folder).filter(|(saved, _)| *saved == snapshot.saved) {
            return details.clone();
        }
        let details = Details::of(snapshot, self.catalogue);
        known.insert(snapshot.folder.clone(), (snapshot.saved, details.clone()));
        details
    }

    /// Reads a run. Its landscape is fitted again once the run has a tenth more trials.
    fn input(&self, folder: &Path) -> Option<Input> {
        let known = lock(&self.known).get(folder).cloned();
        let input = Input::read_after(folder, self.catalogue, known).ok()?;
        input.known().map(|known| lock(&self.known).insert(folder.to_path_buf(), known));
        Some(input)
    }
}
