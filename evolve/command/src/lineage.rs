//! The versions that runs made one after another, and the gain of each.

use evolve_core::job::policy_file::{Policy, toml_value};
use evolve_core::job::recorded::RecordedVerdict;
use evolve_core::job::{Catalogue, Job};
use evolve_core::judgement::comparison::Answer;
use evolve_core::names::CHANGE;
use evolve_core::run::Snapshot;
use evolve_report::draw::Axis;
use evolve_search::file::{gone, make_folder, replace_plain, slashed};
use evolve_search::model::problem::Problem;
use evolve_search::model::rating::Rating;
use evolve_search::statistics::{Interval, counted};
use serde::{Deserialize, Serialize};
use std::borrow::Borrow;
use std::fmt;
use std::fs;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::SystemTime;

/// A program that changed after the earlier run, and the gain of the new version over the one of
/// that run.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Change {
    /// The folder of the earlier run.
    pub run: String,
    /// A file that changed.
    pub file: String,
    pub answer: Answer,
    /// The gain of the objective, with its 95 % confidence interval; `None` if the versions were
    /// not compared.
    pub gain: Option<Interval>,
    /// Whether the new version has the values of its source instead of the earlier run's.
    pub has_own_values: bool,
}

impl Change {
    /// Reads the change before a run; `None` if its program had not changed.
    pub fn read(run: &Path) -> Option<Self> {
        serde_json::from_slice(&fs::read(run.join(CHANGE)).ok()?).ok()
    }

    /// Returns whether a run starts at the values of a changed source.
    pub fn of_own_values(run: &Path) -> bool {
        Change::read(run).is_some_and(|change| change.has_own_values)
    }

    /// Keeps the change, if any, in the folder of a new run.
    ///
    /// # Errors
    /// If the file cannot be written or removed.
    pub fn keep(change: Option<&Self>, run: &Path) -> io::Result<()> {
        let path = run.join(CHANGE);
        match change {
            None => gone(fs::remove_file(&path)),
            Some(change) => {
                let text = serde_json::to_string_pretty(change).map_err(io::Error::from)?;
                make_folder(run).and_then(|()| replace_plain(&path, text.as_bytes()))
            }
        }
    }
}

/// A complete run.
#[derive(Clone, Serialize)]
pub struct Entry {
    pub run: String,
    /// The run that it follows.
    pub after: Option<String>,
    /// The change of the program before the run.
    pub change: Option<Change>,
    /// Whether the run recommends a finalist that it tested.
    pub recommends_finalist: bool,
    /// Whether the run recommends a finalist that it did not test.
    #[serde(skip)]
    pub is_untested: bool,
    /// The gain of the finalist over the baseline, with its 95 % confidence interval; `None` if
    /// there was no test.
    pub gain: Option<Interval>,
    /// The parameters that the run changed: name, value before and value now.
    pub values: Vec<[String; 3]>,
    /// Whether the best version comes from this run.
    pub is_best: bool,
    #[serde(skip)]
    pub rating: Rating,
    #[serde(skip)]
    problem: Arc<dyn Problem>,
    #[serde(skip)]
    saved: SystemTime,
}

impl Entry {
    /// Reads a complete run; `None` for other runs.
    pub fn read(run: &Snapshot, catalogue: &Catalogue) -> Option<Self> {
        let job = Job::recorded(&run.folder, catalogue).ok()?;
        Entry::of(run, &job, &Policy::read(&run.folder, catalogue).ok()?)
    }

    /// Describes a complete run by its job and its recommendation; `None` for other runs.
    pub fn of(run: &Snapshot, job: &Job, policy: &Policy) -> Option<Self> {
        if !run.is_complete() {
            return None;
        }
        let change = Change::read(&run.folder);
        let followed = Path::new(&job.baseline).is_dir().then(|| job.baseline.clone());
        let verdict = policy.verdict.as_ref();
        let values = job.space.parameters().iter().zip(job.space.start()).zip(&policy.values);
        let values = values.filter(|((_, from), to)| from != to).map(|((parameter, &from), &to)| {
            [parameter.name.clone(), toml_value(parameter, from), toml_value(parameter, to)]
        });
        Some(Entry {
            run: slashed(&run.folder),
            after: change.as_ref().map(|change| change.run.clone()).or(followed),
            is_untested: verdict.is_none(),
            recommends_finalist: verdict.and_then(RecordedVerdict::adopted).is_some(),
            gain: verdict.and_then(RecordedVerdict::interval),
            values: values.collect(),
            change,
            is_best: false,
            rating: job.problem.rating(),
            problem: Arc::clone(&job.problem),
            saved: run.saved,
        })
    }

    /// Returns the gains that this run adds: of a changed program, and of its finalist.
    fn gains(&self) -> impl Iterator<Item = Interval> {
        let change = self.change.as_ref().and_then(|change| change.gain);
        change.into_iter().chain(self.gain.filter(|_| self.recommends_finalist))
    }
}

/// Returns the series of runs: each begins with a run that follows no other, and has those that
/// follow it, in the order in which they were saved.
pub fn series(mut entries: Vec<Entry>) -> Vec<Vec<Entry>> {
    entries.sort_by(|a, b| a.saved.cmp(&b.saved).then_with(|| a.run.cmp(&b.run)));
    let mut all: Vec<Vec<Entry>> = Vec::new();
    for entry in entries {
        let follows = |series: &&mut Vec<Entry>| series.iter().any(|one| entry.after.as_ref() == Some(&one.run));
        match all.iter_mut().find(follows) {
            Some(series) => series.push(entry),
            None => all.push(vec![entry]),
        }
    }
    all
}

