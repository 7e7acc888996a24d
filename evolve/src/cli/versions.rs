//! Several versions of a program, made measurable by the same yardstick.

use super::{Failure, catalogue, overrides};
use evolve_core::document::{Document, Section};
use evolve_core::key::quoted;
use evolve_core::policy_file::Policy;
use evolve_core::source::Source;
use std::path::Path;
use toml_edit::{DocumentMut, Item};

/// A program that nobody has declared: its scores are found by themselves, and its seeds never end.
pub fn bare() -> Result<Policy, Failure> {
    // A program without parameters is none that a job could be about; this one reaches it and changes nothing.
    let text = "[program]\ncommand = [\"true\"]\nenv = { UNUSED = \"{unused}\" }\n\n[parameters]\nunused = { int = [0, 1], start = 0 }\n";
    let source = declared(text)?;
    let values = source.problem.parameters().iter().map(|parameter| parameter.start).collect();
    Ok(Policy { submission: source.setup.player.clone(), source, values, verdict: None, run: None })
}

/// The same policy in another program, which has its instances, scores and values.
pub fn of(policy: &Policy, command: &str) -> Result<Policy, Failure> {
    if !policy.source.is_declared() {
        let game = policy.source.problem.name();
        return Err(Failure::Usage(format!(
            "`{command}`: commands compare with programs; {game} is a game (`evolve judge` plays programs of games)"
        )));
    }
    let command = quoted(command);
    let mut changes = vec![("command", command.as_str())];
    if key(&policy.source, "env").is_none() {
        // It may read its parameters from this file, or do without them.
        changes.push(("env", "{ EVOLVE_PARAMS = \"{params}\" }"));
    }
    Ok(Policy { source: redeclared(&policy.source, &changes)?, ..policy.clone() })
}

/// Makes scores of different programs comparable where each was measured by what its own start does.
pub fn unify(policies: &mut [Policy]) -> Result<(), Failure> {
    let declaration = |policy: &Policy| policy.source.problem.declaration().map(String::from);
    let first = declaration(&policies[0]);
    if policies.iter().all(|policy| declaration(policy) == first) {
        return Ok(());
    }
    for policy in policies {
        if policy.source.problem.is_rated_by_ratio() {
            // A ratio of scores is a difference of their logarithms. There is no worst one: a failure ends the comparison.
            policy.source = redeclared(&policy.source, &[("scale", "\"log\""), ("on_failure", "\"stop\"")])?;
        }
    }
    Ok(())
}

/// In which keys the measures of two programs differ; `None` if not both are programs.
pub fn otherwise_measured(one: &Source, other: &Source) -> Option<String> {
    if !one.is_declared() || !other.is_declared() {
        return None;
    }
    let differs = |name: &&str| {
        let written = |source| key(source, name).map(|value| value.to_string());
        written(one) != written(other)
    };
    let keys = ["seeds", "files", "split", "goal", "score", "scale"].into_iter().filter(differs);
    let mut keys: Vec<String> = keys.map(|key| format!("`{key}`")).collect();
    if declaration(one).get("scenarios").map(Item::to_string)
        != declaration(other).get("scenarios").map(Item::to_string)
    {
        keys.push("[scenarios]".to_string());
    }
    Some(if keys.is_empty() { "their instances".to_string() } else { keys.join(", ") })
}

fn declared(text: &str) -> Result<Source, Failure> {
    let document = Document::new(Path::new("[program]"), text.to_string());
    let read = |top: &mut Section<'_>| Source::read(top, catalogue());
    document.parse("a program", read).map_err(|faults| Failure::Usage(faults.to_string()))
}

fn declaration(source: &Source) -> DocumentMut {
    source.write().parse().expect("a declaration is TOML")
}

/// The value of a key of a program, if it declares it.
fn key(source: &Source, name: &str) -> Option<Item> {
    declaration(source).get("program")?.get(name).cloned()
}

/// The same program with other values of some keys, each a name and a value in TOML.
fn redeclared(source: &Source, changes: &[(&str, &str)]) -> Result<Source, Failure> {
    let mut text = declaration(source);
    for (key, value) in changes {
        overrides::set(&mut text, &format!("program.{key}"), value).map_err(Failure::Usage)?;
    }
    declared(&text.to_string())
}
