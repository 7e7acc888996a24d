//! Reads and checks job files.

use super::file::{File, SearchKeys, Weights};
use super::{DEFAULTS, Job, Limits, pattern};
use crate::job::Catalogue;
use crate::job::policy_file::{Policy, read_values, weights_file};
use crate::names::CONFIG;
use evolve_search::document::schema;
use evolve_search::document::schema::properties;
use evolve_search::document::text::{inline, suggestion};
use evolve_search::document::{Document, Fault, Section};
use evolve_search::model::parameter::{Kind, Parameter};
use evolve_search::model::problem::Problem;
use evolve_search::model::space::Space;
use evolve_search::optimizer::{Method, Settings};
use evolve_search::statistics::LEAST_CLAIM;
use serde_json::{Map, Value};
use std::path::Path;
use std::sync::Arc;

impl Job {
    /// Reads and checks a job file.
    ///
    /// # Errors
    /// The first fault, with its place and the allowed values.
    pub fn read(path: &Path, catalogue: &Catalogue) -> Result<Self, Fault> {
        Self::parse(&Document::read(path)?, catalogue)
    }

    /// Reads the job in a run's folder to inspect the run. The program and the instances of the job
    /// may be missing.
    ///
    /// # Errors
    /// The first fault in the file.
    pub fn recorded(folder: &Path, catalogue: &Catalogue) -> Result<Self, Fault> {
        Self::read(&folder.join(CONFIG), &catalogue.to_look())
    }

    /// Checks a job and resolves it.
    ///
    /// # Errors
    /// The first fault, with its place.
    pub fn parse(document: &Document, catalogue: &Catalogue) -> Result<Self, Fault> {
        let top = document.top("a job")?;
        let kind = catalogue.kind(&top)?;
        let own = properties(&schema::of::<File>());
        top.only(own.keys().map(String::as_str).chain(kind.sections().iter().copied()))?;
        let File { name, seed, version, weights, search: keys } = top.part()?;
        let (limits, sizes, deadline) = (keys.limits(), keys.sizes(), keys.deadline);
        let search = top.section("search");
        let method = read_method(&search, &keys.optimizer, catalogue)?;
        check_name(&top, &name)?;
        if limits == Limits::default() {
            let message =
                "[search] needs a limit: `budget` (trials), `generations`, `time` (such as \"8h\"), or `deadline`";
            return Err(search.fault(&[], message));
        }
        let optimizer: Arc<dyn Settings> = (method.read)(&search)?.into();
        let problem = kind.read(&top, catalogue.reading())?;
        let submission = kind.read_submission(&top, &problem)?;
        let baseline = weights.start.clone();
        let space = read_space(&top.section("weights"), weights, &*problem, catalogue)?;
        let of_problem = top.section(kind.sections()[0]);
        space.check_forbidden().map_err(|complaint| of_problem.located(complaint))?;
        let first = read_first(&search, &*optimizer, &*problem, &space)?;
        let space = space.trying(first);
        check_size(&search, optimizer.points(), space.coordinates().len())?;

        sizes.check(&*problem).map_err(|complaint| search.located(complaint))?;
        let catalogue = catalogue.clone();
        let job = Job {
            name,
            seed,
            problem,
            submission,
            space,
            baseline,
            optimizer,
            limits,
            deadline,
            sizes,
            test_skips: keys.test_skips,
            version,
            catalogue,
            document: Arc::new(document.clone()),
        };
        if job.test_skips > 0 && job.test_instances(job.test_split()).is_some_and(|left| left.len() < LEAST_CLAIM) {
            let message = format!("`test_skips` leaves fewer than {LEAST_CLAIM} instances for the test: remove it");
            return Err(search.fault(&["test_skips"], message));
        }
        Ok(job)
    }
}

/// Checks the size of a generation: memory holds it several times, and the checkpoint once.
fn check_size(search: &Section<'_>, points: Option<usize>, coordinates: usize) -> Result<(), Fault> {
    const MOST: usize = MOST_COORDINATES * MOST_COORDINATES;
    match points {
        Some(points) if points * coordinates > MOST => {
            let message = format!(
                "`search.population` is {points}; the maximum in this space of {coordinates} dimensions is {}",
                MOST / coordinates
            );
            Err(search.fault(&["population"], message))
        }
        _ => Ok(()),
    }
}

