//! Earlier runs that a job learns from: run folders and tables.

use crate::job::Job;
use crate::job::policy_file::weights_file;
use crate::names::{CONFIG, TRIALS, column};
use evolve_search::document::{Document, Fault, LARGEST, cell};
use evolve_search::model::learned::{Earlier, Learned, Lesson, MOST_LEARNED};
use evolve_search::model::parameter::follow::{By, Follows};
use evolve_search::model::parameter::{Kind, Parameter};
use evolve_search::model::problem::Problem;
use evolve_search::model::seed::Split;
use evolve_search::model::space::Space;
use evolve_search::model::trial::{CAPPED, is_usable};
use evolve_search::statistics::grouped;
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::fs::File;
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use thiserror::Error;

/// The earlier runs that a job learns from.
#[derive(Clone, Debug, Default)]
pub struct Lessons {
    /// Their trials in the space of the job.
    pub learned: Arc<Learned>,
    /// The number of trials and parameters used from each run.
    pub found: Vec<LearnedRun>,
}

/// The trials and parameters used from an earlier run.
#[derive(Clone, Debug, PartialEq)]
pub struct LearnedRun {
    /// The name of the run in the job.
    name: String,
    /// Number of trials used, and number of trials of its search.
    trials: [usize; 2],
    /// Number of parameters that are tuned in both jobs, and number that are tuned in this one.
    matched: [usize; 2],
}

impl fmt::Display for LearnedRun {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let LearnedRun { name, trials: [taken, all], matched: [matched, tuned] } = self;
        let of = if taken < all { format!(" of {}", grouped(*all as u64)) } else { String::new() };
        write!(f, "{taken}{of} trials of {name}, {matched} of {tuned} parameters matched")
    }
}

impl Job {
    /// Reads the earlier runs that `search.learn_from` names, for a new run; a resumed run has its
    /// own copy.
    ///
    /// # Errors
    /// If a run or table cannot be used, with the line of its name in the job.
    pub fn lessons(&self) -> Result<Lessons, Fault> {
        let Job { problem, space, .. } = self;
        let search = self.document.top("a job")?.section("search");
        let names = self.optimizer.learns_from().unwrap_or_default();
        if !names.is_empty() {
            self.optimizer.can_learn(space).map_err(|message| search.fault(&["learn_from"], message))?;
        }
        let tested = self.test_split();
        let (mut runs, mut found) = (Vec::new(), Vec::new());
        for (place, name) in names.iter().enumerate() {
            let wanted = Wanted { problem: &**problem, space, tested, most: MOST_LEARNED / names.len() };
            let run = wanted.read(Path::new(name));
            let (run, all, matched) = run.map_err(|message| {
                search.fault(&["learn_from", &place.to_string()], format!("`learn_from`: {message}"))
            })?;
            let matched = [matched, space.tuned().len()];
            found.push(LearnedRun { name: name.clone(), trials: [run.trials.len(), all], matched });
            runs.push(run);
        }
        Ok(Lessons { learned: Arc::new(Learned { runs }), found })
    }
}

/// A cell with a value of another kind.
#[derive(Debug, Error)]
#[error("must be {allowed}, not \"{}\"", text.escape_debug())]
struct NotAllowed {
    allowed: String,
    text: String,
}

/// The reason why an earlier run cannot be used.
#[derive(Debug, Error)]
enum LearnError {
    #[error(transparent)]
    Fault(#[from] Fault),
    #[error("{} has no {TRIALS}: only runs of programs record their trials", .0.display())]
    NoTable(PathBuf),
    #[error("{} has no trials of a search", .0.display())]
    NoTrial(PathBuf),
    #[error("none of the {all} trials in {} is within the ranges of this job", table.display())]
    NoneWithin { table: PathBuf, all: usize },
    #[error(
        "{}: `{of}` follows {feature} from {:?} to {:?} there, and from {:?} to {:?} in this job: write by = {{ {feature} = {there:?} }}",
        config.display(), there[0], there[there.len() - 1], here[0], here[1]
    )]
    OtherRange { config: PathBuf, of: String, feature: String, there: Vec<f64>, here: [f64; 2] },
    /// A fault in a table; `at` names the table and, if known, the line.
    #[error("{at}: {what}")]
    Table { at: String, what: String },
}

