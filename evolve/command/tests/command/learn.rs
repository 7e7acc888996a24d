//! Jobs whose search begins with earlier runs or given candidates.

use crate::shared::Bench;
use std::collections::BTreeSet;
use std::fs;

/// A program whose best candidate is 13 with 2opt, and that logs its trials.
const SOLVER: &str = "echo \"$*\" >> log\nbonus=0\n[ $2 = 2opt ] && bonus=90\n\
                      echo Score = $(( bonus - ($1 - 13) * ($1 - 13) + $3 * 37 % 50 ))\n";

const FIRST: &str = r#"name = "first"

[program]
command = "sh solver.sh {k} {move} {seed}"
seeds = "0-39"

[parameters]
k    = { int = [1, 40], start = 35 }
move = { choice = ["swap", "2opt", "insert"], start = "swap" }

[search]
budget = 60
"#;

/// The same job with another parameter and a wider range of `k`.
fn second() -> String {
    let job = FIRST.replace("\"first\"", "\"second\"").replace("[1, 40]", "[1, 60]").replace(" {seed}", " {seed} {x}");
    let job = job.replace("\n[search]", "x    = { float = [0, 1], start = 0.5 }\n\n[search]");
    format!("{job}learn_from = [\"results/first\"]\n")
}

/// Returns a folder with a complete first run.
fn place(job: &str) -> Bench {
    let folder = Bench::with_solver(FIRST, SOLVER);
    folder.evolve(&["run", "job.toml", "--quiet"]).assert().success();
    folder.write("job.toml", job);
    fs::remove_file(folder.path().join("log")).unwrap();
    folder
}

/// Returns the `learned:` lines of a run of the second job, with a text in the job replaced.
fn learned(folder: &Bench, (old, new): (&str, &str)) -> String {
    let job = second();
    assert!(job.contains(old), "{old}");
    folder.write("job.toml", job.replace(old, new));
    let _ = fs::remove_dir_all(folder.path().join("results/second"));
    let said = folder.texts(&["run", "job.toml"], 0).1;
    said.lines().filter_map(|line| line.strip_prefix("learned: ")).collect::<Vec<_>>().join("; ")
}

/// Returns the error of a job that cannot learn from a table.
fn refused(folder: &Bench, table: &str) -> String {
    folder.write("table.csv", table);
    let job = second().replace("results/first", "table.csv");
    folder.write("job.toml", job);
    let said = folder.texts(&["run", "job.toml"], 2).1;
    assert!(!folder.path().join("results/second").exists(), "{said}");
    said.lines().next().unwrap().replace("error: ", "")
}

#[test]
fn a_run_keeps_what_it_learned() {
    let [one, stopped] = [(); 2].map(|()| place(&second()));
    // In the order of the log.
    one.evolve(&["run", "job.toml", "--quiet", "--parallel", "1"]).assert().success();
    stopped.hold_after(18);
    let mut run = stopped.spawn(&["run", "job.toml", "--parallel", "2"]);
    // A run without validations has an incumbent to export, too.
    stopped.wait_until_held(&mut run);
    let (values, said) = stopped.texts(&["export", "results/second", "--format", "args"], 0);
    assert!(values.contains("2opt") || values.contains("swap"), "{values}");
    assert!(said.contains("was not tested"), "{said}");
    let (status, said) = stopped.interrupt(run);
    assert_eq!(status.code(), Some(130), "{said}");
    fs::remove_dir_all(stopped.path().join("results/first")).unwrap();
    let copy = stopped.path().join("results/second/learned.csv");
    let kept = fs::read_to_string(&copy).unwrap();
    fs::write(&copy, kept.replacen("2opt", "swap", 1)).unwrap();
    let said = stopped.texts(&["run", "job.toml", "--resume"], 1).1;
    assert!(said.contains("learned.csv: not what the run learned as it began; restore the file"), "{said}");
    fs::write(&copy, kept).unwrap();
    stopped.evolve(&["run", "job.toml", "--resume", "--quiet"]).assert().success();
    // The best candidate of the first run is played first, after the baseline; the trials of the
    // first run do not count towards the budget.
    let log = one.read("log");
    let best = log.lines().find(|played| !played.starts_with("35 swap ")).unwrap();
    assert!(best.starts_with("14 2opt ") && best.ends_with(" 0.5"), "{log}");
    let played = one.read("results/second/trials.csv").lines().count() - 1;
    assert!((40..=60).contains(&played) && log.lines().count() >= played, "{played}");
    // A new run needs the earlier run.
    fs::remove_dir_all(stopped.path().join("results/second")).unwrap();
    let said = stopped.texts(&["run", "job.toml"], 2).1;
    assert!(said.contains("job.toml:14:15: `learn_from`: results/first: no such file or folder"), "{said}");
}

