//! Reads the program of a job.

use crate::check;
use crate::command::Command;
use crate::constraints;
use crate::failure::OnFailure;
use crate::file::{File, MetricKeys, ParameterKeys, ProgramKeys};
use crate::instances::Instances;
use crate::limit;
use crate::parameters::marker::{self, LimitMarker, LineFault, Marker};
use crate::parameters::{self, Parameters, variable};
use crate::program::{Declaration, Program};
use crate::scale::Scale;
use crate::scenarios::Scenarios;
use crate::score::Score;
use crate::source::Language;
use crate::template::Template;
use crate::watched::{is_path, is_variable};
use evolve_core::job::{ProblemKind, Reading};
use evolve_search::document::schema;
use evolve_search::document::{Fault, Section, read_text};
use evolve_search::model::goal::Direction;
use evolve_search::model::problem::Problem;
use evolve_search::model::trial::INSTANCE;
use indexmap::IndexMap;
use schemars::Schema;
use std::collections::BTreeMap;
use std::io;
use std::path::Path;
use std::sync::Arc;
use thiserror::Error;

/// The reader of the sections that declare programs.
pub struct Programs;

/// The reader of programs, for catalogues.
pub static PROGRAM: Programs = Programs;

impl ProblemKind for Programs {
    fn sections(&self) -> &'static [&'static str] {
        &["program", "parameters", "scenarios", "constraints"]
    }

    fn schema(&self) -> Schema {
        schema::of::<File>()
    }

    fn read(&self, top: &Section<'_>, reading: Reading) -> Result<Arc<dyn Problem>, Fault> {
        Ok(Arc::new(Program::new(resolve(top.part()?, top, reading)?)))
    }
}

/// Completes the sections of a job to the declaration of a program.
///
/// # Errors
/// The first fault.
fn resolve(file: File, top: &Section<'_>, reading: Reading) -> Result<Declaration, Fault> {
    let File { program: mut keys, parameters: declared, scenarios: variables, constraints: limits } = file;
    let (section, table) = (top.section("program"), top.section("parameters"));
    let (parameters, (markers, marked)) = read_parameters(&keys.source, &declared, &section, &table)?;
    let scenarios = Scenarios::of(&variables, &parameters);
    let scenarios = scenarios.map_err(|complaint| top.section("scenarios").located(complaint))?;
    keys.env = environment(&keys, &markers, &section)?;
    limit::add_variables(&mut keys, marked.iter().map(|(_, marker)| marker));
    let parameters = parameters.restricted(&keys).map_err(|complaint| section.located(complaint))?;
    let instances = Instances::read(&section, &keys, reading)?;
    let score = read_score(&section, &keys)?.requiring(limits.keys().cloned());
    match score.clock() {
        Some(_) => keys = complete_run_time(keys, &section)?,
        None if keys.penalty.is_some() => {
            return Err(section.fault(&["penalty"], "`penalty` is for run times: set `score = \"time\"`, or remove it"));
        }
        None => {}
    }
    let best = keys.scale.best(reading).map_err(|error| section.fault(&["scale"], error))?;
    keys.on_failure = Some(read_on_failure(&keys, &section)?);
    let constraints = constraints::read(limits, &keys, &score, &section, &top.section("constraints"))?;
    limit::check(&keys, &score, &marked, &section)?;
    // A measured quantity differs from trial to trial.
    keys.deterministic &= constraints.gauges.is_empty() && keys.limit.is_none();
    let resolved = Declaration {
        name: name(&keys.command, reading),
        keys,
        parameters,
        instances,
        scenarios,
        variables,
        score,
        best,
        constraints,
        known: None,
    };
    let mut resolved = resolved.with_stops(&section)?;
    check::check(&resolved, &section, &table, reading)?;
    if reading != Reading::ToLook || resolved.keys.features.are_listed() {
        let known = resolved.read_known().map_err(|complaint| section.located(complaint))?;
        resolved.known = Some(Arc::new(known));
    }
    resolved.parameters.check_restricted().map_err(|complaint| section.located(complaint))?;
    let features = resolved.known.as_ref().map(|known| &known.features[..]);
    resolved.parameters.follow(features).map_err(|complaint| table.located(complaint))?;
    Ok(resolved)
}