/// The trials and parameters to take from an earlier run.
struct Wanted<'a> {
    problem: &'a dyn Problem,
    space: &'a Space,
    tested: Split,
    /// Largest number of trials.
    most: usize,
}

/// The recorded job of an earlier run.
#[derive(Default)]
struct Before {
    /// The values of its parameters, tuned or not.
    fixed: Map<String, Value>,
    /// `goal` or `scale`, if this job has another one: objectives of the run then mean something
    /// else.
    differs: Option<&'static str>,
}

/// Largest size of a table, in bytes.
const LARGEST_TABLE: u64 = 16 * LARGEST;

/// The column names of a table.
struct Form {
    /// The prefix of a parameter's name.
    prefix: &'static str,
    score: &'static str,
    /// The column that identifies cases.
    case: &'static str,
    /// The column that selects rows, and its text in selected rows.
    kept: (&'static str, &'static str),
}

/// Format of `trials.csv` of a run.
const OF_RUN: Form = Form { prefix: column::VALUE, score: "score", case: "number", kept: ("stage", "search") };
/// Format of `study.trials_dataframe().to_csv()` of Optuna. All its trials have the same objective.
const OF_OPTUNA: Form = Form { prefix: "params_", score: "value", case: "", kept: ("state", "COMPLETE") };
/// Format of any other table.
const PLAIN: Form = Form { prefix: "", score: "score", case: "instance", kept: ("", "") };

impl Wanted<'_> {
    /// Returns the run at a path, the number of trials of its search and the number of matched
    /// parameters.
    fn read(&self, path: &Path) -> Result<(Earlier, usize, usize), LearnError> {
        let in_folder = path.join(TRIALS);
        let table = match path.is_dir() {
            true if !in_folder.exists() => {
                return Err(LearnError::NoTable(path.to_path_buf()));
            }
            true => in_folder,
            false => path.to_path_buf(),
        };
        let (before, best) = match path.is_dir() {
            true => (self.before(&path.join(CONFIG))?, self.recommended(&weights_file(path))?),
            false => (Before::default(), None),
        };
        let (trials, all, matched) = Table::open(table.clone())?.lessons(self, &before)?;
        if trials.is_empty() {
            return Err(match all {
                0 => LearnError::NoTrial(table),
                all => LearnError::NoneWithin { table, all },
            });
        }
        Ok((Earlier::new(best, trials, self.most), all, matched))
    }

    /// Reads the recorded job of a run.
    ///
    /// # Errors
    /// If a parameter follows a feature over another range: the same coefficient is then another
    /// function.
    fn before(&self, config: &Path) -> Result<Before, LearnError> {
        if !config.exists() {
            return Ok(Before::default());
        }
        let document = Document::read(config)?;
        let top = document.top("a job")?;
        let [program, parameters]: [Map<String, Value>; 2] =
            [top.section("program").plain()?, top.section("parameters").plain()?];
        for parameter in self.space.tuned() {
            let Some(Follows { place, feature, by: By::Number { low, high }, .. }) = parameter.follows.as_deref()
            else {
                continue;
            };
            let of = &self.space.parameters()[*place].name;
            let there = parameters.get(of).and_then(|keys| keys.get("by")?.get(feature)?.as_array());
            let there: Vec<f64> = there.into_iter().flatten().filter_map(Value::as_f64).collect();
            if !there.is_empty() && there != [*low, *high] {
                let (of, feature) = (of.clone(), feature.clone());
                return Err(LearnError::OtherRange {
                    config: config.to_path_buf(),
                    of,
                    feature,
                    there,
                    here: [*low, *high],
                });
            }
        }
        let sections = Map::from_iter([("program".to_string(), Value::Object(program))]);
        Ok(Before {
            fixed: top.section("weights").section("values").entries()?,
            differs: other_rating(&self.problem.sections(), &sections),
        })
    }

    /// Returns the values of a weights file for parameters of this job; `None` without the file.
    fn recommended(&self, path: &Path) -> Result<Option<Vec<f64>>, LearnError> {
        if !path.exists() {
            return Ok(None);
        }
        let document = Document::read(path)?;
        let top = document.top("a weights file")?;
        let section = top.section("weights");
        let entries = section.entries()?;
        let mut values = self.space.start().to_vec();
        for &place in self.space.tuned_indices() {
            let parameter = &self.space.parameters()[place];
            let read = entries.get(&parameter.name).and_then(|value| parameter.of_json(value).or(value.as_f64()));
            // If the range has changed, take the nearest value.
            let (min, max) = parameter.range();
            let near =
                read.map(|value| parameter.on_grid(value.clamp(min, max))).filter(|&value| parameter.allows(value));
            values[place] = near.unwrap_or(values[place]);
        }
        self.space.settle(&mut values);
        Ok(Some(values))
    }

    /// Returns the instances reserved for the held-out test.
    fn held_out(&self) -> BTreeSet<String> {
        let names = |split| self.problem.instances(split).unwrap_or_default().into_iter();
        let searched: BTreeSet<String> = names(Split::Search).collect();
        names(self.tested).filter(|name| !searched.contains(name)).collect()
    }
}

