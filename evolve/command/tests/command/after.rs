//! Runs that start where an earlier one ended.

use crate::shared::Bench;
use serde_json::Value;
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
    const SUM: &str = "gain of the objective over the baseline of results/tour: +574";
    let sum = |said: &str| {
        let line = said.lines().find(|line| line.starts_with(SUM));
        line.is_some_and(|line| line.contains(" to +574") && line.ends_with(", by 2 steps"))
    };
    assert!(sum(&said), "{said}");

    // The recorded job starts a third run as well, though it has the values of the second one's
    // baseline.
    let (said, progress) = folder.texts(&["run", "results/tour-2/config.toml", "--after", "results/tour-2"], 0);
    assert!(progress.starts_with("tour-3: "), "{progress}");
    assert!(sum(&said) && sum(&folder.does(&["log", "tour"])), "{said}");
    let config = folder.read("results/tour-3/config.toml");
    assert!(config.contains("\n[weights.values]\nk = 13\nmove = \"2opt\"\n"), "{config}");

    // One picture has the gains of several incumbents, and of no trials.
    let (files, _) = folder.texts(&["plot", "results/tour", "results/tour-2", "--output", "both"], 0);
    assert!(files.contains("both/history.svg\n") && !files.contains("landscape.svg"), "{files}");
    let svg = folder.read("both/history.svg");
    let lines = |colour: &str| svg.matches(&format!("stroke=\"{colour}\" stroke-width=\"2.5\"")).count();
    assert_eq!([lines("#0072b2"), lines("#d55e00")], [1, 1], "{svg}");
    assert!(svg.contains(">tour</text>") && svg.contains(">tour-2</text>") && !svg.contains("stroke-linecap"), "{svg}");

    // The results of a run say the same without its checkpoint.
    let shown = || [&["log", "tour"][..], &["status", "results/tour-2"]].map(|args| folder.does(args));
    let before = shown();
    assert!(
        before[1].contains("+90.000 (") && before[1].contains("move = \"2opt\"  # baseline: \"swap\""),
        "{before:?}"
    );
    let rename = |from: &str, to: &str| {
        for run in ["tour", "tour-2"] {
            let run = folder.path().join("results").join(run);
            fs::rename(run.join(from), run.join(to)).unwrap();
        }
    };
    rename("checkpoint", "kept");
    let after = shown();
    rename("kept", "checkpoint");
    assert_eq!(before[0], after[0]);
    for line in ["results/tour-2  complete  100 %", "+90.000 (", "move = \"2opt\"  # baseline: \"swap\""] {
        assert!(after[1].contains(line), "{after:?}");
    }
    // A run is inspected without the one that it follows.
    fs::remove_dir_all(folder.path().join("results/tour")).unwrap();
    let (said, _) = folder.texts(&["run", "results/tour-2/config.toml", "--resume"], 0);
    assert!(said.contains("+90.000") && !said.contains("over the baseline of"), "{said}");
}

