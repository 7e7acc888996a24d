//! Tests of programs that stay alive and answer a line to each trial.

mod common;

use common::{Place, case, play, runs};
use evolve_program::parameters::variable;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const JOB: &str = "[program]\ncommand = \"sh $DIR/worker.sh {dir}\"\nworker = true\nseeds = \"0-9\"\nsplit = false\n\
                   on_failure = -1\nmetrics = [\"n\"]\ntimeout = \"10s\"\n\
                   [parameters]\nk = { int = [1, 20], start = 5 }\n";

#[test]
fn a_worker_answers_trial_by_trial() {
    let place = Place::new();
    place.file(
        "worker.sh",
        "echo $$ >> $DIR/pids; while read -r line; do k=${line##*\\\"k\\\":}; k=${k%%[!0-9]*}; echo \"{\\\"score\\\": $k, \\\"n\\\": 3}\"; done",
    );
    let program = place.program(&JOB.replace("10s", "10m"));
    for k in 1..=20 {
        let outcome = play(&program, &[f64::from(k)], &case(k as u64)).unwrap();
        assert_eq!(outcome.score, f64::from(k));
        assert_eq!(outcome.metrics, [3.0]);
    }
    let pids = fs::read_to_string(place.path().join("pids")).unwrap();
    assert_eq!(pids.lines().count(), 1, "one worker played all");
    drop(program);
    assert!(!runs(&pids), "released");
}

#[test]
fn a_crash_costs_one_trial_and_a_restart() {
    let place = Place::new();
    // The instance decides what the worker does on each of the first trials.
    let script = "while read -r line; do\ncase $line in\n*'\"seed\":1,'*) exit 3;;\n*'\"seed\":2,'*) kill -SEGV $$;;\n\
                  *'\"seed\":3,'*) sleep 1000;;\n*'\"seed\":4,'*) echo hello;;\n*'\"seed\":5,'*) exit 0;;\n\
                  *'\"seed\":6,'*) echo 'wrong answer';;\n*) echo 12;;\nesac\ndone";
    place.file("worker.sh", script);
    let program = place.program(JOB);
    let kinds = [
        None,
        Some("exit code"),
        Some("signal"),
        Some("time limit"),
        Some("no score"),
        Some("no score"),
        Some("wrong answer"),
        None,
    ];
    for (number, kind) in kinds.into_iter().enumerate() {
        let outcome = play(&program, &[5.0], &program.case_of(&number.to_string())).unwrap();
        let failed = outcome.failure.as_ref().map(|failure| failure.kind.to_string());
        assert_eq!(failed.as_deref(), kind, "trial {number}: {:?}", outcome.failure);
        assert_eq!(outcome.score, if kind.is_none() { 12.0 } else { -1.0 });
    }
}

/// Each line answers one trial, so an extra line would shift all later answers.
#[test]
fn an_extra_line_is_a_failure_and_shifts_no_answer() {
    let place = Place::new();
    // The worker answers twice on even seeds, at once or on request. Lines after a failure are
    // valid again.
    let script = "while read -r line; do\ncase $line in\n*'\"seed\":2,'*) printf '12\\n1000\\n';;\n\
                  *'\"seed\":4,'*) echo 12; until [ -e $DIR/say ]; do sleep 0.01; done; echo 1000; : > $DIR/said;;\n\
                  *'\"seed\":6,'*) printf '12\\n10';;\n*) echo 12;;\nesac\ndone";
    place.file("worker.sh", script);
    let program = place.program(&JOB.replace("10s", "10m"));
    let mut failed = Vec::new();
    for number in 1..=8 {
        if number == 5 {
            place.file("say", "");
            while !place.path().join("said").exists() {
                std::thread::yield_now();
            }
        }
        let outcome = play(&program, &[5.0], &program.case_of(&number.to_string())).unwrap();
        match &outcome.failure {
            None => assert_eq!(outcome.score, 12.0, "trial {number}"),
            Some(failure) => {
                assert!(failure.message.contains("a worker answers one line to each trial"), "{failure}");
                failed.push(number);
            }
        }
    }
    drop(program);
    // An extra line fails its own trial if it arrives in time, and the next trial otherwise.
    assert_eq!(failed, [2, 5, 6]);
}

