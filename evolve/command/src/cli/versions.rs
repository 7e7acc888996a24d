//! Makes several versions of a program comparable.

use super::overrides::Overrides;
use super::progress::say;
use super::{Failure, catalogue};
use evolve_core::job::policy_file::Policy;
use evolve_search::document::text::to_toml;
use evolve_search::document::{Document, Fault, Table};
use evolve_search::model::goal::Direction;
use evolve_search::model::problem::Problem;
use serde_json::{Value, json};
use std::path::Path;
use std::sync::Arc;

/// Returns a policy for a program without a job. Unless `set` says otherwise, its scores are
/// detected, larger ones are better, and its seeds are unlimited.
pub fn bare(set: &Overrides) -> Result<Policy, Failure> {
    // A job requires a parameter; this one reaches the program, but changes nothing.
    const BARE: &str = "[program]\ncommand = [\"true\"]\nenv = { UNUSED = \"{unused}\" }\n\
                        [parameters]\nunused = { int = [0, 1], start = 0 }\n";
    let document = set.of(Document::new(Path::new("[program]"), BARE.to_string()));
    let problem = document.and_then(|document| catalogue().problem(&document)).map_err(usage)?;
    let is_maximized = problem.goal().is_some_and(|goal| goal.direction == Direction::Maximize);
    if is_maximized && !set.sets("program.goal") {
        say("larger scores are better (for smaller ones: --set program.goal=minimize)");
    }
    let values = problem.parameters().iter().map(|parameter| parameter.start).collect();
    Ok(Policy { submission: Arc::clone(&problem), problem, values, verdict: None, run: None })
}

/// Returns the policy for another program with the same instances, scores and values.
pub fn of(policy: &Policy, command: &str) -> Result<Policy, Failure> {
    let Some(keys) = program(&*policy.problem) else {
        let game = policy.problem.name();
        return Err(Failure::Usage(format!(
            "`{command}`: {game} is a game, and only a [program] can be compared with a command (`evolve judge` plays \
                games with programs)"
        )));
    };
    // The program may read its parameters from this file, or have none.
    let mut env = keys.get("env").and_then(Value::as_object).cloned().unwrap_or_default();
    env.entry("EVOLVE_PARAMS").or_insert_with(|| json!("{params}"));
    let changes = vec![("command", json!(command)), ("env", Value::Object(env))];
    Ok(Policy { problem: redeclared(&*policy.problem, changes)?, ..policy.clone() })
}

/// Makes scores of different programs comparable if each is measured relative to its own baseline.
pub fn unify(policies: Vec<&mut Policy>) -> Result<(), Failure> {
    let first = Arc::clone(&policies[0].problem);
    if policies.iter().all(|policy| policy.problem.compares(&*first)) {
        return Ok(());
    }
    let is_ratio = |policy: &&mut Policy| policy.problem.rating().is_ratio();
    let ratios: Vec<&mut Policy> = policies.into_iter().filter(is_ratio).collect();
    if !ratios.is_empty() {
        say(
            "note: the baselines differ, so logarithms of scores are compared: 0.01 is about 1 %, and a failure ends the \
             comparison",
        );
    }
    for policy in ratios {
        // A difference of logarithms does not depend on the baseline. There is no worst logarithm,
        // so a failure ends the comparison.
        let changes = vec![("scale", json!("log")), ("on_failure", json!("stop"))];
        policy.problem = redeclared(&*policy.problem, changes)?;
    }
    Ok(())
}

/// Lists the keys in which the measures of two programs differ; returns `None` unless both are
/// programs.
pub fn otherwise_measured(one: &dyn Problem, other: &dyn Problem) -> Option<String> {
    let (keys, others) = (program(one)?, program(other)?);
    let differs = |key: &str| keys.get(key) != others.get(key);
    const OF_SCORES: [&str; 11] = [
        "seeds",
        "files",
        "stdin",
        "split",
        "goal",
        "score",
        "scorer",
        "scale",
        "limit",
        "on_failure",
        "success_status",
    ];
    const OF_RUN_TIMES: [&str; 3] = ["timeout", "cpu_limit", "penalty"];
    let of_run_times = OF_RUN_TIMES.iter().filter(|_| one.behaviour().is_timed);
    let differing = OF_SCORES.iter().chain(of_run_times).filter(|key| differs(key));
    let mut differing: Vec<String> = differing.map(|key| format!("`{key}`")).collect();
    if one.sections().get("scenarios") != other.sections().get("scenarios") {
        differing.push("[scenarios]".to_string());
    }
    Some(if differing.is_empty() { "their instances".to_string() } else { differing.join(", ") })
}

/// Returns the keys of a program.
fn program(problem: &dyn Problem) -> Option<Table> {
    match problem.sections().shift_remove("program") {
        Some(Value::Object(keys)) => Some(keys),
        _ => None,
    }
}

/// Returns the program with other values of some keys.
fn redeclared(problem: &dyn Problem, changes: Vec<(&str, Value)>) -> Result<Arc<dyn Problem>, Failure> {
    let mut sections = problem.sections();
    for (key, value) in changes {
        sections["program"][key] = value;
    }
    catalogue().problem(&Document::new(Path::new("[program]"), to_toml(&sections))).map_err(usage)
}

fn usage(fault: Fault) -> Failure {
    Failure::Usage(fault.to_string())
}
