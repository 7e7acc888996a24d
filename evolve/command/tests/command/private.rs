//! Tests that a run plays the program of its start, even if the original changes or disappears.

use crate::shared::Bench;
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::{Child, Command, Output};

/// Waits as [`crate::shared::HOLD`] does, and so do the other programs.
const SCRIPT: &str = r"
import os, sys, time, helper
k, seed = int(sys.argv[1]), int(sys.argv[2])
open('log', 'a').write('x\n')
def held():
    try: return len(open('log').readlines()) > int(open('hold').read())
    except (FileNotFoundError, ValueError): return False
while held(): time.sleep(0.01)
here = os.path.dirname(os.path.abspath(__file__))
data = int(open(os.path.join(here, 'data.txt')).read())
print('Score =', helper.score(k) + seed % 7 + data)
";

const SOURCE: &str = r#"
#include <cstdio>
#include <cstdlib>
#include <unistd.h>
bool held(long trials) {
    FILE* file = fopen("hold", "r");
    int most;
    bool is_held = file && fscanf(file, "%d", &most) == 1 && trials > most;
    if (file) fclose(file);
    return is_held;
}
int main(int, char** argv) {
    int k = atoi(argv[1]), seed = atoi(argv[2]);
    FILE* log = fopen("log", "a"); fputs("x\n", log); long trials = ftell(log) / 2; fclose(log);
    while (held(trials)) usleep(10000);
    printf("Score = %d\n", 100 - (k - 7) * (k - 7) + seed % 7);
}
"#;

const PYTHON: &str = "command = \"python3 solver.py {k} {seed}\"\n";
const COMPILED: &str = "build = \"g++ -o solver solver.cpp\"\ncommand = \"./solver {k} {seed}\"\n";

fn job(name: &str, keys: &str) -> String {
    format!(
        "name = \"{name}\"\n[program]\n{keys}[parameters]\nk = {{ int = [1, 20], start = 15 }}\n[search]\n\
         optimizer = \"genetic\"\npopulation = 4\nelites = 1\ntrials = 2\ngenerations = 2\nvalidation = 6\nselection = 4\n\
         test = 8\n"
    )
}

fn folder(keys: &str) -> Bench {
    let folder = Bench::new(&job("first", keys));
    folder.write("solver.py", SCRIPT);
    folder.write("helper.py", "def score(k): return 100 - (k - 7) ** 2\n");
    folder.write("data.txt", "0\n");
    folder.write("solver.cpp", SOURCE);
    folder
}

/// Starts a run, and waits until it is in the middle of its trials, after those for warnings.
fn start(folder: &Bench) -> Child {
    folder.hold_after(12);
    let mut child = folder.spawn(&["run", "job.toml", "--parallel", "2"]);
    folder.wait_until_held(&mut child);
    child
}

/// Waits for the end of a run, and returns its output.
fn end(folder: &Bench, child: Child) -> (Output, String) {
    folder.release();
    let output = child.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    (output, said)
}

fn stop(folder: &Bench, child: Child) {
    let (status, said) = folder.interrupt(child);
    assert_eq!(status.code(), Some(130), "{said}");
}

/// The files that must reproduce.
const REPRODUCED: [&str; 3] = ["trials.csv", "recommendation.toml", "inputs.txt"];

fn whole(keys: &str) -> Bench {
    let whole = folder(keys);
    whole.evolve(&["run", "job.toml", "--quiet"]).assert().success();
    whole
}

/// Overwrites a file in place, as `cp` does, and as an editor does that replaces it.
fn overwrite(path: &Path, text: &str) {
    fs::write(path, text).unwrap();
    let new = path.with_extension("new");
    fs::write(&new, text).unwrap();
    fs::rename(new, path).unwrap();
}

