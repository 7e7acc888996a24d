//! Imports Optuna scripts: calls of `suggest_int`, `suggest_float` and `suggest_categorical`, and
//! the environment variables that receive their results.

mod branches;
mod direction;
mod script;

use super::expression::Expression;
use super::finish::finish;
use super::raw::{Domain, Raw, Raws};
use super::text::{bare, parts};
use super::{ImportError, Imported};
use crate::suggest::Way;
use branches::Branches;
use evolve_search::model::parameter::Kind;
use regex::Regex;
use script::{Call, Script, is_named};
use std::sync::LazyLock;

/// An environment variable that receives the result of the next call.
static VARIABLE: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r#"["'](?<name>\w+)["']\s*:\s*(?:str|repr)\s*\(\s*[\w.]+$"#).expect("a regex"));
static NAME: LazyLock<Regex> = LazyLock::new(|| Regex::new(r#"^(?:"[^"{}]+"|'[^'{}]+')$"#).expect("a regex"));

const KINDS: [&str; 6] = ["int", "float", "categorical", "uniform", "loguniform", "discrete_uniform"];

/// Reads a script.
pub fn read(text: &str) -> Imported {
    let script = Script::new(text);
    let mut imported = Imported::default();
    let calls = script.calls(".suggest_");
    if calls.is_empty() {
        return imported;
    }
    match direction::minimizes(&script) {
        Ok(minimizes) => imported.minimizes = Some(minimizes),
        Err(what) => imported.notes.push(format!("direction: {what}")),
    }
    let branches = Branches::of(&script);
    let mut raws = Raws::default();
    for call in &calls {
        let result =
            if KINDS.contains(&call.name) { raw(call, &script) } else { Err(script.line(call.start).to_string()) };
        let (mut raw, note) = match result {
            Ok(read) => read,
            Err(note) => {
                imported.notes.push(note);
                continue;
            }
        };
        imported.notes.extend(note);
        match branches.condition(call) {
            Ok(condition) => raw.condition = condition,
            Err(condition) => imported.notes.push(format!("condition of {}: {condition}", raw.name)),
        }
        merge(raw, call, &mut raws, &mut imported.notes);
    }
    finish(&raws, Vec::new(), &mut imported);
    imported
}

/// Adds a parameter, which several branches of a script may suggest.
fn merge(raw: Raw, call: &Call<'_>, raws: &mut Raws, notes: &mut Vec<String>) {
    let Some(known) = raws.get_mut(&raw.name) else {
        raws.add(raw).expect("its name is free");
        return;
    };
    if (&known.domain, known.step) != (&raw.domain, raw.step) {
        notes.push(format!("another range of {}: {}", raw.name, call.arguments));
    }
    let former = std::mem::replace(&mut known.condition, Expression::Known(true));
    known.condition = Expression::any([former, raw.condition]);
}

/// Reads a call. Also returns a note; an error is a note, too.
fn raw(call: &Call<'_>, script: &Script) -> Result<(Raw, Option<String>), String> {
    let kind = call.name;
    let all = parts(call.arguments);
    let (named, plain): (Vec<&str>, Vec<&str>) = all.into_iter().partition(|part| is_named(part));
    let of = |name: &str, place: usize| {
        let by_name = named.iter().find_map(|part| part.split_once('=').filter(|(key, _)| key.trim() == name));
        by_name.map(|(_, value)| value.trim()).or_else(|| plain.get(place).copied())
    };
    let name = of("name", 0).ok_or_else(|| format!("suggest_{kind}({}): it has no name", call.arguments))?;
    if !NAME.is_match(name) {
        return Err(format!("suggest_{kind}({name}, ..): its name is not a plain string"));
    }
    let name = bare(name);
    let in_name = |error: ImportError| error.at(name).to_string();
    let no_range = || format!("{name}: its range is not two numbers: {}", call.arguments);
    let (mut note, mut step) = (None, None);
    let domain = if kind == "categorical" {
        choices(of("choices", 1).ok_or_else(no_range)?, script)
    } else {
        let (low, high) = (of("low", 1).ok_or_else(no_range)?, of("high", 2).ok_or_else(no_range)?);
        let log = match of("log", if kind == "int" { 4 } else { usize::MAX }).unwrap_or("False") {
            "True" => true,
            "False" => kind == "loguniform",
            other => {
                note = Some(format!("the scale of {name}: log = {other}"));
                false
            }
        };
        let (low, high) = (script.number(low).map_err(in_name)?, script.number(high).map_err(in_name)?);
        let written = of("step", 3).or_else(|| of("q", 3)).filter(|step| *step != "None");
        step = written.and_then(|step| script.number(step).ok());
        if let (Some(written), None) = (written, step) {
            note = Some(format!("the step {written} of {name}"));
        }
        // A larger step leaves the lower end only.
        let high = if step.is_some_and(|step| step > high - low) { low } else { high };
        Domain::numbers(kind == "int", low, high, log)
    };
    let mut raw = Raw { step, ..Raw::new(name, domain.map_err(in_name)?) };
    if let Some(variable) = VARIABLE.captures(script.before(call)) {
        raw.way = Way::Variable(variable["name"].to_string());
    }
    Ok((raw, note))
}

/// Reads the values of a choice: a list, or a constant of the script that is one.
fn choices(written: &str, script: &Script) -> Result<Domain, ImportError> {
    let list = script.constant(written).unwrap_or(written).trim();
    let inside =
        [('[', ']'), ('(', ')')].into_iter().find_map(|(open, close)| list.strip_prefix(open)?.strip_suffix(close));
    let inside = inside.ok_or_else(|| ImportError::NoList(list.to_string()))?;
    let names: Vec<String> = parts(inside).into_iter().map(|name| value(name).to_string()).collect();
    match &names[..] {
        [a, b]
            if [a, b].map(String::as_str) == ["true", "false"] || [a, b].map(String::as_str) == ["false", "true"] =>
        {
            Ok(Domain::Tuned(Kind::Switch))
        }
        _ if parts(inside).iter().any(|name| name.starts_with('*') || name.contains(" for ")) => {
            Err(ImportError::NoList(list.to_string()))
        }
        _ => Domain::choice(names),
    }
}

/// Returns a value as a job has it.
fn value(text: &str) -> &str {
    match text {
        "True" => "true",
        "False" => "false",
        text => bare(text),
    }
}