fn check_name(top: &Section<'_>, name: &str) -> Result<(), Fault> {
    let is_part = |part: &str| {
        !part.is_empty()
            && !part.starts_with('.')
            && part.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.'))
    };
    let fault = |rest: String| Err(top.fault(&["name"], format!("`name` is a folder below `results/`: {rest}")));
    // File systems limit the length of names and paths.
    if name.split('/').any(|part| part.len() > 255) || name.len() > 1000 {
        return fault("a part is longer than 255 letters".to_string());
    }
    match name.split('/').all(is_part) {
        true => Ok(()),
        false => fault(format!(
            "parts of letters, digits, `-`, `_` and `.` (not first), with `/` between them; not \"{}\"",
            name.escape_debug()
        )),
    }
}

/// The largest number of coordinates. A generation may have as many points as coordinates, and each
/// point has a value for each coordinate.
const MOST_COORDINATES: usize = 2000;

fn read_space(
    section: &Section<'_>,
    weights: Weights,
    problem: &dyn Problem,
    catalogue: &Catalogue,
) -> Result<Space, Fault> {
    let mut parameters = problem.parameters();
    let values = read_values(&section.section("values"), &parameters)?;
    let mut start: Vec<f64> = parameters.iter().map(|parameter| parameter.start).collect();
    // The config of a run has all values; the run that they come from may be elsewhere.
    if values.contains(&None) {
        read_start(section, problem, &parameters, &weights.start, &mut start, catalogue)?;
    }
    start.iter_mut().zip(values).for_each(|(start, value)| *start = value.unwrap_or(*start));
    narrow_all(section, problem, &weights, &mut parameters, &start)?;
    let tuned = read_tuned(section, problem, &parameters, weights)?;
    let space = problem.space(parameters, start, tuned);
    let count = space.coordinates().len();
    if count > MOST_COORDINATES {
        let message = format!(
            "the search would have {count} dimensions (one for a number, one for each name of a choice), and the \
                maximum is {MOST_COORDINATES}: exclude some with `weights.exclude`"
        );
        return Err(section.fault(&[], message));
    }
    Ok(space)
}

/// Returns the candidates to play first. Parameters that one does not name have their start.
fn read_first(
    search: &Section<'_>,
    optimizer: &dyn Settings,
    problem: &dyn Problem,
    space: &Space,
) -> Result<Vec<Vec<f64>>, Fault> {
    let all = optimizer.first(space).map_err(|error| search.fault(&["first"], error))?;
    let read = |(place, named): (usize, &Map<String, Value>)| {
        let index = place.to_string();
        let fault = |key: &[&str], message: String| {
            search.fault(&[&["first", &index], key].concat(), format!("`first`, candidate {}: {message}", place + 1))
        };
        let mut values = space.start().to_vec();
        for (name, value) in named {
            let at = |message: String| fault(&[name], message);
            let place = space.parameters().iter().position(|parameter| parameter.name == *name);
            let place = place.ok_or_else(|| at(problem.unknown(name)))?;
            if !space.tuned_indices().contains(&place) {
                return Err(at(format!("`{name}` is not tuned")));
            }
            let parameter = &space.parameters()[place];
            values[place] = parameter.of_json(value).ok_or_else(|| {
                at(format!("`{name}` takes {}, not {}", parameter.allowed_instead(value.as_f64()), inline(value)))
            })?;
        }
        space.settle(&mut values);
        space.check(&values).map_err(|error| fault(&[], error.to_string()))?;
        Ok(values)
    };
    all.iter().enumerate().map(read).collect()
}

/// Narrows the ranges of the parameters that `weights.ranges` names.
fn narrow_all(
    section: &Section<'_>,
    problem: &dyn Problem,
    weights: &Weights,
    parameters: &mut [Parameter],
    start: &[f64],
) -> Result<(), Fault> {
    for (name, range) in &weights.ranges {
        let fault = |message: String| section.fault(&["ranges", name], message);
        let place = parameters.iter().position(|parameter| parameter.name == *name);
        let place = place.ok_or_else(|| fault(problem.unknown(name)))?;
        let parameter = &mut parameters[place];
        let [min, max] = range.0.each_ref().map(|end| end.as_f64().unwrap_or(f64::NAN));
        if !narrow(parameter, min, max) {
            let allowed = parameter.allowed();
            return Err(fault(format!("the range of `{name}` must be [smallest, largest], each {allowed}")));
        }
        if !parameter.allows(start[place]) {
            let start = parameter.show(start[place]);
            return Err(fault(format!("the start of `{name}` is {start}, outside this range")));
        }
    }
    Ok(())
}

