//! Names and values from others: nothing in them gets to a terminal as an escape, out of a run's
//! folder, or into a program as code.

use crate::shared::Bench;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

/// Names of input files.
const INPUTS: [&str; 7] =
    ["..up", "i\u{1b}[2J\u{9b}", "\u{202e}right", "a b", "$(touch owned)", "`id`", "'; touch owned; '"];

/// A program with hostile names, choices, instances and output. `$1` is a choice.
const JOB: &str = r#"name = "first"

[program]
command  = ["sh", "sol\u001b]0;owned\u0007\u202ever.sh", "{move}", "{k}"]
files    = "in/*"
split    = false
on_failure = 0
env      = { SHOWN = "\u001b[2J{k}" }

[parameters]
move = { choice = ["\u001b[31mred\u202e\u009b", "\"; evil(); //\\\n", "$(touch owned)", "../up"], description = "\u001b[2J" }
k = { int = [1, 20], start = 15, description = "\u202etfel" }

[search]
optimizer = "genetic"
population = 4
elites = 1
trials = 4
generations = 3

validation = 30

selection = 4
test = 30
"#;

const SOLVER: &str = "[ $2 = 15 ] && printf '\\033]0;failed\\007\\302\\233' >&2 && [ $$ != 0 ] && echo Score = 3 && exit 0\n\
                      [ $2 = 14 ] && printf '\\033[2J' >&2 && exit 3\necho Score = $2\n";

fn folder() -> Bench {
    let folder = Bench::new(JOB);
    folder.write("sol\u{1b}]0;owned\u{7}\u{202e}ver.sh", SOLVER);
    for name in INPUTS {
        folder.write(Path::new("in").join(name), "");
    }
    folder
}

fn evolve(folder: &Bench, args: &[&str]) -> (bool, String) {
    let output = folder.evolve(args).env("XDG_CACHE_HOME", folder.path().join("tmp")).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    (output.status.success(), text(&output.stdout) + &text(&output.stderr))
}

fn has_power(letter: char) -> bool {
    letter != '\n' && letter.is_control() || ('\u{202a}'..='\u{202e}').contains(&letter)
}

/// All files below a folder, but for those in some of its folders.
fn files(folder: &Path, without: &[&str]) -> Vec<PathBuf> {
    let mut all = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if without.iter().any(|name| path.ends_with(name)) {
            continue;
        }
        // The private copy of a program has links to the files next to the program.
        match path.is_dir() && !path.is_symlink() {
            true => all.extend(files(&path, &[])),
            false => all.push(path),
        }
    }
    all.sort();
    all
}

#[test]
fn names_cannot_control_a_terminal_or_leave_the_folder() {
    let folder = folder();
    let before = files(folder.path(), &["results", "tmp"]);
    let run = "results/first";
    for args in [
        &["check", "job.toml"][..],
        &["run", "job.toml", "--parallel", "1"],
        &["run", "job.toml", "--resume"],
        &["status"],
        &["status", run],
        &["compare", run, "start", "--trials", "30"],
        &["compare", run, "--trials", "8"],
        &["explain", run, "--trials", "30"],
        &["report", run],
        &["plot", run],
        &["export", run, "--format", "json"],
        &["export", run, "--format", "rust"],
        &["export", run, "--format", "c"],
        &["export", run, "--format", "python"],
        &["compare", "sol\u{1b}[2J\u{202e}"],
        &["run", "job.toml", "--name", "../\u{1b}[2J"],
        &["run", "job.toml", "--set", "parameters.k.start=\"\u{1b}[2J\""],
        &["run", "job.toml", "--set", "\u{1b}[2J=1"],
    ] {
        let (_, text) = evolve(&folder, args);
        assert!(!text.contains(has_power), "{args:?}: {text:?}");
    }
    assert!(folder.path().join(run).join("recommendation.toml").exists());
    assert_eq!(files(folder.path(), &["results", "tmp"]), before);
    for file in files(&folder.path().join(run), &["failures"]) {
        if file.extension().is_some_and(|end| ["toml", "svg", "html"].iter().any(|other| end == *other)) {
            let text = fs::read_to_string(&file).unwrap();
            assert!(!text.contains(has_power), "{}", file.display());
        }
    }
}

#[test]
fn symbolic_links_in_a_run_are_not_followed() {
    let folder = folder();
    let (complete, text) = evolve(&folder, &["run", "job.toml", "--parallel", "1"]);
    assert!(complete, "{text}");
    let (run, outside) = (folder.path().join("results/first"), folder.path().join("outside"));
    fs::create_dir(&outside).unwrap();
    for name in ["plots", "failures", "pictures"] {
        let _ = fs::remove_dir_all(run.join(name));
        symlink(&outside, run.join(name)).unwrap();
    }
    for name in ["report.html", "explain.csv", "baseline.jsonl", "incumbent.toml"] {
        let _ = fs::remove_file(run.join(name));
        symlink(outside.join(name), run.join(name)).unwrap();
    }
    for args in [
        &["plot", "results/first"][..],
        &["report", "results/first"],
        &["explain", "results/first", "--trials", "30"],
        &["run", "job.toml", "--resume", "--parallel", "1", "--set", "search.generations=4"],
    ] {
        evolve(&folder, args);
    }
    assert_eq!(files(&outside, &[]), Vec::<PathBuf>::new());
}