#[test]
fn other_lines_are_quoted_and_count_as_failures() {
    let place = Place::new();
    // A debug line, floods of errors with a debug line and with an answer, and a line without end.
    let flood = "head -c 30000000 /dev/zero >&2";
    let script = format!(
        "while read -r line; do\ncase $line in\n*'\"seed\":1,'*) printf 'step \\033[1m1\\n';;\n\
         *'\"seed\":2,'*) {flood}; echo 'the end' >&2; echo step 2;;\n*'\"seed\":3,'*) {flood}; echo 12;;\n\
         *'\"seed\":4,'*) yes step | tr -d '\\n' | head -c 3000000;;\n*'\"seed\":5,'*) {flood}; echo 'the end' >&2; exit 0;;\n\
         *) echo 12;;\nesac\ndone"
    );
    place.file("worker.sh", &script);
    let program = place.program(&JOB.replace("500ms", "5m"));
    for (number, kind, said) in [
        (1, "no score", r#"it answered "step \u{1b}[1m1", which is neither a number nor JSON with a score"#),
        (2, "no score", r#"it answered "step 2", which is neither"#),
        (3, "", ""),
        (4, "output limit", r#"its answer is longer than 1 MiB; it begins with "stepstep"#),
        (5, "no score", "it ended without an answer: "),
        (6, "", ""),
    ] {
        let outcome = play(&program, &[5.0], &program.case_of(&number.to_string())).unwrap();
        let (failed, message) =
            outcome.failure.map_or_else(Default::default, |failure| (failure.kind.to_string(), failure.message));
        assert_eq!((failed.as_str(), outcome.score), (kind, if kind.is_empty() { 12.0 } else { -1.0 }), "{message}");
        assert!(message.contains(said), "{message}");
        assert!(number != 5 || message.ends_with("the end"), "{message}");
    }
}

/// Tests a helper file with a solver whose score shows the received values.
fn solves_with(command: &str, place: &Place) {
    place.file("in/a.txt", "100\n");
    let keys = "files = \"$DIR/in/*.txt\"\nsplit = false\nmetrics = [\"twice\"]\n\
                [parameters]\nk = { int = [1, 20], start = 5 }\nx = { float = [0, 1], log = false, start = 0.5 }\n\
                on = { bool = true }\nname = { choice = [\"a \\\"b\\\"\", \"c\"] }\n";
    let worker = place.program(&format!("[program]\ncommand = {command}\nworker = true\n{keys}"));
    let once = place.program(&format!(
        "[program]\ncommand = {command}\n\
         env = {{ EVOLVE_K = \"{{k}}\", EVOLVE_X = \"{{x}}\", EVOLVE_ON = \"{{on}}\", EVOLVE_NAME = \"{{name}}\" }}\n{}",
        keys.replace("metrics = [\"twice\"]\n", "")
    ));
    // The score adds up the input, k, x, on and the length of the name.
    for (values, score) in [([7.0, 0.25, 1.0, 0.0], 100.0 + 7.0 + 0.25 + 1000.0 + 5.0), ([3.0, 0.5, 0.0, 1.0], 104.5)] {
        let outcome = play(&worker, &values, &case(0)).unwrap();
        assert_eq!(outcome.score, score, "{command} as a worker");
        assert_eq!(outcome.metrics, [2.0 * score]);
        assert_eq!(play(&once, &values, &case(0)).unwrap().score, score, "{command} run once");
    }
}

fn helper(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("workers").join(name)
}

fn succeeds(command: &mut Command) -> bool {
    command.output().is_ok_and(|output| {
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        true
    })
}

#[test]
fn a_solver_in_rust_becomes_a_worker() {
    let place = Place::new();
    fs::copy(helper("evolve.rs"), place.path().join("evolve.rs")).unwrap();
    let solver = place.file(
        "solver.rs",
        "mod evolve;\nfn main() { evolve::serve(|| {\n let n: f64 = evolve::input().trim().parse().unwrap();\n\
         let name = evolve::param(\"name\", String::new());\n\
         let score = n + evolve::param(\"k\", 0) as f64 + evolve::param(\"x\", 0.0) + name.len() as f64\n\
         + if evolve::param(\"on\", false) { 1000.0 } else { 0.0 };\n evolve::metric(\"twice\", 2.0 * score); score }); }\n",
    );
    let program = place.path().join("solver");
    assert!(succeeds(Command::new("rustc").args(["--edition", "2021", "-o"]).arg(&program).arg(&solver)));
    solves_with("\"$DIR/solver\"", &place);
}

#[test]
fn a_solver_in_cpp_becomes_a_worker() {
    let place = Place::new();
    let solver = place.file(
        "solver.cpp",
        "#include \"evolve.hpp\"\ndouble solve() { double n; evolve::input() >> n;\n\
         double score = n + evolve::param(\"k\", 0) + evolve::param(\"x\", 0.0) + evolve::param(\"name\", \"\").size()\n\
         + (evolve::param(\"on\", false) ? 1000 : 0); evolve::metric(\"twice\", 2 * score); return score; }\n\
         int main() { return evolve::serve(solve); }\n",
    );
    let mut compile = Command::new("g++");
    compile.args(["-std=c++11", "-Wall", "-Wextra", "-Werror", "-I"]).arg(helper("")).arg("-o");
    if succeeds(compile.arg(place.path().join("solver")).arg(&solver)) {
        solves_with("\"$DIR/solver\"", &place);
    }
}

/// A value of another type than the default is an error, and bytes are numbers.
#[test]
fn a_solver_in_cpp_reads_whole_values() {
    let place = Place::new();
    let solver = place.file(
        "solver.cpp",
        "#include \"evolve.hpp\"\n#include <cstdint>\n\
         double solve() { return evolve::param(\"k\", 5) + evolve::param(\"b\", (uint8_t)1); }\n\
         int main() { return evolve::serve(solve); }\n",
    );
    let program = place.path().join("solver");
    let mut compile = Command::new("g++");
    if !succeeds(compile.args(["-std=c++11", "-I"]).arg(helper("")).arg("-o").arg(&program).arg(&solver)) {
        return;
    }
    for (k, b, score) in [("7", "12", Some("Score = 19")), ("7.5", "12", None), ("7", "300", None)] {
        let run = Command::new(&program).env("EVOLVE_K", k).env("EVOLVE_B", b).output().unwrap();
        let printed = String::from_utf8(run.stdout).unwrap();
        assert_eq!(run.status.success().then_some(printed.trim()), score, "{k} {b}");
    }
}

#[test]
fn a_solver_in_python_becomes_a_worker() {
    let place = Place::new();
    fs::copy(helper("evolve.py"), place.path().join("evolve.py")).unwrap();
    place.file(
        "solver.py",
        "import evolve\ndef solve():\n    score = float(evolve.input().read()) + evolve.param('k', 0) + evolve.param('x', 0.0)\n    \
         score += len(evolve.param('name', '')) + 1000 * evolve.param('on', False)\n    \
         evolve.metric('twice', 2 * score)\n    return score\nevolve.serve(solve)\n",
    );
    if succeeds(Command::new("python3").arg("--version")) {
        solves_with("\"python3 $DIR/solver.py\"", &place);
    }
}

/// The helper files read the same variable for a name, and refuse a text that is no value.
#[test]
fn helpers_read_a_variable_by_its_name() {
    let place = Place::new();
    fs::copy(helper("evolve.py"), place.path().join("evolve.py")).unwrap();
    fs::copy(helper("evolve.rs"), place.path().join("evolve.rs")).unwrap();
    let python =
        place.file("solver.py", "import evolve\nprint(evolve.param('größe.x-2', 5), evolve.param('on', False))\n");
    let rust = place.file(
        "solver.rs",
        "mod evolve;\nfn main() { println!(\"{} {}\", evolve::param(\"größe.x-2\", 5), evolve::param(\"on\", false)); }\n",
    );
    let cpp = place.file(
        "solver.cpp",
        "#include \"evolve.hpp\"\nint main() { std::cout << evolve::param(\"größe.x-2\", 5) << ' ' << evolve::param(\"on\", false); }\n",
    );
    let (of_rust, of_cpp) = (place.path().join("of_rust"), place.path().join("of_cpp"));
    assert!(succeeds(Command::new("rustc").args(["--edition", "2021", "-o"]).arg(&of_rust).arg(&rust)));
    assert!(succeeds(Command::new("g++").args(["-std=c++11", "-I"]).arg(helper("")).arg("-o").arg(&of_cpp).arg(&cpp)));
    let commands: [Vec<PathBuf>; 3] = [vec!["python3".into(), python], vec![of_rust], vec![of_cpp]];
    for words in commands {
        let played = |value: &str, switch: &str| {
            let mut command = Command::new(&words[0]);
            command.args(&words[1..]).env(variable("größe.x-2"), value).env("EVOLVE_ON", switch);
            command.output().unwrap()
        };
        let output = played("7", "true");
        let said = String::from_utf8_lossy(&output.stdout).to_lowercase();
        assert!(["7 true", "7 1"].contains(&said.trim()), "{words:?}: {said}");
        for (value, switch) in [("many", "true"), ("7", "yes"), ("7.5", "true")] {
            assert!(!played(value, switch).status.success(), "{words:?}: {value} {switch}");
        }
    }
}