#[test]
fn parameters_are_matched_by_name_and_trials_that_no_longer_fit_are_skipped() {
    let folder = place(&second());
    let trials = folder.read("results/first/trials.csv");
    let searched: Vec<&str> = trials.lines().filter(|row| row.contains(",search,")).collect();
    let all = searched.len();
    let cells = |row: &&&str| row.rsplitn(3, ',').map(str::to_string).collect::<Vec<_>>();
    // One more parameter, and a wider range.
    assert_eq!(learned(&folder, ("", "")), format!("{all} trials of results/first, 2 of 3 parameters matched"));
    let copy = folder.read("results/second/learned.csv");
    assert_eq!(copy.lines().next(), Some("run,case,objective,capped,value.k,value.move,value.x"));
    assert!(copy.lines().skip(1).all(|row| row.starts_with("1,") && row.ends_with(",0.5")), "{copy}");
    assert_eq!(copy.lines().count(), 2 + all);
    // A narrower range, and a choice that was removed.
    let within = searched.iter().filter(|row| cells(row)[1].parse::<u32>().unwrap() >= 13).count();
    let said = learned(&folder, ("[1, 60]", "[13, 60]"));
    assert_eq!(said, format!("{within} of {all} trials of results/first, 2 of 3 parameters matched"));
    let there = searched.iter().filter(|row| cells(row)[0] != "insert").count();
    let said = learned(&folder, (", \"insert\"]", "]"));
    assert!(there < all && said.starts_with(&format!("{there} of {all} trials")), "{said}");
    // One parameter fewer.
    let dropped = "move = { choice = [\"swap\", \"2opt\", \"insert\"], start = \"swap\" }\n";
    let job = second().replace("{move}", "2opt").replace(dropped, "");
    folder.write("job.toml", job);
    fs::remove_dir_all(folder.path().join("results/second")).unwrap();
    let (said, _) = folder.texts(&["check", "job.toml", "-n", "2"], 0);
    assert!(
        said.contains(&format!("  learned        {all} trials of results/first, 1 of 2 parameters matched\n")),
        "{said}"
    );
}

