//! Converts the parameters of a file to parameters of a job.

use super::expression::{Expression, Meaning};
use super::raw::{Domain, Raw, Raws};
use super::{ImportError, Imported};
use crate::suggest::{Passed, Read, Way};
use evolve_program::parameters::{LARGEST_FLOAT, Parameters, SMALLEST_UNIT, reserved};
use evolve_search::model::parameter::condition::Condition;
use evolve_search::model::parameter::{Kind, Parameter, middle};
use evolve_search::model::space::Space;
use std::collections::{BTreeMap, BTreeSet};

/// A forbidden combination: as the file has it, and as a condition on its names.
pub type Clause = (String, Result<Expression, ImportError>);

/// Adds the parameters and forbidden combinations of a file to `imported`.
pub fn finish(raws: &Raws, clauses: Vec<Clause>, imported: &mut Imported) {
    let mut job = Job::default();
    let names = own_names(raws);
    for place in order(raws) {
        let raw = &raws.list[place];
        if let Err(error) = job.add(raw, &names[place], &mut imported.notes) {
            imported.notes.push(format!("{}: {error}", raw.name));
        }
    }
    for (raw, name) in raws.list.iter().zip(&names) {
        let Some(meaning) = job.meaning(&raw.name) else { continue };
        let is_conditional = matches!(meaning, Meaning::Tuned(parameter, _) if parameter.condition.is_some());
        imported.passed.extend(passed(raw, name, is_conditional));
        if is_conditional && !imported.passed.last().is_some_and(leaves_out) && raw.way.is_in_command() {
            imported.notes.push(format!("{}: where it is inactive, the command still has its start value", raw.name));
        }
    }
    let mut forbidden = Vec::new();
    for (written, clause) in clauses {
        match clause.and_then(|clause| job.condition(&clause)) {
            Ok(Truth::Sometimes(condition)) => forbidden.push(condition),
            Ok(Truth::Never) => {}
            Ok(Truth::Always) => imported.notes.push(format!("forbidden: {written}: it forbids everything")),
            Err(error) => imported.notes.push(format!("forbidden: {written}: {error}")),
        }
    }
    imported.forbid = forbidden.iter().map(|condition| condition.text().to_string()).collect();
    let mut parameters = job.parameters.all().to_vec();
    allow_start(&mut parameters, forbidden, &mut imported.notes);
    let read = |(parameter, way)| Read { parameter, way, line: 0, has_default: true };
    imported.reads = parameters.into_iter().zip(job.ways).map(read).collect();
}

/// The parameters of the job so far.
#[derive(Default)]
struct Job<'r> {
    parameters: Parameters,
    /// The place of each parameter in the job, by its name in the file, or its only value.
    known: BTreeMap<&'r str, Resolved<'r>>,
    ways: Vec<Way>,
}

