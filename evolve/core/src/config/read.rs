//! Reading a job file.

use super::keys::{self, SECTIONS, Search, Top, Weights};
use super::{CONFIG, Finals, Job, Limits, Named, Validation, pattern};
use crate::document::{Document, Faults, Section, nearest};
use crate::optimizer::{Method, Settings};
use crate::parameter::{Kind, Parameter};
use crate::policy_file::{Policy, read_value, read_values, unknown, weights_file};
use crate::problem::Catalogue;
use crate::retired;
use crate::seed::Purpose;
use crate::source::{Source, read_player};
use crate::space::Space;
use crate::statistics::LEAST_SAMPLE;
use std::path::Path;
use std::sync::Arc;

impl Job {
    /// Reads and checks a job file.
    ///
    /// # Errors
    /// All mistakes in it, each with its line and what is allowed.
    pub fn read(path: &Path, catalogue: &Catalogue) -> Result<Self, Faults> {
        Self::parse(&Document::read(path)?, catalogue)
    }

    /// Reads the job of a run in its folder, to look at what the run left: what the job names, such as a program and its
    /// instances, need not be there any more.
    ///
    /// # Errors
    /// All mistakes in it.
    pub fn recorded(folder: &Path, catalogue: &Catalogue) -> Result<Self, Faults> {
        Self::read(&folder.join(CONFIG), &catalogue.to_look())
    }

    /// Checks a job.
    ///
    /// # Errors
    /// All mistakes in it, each with its line and what is allowed.
    pub fn parse(document: &Document, catalogue: &Catalogue) -> Result<Self, Faults> {
        document.parse("a job", |top| read(top, catalogue))
    }
}

fn read(top: &mut Section<'_>, catalogue: &Catalogue) -> Option<Job> {
    let Top { name, seed, version } = Top::read(top);
    check_name(top, &name);
    let source = Source::read(top, catalogue);
    let submission = match &source {
        Some(source) if top.has("submission") => read_player(top, "submission", &*source.problem),
        Some(source) => Some(source.setup.player.clone()),
        None => {
            top.section("submission").rest();
            None
        }
    };
    let mut section = top.section("weights");
    let space = source.as_ref().and_then(|source| read_space(&mut section, source, catalogue));
    let (optimizer, limits) = read_search(top.section("evolution"), catalogue);
    let optimizer = optimizer?;
    if let (Some(space), Some(points)) = (&space, optimizer.points()) {
        check_size(top, points, space.coordinates().len());
    }
    let mut section = top.section("validation");
    let validation = keys::Validation::read(&mut section);
    section.finish(&names("validation"));
    let mut section = top.section("final");
    let finals = keys::Final::read(&mut section);
    section.finish(&names("final"));
    let known = SECTIONS.iter().map(|section| section.name).filter(|name| !name.is_empty() && !name.contains('.'));
    let declared = Source::sections(catalogue);
    top.finish(&names("").into_iter().chain(known).chain(declared).collect::<Vec<_>>());

    let share = |of: u64, otherwise: usize| match limits.budget {
        Some(budget) => (budget / of).clamp(LEAST_SAMPLE as u64, 10_000) as usize,
        None => otherwise,
    };
    // Repetitions of an instance say ever less of the others.
    let instances = source.as_ref().and_then(|source| source.problem.instances(Purpose::Verdict));
    let most_of_instances = instances.map_or(usize::MAX, |names| (5 * names.len()).max(LEAST_SAMPLE));
    let named = Named {
        held_out: validation.games.is_some(),
        finalists: finals.games.is_some(),
        verdict: finals.verdict.is_some(),
    };
    let validation = Validation { games: validation.games.unwrap_or_else(|| share(200, 200)) };
    let finals = Finals {
        games: finals.games.unwrap_or_else(|| share(100, 500)),
        verdict: finals.verdict.unwrap_or_else(|| share(10, 1000).min(most_of_instances)),
    };
    let (source, submission, space) = (source?, submission?, space?);
    let catalogue = catalogue.clone();
    Some(Job {
        name,
        seed,
        source,
        submission,
        space,
        optimizer,
        limits,
        validation,
        finals,
        named,
        version,
        catalogue,
    })
}

/// A generation is in memory several times, and in the checkpoint.
fn check_size(top: &Section<'_>, points: usize, coordinates: usize) {
    const MOST: usize = MOST_COORDINATES * MOST_COORDINATES;
    if points * coordinates > MOST {
        let message = format!(
            "`evolution.population` is {points}; in this space of {coordinates} coordinates {} are the most",
            MOST / coordinates
        );
        top.report(top.line_of("evolution"), message);
    }
}