#[test]
fn tables_of_optuna_and_others_are_read() {
    let folder = place(&second());
    // As pandas writes it: whole numbers as floats if a cell is empty, and the states of trials.
    let optuna = "number,value,datetime_start,params_k,params_move,params_old,state\n\
                  0,50.0,2025-01-01 10:00:00,20.0,2opt,0.3,COMPLETE\n1,90.0,2025-01-01 10:00:01,14.0,2opt,0.4,COMPLETE\n\
                  2,,2025-01-01 10:00:02,13.0,swap,0.1,FAIL\n3,10.5,2025-01-01 10:00:03,,swap,,COMPLETE\n";
    folder.write("optuna.csv", optuna);
    let plain = "score,k,instance\n1,3,a\n101,3,b\n2,4,a\n102.5,4,b\n";
    folder.write("plain.csv", plain);
    let said = learned(&folder, ("\"results/first\"", "\"optuna.csv\", \"plain.csv\""));
    let [optuna, plain] =
        ["optuna.csv, 2", "plain.csv, 1"].map(|of| format!(" trials of {of} of 3 parameters matched"));
    assert_eq!(said, format!("3{optuna}; 4{plain}"));
    insta::assert_snapshot!(folder.read("results/second/learned.csv"), @r"
    run,case,objective,capped,value.k,value.move,value.x
    1,,,,14,2opt,0.5
    1,0,90.0,false,14,2opt,0.5
    1,0,50.0,false,20,2opt,0.5
    1,0,10.5,false,35,swap,0.5
    2,,,,4,swap,0.5
    2,1,102.5,false,4,swap,0.5
    2,0,2.0,false,4,swap,0.5
    2,0,1.0,false,3,swap,0.5
    2,1,101.0,false,3,swap,0.5
    ");
}

#[test]
fn trials_on_instances_of_the_held_out_test_are_skipped() {
    let folder = place(&second());
    let rows: String = (0..40).map(|i| format!("{},{i},{i}\n", 1 + i % 20)).collect();
    folder.write("plain.csv", format!("k,instance,score\n{rows}"));
    let said = learned(&folder, ("results/first", "plain.csv"));
    let trials = folder.read("results/second/trials.csv");
    let tested: BTreeSet<usize> = trials
        .lines()
        .filter(|row| row.contains(",test,"))
        .map(|row| row.split(',').nth(3).unwrap().parse().unwrap())
        .collect();
    assert_eq!(said, "20 of 40 trials of plain.csv, 1 of 3 parameters matched");
    // The score of each row of the table is its instance.
    let copy = folder.read("results/second/learned.csv");
    let learned: BTreeSet<usize> = (copy.lines().skip(1))
        .filter_map(|row| row.split(',').nth(2).unwrap().parse::<f64>().ok())
        .map(|score| score as usize)
        .collect();
    assert!(learned.len() == 20 && !tested.is_empty() && learned.is_disjoint(&tested), "{learned:?} {tested:?}");
    // A table of scores has no ratios to the baseline's score.
    let job = second().replace("results/first", "plain.csv").replace("seeds =", "scale = \"relative\"\nseeds =");
    folder.write("job.toml", job);
    let said = folder.texts(&["check", "job.toml"], 2).1;
    assert!(said.contains("plain.csv:2: `score`: a ratio needs the score of a reference"), "{said}");
}

/// Objectives that are ratios mean nothing for another goal or scale.
#[test]
fn ratios_of_another_scale_are_refused() {
    let folder = place("");
    let said = |keys: &str| {
        folder.write("job.toml", second().replace("seeds =", &format!("{keys}\nseeds =")));
        folder.texts(&["run", "job.toml"], 2).1
    };
    let refused = said("scale = \"relative\"");
    assert!(refused.contains("the run has another `scale`, so its objectives cannot be used"), "{refused}");
    let refused = said("scale = \"relative\"\ngoal = \"minimize\"");
    assert!(refused.contains("the run has another `goal`, so its objectives cannot be used"), "{refused}");
    // A run after it starts at its values, and learns nothing.
    folder.write("job.toml", FIRST.replace("seeds =", "scale = \"relative\"\nseeds ="));
    folder.write("solver.sh", SOLVER.replace("$(( bonus", "$(( 9000 + bonus"));
    folder.texts(&["run", "job.toml", "--after", "results/first"], 0);
    let config = folder.read("results/first-2/config.toml");
    assert!(!config.contains("learn_from"), "{config}");
}

#[test]
fn errors_in_a_table_name_the_line() {
    let folder = place(&second());
    let at = |message: &str| format!("job.toml:14:15: `learn_from`: {message}");
    for (table, message) in [
        ("k,score\n3,7\n4,good\n", "table.csv:3: `score`: must be a number, not \"good\""),
        ("k,score\n3,inf\n", "table.csv:2: `score`: must be a number, not \"inf\""),
        ("k,score\nmany,7\n", "table.csv:2: `k`: must be a whole number from 1 to 60, not \"many\""),
        ("k,score\n3,7\n4\n", "table.csv:3: 1 cells, and the first line has 2"),
        ("k,points\n3,7\n", "table.csv:1: no column `score`"),
        (
            "params_k,values_0,values_1,state\n3,7,8,COMPLETE\n",
            "table.csv:1: no column `value`: a study of several objectives",
        ),
        (
            "a,b,score\n3,4,7\n",
            "table.csv:1: no column is a parameter of this job: the columns are a, b, score, and the parameters are k, move, x",
        ),
        ("k,score\n", "table.csv has no trials of a search"),
        ("k,score\n99,1\n0,2\n", "none of the 2 trials in table.csv is within the ranges of this job"),
    ] {
        assert_eq!(refused(&folder, table), at(message));
    }
    let of = |old: &str, new: &str| {
        folder.write("job.toml", second().replace(old, new));
        folder.texts(&["check", "job.toml"], 2).1
    };
    fs::remove_file(folder.path().join("results/first/trials.csv")).unwrap();
    let said = of("", "");
    assert!(said.contains(&at("results/first has no trials.csv: only runs of programs record their trials")), "{said}");
    let said = of("budget", "optimizer = \"genetic\"\nbudget");
    assert!(said.contains("`learn_from` is a key of the optimizer `auto`, and this is `genetic`"), "{said}");

    folder.write("job.toml", with_switches(40));
    let said = folder.texts(&["check", "job.toml"], 2).1;
    assert!(said.contains("`learn_from` takes a space of at most 40 dimensions, and this one has 45"), "{said}");
}

/// The second job with further parameters.
fn with_switches(count: usize) -> String {
    let many = |text: fn(usize) -> String| (0..count).map(text).collect::<String>();
    let job = second().replace("x    = {", &format!("{}x    = {{", many(|i| format!("y{i} = {{ bool = true }}\n"))));
    job.replace(" {x}", &format!(" {{x}}{}", many(|i| format!(" {{y{i}}}"))))
}

#[test]
fn a_long_run_in_a_space_of_medium_size_learns_too() {
    let folder = place(&with_switches(20));
    let run = ["run", "job.toml", "--set", "search.generations=3", "--set", "search.budget=4000"];
    let said = folder.texts(&run, 0).1;
    assert!(said.contains("learned: 36 trials of results/first, 2 of 23 parameters matched"), "{said}");
    assert!(said.contains("plan: search by Gaussian process"), "{said}");
}

/// The first job with candidates to play first.
fn trying(first: &str) -> String {
    let job = FIRST.replace("\n[search]", "temp = { float = [0.001, 1000], log = true, start = 7 }\n\n[search]");
    format!("{}first = {first}\n", job.replace("{move} {seed}", "{move} {seed} {temp}"))
}

#[test]
fn given_candidates_are_played_first() {
    let bench = Bench::with_solver(
        &trying(
            "[{ k = 11, temp = 0.3 }, { move = \"2opt\" }, { k = 35 }, { temp = 123.456, k = 2, move = \"insert\" }]",
        ),
        SOLVER,
    );
    bench.evolve(&["run", "job.toml", "--quiet", "--parallel", "1"]).assert().success();
    let trials = bench.read("results/first/trials.csv");
    let searched: Vec<&str> = trials.lines().filter(|row| row.contains(",search,")).collect();
    // After the start, which the third one repeats, with exactly the given values.
    for (row, values) in searched.iter().zip(["35,swap,7.0", "11,swap,0.3", "35,2opt,7.0", "2,insert,123.456"]) {
        assert!(row.ends_with(&format!(",{values}")), "{row}");
    }
    assert!(bench.read("results/first/config.toml").contains("first = [{ k = 11, temp = 0.3 }"));
    // Every trial has a time at which it began, in order.
    let times = bench.read("results/first/trial-times.csv");
    let started: Vec<&str> = times.lines().skip(1).map(|row| row.rsplit(',').next().unwrap()).collect();
    assert_eq!((times.lines().next(), started.len()), (Some("trial,seconds,started"), trials.lines().count() - 1));
    assert!(started.iter().all(|time| time.len() == 24 && time.starts_with("20") && time.ends_with('Z')), "{times}");
}

#[test]
fn more_candidates_than_a_first_design_are_all_played() {
    let all: Vec<String> = (1..=20).map(|k| format!("{{ k = {k} }}")).collect();
    let bench = Bench::with_solver(&trying(&format!("[{}]", all.join(", "))), SOLVER);
    bench.evolve(&["run", "job.toml", "--quiet"]).assert().success();
    let trials = bench.read("results/first/trials.csv");
    let searched: Vec<&str> = trials.lines().filter(|row| row.contains(",search,")).collect();
    for (k, row) in (1..=20).zip(&searched[1..]) {
        assert!(row.ends_with(&format!(",{k},swap,7.0")), "{row}");
    }
}

#[test]
fn given_candidates_that_cannot_be_played_are_named() {
    let bench = Bench::with_solver(FIRST, SOLVER);
    for (first, message) in [
        ("[{ k = 3 }, { k = 41 }]", "`first`, candidate 2: `k` takes a whole number from 1 to 40, not 41"),
        ("[{ k = 2.5 }]", "`first`, candidate 1: `k` takes a whole number from 1 to 40, not 2.5"),
        ("[{ temp = 0 }]", "`first`, candidate 1: `temp` takes a number from 0.001 to 1000, logarithmic, not 0"),
        ("[{ move = \"3opt\" }]", "`move` takes one of \"swap\", \"2opt\", \"insert\", not \"3opt\""),
        ("[{ kk = 3 }]", "`first`, candidate 1: no parameter `kk`; the nearest name is `k`"),
        ("[3]", "`search.first` takes a list of tables"),
        ("[{ k = [3] }]", "`k` takes a whole number from 1 to 40, not [3]"),
    ] {
        bench.write("job.toml", trying(first));
        let said = bench.texts(&["run", "job.toml"], 2).1;
        assert!(said.contains("job.toml:14:") && said.contains(message), "{first}: {said}");
        assert!(!bench.path().join("results").exists());
    }
    bench.write(
        "job.toml",
        trying("[{ k = 20 }]").replace("\n[parameters]", "forbid = [\"k > 10 && k < 30\"]\n\n[parameters]"),
    );
    let said = bench.texts(&["run", "job.toml"], 2).1;
    assert!(said.contains("`first`, candidate 1: forbidden by \"k > 10 && k < 30\""), "{said}");
    bench.write("job.toml", trying("[{ k = 20 }]").replace("budget", "optimizer = \"genetic\"\nbudget"));
    let said = bench.texts(&["run", "job.toml"], 2).1;
    assert!(said.contains("`first` is a key of the optimizer `auto`, and this is `genetic`"), "{said}");
    let many = with_switches(40).replace("learn_from = [\"results/first\"]", "first = [{ k = 3 }]");
    bench.write("job.toml", many);
    let said = bench.texts(&["check", "job.toml"], 2).1;
    assert!(said.contains("`first` takes a space of at most 40 dimensions, and this one has 45"), "{said}");
}
