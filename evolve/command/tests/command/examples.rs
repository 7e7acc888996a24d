//! Tunes each example in a copy of its folder with the two commands of its page, with real
//! compilers and solvers. An example whose compiler or solver is missing is skipped with a message.

use std::fs;
use std::path::Path;
use std::time::{Duration, SystemTime};
use tempfile::TempDir;

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap().map(Result::unwrap) {
        let (path, name) = (entry.path(), entry.file_name());
        // Built and written files are not part of the example.
        if path.is_dir() && name != "results" && name != "target" {
            copy(&path, &to.join(name));
        } else if path.is_file() {
            fs::copy(path, to.join(name)).unwrap();
        }
    }
}

fn exists(program: &str) -> bool {
    std::process::Command::new(program).arg("--help").stdin(std::process::Stdio::null()).output().is_ok()
}

/// Tunes an example with a small budget, which is enough for an improvement, and returns the output
/// of its second command.
fn tune(example: &str, needs: &str, files: impl Fn(&Path, &str)) {
    play(example, needs, |here, verdict, exported| {
        assert!(verdict.contains("improvement found"), "{example}: {verdict}");
        files(here, exported);
    });
}

/// Runs the two commands of an example with a small budget, and returns its folder and their
/// output.
fn play(example: &str, needs: &str, files: impl Fn(&Path, &str, &str)) {
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
    let verdict = evolve(&here, run, &SMALL);
    files(&here, &verdict, &evolve(&here, export, &[]));
}

const SMALL: [&str; 8] = [
    "--set",
    "search.budget=160",
    "--set",
    "search.validation=30",
    "--set",
    "search.selection=2",
    "--set",
    "search.test=30",
];

/// The output of a command in a folder.
fn evolve(here: &Path, command: &str, more: &[&str]) -> String {
    let words: Vec<&str> = command.strip_prefix("evolve ").unwrap().split(' ').collect();
    let assert = crate::shared::evolve(&words).args(more).current_dir(here).assert().success();
    String::from_utf8(assert.get_output().stdout.clone()).unwrap()
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

/// Two dozen trials need not find a faster solver, on a loaded machine not even a finalist; some
/// are capped, and conflicts reproduce.
#[test]
fn a_sat_solver() {
    play("minisat", "minisat", |here, verdict, args| {
        assert!(verdict.contains("finalist: "), "{verdict}");
        assert!(args.contains("-var-decay=") && args.contains("luby"), "{args}");
        let trials = |run: &str| fs::read_to_string(here.join("results").join(run).join("trials.csv")).unwrap();
        assert!(trials("minisat").contains(",true,"), "no trial is capped");
        for jobs in ["1", "2"] {
            let name = format!("conflicts-{jobs}");
            evolve(here, "evolve run conflicts.toml", &[&SMALL[..], &["--parallel", jobs, "--name", &name]].concat());
        }
        assert_eq!(trials("conflicts-1"), trials("conflicts-2"));
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

/// The six constants follow the kind of an instance.
#[test]
fn a_rule_that_follows_the_kind() {
    if !exists("g++") || !exists("python3") {
        return eprintln!("dispatch needs g++ and python3");
    }
    let bench = crate::shared::Bench::empty();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap();
    copy(&root.join("examples/dispatch"), bench.path());
    let status = std::process::Command::new("python3").arg("generate.py").current_dir(bench.path()).status();
    assert!(status.unwrap().success());
    let verdict = bench.run(&["--set", "search.budget=240"]);
    assert!(verdict.contains("improvement found") && verdict.contains("kind = tight-long"), "{verdict}");
    bench.does(&["export", "results/dispatch", "--into", "solver.cpp"]);
    let source = bench.read("solver.cpp");
    assert_eq!(source.matches("by kind=kind").count(), 6, "{source}");
    // The source has a function where the run found one.
    let rows = bench.read("results/dispatch/recommendation.toml");
    let values: Vec<&str> = rows.lines().filter(|line| line.contains(":kind=")).collect();
    let is_function = values.iter().any(|line| !line.ends_with("= 0.0"));
    assert_eq!(source.contains("kind == \""), is_function, "{source}");
    let build =
        std::process::Command::new("g++").args(["-o", "solver", "solver.cpp"]).current_dir(bench.path()).status();
    assert!(build.unwrap().success());
}

/// Whether a few trials find better temperatures depends on the machine.
#[test]
fn an_annealer_with_a_time_limit() {
    play("annealer", "g++", |here, verdict, _| {
        assert!(verdict.contains("note: time limit 0.4 s in the test, 0.1 s in the search; "), "{verdict}");
        let source = fs::read_to_string(here.join("solver.cpp")).unwrap();
        assert!(source.contains("param(\"EVOLVE_TIME_LIMIT\", 400); // evolve: limit ms"), "{source}");
    });
}

/// The commands of docs/contest.md, with a tenth of the time limits and few trials.
#[test]
fn a_contest_with_a_time_limit() {
    if !exists("g++") {
        return eprintln!("annealer needs g++");
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap();
    let bench = crate::shared::Bench::empty();
    copy(&root.join("examples/annealer"), &bench.path().join("annealer"));
    let shorter =
        |text: &str| text.replace("400ms", "40ms").replace("100ms", "10ms").replace("budget = 600", "budget = 60");
    bench.write("annealer/job.toml", shorter(&bench.read("annealer/job.toml")));
    let page = fs::read_to_string(root.join("docs/contest.md")).unwrap();
    let blocks = page.split("```sh\n").skip(1).map(|block| block.split_once("```").unwrap().0);
    let lines: Vec<&str> = blocks.flat_map(str::lines).collect();
    assert!(lines.len() > 10, "{lines:?}");
    for line in lines {
        let deadline = humantime::format_rfc3339_seconds(SystemTime::now() + Duration::from_secs(12)).to_string();
        let line = shorter(line).replace("--time 2m", "--time 2s").replace("--trials 60", "--trials 30");
        let line = line.replace("2026-12-01T19:00+09:00", &deadline);
        let output = bench.shell("annealer", &line);
        assert!(output.status.success(), "{line}: {output:?}");
    }
    let source = bench.read("annealer/submission.cpp");
    assert!(source.contains("// evolve: [0.1, 1000] log"), "{source}");
}