/// The names of a section's keys.
fn names(section: &str) -> Vec<&'static str> {
    let section = SECTIONS.iter().find(|keys| keys.name == section);
    section.map(|section| section.keys.iter().map(|key| key.name).collect()).unwrap_or_default()
}

fn check_name(top: &Section<'_>, name: &str) {
    let is_part = |part: &str| {
        !part.is_empty()
            && !part.starts_with('.')
            && part.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.'))
    };
    // What file systems take.
    if name.split('/').any(|part| part.len() > 255) || name.len() > 1000 {
        top.report(top.line_of("name"), "`name` is a folder below `results/`: no part is longer than 255 letters");
    }
    // An empty one was reported already.
    if !name.is_empty() && !name.split('/').all(is_part) {
        let message = format!(
            "`name` is a folder below `results/`: parts of letters, digits, `-`, `_` and `.` (not first), with `/` \
             between them; not \"{}\"",
            name.escape_debug()
        );
        top.report(top.line_of("name"), message);
    }
}

/// The most coordinates of a search: a generation may have a point for each of them, with a value for each of them.
const MOST_COORDINATES: usize = 2000;

fn read_space(section: &mut Section<'_>, source: &Source, catalogue: &Catalogue) -> Option<Space> {
    let mut parameters = source.problem.parameters();
    if parameters.is_empty() {
        // Reported by whoever declares the problem.
        section.rest();
        return None;
    }
    let Weights { start: from, evolve, fixed } = Weights::read(section);
    let mut start = read_start(section, source, &parameters, &from, catalogue);
    for (place, value, _) in read_values(&mut section.section("values"), source, &parameters) {
        start[place] = value;
    }
    let mut ranges = section.section("ranges");
    for free in ranges.rest() {
        let Some(place) = parameters.iter().position(|parameter| parameter.name == free.name) else {
            ranges.report(Some(free.line), unknown(source, &parameters, &free.name));
            continue;
        };
        let parameter = &mut parameters[place];
        match free.numbers().as_deref() {
            Some(&[min, max]) if narrow(parameter, min, max) => {}
            _ => {
                let (min, max) = parameter.range();
                let message = format!(
                    "the range of `{}` is [smallest, largest] within {min} and {max}, the first below the second",
                    parameter.name
                );
                ranges.report(Some(free.line), message);
                continue;
            }
        }
        if !parameter.allows(start[place]) {
            let message =
                format!("`{}` starts at {}, which is outside this range", parameter.name, parameter.show(start[place]));
            ranges.report(Some(free.line), message);
        }
    }
    let mut is_evolving = vec![false; parameters.len()];
    for (key, patterns, value) in [("evolve", evolve, true), ("fixed", fixed, false)] {
        for pattern in patterns {
            let fitting = (0..parameters.len()).filter(|&i| pattern::fits(&pattern, &parameters[i].name));
            let fitting: Vec<usize> = fitting.collect();
            if fitting.is_empty() {
                let message = match pattern.contains('*') {
                    true => {
                        format!("no weight fits `{pattern}` (`evolve init --game {}` lists all)", source.problem.name())
                    }
                    false => unknown(source, &parameters, &pattern),
                };
                section.report(section.line_of(key), message);
            }
            for i in fitting {
                is_evolving[i] = value;
            }
        }
    }
    let evolving: Vec<usize> = (0..parameters.len()).filter(|&i| is_evolving[i]).collect();
    if evolving.is_empty() {
        section.report(None, "no weight is left to evolve: `evolve` less `fixed` is empty");
    }
    section.finish(&[names("weights"), vec!["values", "ranges"]].concat());
    let space = Space::new(parameters, start, evolving);
    let count = space.coordinates().len();
    if count > MOST_COORDINATES {
        let message = format!(
            "the search would have {count} coordinates (a number is one, a choice one for each name), and \
             {MOST_COORDINATES} are the most: leave some of `weights.evolve` out"
        );
        section.report(None, message);
    }
    Some(space)
}

/// Narrows the range of a number; whether it could.
fn narrow(parameter: &mut Parameter, from: f64, to: f64) -> bool {
    let (least, most) = parameter.range();
    if !(least <= from && from < to && to <= most) {
        return false;
    }
    match &mut parameter.kind {
        Kind::Float { min, max, .. } => (*min, *max) = (from, to),
        Kind::Int { min, max, .. } if from.fract() == 0.0 && to.fract() == 0.0 => {
            (*min, *max) = (from as i64, to as i64);
        }
        _ => return false,
    }
    true
}