#[test]
fn a_script_and_its_modules_can_be_edited_during_a_run() {
    let whole = whole(PYTHON);
    let folder = folder(PYTHON);
    let child = start(&folder);
    overwrite(&folder.path().join("helper.py"), "def score(k): return 1000 + k\n");
    overwrite(&folder.path().join("solver.py"), "print('Score = 5')\n");
    let (output, said) = end(&folder, child);
    assert!(output.status.success(), "{said}");
    whole.assert_same(&folder, &REPRODUCED);
    let changed = "note: helper.py has changed since the run began; the run played its own copy";
    let result = folder.run(&["--resume"]);
    assert!(result.contains(changed), "{result}");
    assert!(folder.texts(&["status", "first"], 0).1.contains(changed));
    let (_, unchanged) = whole.texts(&["status", "first"], 0);
    assert!(!unchanged.contains("has changed"), "{unchanged}");

    // The second run is of the new script.
    folder.evolve(&["run", "job.toml", "--quiet", "--name", "second"]).assert().success();
    let second = folder.read("results/second/trials.csv");
    assert!(second.lines().skip(1).all(|row| row.contains(",5,")), "{second}");
}

#[test]
fn modules_too_many_to_copy_are_named() {
    let folder = folder(PYTHON);
    (0..=1000).for_each(|number| folder.write(format!("part/module{number}.py"), ""));
    let (_, said) = folder.texts(&["run", "job.toml"], 0);
    let note = "too many files to find those that solver.py loads: the run neither copies nor watches them, so do not \
                change them before it ends\n";
    assert!(said.contains(note), "{said}");
    assert!(!folder.result("inputs.txt").contains("helper.py"));
}

/// Runs keep copies of the current folder, which may itself hold runs.
#[test]
fn copies_that_runs_keep_are_no_modules_and_no_runs() {
    let folder = folder(PYTHON);
    for copy in ["results/day/source/old.py", "results/day/versions/0/old.py", "part/results/day/source/old.py"] {
        folder.write(copy, "");
    }
    for file in [".lock", "config.toml"] {
        folder.write(Path::new("part/results/day").join(file), "");
    }
    folder.write("part/used.py", "");
    folder.run(&["--quiet"]);
    let inputs = folder.result("inputs.txt");
    assert!(inputs.contains("helper.py") && inputs.contains("part/used.py"), "{inputs}");
    assert!(!inputs.contains("old.py"), "{inputs}");

    for within in ["source", "versions/0", "program/copy"] {
        for file in ["config.toml", "checkpoint"] {
            let copy = folder.path().join("results/first").join(within).join("results/day").join(file);
            fs::create_dir_all(copy.parent().unwrap()).unwrap();
            fs::copy(folder.path().join("results/first").join(file), copy).unwrap();
        }
    }
    let status: Vec<Value> = serde_json::from_str(&folder.does(&["status", "--json"])).unwrap();
    let runs: Vec<_> = status.iter().map(|run| &run["run"]).collect();
    assert_eq!(runs, ["results/first"]);
}

#[test]
fn a_run_resumes_with_its_own_copy() {
    let whole = whole(PYTHON);
    let folder = folder(PYTHON);
    let child = start(&folder);
    stop(&folder, child);
    overwrite(&folder.path().join("solver.py"), "print('Score = 5')\n");
    let assert = folder.evolve(&["run", "job.toml", "--resume"]).assert().success();
    let said = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
    assert!(said.contains("solver.py has changed since the run began; the run continues with its own copy"), "{said}");
    whole.assert_same(&folder, &REPRODUCED);

    // Without the copy, or if it is not wanted, the changed program counts.
    let folder = self::folder(PYTHON);
    let child = start(&folder);
    stop(&folder, child);
    overwrite(&folder.path().join("solver.py"), "print('Score = 5')\n");
    folder.evolve(&["run", "job.toml", "--resume", "--allow-mismatch", "--quiet"]).assert().success();
    let trials = folder.result("trials.csv");
    assert!(trials.lines().last().unwrap().contains(",5,"), "{trials}");

    let folder = self::folder(PYTHON);
    let child = start(&folder);
    stop(&folder, child);
    overwrite(&folder.path().join("solver.py"), "print('Score = 5')\n");
    fs::remove_dir_all(folder.path().join("results/first/program")).unwrap();
    let assert = folder.evolve(&["run", "job.toml", "--resume"]).assert().code(1);
    let said = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
    assert!(said.contains("solver.py has changed since the run"), "{said}");
}

