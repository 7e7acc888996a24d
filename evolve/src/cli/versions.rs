//! Several versions of a program, made measurable by the same yardstick.

use super::{Failure, catalogue};
use evolve_core::document::{Document, Section};
use evolve_core::key::quoted;
use evolve_core::policy_file::Policy;
use evolve_core::source::Source;
use std::path::Path;

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
    let declaration = &policy.source.declaration;
    if declaration.is_empty() {
        let game = policy.source.problem.name();
        return Err(Failure::Usage(format!(
            "`{command}`: commands compare with programs; {game} is a game (`evolve judge` plays programs of games)"
        )));
    }
    let command = quoted(command);
    let mut changes = vec![("command", command.as_str())];
    if !declaration.lines().any(|line| line.starts_with("env = ")) {
        // It may read its parameters from this file, or do without them.
        changes.push(("env", "{ EVOLVE_PARAMS = \"{params}\" }"));
    }
    Ok(Policy { source: redeclared(&policy.source, &changes)?, ..policy.clone() })
}

/// Makes scores of different programs comparable where each was measured by what its own start does.
pub fn unify(policies: &mut [Policy]) -> Result<(), Failure> {
    let differ = policies.iter().any(|policy| policy.source.declaration != policies[0].source.declaration);
    if !differ {
        return Ok(());
    }
    for policy in policies {
        if policy.source.declaration.contains("\nscale = \"relative\"\n") {
            // A ratio of scores is a difference of their logarithms. There is no worst one: a failure ends the comparison.
            policy.source = redeclared(&policy.source, &[("scale", "\"log\""), ("on_failure", "\"stop\"")])?;
        }
    }
    Ok(())
}

fn declared(text: &str) -> Result<Source, Failure> {
    let document = Document::new(Path::new("[program]"), text.to_string());
    let read = |top: &mut Section<'_>| Source::read(top, catalogue());
    document.parse("a program", read).map_err(|faults| Failure::Usage(faults.to_string()))
}

fn redeclared(source: &Source, changes: &[(&str, &str)]) -> Result<Source, Failure> {
    source.redeclared(changes, catalogue()).map_err(|faults| Failure::Usage(faults.to_string()))
}