/// The starting values: the declared ones, or those of a weights file. Where a job declares parameters, these may have
/// come, gone or changed since: values are taken by name, as far as they still fit, and the earlier program need not
/// be there any more.
fn read_start(
    section: &Section<'_>,
    source: &Source,
    parameters: &[Parameter],
    from: &str,
    catalogue: &Catalogue,
) -> Vec<f64> {
    let mut start: Vec<f64> = parameters.iter().map(|parameter| parameter.start).collect();
    if from == "defaults" {
        return start;
    }
    let line = section.line_of("start");
    if source.is_declared() {
        match read_fitting(Path::new(from), parameters, &mut start) {
            Ok(()) => {}
            Err(faults) => section.report(line, format!("`weights.start`: {faults}")),
        }
        return start;
    }
    match Policy::read(Path::new(from), catalogue) {
        Err(faults) => section.report(line, format!("`weights.start`: {faults}")),
        Ok(policy) if policy.source.problem.name() != source.problem.name() => {
            let other = policy.source.problem.name();
            section.report(line, format!("`weights.start`: {from} holds weights of {other}"));
        }
        Ok(policy) => {
            for (parameter, (start, value)) in parameters.iter().zip(start.iter_mut().zip(policy.values)) {
                *start = if parameter.allows(value) { value } else { *start };
            }
        }
    }
    start
}

/// Takes the values of a weights file that are values of these parameters.
fn read_fitting(path: &Path, parameters: &[Parameter], start: &mut [f64]) -> Result<(), Faults> {
    Document::read(&weights_file(path))?.parse("a weights file", |top| {
        let mut section = top.section("weights");
        let mut fitting = 0;
        for free in section.rest() {
            let place = parameters.iter().position(|parameter| parameter.name == free.name);
            if let Some((place, value)) = place.and_then(|place| Some((place, read_value(&free, &parameters[place])?)))
            {
                start[place] = value;
                fitting += 1;
            }
        }
        if fitting == 0 {
            section.report(None, "none of these values is one of a parameter");
        }
        top.rest();
        Some(())
    })
}

fn read_search(mut section: Section<'_>, catalogue: &Catalogue) -> (Option<Arc<dyn Settings>>, Limits) {
    let Search { optimizer, budget, generations, time } = Search::read(&mut section);
    let limits = Limits { budget, generations, time };
    let Some(method) = find_method(&section, catalogue, &optimizer) else {
        section.rest();
        return (None, limits);
    };
    let settings: Arc<dyn Settings> = (method.read)(&mut section).into();
    for other in catalogue.methods() {
        for key in other.keys {
            let Some(free) = section.take(key.name) else { continue };
            let message = format!(
                "`{}` is a key of the optimizer `{}`, and this is `{}`: leave it out, or set `optimizer = \"{}\"`",
                key.name, other.name, method.name, other.name
            );
            section.report(Some(free.line), message);
        }
    }
    let has_all = !section.has_any();
    let known: Vec<_> = names("evolution").into_iter().chain(method.keys.iter().map(|key| key.name)).collect();
    section.finish(&known);
    // One that is misspelt or wrong was reported already.
    if has_all && ["budget", "generations", "time"].iter().all(|limit| section.line_of(limit).is_none()) {
        section.report(None, "[evolution] needs a limit: `budget` (games), `generations`, or `time` (like \"8h\")");
    }
    (Some(settings), limits)
}

/// The optimizer of that name; it is a mistake if there is none.
fn find_method(section: &Section<'_>, catalogue: &Catalogue, name: &str) -> Option<&'static Method> {
    let found = catalogue.methods().find(|method| method.name == name);
    if found.is_none() {
        let names: Vec<_> = catalogue.methods().map(|method| method.name).collect();
        let message = match retired::answer("evolution.optimizer", name) {
            Some(answer) => format!("there is no optimizer `{name}` any more: {answer}"),
            None => {
                let hint = nearest(name, names.iter().copied()).map(|near| format!("; did you mean `{near}`?"));
                let (name, hint) = (name.escape_debug(), hint.unwrap_or_default());
                format!("there is no optimizer `{name}`; there are: {}{hint}", names.join(", "))
            }
        };
        section.report(section.line_of("optimizer"), message);
    }
    found
}