/// Returns the key by which two problems with these sections rate scores differently, if any.
pub fn other_rating(one: &Map<String, Value>, other: &Map<String, Value>) -> Option<&'static str> {
    let of = |sections: &Map<String, Value>, key: &str| sections.get("program").and_then(|keys| keys.get(key)).cloned();
    ["goal", "scale"].into_iter().find(|key| of(one, key) != of(other, key))
}

/// A reader of a table, row by row.
struct Table {
    path: PathBuf,
    form: &'static Form,
    header: Vec<String>,
    reader: csv::Reader<BufReader<std::io::Take<File>>>,
}

impl Table {
    fn open(path: PathBuf) -> Result<Self, LearnError> {
        let fault = |what: String| LearnError::Table { at: path.display().to_string(), what };
        let file = File::open(&path).map_err(|error| match error.kind() {
            std::io::ErrorKind::NotFound => fault("no such file or folder".to_string()),
            _ => fault(error.to_string()),
        })?;
        let mut reader = csv::Reader::from_reader(BufReader::new(file.take(LARGEST_TABLE)));
        let header = reader.headers().map_err(|error| fault(error.to_string()))?;
        let header: Vec<String> = header.iter().map(|name| name.trim_start_matches('\u{feff}').to_string()).collect();
        let has = |prefix: &str| header.iter().any(|name| name.starts_with(prefix));
        let form = [&OF_RUN, &OF_OPTUNA].into_iter().find(|form| has(form.prefix)).unwrap_or(&PLAIN);
        Ok(Table { path, form, header, reader })
    }

    fn column(&self, name: &str) -> Option<usize> {
        self.header.iter().position(|column| column == name)
    }