/// The markers of source files: those of parameters, and those of time limits, with their file.
type Markers = (Vec<Marker>, Vec<(String, LimitMarker)>);

/// Reads the parameters that source files and the job declare. Returns the markers of the files,
/// too.
fn read_parameters(
    source: &[String],
    declared: &IndexMap<String, ParameterKeys>,
    section: &Section<'_>,
    table: &Section<'_>,
) -> Result<(Parameters, Markers), Fault> {
    let mut parameters = Parameters::default();
    let (mut markers, mut limits) = Markers::default();
    for file in source {
        let read = read_source(file, &mut parameters).map_err(|message| section.fault(&["source"], message))?;
        markers.extend(read.0);
        limits.extend(read.1.into_iter().map(|marker| (file.clone(), marker)));
    }
    for (name, keys) in declared {
        if parameters::is_example(name, keys) {
            let message = format!(
                "`{name}` is an example of `evolve init`; replace it with a parameter of your program (`evolve init \
                 --suggest` finds constants)"
            );
            return Err(table.fault(&[name], message));
        }
        parameters::add(&mut parameters, name, keys).map_err(|complaint| table.located(complaint))?;
    }
    Ok((parameters, (markers, limits)))
}

/// Returns the environment variables. Adds the variables that marked lines read, unless the job
/// passes these parameters itself.
fn environment(
    keys: &ProgramKeys,
    markers: &[Marker],
    section: &Section<'_>,
) -> Result<BTreeMap<String, Template>, Fault> {
    if let Some(name) = keys.env.keys().find(|name| !is_variable(name)) {
        return Err(section.fault(&["env", name], format!("`env.{name}`: names have letters, digits and `_`")));
    }
    let mut env = keys.env.clone();
    let is_passed = |name: &String| keys.placeholders().any(|placeholder| placeholder.name == *name);
    let read = markers.iter().filter(|marker| marker.reads_itself());
    for marker in read.filter(|marker| !keys.passes_all() && !is_passed(&marker.parameter.name)) {
        let value = Template::parse(&marker.placeholder()).expect("a placeholder");
        env.entry(variable(&marker.parameter.name)).or_insert(value);
    }
    Ok(env)
}

/// Returns how failed trials count.
fn read_on_failure(keys: &ProgramKeys, section: &Section<'_>) -> Result<OnFailure, Fault> {
    let on_failure = keys.on_failure.clone().unwrap_or_else(|| OnFailure::of_scale(&keys.scale));
    on_failure.check(&keys.scale, keys.goal).map_err(|complaint| section.located(complaint))?;
    Ok(on_failure)
}

/// Returns the name of a program, without folder and extension: the first argument of its command
/// that is an existing file, or else the first argument. If files may be missing, the first
/// argument that could be a script takes its place.
fn name(command: &Command, reading: Reading) -> String {
    let words = || command.fixed_words();
    let is_script = |word: &&str| {
        let is_file = Path::new(word).is_file();
        !word.starts_with('-') && (is_file || reading == Reading::ToLook && could_be_script(word))
    };
    let script = words().skip(1).find(is_script);
    let program = words().next().unwrap_or("program");
    let named = if is_path(program) { program } else { script.unwrap_or(program) };
    Path::new(named).file_stem().map_or_else(|| "program".to_string(), |stem| stem.to_string_lossy().into_owned())
}

/// Returns whether a word looks like the name of a script, such as `solver.py`.
fn could_be_script(word: &str) -> bool {
    let ending = Path::new(word).extension().and_then(|ending| ending.to_str());
    !word.contains(' ') && ending.is_some_and(|ending| ending.len() <= 4 && ending.starts_with(char::is_alphabetic))
}

