//! The next commands after a run.

use evolve_contest::{Contest, Games};
use evolve_core::job::recorded::Found;
use evolve_core::names::CONFIG;
use evolve_search::model::problem::{Declared, Problem};
use evolve_search::shell::shell_word;

/// A command with its description.
pub type Command = (String, &'static str);

/// Returns the commands to run next, after the run in a folder.
pub fn next(folder: &str, problem: &dyn Problem, found: Found, games: &Games) -> Vec<Command> {
    let run = shell_word(folder);
    let compare = |what: &'static str| (format!("evolve compare defaults {run}"), what);
    let on = |what: &'static str| (search_on(folder), what);
    match found {
        Found::Untested => export(folder, problem, games).into_iter().chain([compare("measure the result")]).collect(),
        found if found.recommends_finalist() => {
            let rest = [compare("measure the result again"), on("search on from these values, in a new run")];
            export(folder, problem, games).into_iter().chain(rest).collect()
        }
        _ => vec![
            on("search on in a new run, which learns from this one"),
            (format!("evolve compare {run}"), "measure the baseline again"),
        ],
    }
}

/// Returns the command that exports the recommendation of the run in a folder, with its
/// description; `None` if the recommendation can only be shown.
fn export(folder: &str, problem: &dyn Problem, games: &Games) -> Option<Command> {
    let folder = shell_word(folder);
    Some(
        match (
            games.contest(problem).and_then(Contest::exportable),
            problem.declared().and_then(Declared::marked_source),
        ) {
            (Some(_), _) => (
                format!("evolve export {folder} --output submission.rs"),
                "export a program with the recommended weights",
            ),
            (None, Some(file)) => (
                format!("evolve export {folder} --into {}", shell_word(file)),
                "write the tuned values back into the source",
            ),
            (None, None) if problem.behaviour().is_external => {
                (format!("evolve export {folder} --format args"), "print the tuned values")
            }
            (None, None) => return None,
        },
    )
}

/// Returns the command that searches on after the run in a folder.
pub fn search_on(folder: &str) -> String {
    format!("evolve run {} --after {}", shell_word(&format!("{folder}/{CONFIG}")), shell_word(folder))
}