enum Resolved<'r> {
    Fixed(&'r str),
    Tuned(usize, &'r [String; 2]),
}

/// When a condition is true.
enum Truth {
    Always,
    Never,
    Sometimes(Condition),
}

impl<'r> Job<'r> {
    fn meaning(&self, name: &str) -> Option<Meaning<'_>> {
        self.known.get(name).map(|known| match known {
            Resolved::Fixed(value) => Meaning::Fixed(value),
            Resolved::Tuned(place, truth) => Meaning::Tuned(&self.parameters.all()[*place], truth),
        })
    }

    /// Returns a condition of the file as one of the job.
    fn condition(&self, expression: &Expression) -> Result<Truth, ImportError> {
        match expression.resolved(&|name| self.meaning(name))? {
            Expression::Known(true) => Ok(Truth::Always),
            Expression::Known(false) => Ok(Truth::Never),
            expression => Ok(Truth::Sometimes(Condition::parse(&expression.text()?, self.parameters.all())?)),
        }
    }

    /// Adds a parameter, without its condition if that has no counterpart.
    fn add(&mut self, raw: &'r Raw, name: &str, notes: &mut Vec<String>) -> Result<(), ImportError> {
        let condition = match self.condition(&raw.condition) {
            Ok(Truth::Always) => None,
            Ok(Truth::Sometimes(condition)) => Some(condition),
            Ok(Truth::Never) => return Err(ImportError::Never),
            Err(error) => {
                notes.push(format!("condition of {}: {error}", raw.name));
                None
            }
        };
        let kind = match &raw.domain {
            Domain::Fixed(value) => {
                self.known.insert(&raw.name, Resolved::Fixed(value));
                return Ok(());
            }
            Domain::Tuned(kind) => kind,
        };
        let mut parameter = parameter(name, kind);
        if let Some(step) = raw.step {
            match parameter.clone().step(step) {
                Ok(on_grid) => parameter = on_grid,
                Err(error) => notes.push(format!("the step {step} of {}: {error}", raw.name)),
            }
            parameter.start = parameter.floor(parameter.start);
        }
        match raw.start {
            Some(start) if parameter.allows(start) => parameter.start = start,
            Some(start) => notes.push(format!(
                "the start {start} of {}, which is not {}",
                raw.name,
                parameter.allowed_instead(Some(start))
            )),
            None => {}
        }
        if let Some((mean, deviation)) = raw.prior {
            let (min, max) = parameter.range();
            match (SMALLEST_UNIT..=LARGEST_FLOAT).contains(&deviation) && (min..=max).contains(&mean) {
                true => parameter = parameter.prior(mean, deviation),
                false => notes.push(format!("the distribution of {}", raw.name)),
            }
        }
        parameter.condition = condition;
        self.parameters.add(parameter)?;
        self.ways.push(raw.way.clone());
        self.known.insert(&raw.name, Resolved::Tuned(self.parameters.all().len() - 1, &raw.truth));
        Ok(())
    }
}

/// Creates a parameter that starts in the middle of its range, at its first name, or off.
fn parameter(name: &str, kind: &Kind) -> Parameter {
    let with_log = |parameter: Parameter, log: bool| if log { parameter.log() } else { parameter };
    match kind {
        &Kind::Float { min, max, log } => with_log(Parameter::float(name, min, max, short_middle(min, max, log)), log),
        &Kind::Int { min, max, log } => {
            let start = short_middle(min as f64, max as f64, log).round() as i64;
            with_log(Parameter::int(name, min, max, start), log)
        }
        Kind::Choice(names) => Parameter::choice(name, names.clone(), 0),
        Kind::Switch => Parameter::switch(name, false),
    }
}

/// Returns the middle of a range, with few digits: the start is a guess for users to read.
fn short_middle(min: f64, max: f64, log: bool) -> f64 {
    let middle = middle(min, max, log);
    let digits = libm::pow(10.0, 2.0 - libm::log10(middle.abs().max(f64::MIN_POSITIVE)).floor());
    let rounded = (middle * digits).round() / digits;
    if (min..=max).contains(&rounded) { rounded } else { middle }
}

/// Passes the value of a parameter to the program, and a conditional one only where it is active.
fn passed(raw: &Raw, name: &str, is_conditional: bool) -> Vec<Passed> {
    let word = |word: &String| Passed { value: escaped(word), way: Way::Prefix(String::new()) };
    let is_named = !matches!(raw.domain, Domain::Tuned(Kind::Switch)) && is_conditional;
    let option = match (&raw.way, &raw.before[..]) {
        (Way::Option(option), []) => Some(option),
        (Way::Prefix(prefix), []) if prefix.ends_with('=') => Some(prefix),
        _ => None,
    };
    if let Some(option) =
        option.filter(|option| is_named && option.starts_with('-') && !option.contains(['{', '}', ' ']))
    {
        return vec![Passed { value: format!("{{{name}:{option}}}"), way: Way::Prefix(String::new()) }];
    }
    let own = match &raw.domain {
        Domain::Fixed(_) if raw.is_before => None,
        Domain::Fixed(value) => Some(escaped(value)),
        Domain::Tuned(_) => Some(format!("{{{name}{}}}", raw.format)),
    };
    raw.before.iter().map(word).chain(own.map(|value| Passed { value, way: raw.way.clone() })).collect()
}