/// Returns the indices of the tuned parameters, in ascending order.
fn read_tuned(
    section: &Section<'_>,
    problem: &dyn Problem,
    parameters: &[Parameter],
    weights: Weights,
) -> Result<Vec<usize>, Fault> {
    let mut is_tuned = vec![false; parameters.len()];
    for (key, patterns, value) in [("include", weights.include, true), ("exclude", weights.exclude, false)] {
        for pattern in patterns {
            let fitting = (0..parameters.len()).filter(|&i| pattern::fits(&pattern, &parameters[i].name));
            let fitting: Vec<usize> = fitting.collect();
            if fitting.is_empty() {
                return Err(section.fault(&[key], problem.unknown(&pattern)));
            }
            for i in fitting {
                is_tuned[i] = value;
            }
        }
    }
    let tuned: Vec<usize> = (0..parameters.len()).filter(|&i| is_tuned[i]).collect();
    if tuned.is_empty() {
        return Err(section.fault(&[], "no weight is left to tune: `exclude` covers all of `include`"));
    }
    Ok(tuned)
}

/// Narrows the range of a number. Returns whether the new range is valid.
fn narrow(parameter: &mut Parameter, from: f64, to: f64) -> bool {
    let is_range = from < to && [from, to].into_iter().all(|end| parameter.allows(end));
    match &mut parameter.kind {
        Kind::Float { min, max, .. } if is_range => (*min, *max) = (from, to),
        Kind::Int { min, max, .. } if is_range => (*min, *max) = (from as i64, to as i64),
        _ => return false,
    }
    true
}

/// Replaces the declared start values by the values of a weights file. If the job declares
/// the parameters itself, they may have changed since that file was written. Values are then
/// matched by name, and used where they still fit; the earlier program may be missing.
fn read_start(
    section: &Section<'_>,
    problem: &dyn Problem,
    parameters: &[Parameter],
    from: &str,
    start: &mut [f64],
    catalogue: &Catalogue,
) -> Result<(), Fault> {
    if from == DEFAULTS {
        return Ok(());
    }
    let fault = |message: String| section.fault(&["start"], format!("`weights.start`: {message}"));
    if problem.declared().is_some() {
        return read_fitting(Path::new(from), parameters, start).map_err(|error| fault(error.to_string()));
    }
    let policy = Policy::read(Path::new(from), catalogue).map_err(|error| fault(error.to_string()))?;
    let other = policy.problem.name();
    if other != problem.name() {
        return Err(fault(format!("{from} has weights of {other}")));
    }
    for (parameter, (start, value)) in parameters.iter().zip(start.iter_mut().zip(policy.values)) {
        *start = if parameter.allows(value) { value } else { *start };
    }
    Ok(())
}

/// Copies the values of a weights file that fit these parameters.
fn read_fitting(path: &Path, parameters: &[Parameter], start: &mut [f64]) -> Result<(), Fault> {
    let document = Document::read(&weights_file(path))?;
    let section = document.top("a weights file")?.section("weights");
    let mut fitting = 0;
    let entries = section.entries()?;
    for (parameter, start) in parameters.iter().zip(start) {
        if let Some(value) = entries.get(&parameter.name).and_then(|value| parameter.of_json(value)) {
            *start = value;
            fitting += 1;
        }
    }
    match fitting {
        0 => Err(section.fault(&[], "none of these values belongs to a parameter")),
        _ => Ok(()),
    }
}

/// Finds the optimizer that a job names. Keys of other optimizers are faults.
fn read_method(section: &Section<'_>, name: &str, catalogue: &Catalogue) -> Result<&'static Method, Fault> {
    let names: Vec<_> = catalogue.methods().map(|method| method.name).collect();
    let method = catalogue.methods().find(|method| method.name == name).ok_or_else(|| {
        let (hint, name) = (suggestion(name, names.iter().copied()), name.escape_debug());
        section.fault(&["optimizer"], format!("no optimizer `{name}`; the optimizers are: {}{hint}", names.join(", ")))
    })?;
    let own = properties(&(method.keys)());
    for other in catalogue.methods() {
        let foreign = properties(&(other.keys)());
        if let Some(key) = foreign.keys().find(|key| section.has(key) && !own.contains_key(*key)) {
            let message = format!(
                "`{key}` is a key of the optimizer `{}`, and this is `{name}`: remove it, or set `optimizer = \"{}\"`",
                other.name, other.name
            );
            return Err(section.fault(&[key], message));
        }
    }
    let keys = properties(&schema::of::<SearchKeys>());
    section.only(keys.keys().chain(own.keys()).map(String::as_str))?;
    Ok(method)
}