    /// Returns the trials in a space, the number of all trials and the number of parameters with a
    /// column. `fixed` gives values of the other parameters.
    fn lessons(mut self, of: &Wanted<'_>, before: &Before) -> Result<(Vec<Lesson>, usize, usize), LearnError> {
        let Wanted { problem, space, .. } = *of;
        let at = self.path.display().to_string();
        let in_header = |what: String| LearnError::Table { at: format!("{at}:1"), what };
        let columns: Vec<Option<usize>> =
            space.tuned().map(|parameter| self.column(&format!("{}{}", self.form.prefix, parameter.name))).collect();
        let matched = columns.iter().flatten().count();
        if matched == 0 {
            let prefix = self.form.prefix;
            let names = self.header.iter().filter_map(|name| name.strip_prefix(prefix));
            let there: Vec<String> = names.take(8).map(|name| name.escape_debug().take(40).collect()).collect();
            let here: Vec<&str> = space.tuned().map(|parameter| parameter.name.as_str()).take(8).collect();
            let (there, here) = (there.join(", "), here.join(", "));
            return Err(in_header(format!(
                "no column is a parameter of this job: the columns are {there}, and the parameters are {here}"
            )));
        }
        let score = self.column(self.form.score).ok_or_else(|| {
            let hint = if self.column("values_0").is_some() { ": a study of several objectives" } else { "" };
            in_header(format!("no column `{}`{hint}", self.form.score))
        })?;
        let [objective, case, kept, bound, instance] =
            ["objective", self.form.case, self.form.kept.0, CAPPED, "instance"].map(|name| self.column(name));
        let held_out = of.held_out();
        let unmatched = start_of(space, &columns, &before.fixed);
        let (mut lessons, mut all, mut cases) = (Vec::new(), 0, BTreeMap::new());
        let mut row = csv::StringRecord::new();
        while self.reader.read_record(&mut row).map_err(|error| table_error(&at, &error))? {
            let line = row.position().map_or(0, csv::Position::line);
            let text = |column: usize| cell::text(row.get(column).unwrap_or_default()).trim();
            let fault = |column: usize, what: String| LearnError::Table {
                at: format!("{at}:{line}: `{}`", self.header[column]),
                what,
            };
            if kept.is_some_and(|kept| text(kept) != self.form.kept.1) {
                continue;
            }
            all += 1;
            let number = |column: usize| match text(column).parse() {
                Ok(number) if is_usable(number) => Ok(number),
                _ => Err(fault(column, format!("must be a number, not \"{}\"", text(column).escape_debug()))),
            };
            let of_score = problem.objective(number(score)?);
            let objective = match (of_score, objective) {
                (Ok(objective), _) => objective,
                (Err(_), Some(objective)) => match before.differs {
                    None => number(objective)?,
                    Some(key) => {
                        let what = format!("the run has another `{key}`, so its objectives cannot be used");
                        return Err(fault(objective, what));
                    }
                },
                (Err(what), None) => return Err(fault(score, what.to_string())),
            };
            let mut values = unmatched.clone();
            for ((column, parameter), &place) in columns.iter().zip(space.tuned()).zip(space.tuned_indices()) {
                let Some(column) = *column else { continue };
                // An empty cell: the parameter had no effect in this trial.
                if !text(column).is_empty() {
                    let value = value(parameter, text(column)).map_err(|error| fault(column, error.to_string()))?;
                    values[place] = value.unwrap_or(f64::NAN);
                }
            }
            let is_within = space.parameters().iter().zip(&values).all(|(parameter, &value)| parameter.allows(value));
            let is_held_out = instance.is_some_and(|column| held_out.contains(text(column)));
            if is_within && !is_held_out {
                space.settle(&mut values);
                let count = cases.len();
                let case = *cases.entry(case.map_or("", text).to_string()).or_insert(count);
                let is_bound = bound.is_some_and(|column| text(column) == "true");
                lessons.push(Lesson { values, case, objective, is_bound });
            }
        }
        if self.reader.get_ref().get_ref().limit() == 0 {
            return Err(LearnError::Table { at, what: format!("larger than {} MiB", LARGEST_TABLE >> 20) });
        }
        Ok((lessons, all, matched))
    }
}

/// Returns the error in a table, with its line.
fn table_error(at: &str, error: &csv::Error) -> LearnError {
    let (line, what) = match (error.position(), error.kind()) {
        (Some(position), csv::ErrorKind::UnequalLengths { expected_len, len, .. }) => {
            (format!(":{}", position.line()), format!("{len} cells, and the first line has {expected_len}"))
        }
        (Some(position), csv::ErrorKind::Utf8 { .. }) => {
            (format!(":{}", position.line()), "not UTF-8 text".to_string())
        }
        _ => (String::new(), error.to_string()),
    };
    LearnError::Table { at: format!("{at}{line}"), what }
}

/// Returns the values of parameters without a column, from the earlier run or else from the start.
/// A value that is not allowed here becomes NaN.
fn start_of(space: &Space, columns: &[Option<usize>], fixed: &Map<String, Value>) -> Vec<f64> {
    let mut values = space.start().to_vec();
    for (&place, column) in space.tuned_indices().iter().zip(columns) {
        let parameter = &space.parameters()[place];
        if let Some(value) = fixed.get(&parameter.name).filter(|_| column.is_none()) {
            values[place] = parameter.of_json(value).unwrap_or(f64::NAN);
        }
    }
    values
}

/// Returns the value of a cell, also if pandas has written a whole number or a switch, and the
/// nearest one on a grid; `None` if the parameter no longer takes this value.
///
/// # Errors
/// If it is not a value of this kind.
fn value(parameter: &Parameter, text: &str) -> Result<Option<f64>, NotAllowed> {
    let fault = || Err(NotAllowed { allowed: parameter.allowed(), text: text.to_string() });
    let value = match &parameter.kind {
        Kind::Choice(_) => return Ok(parameter.parse(text)),
        Kind::Switch => match text {
            "true" | "True" => 1.0,
            "false" | "False" => 0.0,
            _ => return fault(),
        },
        Kind::Int { .. } | Kind::Float { .. } => match text.parse::<f64>() {
            Ok(value) if value.is_finite() => parameter.on_grid(value),
            _ => return fault(),
        },
    };
    Ok(parameter.allows(value).then_some(value))
}