/// Returns whether a value is nothing where its parameter is inactive.
fn leaves_out(passed: &Passed) -> bool {
    passed.value.contains(":-")
}

/// Escapes the braces of a text, so that they are not placeholders.
fn escaped(text: &str) -> String {
    text.replace('{', "{{").replace('}', "}}")
}

/// Returns the names in the job, which are valid and distinct.
fn own_names(raws: &Raws) -> Vec<String> {
    /// Leaves room for a number.
    const LONGEST: usize = 90;
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let mut taken: BTreeSet<String> = raws.list.iter().map(|raw| identifier(&raw.name)).collect();
    let mut names = Vec::new();
    for raw in &raws.list {
        let plain: String = identifier(&raw.name).chars().take(LONGEST).collect();
        let plain = if reserved().any(|name| name == plain) { format!("{plain}_") } else { plain };
        let count = counts.entry(plain.clone()).or_insert(0);
        let mut name = plain.clone();
        while *count > 0 && taken.contains(&name) {
            *count += 1;
            name = format!("{plain}_{count}");
        }
        *count = (*count).max(1);
        taken.insert(name.clone());
        names.push(name);
    }
    names
}

/// Converts a name to a valid name in jobs.
fn identifier(name: &str) -> String {
    let name: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    if name.starts_with(|c: char| c.is_ascii_digit()) || name.is_empty() { format!("_{name}") } else { name }
}

/// Returns the order in which conditions refer to earlier parameters, as far as possible.
fn order(raws: &Raws) -> Vec<usize> {
    let mut waits: Vec<BTreeSet<usize>> = Vec::new();
    let mut children = vec![Vec::new(); raws.list.len()];
    for (child, raw) in raws.list.iter().enumerate() {
        let operands = |comparison: &super::expression::Comparison| {
            let others = comparison.values.iter().filter(|value| value.is_bare).map(|value| value.text.clone());
            [comparison.name.clone()].into_iter().chain(others).collect::<Vec<_>>()
        };
        let named = raw.condition.comparisons().into_iter().flat_map(operands);
        let parents: BTreeSet<usize> =
            named.filter_map(|name| raws.place(&name)).filter(|&place| place != child).collect();
        parents.iter().for_each(|&parent| children[parent].push(child));
        waits.push(parents);
    }
    let mut free: BTreeSet<usize> = (0..waits.len()).filter(|&place| waits[place].is_empty()).collect();
    let mut left: BTreeSet<usize> = (0..waits.len()).collect();
    let mut order = Vec::new();
    // Of parameters whose conditions refer to each other, the first one loses its condition.
    while let Some(next) = free.pop_first().or_else(|| left.first().copied()) {
        left.remove(&next);
        order.push(next);
        for &child in &children[next] {
            if waits[child].remove(&next) && waits[child].is_empty() && left.contains(&child) {
                free.insert(child);
            }
        }
    }
    order
}

/// Moves a forbidden start to the nearest allowed value.
fn allow_start(parameters: &mut [Parameter], forbidden: Vec<Condition>, notes: &mut Vec<String>) {
    let start: Vec<f64> = parameters.iter().map(|parameter| parameter.start).collect();
    let space = Space::new(parameters.to_vec(), start, (0..parameters.len()).collect()).without(forbidden);
    let Err(error) = space.check(space.start()) else { return };
    let allowed = space.rounded(&space.allowed(space.origin()));
    if !space.allows(&allowed) {
        notes.push(format!("the start, which is {error}: choose another one"));
        return;
    }
    for (parameter, value) in parameters.iter_mut().zip(allowed).filter(|(parameter, value)| parameter.start != *value)
    {
        let (name, start, shown) = (&parameter.name, parameter.show(parameter.start), parameter.show(value));
        notes.push(format!("the start {start} of {name}, which is forbidden; the start is now {shown}"));
        parameter.start = value;
    }
}
