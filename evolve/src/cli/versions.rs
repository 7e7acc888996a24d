//! Several versions of a program, made measurable by the same yardstick.

use super::{Failure, catalogue, overrides};
use evolve_core::document::{Document, Section};
use evolve_core::text::quoted;
use evolve_core::policy_file::Policy;
use evolve_core::source::Source;
use std::path::Path;
use toml_edit::DocumentMut;

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
    let Some(declaration) = policy.source.problem.declaration() else {
        let game = policy.source.problem.name();
        return Err(Failure::Usage(format!(
            "`{command}`: commands compare with programs; {game} is a game (`evolve judge` plays programs of games)"
        )));
    };
    let quoted = quoted(command);
    let mut changes = vec![("program.command", quoted.as_str())];
    let has_environment = declaration.parse::<DocumentMut>().is_ok_and(|text| text["program"].get("env").is_some());
    if !has_environment {
        // It may read its parameters from this file, or do without them.
        changes.push(("program.env", "{ EVOLVE_PARAMS = \"{params}\" }"));
    }
    Ok(Policy { source: redeclared(declaration, &changes)?, ..policy.clone() })
}

/// Makes scores of different programs comparable where each was measured by what its own start does.
pub fn unify(policies: &mut [Policy]) -> Result<(), Failure> {
    let declaration = |policy: &Policy| policy.source.problem.declaration().map(String::from);
    let first = declaration(&policies[0]);
    if policies.iter().all(|policy| declaration(policy) == first) {
        return Ok(());
    }
    for policy in policies {
        let problem = &policy.source.problem;
        if let Some(declaration) = problem.declaration().filter(|_| problem.is_rated_by_ratio()) {
            // A ratio of scores is a difference of their logarithms. There is no worst one: a failure ends the comparison.
            let changes = [("program.scale", "\"log\""), ("program.on_failure", "\"stop\"")];
            policy.source = redeclared(declaration, &changes)?;
        }
    }
    Ok(())
}

fn declared(text: &str) -> Result<Source, Failure> {
    let document = Document::new(Path::new("[program]"), text.to_string());
    let read = |top: &mut Section<'_>| Source::read(top, catalogue());
    document.parse("a program", read).map_err(|faults| Failure::Usage(faults.to_string()))
}

/// What a text declares with other values of some keys, each a name and a value in TOML.
fn redeclared(text: &str, changes: &[(&str, &str)]) -> Result<Source, Failure> {
    let mut text: DocumentMut = text.parse().expect("what was read is TOML");
    for (key, value) in changes {
        overrides::set(&mut text, key, value).expect("the sections of a program are tables");
    }
    declared(&text.to_string())
}