/// Returns a run and those that it follows, the first one first. `find` returns a run by its name.
fn line<E: Borrow<Entry>>(run: E, find: impl Fn(&str) -> Option<E>) -> Vec<E> {
    let mut line = vec![run];
    let before = |line: &[E]| {
        let after = line.last()?.borrow().after.as_deref()?;
        // A run may be there again under the name of an earlier one.
        let is_new = line.iter().all(|one| one.borrow().run != after);
        is_new.then(|| find(after)).flatten()
    };
    while let Some(one) = before(&line) {
        line.push(one);
    }
    line.reverse();
    line
}

/// Returns a run of a series and those that it follows, the first one first.
fn line_in<'a>(series: &'a [Entry], run: &'a Entry) -> Vec<&'a Entry> {
    line(run, |name| series.iter().find(|one| one.run == name))
}

/// Returns the gains that the runs of a line add, with their scales.
fn gains<E: Borrow<Entry>>(line: &[E]) -> impl Iterator<Item = (Rating, Interval)> {
    line.iter().map(Borrow::borrow).flat_map(|one| one.gains().map(|gain| (one.rating, gain)))
}

/// Returns why the gains of a line of runs do not add up, the first one first; `None` if they do.
fn gap<E: Borrow<Entry>>(line: &[E]) -> Option<String> {
    let all = || line.iter().map(Borrow::borrow);
    if let Some(change) = all().find_map(|one| one.change.as_ref().filter(|change| change.gain.is_none())) {
        return Some(format!("{} changed after {}, and was not compared", change.file, change.run));
    }
    // The last one reads the inputs of a program.
    let measure = |one: &Entry| {
        let problem = &one.problem;
        (one.rating, problem.goal(), problem.player(), problem.comparison_key())
    };
    let first = measure(all().next()?);
    let other = all().skip(1).find(|one| measure(one) != first)?;
    Some(format!("{} has other instances or scores", other.run))
}

/// The gain of a run over the baseline of the first one of its line.
pub struct Total {
    first: String,
    /// The gain by a number of steps, or why it is unknown.
    gain: Result<(Rating, Interval, usize), String>,
}

impl Total {
    /// Adds up the gains of a line of runs, the first one first. Returns `None` for a single run,
    /// or without any gain.
    fn of<E: Borrow<Entry>>(line: &[E]) -> Option<Self> {
        let [first, _, ..] = line else { return None };
        let gains: Vec<(Rating, Interval)> = gains(line).collect();
        let gain = match gap(line) {
            Some(gap) => Err(gap),
            None => {
                let (steps, (rating, gain)) = (gains.len(), Rating::sum_of(gains)?);
                Ok((rating, gain, steps))
            }
        };
        Some(Total { first: first.borrow().run.clone(), gain })
    }

    /// Adds up the gains of the run in a folder and of those that it follows.
    pub fn to(folder: &Path, catalogue: &Catalogue) -> Option<Self> {
        let read = |folder: &str| Entry::read(&Snapshot::of(Path::new(folder), catalogue)?.ok()?, catalogue);
        Total::of(&line(read(&slashed(folder))?, read))
    }

    /// Adds up the gains up to the last run of a series.
    pub fn of_series(series: &[Entry]) -> Option<Self> {
        Total::of(&line_in(series, series.last()?))
    }
}

impl fmt::Display for Total {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Total { first, gain } = self;
        write!(f, "gain of the objective over the baseline of {first}: ")?;
        match gain {
            Ok((rating, gain, steps)) => {
                write!(f, "{}, by {}", rating.sentence(*gain), counted(*steps as u64, "step"))
            }
            Err(gap) => write!(f, "unknown: {gap}"),
        }
    }
}

/// The gain of each version of a series over the first baseline, to be drawn.
#[derive(Serialize)]
pub struct Chart {
    name: String,
    versions: Axis,
    gain: Axis,
    /// The first point is the baseline.
    points: Vec<Point>,
}

#[derive(Serialize)]
struct Point {
    version: usize,
    y: f64,
    low: f64,
    high: f64,
    name: String,
}

impl Chart {
    /// Returns the chart of a series; `None` if it has fewer than two runs, or their gains do not
    /// add up.
    pub fn of(series: &[Entry]) -> Option<Self> {
        let first = series.first()?;
        if series.len() < 2 || gap(series).is_some() {
            return None;
        }
        let mut points = vec![Point { version: 0, y: 0.0, low: 0.0, high: 0.0, name: "baseline".to_string() }];
        for entry in series {
            let gain = Rating::sum_of(gains(&line_in(series, entry))).map(|(_, gain)| gain);
            let Interval { mean: y, low, high } = gain.unwrap_or(Interval { mean: 0.0, low: 0.0, high: 0.0 });
            points.push(Point { version: points.len(), y, low, high, name: entry.run.clone() });
        }
        let heights: Vec<f64> = points.iter().flat_map(|point| [point.low, point.high]).collect();
        Some(Chart {
            name: first.run.clone(),
            versions: Axis::counting(series.len() as u64, 8),
            gain: Axis::around(heights, 5).in_percent(first.rating),
            points,
        })
    }
}
