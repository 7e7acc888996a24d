//! The contents of `state.json`: progress of the runs, and the data that the page of a run draws.

use evolve_core::job::Catalogue;
use evolve_core::run::files::slashed;
use evolve_core::run::state::{Evidence, State};
use evolve_core::run::{Standing, Unreadable};
use evolve_core::statistics::Interval;
use evolve_report::page::{Input, Page};
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// Where a run stands.
#[derive(Default, Serialize)]
pub struct Stands {
    /// Its folder below the one that is watched; empty if it is that.
    run: String,
    /// `running`, `stopped`, `complete` or `unreadable`.
    state: &'static str,
    /// Its phase: `baseline`, `search`, `validation`, `selection`, `effects`, `test`, `done`; `null` before its first
    /// checkpoint.
    phase: Option<&'static str>,
    /// Progress by time, from 0 to 1.
    share: f64,
    /// Completed generations, and their number if the job limits it.
    generation: Option<u64>,
    generations: Option<u64>,
    /// Trials so far, failed ones that count, and capped ones.
    trials: Option<u64>,
    failures: Option<u64>,
    capped: Option<u64>,
    /// Seconds spent on trials, and those that are left at that speed.
    seconds: Option<f64>,
    seconds_left: Option<f64>,
    /// The difference from the baseline: mean, and the ends of its 95 % confidence interval.
    difference: Option<Interval>,
    /// What that is estimated from: the search's `model`, a `validation` or the `test`.
    evidence: Option<Evidence>,
}

impl Stands {
    /// The run of a standing, named from a folder above it.
    fn new(standing: &Standing, root: &Path) -> Self {
        let state = standing.state.as_ref();
        let gain = state.and_then(State::gain);
        Stands {
            run: name(&standing.folder, root),
            state: standing.condition(),
            phase: state.map(|state| state.phase.name()),
            share: standing.share,
            generation: state.map(|_| standing.generation()),
            generations: standing.job.limits.generations,
            trials: state.map(|state| state.games),
            failures: state.map(|state| state.failures),
            capped: state.map(|state| state.capped),
            seconds: state.map(|state| state.seconds),
            seconds_left: standing.left.map(|left| left.as_secs_f64()),
            difference: gain.map(|gain| gain.interval),
            evidence: gain.map(|gain| gain.evidence),
        }
    }
}

/// A run's entry in the list of all.
fn stands(of: &Result<Standing, Unreadable>, root: &Path) -> Stands {
    match of {
        Ok(standing) => Stands::new(standing, root),
        Err(Unreadable { folder, .. }) => Stands { run: name(folder, root), state: "unreadable", ..Stands::default() },
    }
}

fn folder(of: &Result<Standing, Unreadable>) -> &Path {
    of.as_ref().map_or_else(|unreadable| &unreadable.folder, |standing| &standing.folder)
}

fn name(folder: &Path, root: &Path) -> String {
    slashed(folder.strip_prefix(root).unwrap_or(folder))
}

/// All runs, or one with what its page draws.
#[derive(Serialize)]
#[serde(untagged)]
enum Document {
    Runs {
        version: &'static str,
        runs: Vec<Stands>,
    },
    Run {
        #[serde(flatten)]
        stands: Stands,
        /// `null` as long as there is nothing to draw.
        page: Option<Box<Page>>,
    },
}

/// The documents. Each is rebuilt rarely enough that building takes a small share of the time.
pub struct States {
    root: PathBuf,
    catalogue: &'static Catalogue,
    made: Mutex<BTreeMap<Option<String>, Made>>,
    /// When a document was asked for last.
    asked: Mutex<Option<Instant>>,
}

struct Made {
    at: Instant,
    took: Duration,
    json: String,
}

/// A document is rebuilt at most once in this many times of its building time, so that watching costs a run very
/// little.
const SELDOM: u32 = 50;
/// And at most so often.
const LEAST: Duration = Duration::from_millis(900);
/// For how long a page that asked is taken to be open.
const OPEN: Duration = Duration::from_secs(5);

impl States {
    pub fn new(root: PathBuf, catalogue: &'static Catalogue) -> Self {
        States { root, catalogue, made: Mutex::default(), asked: Mutex::default() }
    }

    /// The document of a run, or of all; `None` if there is no such run.
    pub fn json(&self, run: Option<&str>) -> Option<String> {
        *self.asked.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
        // Locked while one is made: two who ask at the same time get the same.
        let mut all = self.made.lock().unwrap_or_else(PoisonError::into_inner);
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
        let all = Standing::below(&self.root, self.catalogue);
        let standing = match run {
            // Among those that are there: no name leads anywhere else.
            Some(run) => Some(all.iter().find(|of| name(folder(of), &self.root) == run)?),
            None => all.first().filter(|first| all.len() == 1 || folder(first) == self.root),
        };
        let Some(standing) = standing else {
            let runs = all.iter().map(|of| stands(of, &self.root)).collect();
            return Some(Document::Runs { version: env!("CARGO_PKG_VERSION"), runs });
        };
        // A table may be read in the middle of a row; the next time it is whole.
        let folder = folder(standing);
        let shown = slashed(folder);
        let input = Input::read(folder, shown, self.catalogue).ok();
        let page = input.map(|input| Box::new(Page::new(&[input], None)));
        Some(Document::Run { stands: stands(standing, &self.root), page })
    }

    /// Waits until a page that is open has asked again, for a few seconds at most.
    pub fn part(&self) {
        let asked = || *self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        let is_open = |at: Option<Instant>| at.is_some_and(|at| at.elapsed() < OPEN);
        let before = asked();
        self.made.lock().unwrap_or_else(PoisonError::into_inner).clear();
        while is_open(before) && asked() == before {
            thread::sleep(Duration::from_millis(50));
        }
        if asked() != before {
            // The answer is on its way.
            thread::sleep(Duration::from_millis(300));
        }
    }
}