#[test]
fn a_program_can_be_built_again_during_a_run() {
    let whole = whole(COMPILED);
    let folder = folder(COMPILED);
    let child = start(&folder);
    let other = SOURCE.replace("100 -", "1000 +");
    folder.write("solver.cpp", other);
    let built = Command::new("g++").args(["-o", "new", "solver.cpp"]).current_dir(&folder).status().unwrap();
    assert!(built.success());
    // In place: the original is not the file that runs, which could not be written.
    fs::copy(folder.path().join("new"), folder.path().join("solver")).unwrap();
    let (output, said) = end(&folder, child);
    assert!(output.status.success(), "{said}");
    whole.assert_same(&folder, &REPRODUCED);
}

#[test]
fn commands_that_build_leave_a_running_run_alone() {
    let whole = whole(COMPILED);
    let folder = folder(COMPILED);
    folder.evolve(&["run", "job.toml", "--quiet", "--name", "earlier"]).assert().success();
    fs::remove_file(folder.path().join("log")).unwrap();
    let child = start(&folder);
    let other = SOURCE.replace("100 -", "1000 +").replace("\"hold\"", "\"none\"");
    folder.write("solver.cpp", other);
    for args in [
        &["explain", "results/earlier", "--trials", "6"] as &[_],
        &["compare", "defaults", "results/earlier", "--trials", "30"],
        &["check", "job.toml", "--trials", "2"],
    ] {
        folder.evolve(args).assert().success();
    }
    folder.evolve(&["run", "job.toml"]).assert().code(1);
    let (output, said) = end(&folder, child);
    assert!(output.status.success(), "{said}");
    whole.assert_same(&folder, &REPRODUCED);
}

#[test]
fn a_changed_input_ends_the_run_before_its_verdict() {
    let keys = "command = \"sh -c 'read x; echo x >> log; while [ -e hold ] && [ $(wc -l < log) -gt $(cat hold) ]; do sleep 0.05; done; \
                echo Score = $(( 100 - (7 - {k}) * (7 - {k}) + x ))'\"\nstdin = \"in/{seed}.txt\"\nseeds = \"0-39\"\n";
    let folder = || {
        let folder = self::folder(keys);
        fs::create_dir(folder.path().join("in")).unwrap();
        for seed in 0..40 {
            folder.write(format!("in/{seed}.txt"), format!("{seed}\n"));
        }
        folder.write("log", "");
        folder
    };
    let whole = folder();
    whole.evolve(&["run", "job.toml", "--quiet"]).assert().success();

    let folder = folder();
    let child = start(&folder);
    let input = folder.path().join("in/17.txt");
    fs::write(&input, "99\n").unwrap();
    let (output, said) = end(&folder, child);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("in/17.txt has changed since the run in results/first began"), "{said}");
    assert!(said.contains("--allow-mismatch"), "{said}");
    assert!(!folder.path().join("results/first/recommendation.toml").exists());
    let before = folder.result("checkpoint");
    let (_, said) = folder.texts(&["run", "job.toml", "--resume"], 1);
    assert!(said.contains("in/17.txt has changed since the run"), "{said}");
    assert_eq!(folder.result("checkpoint"), before);
    // The record has no trial of the other input.
    fs::write(&input, "17\n").unwrap();
    folder.evolve(&["run", "job.toml", "--resume", "--quiet"]).assert().success();
    whole.assert_same(&folder, &REPRODUCED);
}

/// Nothing shows which files `python3 -m` loads, so all modules of the folder are watched.
#[test]
fn code_that_cannot_be_copied_ends_the_run_when_it_changes() {
    let folder = folder("command = \"python3 -m solver {k} {seed}\"\n");
    let child = start(&folder);
    overwrite(&folder.path().join("helper.py"), "def score(k): return 1000 + k\n");
    let (output, said) = end(&folder, child);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("helper.py has changed since the run in results/first began"), "{said}");
}
