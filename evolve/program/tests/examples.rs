//! Tests of the examples, each in a copy of its folder, with the compilers that are installed.

use evolve_core::job::Job;
use evolve_core::job::{Catalogue, ProblemKind};
use evolve_program::PROGRAM;
use evolve_search::model::parameter::Kind;
use evolve_search::model::problem::{Candidate, Context, Session};
use evolve_search::model::seed::Split;
use evolve_search::model::trial::Case;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;

/// Copies a folder without files that a job built or wrote.
fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name();
        if name == "results" {
            continue;
        }
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &to.join(name));
        } else {
            fs::copy(entry.path(), to.join(name)).unwrap();
        }
    }
}

fn exists(program: &str) -> bool {
    Command::new(program).arg("--version").output().is_ok_and(|output| output.status.success())
}

/// Users would not find a key that no example has.
#[test]
fn every_key_is_in_an_example() {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let folders = fs::read_dir(examples).unwrap().map(|entry| entry.unwrap().path());
    let jobs: String = folders.filter_map(|folder| fs::read_to_string(folder.join("job.toml")).ok()).collect();
    let schema = PROGRAM.schema();
    let keys = |place: &str| schema.pointer(place).unwrap().as_object().unwrap().keys().cloned();
    let of_parameters = keys("/properties/parameters/additionalProperties/properties");
    for key in keys("/properties/program/properties").chain(of_parameters) {
        let is_there = jobs.lines().any(|line| line.contains(&format!("{key} ")) && line.contains('='));
        assert!(is_there, "{key}");
    }
}

/// The test covers all examples, because a job depends on the current folder, which belongs to the
/// whole process.
#[test]
fn every_example_plays_and_its_parameters_bear_on_its_score() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let copied = tempfile::tempdir().unwrap();
    copy(&here.join("../../examples"), &copied.path().join("examples"));
    copy(&here.join("workers"), &copied.path().join("evolve/program/workers"));
    let examples = [
        ("tour-cpp", "g++"),
        ("tour-python", "python3"),
        ("tour-worker", "g++"),
        ("bot", "g++"),
        ("contest-folder", "g++"),
    ];
    for (example, needs) in examples {
        if !exists(needs) {
            eprintln!("{example} needs {needs}");
            continue;
        }
        std::env::set_current_dir(copied.path().join("examples").join(example)).unwrap();
        let catalogue = Catalogue::new(&[]).declaring(&PROGRAM);
        let job = Job::read(Path::new("job.toml"), &catalogue).unwrap_or_else(|fault| panic!("{example}: {fault}"));
        let problem = job.problem;
        let session = problem.open(Context::default());
        let session: Arc<dyn Session> = session.unwrap_or_else(|message| panic!("{example}: {message}")).into();
        let parameters = problem.parameters();
        let cases = if needs == "python3" { 1 } else { 4 };
        let objectives = |values: &[f64]| -> Vec<f64> {
            let contender = Arc::clone(&session).contender(Candidate::new(&parameters, values));
            let mut player = contender.player();
            let mut play = |case: Case| {
                let outcome = player.play(&case, None).unwrap_or_else(|failure| panic!("{example}: {failure}"));
                assert_eq!(outcome.failure, None, "{example}");
                (outcome.objective, outcome.score)
            };
            Case::first(1, Split::Search, cases)
                .into_iter()
                .map(|case| {
                    let played = play(case);
                    assert_eq!(play(case), played, "{example} reproduces");
                    played.0
                })
                .collect()
        };
        let start: Vec<f64> = parameters.iter().map(|parameter| parameter.start).collect();
        let at_start = objectives(&start);
        let bears = |i: &usize| {
            let (min, max) = parameters[*i].range();
            let ends = if let Kind::Choice(names) = &parameters[*i].kind { 0..names.len() } else { 0..2 };
            let value = |end: usize| match parameters[*i].kind {
                Kind::Choice(_) => end as f64,
                _ => [min, max][end],
            };
            ends.map(value).any(|value| {
                let mut values = start.clone();
                values[*i] = value;
                objectives(&values) != at_start
            })
        };
        let bearing = (0..parameters.len()).filter(bears).count();
        assert_eq!(bearing, parameters.len(), "{example}: every parameter changes something");
    }
}
