//! Runs that start where an earlier one ended.

mod shared;

use shared::Bench;
use std::fs;

/// The best candidate is 13 with 2opt; the first run stops short of it.
const SOLVER: &str = "bonus=0\n[ $2 = 2opt ] && bonus=90\n\
                      echo Score = $(( bonus - ($1 - 13) * ($1 - 13) + $3 * 37 % 50 ))\n";

const JOB: &str = r#"name = "tour"

[program]
command = "sh solver.sh {k} {move} {seed}"
seeds = "0-399"

[parameters]
k    = { int = [1, 40], start = 35 }
move = { choice = ["swap", "2opt", "insert"], start = "swap" }

[weights]
include = ["k"]

[search]
budget = 120
"#;

fn place() -> Bench {
    let folder = Bench::new(JOB);
    folder.write("solver.sh", SOLVER);
    folder
}

fn run(folder: &Bench, args: &[&str]) -> (String, String) {
    folder.texts(&[&["run", "job.toml"], args].concat(), 0)
}

#[test]
fn a_run_after_another_starts_at_its_values_and_adds_up_the_verdicts() {
    let folder = place();
    run(&folder, &[]);
    // All parameters are tuned now.
    folder.write("job.toml", JOB.replace("[\"k\"]", "[\"*\"]"));
    let (said, progress) = run(&folder, &["--after", "results/tour"]);
    assert!(progress.starts_with("tour-2: "), "{progress}");
    assert!(
        progress.contains("learned: ") && progress.contains(" trials of results/tour, 1 of 2 parameters matched"),
        "{progress}"
    );
    let config = folder.read("results/tour-2/config.toml");
    assert!(config.contains("\nseed = 2\n") && config.contains("\nstart = \"results/tour\"\n"), "{config}");
    assert!(config.contains("\n[weights.values]\nk = 13\nmove = \"swap\"\n"), "{config}");
    // 22 * 22 by the first run, and 90 by the second, without noise in the differences.
    assert!(said.contains("\n  difference        +90.000  ("), "{said}");
    // A loss that a candidate near the finalist had in the search widens an interval downwards.
    let sum = |said: &str, runs: &str| {
        let line =
            said.lines().find(|line| line.starts_with("gain of the objective over the baseline of results/tour: +574"));
        line.is_some_and(|line| line.contains(" to +574") && line.ends_with(&format!(", by the verdicts of {runs}")))
    };
    assert!(sum(&said, "2 runs"), "{said}");

    // The recorded job starts a third run as well, though it has the values of the second one's
    // baseline.
    let (said, progress) = folder.texts(&["run", "results/tour-2/config.toml", "--after", "results/tour-2"], 0);
    assert!(progress.starts_with("tour-3: "), "{progress}");
    assert!(sum(&said, "3 runs"), "{said}");
    let config = folder.read("results/tour-3/config.toml");
    assert!(config.contains("\n[weights.values]\nk = 13\nmove = \"2opt\"\n"), "{config}");

    // One picture has the gains of several incumbents, and of no trials.
    let (files, _) = folder.texts(&["plot", "results/tour", "results/tour-2", "--output", "both"], 0);
    assert!(files.contains("both/history.svg\n") && !files.contains("landscape.svg"), "{files}");
    let svg = folder.read("both/history.svg");
    let lines = |colour: &str| svg.matches(&format!("stroke=\"{colour}\" stroke-width=\"2.5\"")).count();
    assert_eq!([lines("#0072b2"), lines("#d55e00")], [1, 1], "{svg}");
    assert!(svg.contains(">tour</text>") && svg.contains(">tour-2</text>") && !svg.contains("<path"), "{svg}");

    // A run is inspected without the one that it follows.
    fs::remove_dir_all(folder.path().join("results/tour")).unwrap();
    let (said, _) = folder.texts(&["run", "results/tour-2/config.toml", "--resume"], 0);
    assert!(said.contains("+90.000") && !said.contains("by the verdicts of"), "{said}");
}

#[test]
fn a_run_without_a_verdict_is_not_followed() {
    let folder = place();
    let refused = |run: &str| folder.texts(&["run", "job.toml", "--after", run], 2).1;
    let said = refused("results/nothing");
    assert!(said.contains("--after results/nothing: no run: results/nothing/config.toml"), "{said}");
    run(&folder, &[]);
    fs::remove_file(folder.path().join("results/tour/recommendation.toml")).unwrap();
    let said = refused("results/tour");
    assert!(said.contains("--after results/tour: "), "{said}");
    assert!(!folder.path().join("results/tour-2").exists());
}
