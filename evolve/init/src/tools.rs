//! The tools of a contest: programs next to the solver that generate inputs, and that score or test
//! its output.

use crate::cargo::Bin;
use crate::found::FoundProgram;
use evolve_search::file::is_executable;
use std::path::Path;

/// Programs that start the solver and print its score, and programs that print the score of an
/// output.
const TESTERS: [&str; 2] = ["tester", "judge"];
const SCORERS: [&str; 6] = ["score", "scorer", "compute_score", "calc_score", "evaluate", "vis"];
const GENERATORS: [&str; 2] = ["gen", "generator"];

/// Folders that may contain the tools, relative to the solver.
const FOLDERS: [&str; 2] = ["tools", "."];

/// Returns whether a program of a Cargo project is a tool rather than a solver.
pub fn is_tool(bin: &Bin) -> bool {
    [&TESTERS[..], &SCORERS, &GENERATORS].concat().contains(&bin.name.as_str())
}

/// Adds the tester or the scorer that the folder of a solver contains.
pub fn with(found: FoundProgram, folder: &Path) -> FoundProgram {
    let built = |names: &[&str]| {
        let paths = FOLDERS.iter().flat_map(|below| names.iter().map(move |name| path(below, "target/release", name)));
        let mut built = paths.filter(|path| is_executable(&folder.join(path)).unwrap_or(false));
        built.next()
    };
    let source = |names: &[&str]| {
        let paths = FOLDERS
            .iter()
            .flat_map(|below| names.iter().map(move |name| (*below, path(below, "src/bin", &format!("{name}.rs")))));
        let mut sources = paths.filter(|(_, path)| folder.join(path).is_file());
        sources.next()
    };
    if let Some(tester) = built(&TESTERS) {
        let because = format!("{} and {tester}", found.because);
        return FoundProgram { because, command: format!("{tester} {}", found.command), ..found };
    }
    if source(&TESTERS).is_none()
        && let Some(scorer) = built(&SCORERS)
    {
        let because = format!("{} and {scorer}", found.because);
        return FoundProgram { because, scorer: Some(format!("{scorer} {{input}} {{output}}")), ..found };
    }
    let advice = source(&TESTERS).or_else(|| source(&SCORERS)).map(|(below, source)| {
        let manifest = path(below, "", "Cargo.toml");
        format!(
            "{source} may score the program, but is not built: run `cargo build --release --manifest-path {manifest}`, then \
             `evolve init` again"
        )
    });
    FoundProgram { advice, ..found }
}

fn path(below: &str, folder: &str, name: &str) -> String {
    let parts = [below, folder, name].into_iter().filter(|part| !["", "."].contains(part));
    parts.collect::<Vec<_>>().join("/")
}