fn read_score(section: &Section<'_>, keys: &ProgramKeys) -> Result<Score, Fault> {
    let names: &[String] = if let MetricKeys::Names(names) = &keys.metrics { names } else { &[] };
    let score = match keys.score.as_deref() {
        Some(score) if keys.worker && !score.starts_with("json:") => {
            Err("a worker answers a plain score or JSON: only \"json:NAME\" is allowed here".to_string())
        }
        written => {
            let written = written.or(keys.worker.then_some("json:score"));
            Score::parse(written, names).map_err(|error| error.to_string())
        }
    };
    let score = score.map_err(|message| section.fault(&["score"], format!("`score`: {message}")))?;
    let score = match &keys.metrics {
        MetricKeys::Names(_) => score,
        MetricKeys::Patterns(_) if keys.worker => {
            let message = "`metrics`: a worker answers JSON: write a list of names in it";
            return Err(section.fault(&["metrics"], message));
        }
        MetricKeys::Patterns(patterns) => score.beside(patterns).map_err(|complaint| section.located(complaint))?,
    };
    if score.metrics().iter().any(|name| name == INSTANCE) {
        let message = format!("a metric named `{INSTANCE}` would hide the name of the instance: choose another name");
        return Err(section.fault(&["metrics"], message));
    }
    // Which features a table has is known when it is read.
    if keys.features.is_empty() && !keys.group_by.iter().all(|metric| score.metrics().contains(metric)) {
        let message = "`group_by` is a list of metrics (named groups of `score`, or `metrics`) or `features`";
        return Err(section.fault(&["group_by"], message));
    }
    Ok(score)
}

/// Returns the keys of a program whose score is its run time, with their defaults.
fn complete_run_time(keys: ProgramKeys, section: &Section<'_>) -> Result<ProgramKeys, Fault> {
    if section.has("goal") && keys.goal == Direction::Maximize {
        return Err(section.fault(&["goal"], "a run time is minimized: remove `goal`"));
    }
    if section.has("deterministic") && keys.deterministic {
        return Err(section.fault(&["deterministic"], "a run time is not deterministic: remove `deterministic`"));
    }
    if keys.worker || keys.scorer.is_some() {
        let key = if keys.worker { "worker" } else { "scorer" };
        return Err(section.fault(&[key], format!("a run time is measured without `{key}`: remove it")));
    }
    let penalty = keys.penalty.unwrap_or(PENALTY);
    let seconds = penalty * keys.timeout.0.as_secs_f64();
    Ok(ProgramKeys {
        goal: Direction::Minimize,
        deterministic: false,
        scale: if section.has("scale") { keys.scale } else { Scale::Log },
        penalty: Some(penalty),
        on_failure: Some(OnFailure::of_run_time(keys.on_failure, seconds)),
        ..keys
    })
}

/// The usual penalty factor of a time-out: PAR10.
const PENALTY: f64 = 10.0;

/// The reason why a source file declares no parameters.
#[derive(Debug, Error)]
enum SourceError {
    #[error("{0} is not a file")]
    NoFile(String),
    #[error("{0} cannot be read: {1}")]
    Unreadable(String, io::Error),
    /// Markers are invalid: a line for each.
    #[error("{0}")]
    Markers(String),
    #[error("{0} has no markers, such as `const int K = 5; // evolve: [1, 20]`")]
    NoMarkers(String),
}

/// Adds the parameters that a source file declares. Returns its markers of parameters and of time
/// limits.
fn read_source(file: &str, parameters: &mut Parameters) -> Result<(Vec<Marker>, Vec<LimitMarker>), SourceError> {
    let path = Path::new(file);
    // Reading from a pipe would block.
    if path.exists() && !path.is_file() {
        return Err(SourceError::NoFile(file.to_string()));
    }
    let text = read_text(path).map_err(|error| SourceError::Unreadable(file.to_string(), error))?;
    let invalid = |faults: Vec<LineFault>| SourceError::Markers(LineFault::listed(&faults, &format!("{file}:")));
    let markers = marker::read(&text, Language::of(path), parameters).map_err(invalid)?;
    let limits = marker::limits(&text, Language::of(path)).map_err(invalid)?;
    match markers.is_empty() && limits.is_empty() {
        true => Err(SourceError::NoMarkers(file.to_string())),
        false => Ok((markers, limits)),
    }
}
