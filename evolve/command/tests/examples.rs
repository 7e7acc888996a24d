//! The examples, each tuned in a copy of its folder by the two commands of its page, with real compilers. What needs a
//! compiler that is not there is told and left out; `./test` names it.

use assert_cmd::Command;
use assert_cmd::cargo::cargo_bin;
use std::fs;
use std::path::Path;
use tempfile::TempDir;

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap().map(Result::unwrap) {
        let (path, name) = (entry.path(), entry.file_name());
        // What a job built or wrote is not the example's.
        if path.is_dir() && name != "results" && name != "target" {
            copy(&path, &to.join(name));
        } else if path.is_file() {
            fs::copy(path, to.join(name)).unwrap();
        }
    }
}

fn exists(program: &str) -> bool {
    Command::new(program).arg("--version").ok().is_ok()
}

/// Tunes an example with a small budget; gives what its second command prints.
fn tune(example: &str, needs: &str, files: impl Fn(&Path, &str)) {
    if !exists(needs) {
        eprintln!("{example} needs {needs}");
        return;
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap();
    let copied = TempDir::new().unwrap();
    for folder in ["examples/tour-cpp/in", &format!("examples/{example}"), "evolve/program/workers"] {
        copy(&root.join(folder), &copied.path().join(folder));
    }
    let here = copied.path().join("examples").join(example);
    let page = fs::read_to_string(here.join("README.md")).unwrap();
    let (_, commands) = page.split_once("```sh\n").unwrap();
    let commands: Vec<&str> = commands.split_once("```").unwrap().0.lines().collect();
    let [run, export] = commands[..] else { panic!("{example} takes {commands:?}") };
    let evolve = |command: &str, more: &[&str]| {
        let words = command.strip_prefix("evolve ").unwrap().split(' ');
        let assert = Command::new(cargo_bin("evolve")).args(words).args(more).current_dir(&here).assert().success();
        String::from_utf8(assert.get_output().stdout.clone()).unwrap()
    };
    let small = ["evolution.budget=24", "evolution.validation=30", "evolution.selection=2", "evolution.test=30"];
    let verdict = evolve(run, &small.iter().flat_map(|set| ["--set", set]).collect::<Vec<_>>());
    assert!(verdict.contains("improvement found"), "{example}: {verdict}");
    files(&here, &evolve(export, &[]));
}

#[test]
fn a_solver_in_cpp() {
    tune("tour-cpp", "g++", |_, args| {
        assert!(args.starts_with("--k ") && args.contains(" --move ") && args.contains(" --greedy "), "{args}");
    });
}

#[test]
fn a_solver_in_python() {
    tune("tour-python", "python3", |_, args| assert!(args.starts_with("--k "), "{args}"));
}

#[test]
fn a_solver_that_stays_alive() {
    tune("tour-worker", "g++", |_, constants| assert!(constants.contains("const int starts = "), "{constants}"));
}

#[test]
fn a_bot_with_opponents() {
    tune("bot", "g++", |here, args| {
        assert!(args.starts_with("--hold "), "{args}");
        let trials = fs::read_to_string(here.join("results/bot/trials.csv")).unwrap();
        assert!(trials.contains("side=1"), "scores of each scenario: {trials}");
    });
}

#[test]
fn a_folder_of_a_contest() {
    tune("contest-folder", "g++", |here, difference| {
        let source = fs::read_to_string(here.join("main.cpp")).unwrap();
        let added = difference.lines().filter(|line| line.starts_with('+') && !line.starts_with("+++"));
        assert!(added.map(|line| &line[1..]).all(|line| source.contains(line)), "{difference}");
    });
}