#[test]
fn a_run_whose_trials_are_gone_is_followed_without_them() {
    let folder = place();
    run(&folder, &[]);
    fs::remove_file(folder.path().join("results/tour/trials.csv")).unwrap();
    let (_, progress) = run(&folder, &["--after", "results/tour"]);
    let note = "the search learns nothing from the trials of tour, because results/tour/trials.csv is gone\n";
    assert!(progress.contains(note) && !progress.contains("learned: "), "{progress}");
    assert!(folder.read("results/tour-2/config.toml").contains("\n[weights.values]\nk = 13\n"));
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

#[test]
fn a_changed_program_is_compared_with_the_earlier_version() {
    let folder = place();
    run(&folder, &[]);
    let (said, progress) = run(&folder, &["--after", "results/tour", "--name", "same", "--set", "search.budget=60"]);
    assert!(!progress.contains("has changed since") && !said.contains("as it was"), "{progress}{said}");
    // Better by 10 on every instance; its author also changed a start value, and there is a new
    // parameter.
    folder.write("solver.sh", SOLVER.replace("bonus=0", "bonus=10 # $4"));
    let job = JOB.replace("{seed}", "{seed} {depth}").replace("start = 35", "start = 12");
    folder.write("job.toml", job.replace("[weights]", "depth = { int = [1, 3], start = 1 }\n\n[weights]"));
    let (said, progress) = run(&folder, &["--after", "results/tour"]);
    assert!(progress.contains("parameters since tour: new depth\n"), "{progress}");
    assert!(progress.contains("solver.sh has changed since results/tour: comparing both versions"), "{progress}");
    let better =
        "the new program is better (+10.000 (+10.000 to +10.000)); the search starts at the values of the earlier run";
    assert!(progress.contains(better), "{progress}");
    assert!(said.contains("the new program with its own values against results/tour, as it was: better"), "{said}");
    let config = folder.read("results/tour-2/config.toml");
    assert!(config.contains("\nk = 13\n"), "{config}");
    let log = folder.does(&["log", "tour"]);
    let lines: Vec<&str> = log.lines().map(str::trim).collect();
    assert!(lines[0].starts_with("version") && lines[1].starts_with("results/tour  "), "{log}");
    assert!(lines[1].ends_with("k 35 -> 13") && log.contains("solver.sh changed"), "{log}");
    assert!(log.contains("+10.000 (+10.000 to +10.000), better"), "{log}");
    assert!(log.contains("gain of the objective over the baseline of results/tour: +494"), "{log}");
    let json: Value = serde_json::from_str(&folder.does(&["log", "--json"])).unwrap();
    let entries = json[0].as_array().unwrap();
    assert_eq!(entries.len(), 3, "{json}");
    assert_eq!(
        entries[2]["change"]["gain"][0].as_f64().or(entries[2]["change"]["gain"]["mean"].as_f64()),
        Some(10.0),
        "{json}"
    );
    // The author's values are better than those of the earlier run.
    let far = SOLVER.replace("bonus=0", "bonus=10 # $4").replace("- 13) * ($1 - 13)", "- 30) * ($1 - 30)");
    folder.write("solver.sh", far);
    let own = folder.read("job.toml").replace("start = 12", "start = 29");
    folder.write("job.toml", own);
    let (_, progress) = run(&folder, &["--after", "results/tour-2"]);
    assert!(progress.contains("; the search starts at the values in its source"), "{progress}");
    let config = folder.read("results/tour-3/config.toml");
    assert!(config.contains("\nk = 29\n"), "{config}");
    folder.texts(&["run", "job.toml", "--after", "results/tour-2", "--name", "tour-3", "--resume"], 0);
}

/// Gains before and after an unmeasured change do not add up.
#[test]
fn no_gain_is_added_up_across_an_unmeasured_change() {
    let folder = place();
    run(&folder, &["--set", "search.budget=60"]);
    folder.write("solver.sh", SOLVER.replace("bonus=0", "bonus=-500"));
    let other = "program.seeds=400-799";
    let (said, progress) = run(&folder, &["--after", "tour", "--set", other, "--set", "search.budget=60"]);
    assert!(progress.contains("solver.sh has changed: ") && progress.contains(" differ in `seeds`"), "{progress}");
    let gap = "gain of the objective over the baseline of results/tour: unknown: solver.sh changed after results/tour, and \
               was not compared";
    let log = folder.does(&["log"]);
    assert!(said.contains(gap) && log.contains(gap), "{said}{log}");
    assert!(log.contains("  solver.sh changed  not compared"), "{log}");

    // A run has no copies of the programs in a line for a shell.
    folder.write(
        "job.toml",
        JOB.replace("\"sh solver.sh {k} {move} {seed}\"", "[\"sh\", \"-c\", \"sh solver.sh {k} {move} {seed}\"]"),
    );
    run(&folder, &["--name", "line", "--set", "search.budget=60"]);
    folder.write("solver.sh", SOLVER);
    let (said, progress) = run(&folder, &["--after", "line", "--set", "search.budget=60"]);
    let changed = "solver.sh has changed since results/line, which has no copy of it to compare with";
    assert!(progress.contains(changed), "{progress}");
    assert!(said.contains("of results/line: unknown: solver.sh changed after results/line"), "{said}");
}

#[test]
fn a_run_is_followed_by_any_of_its_names() {
    let folder = place();
    let few = ["--set", "search.budget=20", "--set", "search.test=0"];
    run(&folder, &few);
    // A program and a folder may have the names of runs.
    folder.write("tour", "#!/bin/sh\n\0");
    folder.write("tour-2/notes", "");
    let whole = folder.path().canonicalize().unwrap().join("results/tour");
    let learned = "search.learn_from=[\"./results/tour/\"]";
    for (place, after) in ["tour", "results/tour/", "./results/tour", whole.to_str().unwrap()].iter().enumerate() {
        let name = format!("tour-{}", place + 2);
        run(&folder, &[&["--after", after, "--name", &name, "--set", learned][..], &few].concat());
        let config = folder.read(format!("results/{name}/config.toml"));
        assert!(config.contains("\nstart = \"results/tour\"\n"), "{config}");
        assert!(config.contains("\nlearn_from = [\"results/tour\"]\n"), "{config}");
    }
    let series: Value = serde_json::from_str(&folder.does(&["log", "./results/tour/", "--json"])).unwrap();
    assert_eq!(series[0].as_array().map(Vec::len), Some(5), "{series}");
    for run in ["tour", "tour-2"] {
        let status = folder.does(&["status", run]);
        assert!(status.contains(&format!("results/{run}  complete")), "{status}");
    }
    let all = folder.does(&["status", "."]);
    assert!(all.contains("./results/tour ") && all.contains("./results/tour-* (4 runs)"), "{all}");
}

#[test]
fn runs_keep_the_best_known_scores() {
    let folder = place();
    let kept = JOB.replace("seeds = \"0-399\"", "seeds = \"0-99\"\nscale = { best = \"best.csv\", keep = true }");
    folder.write("solver.sh", "echo Score = $(( 2000 - ($1 - 13) * ($1 - 13) + $3 * 37 % 50 ))\n");
    folder.write("job.toml", &kept);
    let (_, progress) = run(&folder, &[]);
    assert!(progress.contains("best known scores: new for "), "{progress}");
    let table = folder.read("best.csv");
    assert!(table.starts_with("instance,score\n") && table.lines().count() > 20, "{table}");
    assert_eq!(folder.read("results/tour/best-scores.csv"), "instance,score\n");
    let score = |table: &str, instance: &str| -> f64 {
        let line = table.lines().find(|line| line.starts_with(&format!("{instance},"))).unwrap();
        line.split_once(',').unwrap().1.parse().unwrap()
    };
    let first = table.lines().nth(1).unwrap().split_once(',').unwrap().0.to_string();
    assert!(score(&table, &first) > 1516.0 + 50.0, "{table}");
    // The next run refers to them, whatever becomes of the file.
    let (_, progress) = run(&folder, &["--after", "results/tour"]);
    assert_eq!(folder.read("results/tour-2/best-scores.csv"), table, "{progress}");
    folder.write("best.csv", "instance,score\n");
    folder.texts(&["run", "job.toml", "--after", "results/tour", "--resume"], 0);
    folder.write("job.toml", kept.replace(", keep = true", ""));
    let said = folder.texts(&["check", "job.toml"], 2).1;
    assert!(said.contains("best.csv has no score for the instance"), "{said}");
}
