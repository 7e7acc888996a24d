//! Runs as a user meets them: golden files, sudden ends, signals, refusals.

use crate::shared::{Bench, wait_until};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

/// A job of a second or less.
const JOB: &str = r#"name = "first"
seed = 3

[game]
name = "solitaire-chess"
group = 4

[player]
name = "greedy"

[weights]
include = ["tile_gold", "moves_1", "stuck_soon"]

[search]
optimizer = "genetic"
population = 6
elites = 1
trials = 4
generations = 5

validation = 30

selection = 12
test = 40
"#;

/// The files that must be byte-identical; the files of `plots/` follow from them.
const REPRODUCED: [&str; 4] = ["generations.csv", "validation.csv", "recommendation.toml", "config.toml"];

/// The results of a short run by each optimizer, to the byte. They change with the game's
/// evaluation, its players and the algorithm. If that was intended, write them again with
/// `UPDATE_GOLDEN=1 cargo test -p evolve-tuner --test command golden`.
#[test]
fn golden() {
    let (head, rest) = JOB.split_once("[search]").unwrap();
    let (_, sizes) = rest.split_once("validation = ").unwrap();
    let auto = |weights: &str, limit: &str| {
        let head = head.replace("\"tile_gold\", \"moves_1\", \"stuck_soon\"", weights);
        format!("{head}[search]\n{limit}\nvalidation = {sizes}")
    };
    let small = auto("\"tile_gold\", \"moves_1\", \"stuck_soon\"", "budget = 1200");
    let many = "\"tile_*\", \"moves_*\", \"left_*\", \"layer_*\"";
    let (medium, large) = (auto(many, "budget = 500"), auto(many, "generations = 2"));
    let jobs = [("genetic", JOB), ("auto-small", &small), ("auto-medium", &medium), ("auto-large", &large)];
    for (run, job) in jobs {
        let folder = Bench::new(job);
        folder.evolve(&["run", "job.toml", "--quiet"]).assert().success().stdout("").stderr("");
        for name in &REPRODUCED[..3] {
            let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(run).join(name);
            if std::env::var_os("UPDATE_GOLDEN").is_some() {
                fs::create_dir_all(golden.parent().unwrap()).unwrap();
                fs::write(&golden, folder.result(name)).unwrap();
            }
            let expected = fs::read_to_string(&golden).unwrap();
            let where_from = format!("tests/golden/{run}/{name}; see this test's comment");
            assert!(folder.result(name) == expected, "{name} is not {where_from}");
        }
    }
}

#[test]
fn a_run_reports_its_progress() {
    let folder = Bench::new(JOB);
    let (stdout, stderr) = folder.texts(&["run", "job.toml", "--parallel", "2"], 0);
    assert!(
        stderr.starts_with("first: solitaire-chess --group 4, player greedy margin=1000, tuning 3 of "),
        "{stderr}"
    );
    assert!(stderr.contains(" parameters with genetic, for 5 generations\n"), "{stderr}");
    // In a log, with the time of day.
    let first = stderr.lines().nth(2).unwrap();
    assert!(first.ends_with("  0 %  measuring the baseline  0 trials") && first.as_bytes()[2] == b':', "{stderr}");
    let [.., complete, games] = &stderr.lines().collect::<Vec<_>>()[..] else { panic!("{stderr}") };
    assert!(complete.starts_with("complete after 5 generations and "), "{stderr}");
    assert!(games.starts_with("trials: search ") && games.contains(", selection "), "{stderr}");
    let counts = games.split(|letter: char| !letter.is_ascii_digit()).filter_map(|word| word.parse::<u64>().ok());
    let total = complete.split(" trials").next().unwrap().rsplit(' ').next().unwrap();
    assert_eq!(counts.sum::<u64>().to_string(), total, "{stderr}");
    let (verdict, rest) = stdout.split_once("\n\n").unwrap();
    assert!(verdict.starts_with("finalist: ") && verdict.contains("no improvement found"), "{verdict}");
    insta::assert_snapshot!(rest, @r"
    to detect smaller improvements, raise `budget`, or `test` in [search] (the test has 40 trials)

    results/first/report.html          the page of this run; open it in a browser
    results/first/recommendation.toml  the recommended values and this verdict
    results/first/finalist.toml        the values of the finalist, and this verdict
    results/first/generations.csv      one row for each generation
    results/first/validation.csv       one row for each candidate in validation, selection and test
    results/first/plots/               pictures of scores and values
    results/first/config.toml          the job with every key

    next:
      evolve run results/first/config.toml --after results/first  search on in a new run, which learns from this one
      evolve compare results/first                                measure the baseline again
    ");
    for line in rest.lines().filter(|line| line.starts_with("results/")) {
        assert!(folder.path().join(line.split(' ').next().unwrap()).exists(), "{line}");
    }

    // A second start is rejected, and a resume repeats the verdict.
    let (_, refusal) = folder.texts(&["run", "job.toml"], 1);
    assert!(refusal.contains("results/first already holds a run") && refusal.contains("--resume"), "{refusal}");
    let (again, stderr) = folder.texts(&["run", "job.toml", "--resume"], 0);
    assert_eq!(again, stdout);
    assert!(stderr.starts_with("already complete: after 5 generations"), "{stderr}");
    folder.evolve(&["run", "job.toml", "--resume", "--quiet"]).assert().code(0).stdout("").stderr("");

    // The recorded config gives the same run.
    let other = Bench::new(&folder.result("config.toml"));
    other.evolve(&["run", "job.toml", "--quiet"]).assert().success();
    folder.assert_same(&other, &REPRODUCED);
}

/// Waits for the first row of a table, below its header.
fn wait_for_row(path: PathBuf) {
    wait_until(|| fs::read_to_string(&path).is_ok_and(|text| text.lines().count() > 1));
}

#[test]
fn a_signal_stops_a_run_after_its_trials() {
    for (signals, options, again) in [
        (&[Signal::INT] as &[Signal], &[] as &[&str], "job.toml --resume"),
        (&[Signal::TERM], &["--quiet"], "job.toml --resume --quiet"),
        // Some senders send each signal twice.
        (&[Signal::INT, Signal::TERM], &["--parallel", "2", "--seed", "3"], "job.toml --seed 3 --parallel 2 --resume"),
    ] {
        let folder = Bench::new(&JOB.replace("generations = 5", "time = \"10m\""));
        let child = folder.spawn(&[&["run", "job.toml"], options].concat());
        // Once games are played, the process handles signals.
        wait_for_row(folder.path().join("results/first/generations.csv"));
        // Halted meanwhile, so that all arrive at the same moment, however long this program has to
        // wait in between.
        for &signal in [&[Signal::STOP], signals, &[Signal::CONT]].concat().iter() {
            kill_process(Pid::from_child(&child), signal).unwrap();
        }
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(130));
        let stderr = String::from_utf8(output.stderr).unwrap();
        let last = format!("saved in results/first; resume with: evolve run {again}\n");
        assert!(stderr.ends_with(&last), "{stderr}");
        assert_eq!(stderr.lines().count() == 1, options == ["--quiet"], "{stderr}");

        // The run does resume, and ends if it is nearly complete.
        let job = JOB.replace("generations = 5", "time = \"1ms\"");
        folder.write("job.toml", job);
        let words: Vec<&str> = again.split(' ').collect();
        let (_, stderr) = folder.texts(&[&["run"], &words[..]].concat(), 0);
        assert_eq!(stderr.contains("\nresuming after "), options != ["--quiet"], "{stderr}");
        assert!(folder.result("recommendation.toml").contains("[verdict]"));
    }
}

#[test]
fn wrong_jobs() {
    let job = |old: &str, new: &str| {
        let folder = Bench::new(&JOB.replace(old, new));
        let (stdout, stderr) = folder.texts(&["run", "job.toml"], 2);
        assert_eq!(stdout, "");
        assert!(!folder.path().join("results").exists());
        stderr
    };
    insta::assert_snapshot!(job("group = 4\n", ""), @"error: job.toml:4:2: [game] needs `group`: group of the contest's tests, by types of pieces: \
        1 knights; 2 ones; 3 ones and twos; 4 rooks, bishops and queens; 5 numbers; 6 all types");
    insta::assert_snapshot!(job("population", "popluation"), @"error: job.toml:16:1: [search] has no key \
        `popluation`; did you mean `population`?");
    insta::assert_snapshot!(job("moves_1", "move_1"), @"error: job.toml:12:1: no weight `move_1`; the \
        nearest name is `moves_1` (`evolve init --game solitaire-chess` lists all)");
    insta::assert_snapshot!(job("first", "../first"), @r#"error: job.toml:1:1: `name` is a folder below `results/`: parts of letters, digits, `-`, `_` and `.` (not first), with `/` between them; not "../first""#);
    let empty = Bench::empty();
    let (_, stderr) = empty.texts(&["run", "job.toml"], 2);
    assert!(stderr.starts_with("error: job.toml: no such file"), "{stderr}");
}

#[test]
fn runs_of_a_job_share_a_line_and_unreadable_runs_are_reported() {
    let folder = Bench::new(JOB);
    let run = |name: &str, seed: &str| {
        folder.evolve(&["run", "job.toml", "--quiet", "--name", name, "--seed", seed]).assert().success();
    };
    (1..=4).for_each(|seed| run(&format!("study/seed-{seed}"), &seed.to_string()));
    let status = |args: &[&str], code| folder.texts(&[&["status"], args].concat(), code);
    // Without other runs, each has a line of its own.
    assert_eq!(status(&[], 0).0.matches("results/study/seed-").count(), 4);
    let other = JOB.replace("name = \"first\"", "name = \"other\"").replace("population = ", "population = 1");
    folder.write("other.toml", other);
    folder.evolve(&["run", "other.toml", "--quiet"]).assert().success();
    let (text, _) = status(&[], 0);
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines.len() == 3 && lines[1].starts_with("  results/other "), "the newest first: {text}");
    assert!(lines[2].starts_with("  results/study/seed-* (4 runs)  4 complete "), "{text}");
    assert!(lines[2].contains("improvement in ") && lines[2].contains(" of 4"), "{text}");
    assert_eq!(status(&["--last", "1"], 0).0.lines().count(), 2);
    assert_eq!(status(&["--all"], 0).0.lines().count(), 6);
    let json = |args: &[&str], code| -> Value { serde_json::from_str(&status(args, code).0).unwrap() };
    assert_eq!(json(&["--json"], 0).as_array().unwrap().len(), 5);

    for (file, text, said) in [
        ("config.toml", "name = 7\n", "results/other: cannot read this run: "),
        ("checkpoint", "evolve-checkpoint 4 0\n{\n", "the checkpoint has format 4; this program reads format"),
    ] {
        let path = folder.path().join("results/other").join(file);
        let whole = fs::read(&path).unwrap();
        fs::write(&path, text).unwrap();
        let (stdout, stderr) = status(&[], 1);
        assert!(stdout.contains("results/study/seed-") && !stdout.contains("results/other"), "{stdout}");
        assert!(stderr.contains(said), "{stderr}");
        let lines = json(&["--json"], 1);
        assert_eq!(lines[4]["state"], "unreadable");
        assert!(!lines[4]["reason"].as_str().unwrap().is_empty());
        fs::write(&path, whole).unwrap();
    }
    // A run in brief says what its whole state says, which is read under another config.
    let before = json(&["--json"], 0);
    for place in ["other", "study/seed-1"] {
        let path = folder.path().join("results").join(place).join("config.toml");
        fs::write(&path, fs::read_to_string(&path).unwrap() + "# mine\n").unwrap();
    }
    let by_name = |all: &Value| {
        let mut all = all.as_array().unwrap().clone();
        all.sort_by_key(|run| run["run"].to_string());
        all
    };
    assert_eq!(by_name(&json(&["--json"], 0)), by_name(&before));
    // A file of that name does not make a folder a run.
    fs::create_dir(folder.path().join("results/mine")).unwrap();
    folder.write("results/mine/config.toml", "[build]\n");
    status(&[], 0);
}

#[test]
fn a_policy_is_measured() {
    let folder = Bench::new(JOB);
    folder.evolve(&["run", "job.toml", "--quiet"]).assert().success();
    let measure =
        |args: &[&str], status| folder.texts(&[&["compare", "results/first", "--trials", "40"], args].concat(), status);
    let (stdout, stderr) = measure(&["--parallel", "1"], 0);
    assert!(
        stdout.starts_with("results/first: solitaire-chess --group 4, player greedy margin=1000\n\ntrials "),
        "{stdout}"
    );
    assert!(
        stdout.contains("\nmean score ") && stdout.contains("  median ") && !stdout.contains("trials/s"),
        "{stdout}"
    );
    assert!(stderr.starts_with("40 trials each, ") && stderr.ends_with(" trials/s\n"), "{stderr}");
    // The same on another number of threads.
    assert_eq!(measure(&["--parallel", "3"], 0).0, stdout);

    let json = |args: &[&str]| -> Value { serde_json::from_str(&measure(&[args, &["--json"]].concat(), 0).0).unwrap() };
    let other = json(&["--seed", "2"]);
    assert_eq!(other["trials"], 40);
    assert!(other["score"]["standard_error"].as_f64().unwrap() > 0.0);
    assert_ne!(json(&[])["score"], other["score"]);
    let beam = json(&["--set", "player.name=beam", "--set", "player.width=2", "--set", "player.depth=2"]);
    assert_eq!((&beam["player"], &beam["settings"]["width"]), (&"beam".into(), &2.into()));
    assert_ne!(beam["score"], json(&[])["score"]);
    assert_eq!(json(&["--submission"])["player"], "greedy");

    for (args, said) in [
        (
            &["--set", "player.name=beam", "--set", "player.width=0"] as &[_],
            "--set player.width=0: `player.width` takes a whole number from 1 to 10000, not 0",
        ),
        (&["--set", "player.name=bean"], "--set player.name=bean: no player `bean`"),
        (&["--parallel=-1"], "--parallel"),
    ] {
        let (_, stderr) = measure(args, 2);
        assert!(stderr.contains(said), "{stderr}");
    }
}

#[test]
fn policies_are_compared() {
    let folder = Bench::new(JOB);
    folder.evolve(&["run", "job.toml", "--quiet"]).assert().success();
    let compare = |args: &[&str], status| folder.texts(&[&["compare"], args].concat(), status);
    let json = |args: &[&str]| -> Value { serde_json::from_str(&compare(&[args, &["--json"]].concat(), 0).0).unwrap() };
    let worse = folder.result("recommendation.toml").replace("\ntile_gold = ", "\ntile_gold = -20.0 # ");
    folder.write("worse.toml", worse);
    // Candidates by name, file, job and defaults; the answer is clear long before all games are
    // played.
    let compared = json(&["first", "worse.toml", "job.toml", "defaults", "--trials", "3000"]);
    let policies = compared["candidates"].as_array().unwrap();
    let score = |i: usize| policies[i]["score"].as_f64().unwrap();
    assert_eq!(policies[1]["compared"]["answer"], "worse");
    assert_eq!(score(2), score(3));
    let difference = policies[1]["compared"]["difference"][0].as_f64().unwrap();
    // As in a run: the difference from the first candidate.
    assert!((difference - (score(1) - score(0))).abs() < 1e-9);
    let text = compare(&["worse.toml", "first", "--trials", "3000"], 0).0;
    assert!(text.contains("\nfirst against worse.toml: better\n  difference        +"), "{text}");
    // The same on another number of threads.
    assert_eq!(json(&["first", "worse.toml", "job.toml", "defaults", "--trials", "3000", "--parallel", "3"]), compared);
    let weights = folder.result("recommendation.toml");
    let gold = weights.lines().find(|line| line.starts_with("tile_gold = ")).unwrap();
    folder.write("near.toml", weights.replace(gold, &format!("{gold}00000001")));
    let same = json(&["first", "near.toml", "--margin", "1", "--trials", "500"]);
    assert_eq!(same["candidates"][1]["compared"]["answer"], "the same within the margin");

    let other = folder.result("recommendation.toml").replace("group = 4", "group = 3");
    folder.write("other.toml", other);
    for (args, said) in [
        (&["first", "other.toml"] as &[_], "other.toml for solitaire-chess --group 3"),
        (&["first", "missing.toml"], "no run or weights file `missing.toml`"),
        (&[], "<CANDIDATE>"),
        (&["defaults", "defaults"], "needs a problem"),
    ] {
        let (_, stderr) = compare(args, 2);
        assert!(stderr.contains(said), "{stderr}");
    }
}

#[test]
fn runs_are_listed_and_finished() {
    let folder = Bench::new(JOB);
    let names = ["--name", "second", "--seed", "9", "--set", "search.generations=1000000"];
    let args = [&["run", "job.toml", "--quiet"] as &[_], &names].concat();
    let mut child = folder.spawn(&args);
    let so_far = folder.path().join("results/second/incumbent.toml");
    wait_until(|| so_far.exists() || child.try_wait().unwrap().is_some());
    assert!(so_far.exists(), "it ended");
    let status = folder.texts(&["status"], 0).0;
    assert!(status.contains("results/second") && status.contains("running"), "{status}");
    // Its incumbent can be exported, with a note that it was not tested.
    let (_, stderr) = folder.texts(&["export", "second", "--output", "program.rs"], 0);
    assert!(stderr.contains("was not tested"), "{stderr}");
    child.kill().unwrap();
    child.wait().unwrap();
    let shown = folder.texts(&["status", "second"], 0).0;
    assert!(
        shown.contains("\nnot tested yet: results/second/incumbent.toml\n") && shown.contains("\ntile_gold = "),
        "{shown}"
    );
    let finish = [&["run", "job.toml", "--resume", "--finish"], &names as &[_]].concat();
    let (stdout, _) = folder.texts(&finish, 0);
    assert!(stdout.starts_with("finalist: "), "{stdout}");
    assert!(!so_far.exists());
    let status = folder.texts(&["status"], 0).0;
    assert!(status.contains("complete") && !status.contains("running"), "{status}");
    // The verdict comes from the checkpoint, not from the comment of the weights file.
    let file = folder.path().join("results/second/recommendation.toml");
    let weights: String = fs::read_to_string(&file)
        .unwrap()
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|l| format!("{l}\n"))
        .collect();
    fs::write(&file, weights).unwrap();
    let shown = folder.texts(&["status", "second"], 0).0;
    assert!(shown.contains(&format!("\n\n{}", stdout.split_once("\n\n").unwrap().0)), "{shown}");
}

#[test]
fn exports_that_cannot_be_made() {
    let folder = Bench::new(JOB);
    fs::create_dir(folder.path().join("unfinished")).unwrap();
    for (args, said) in [
        (&["export", "missing.toml", "--output", "-"] as &[_], "no run or weights file `missing.toml`"),
        (&["export", "unfinished", "--output", "-"], "is this the folder of a run that has finished a generation?"),
        (&["export", "job.toml", "--output", "-"], "job.toml"),
        (&["export", "job.toml"], "--output"),
        (&["export", "--output", "-"], "RESULTS"),
        (&["export", "job.toml", "--output", "-", "--time-limit", "0s"], "longer than zero"),
    ] {
        let (_, stderr) = folder.texts(args, 2);
        assert!(stderr.contains(said), "{stderr}");
    }
}

/// In the search, an objective is already the baseline's plus the gain.
#[test]
fn a_gain_by_the_model_is_on_the_scale_of_comparisons() {
    let folder = Bench::new(
        r#"name = "halved"
[program]
command = ["sh", "-c", "echo Score = $(( 300 - 10 * {k} ))"]
seeds = "0-99"
goal = "minimize"
scale = "relative"
[parameters]
k = { int = [1, 20], start = 1 }
[search]
budget = 60
test = 0
"#,
    );
    folder.does(&["run", "job.toml"]);
    let run = folder.path().join("results/halved");
    let catalogue = evolve::core::job::Catalogue::new(&[]).declaring(&evolve_program::PROGRAM);
    let job = evolve::core::job::Job::recorded(&run, &catalogue).unwrap();
    let (_, gain) = *evolve::core::run::landscape(&run, &job).unwrap().course.last().unwrap();
    // From a score of 290 to one of 100.
    assert!((gain.mean - 190.0 / 290.0).abs() < 0.01, "{gain:?}");
}

#[test]
fn versions_of_a_program_are_compared_on_the_same_instances() {
    let job = r#"name = "old"
[program]
command = ["sh", "-c", "echo Score = $(( {seed} * {seed} % 17 + {k} ))"]
seeds = "0-99"
scale = "relative"
[parameters]
k = { int = [1, 20], start = 5 }
[search]
budget = 20
"#;
    let folder = Bench::new(job);
    let longer = job.replace("+ {k}", "+ 2 * {k}");
    folder.write("longer.toml", longer);
    let compare = |args: &[&str]| -> Value {
        serde_json::from_str(&folder.texts(&[&["compare", "--json"], args].concat(), 0).0).unwrap()
    };
    let better = "better: sh -c 'echo Score = $(( {seed} * {seed} % 17 + 3 * {k} ))'";
    let compared = compare(&["job.toml", "longer.toml", better]);
    // The 30 of 100 instances that only the test uses, each once.
    assert_eq!((&compared["trials"], &compared["instances"]), (&30.into(), &30.into()));
    for (place, name) in [(1, "longer.toml"), (2, "better")] {
        let policy = &compared["candidates"][place];
        assert_eq!(policy["candidate"], name);
        assert_eq!(policy["compared"]["answer"], "better", "{compared}");
        assert_eq!(policy["compared"]["wins"], 30);
    }
    // Other baselines of other candidates change nothing.
    folder.write("other.toml", job.replace("start = 5", "start = 7"));
    let more = compare(&["job.toml", "longer.toml", "other.toml"]);
    let gain = |of: &Value| of["candidates"][1]["compared"]["objective_gain"][0].as_f64().unwrap();
    assert!(gain(&compared) > 0.2 && gain(&more) == gain(&compared), "{more} {compared}");
    // Instances are not played again if nothing would differ, and failures are shown.
    let fails = "fails: sh -c '[ $(( {seed} % 5 )) = 0 ] && exit 3; echo Score = 99'";
    let (stdout, stderr) = folder.texts(&["compare", "job.toml", fails, "--trials", "300"], 0);
    let failures = compare(&["job.toml", fails])["candidates"][1]["failures"].as_u64().unwrap();
    assert!(failures > 0 && stdout.contains(&format!("\nfails: {failures} of 30 trials failed\n")), "{stdout}");
    assert!(stderr.contains("note: 30 trials each, one for each instance"), "{stderr}");
    // Two programs without a job, on unlimited seeds.
    let noise = |more: u32| format!("{more}: sh -c 'echo Score = $(( {{seed}} % 100 + {more} ))'");
    let compared = compare(&[&noise(5), &noise(4), "--trials", "60"]);
    assert_eq!(compared["candidates"][1]["compared"]["answer"], "worse", "{compared}");
    let compared = compare(&[&noise(5), &noise(4), "--trials", "60", "--set", "program.goal=minimize"]);
    assert_eq!(compared["candidates"][1]["compared"]["answer"], "better", "{compared}");
    let (_, stderr) = folder.texts(&["compare", &noise(5), &noise(4), "--set", "program.gaol=minimize"], 2);
    assert!(stderr.contains("--set program.gaol=minimize: [program] has no key `gaol`"), "{stderr}");
    let (_, stderr) = folder.texts(&["compare", &noise(5), &noise(4), "--trials", "60"], 0);
    assert!(stderr.contains("larger scores are better"), "{stderr}");
    // Ratios to the baseline are not differences of scores.
    let (stdout, _) = folder.texts(&["compare", "job.toml", "other.toml"], 0);
    assert!(stdout.contains("  difference        +2.0") && stdout.contains("  objective gain    +0."), "{stdout}");
    assert!(!stdout.contains("worse on, worst first"), "{stdout}");
    // The instances on which a candidate is worse, the worst first.
    let mixed = "mixed: sh -c 'echo Score = $(( {seed} * {seed} % 17 + 5 + {seed} % 3 - 1 ))'";
    let (stdout, _) = folder.texts(&["compare", "job.toml", mixed], 0);
    let compared = compare(&["job.toml", mixed]);
    let on: Vec<(f64, &str)> = compared["candidates"][1]["compared"]["by_instance"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| (one["difference"].as_f64().unwrap(), one["instance"].as_str().unwrap()))
        .collect();
    assert!(on.len() == 30 && on.is_sorted_by(|a, b| a.0 <= b.0) && on[0].0 < 0.0 && on[29].0 > 0.0, "{compared}");
    let listed = stdout.split_once("  worse on, worst first:\n").unwrap().1;
    assert!(listed.trim_start().starts_with(&format!("{} ", on[0].1)), "{stdout}");
    // Two names of one candidate.
    let (_, stderr) = folder.texts(&["compare", "job.toml", "defaults"], 2);
    assert!(stderr.contains("job.toml and defaults have the same values, so every difference would be 0"), "{stderr}");
    // Scores below 0 have no ratios.
    let below = ["old: sh -c 'echo Score = -{seed}'", "new: sh -c 'echo Score = -1'"];
    let ratios = [&["compare"], &below[..], &["--set", "program.scale=relative"]].concat();
    let (_, stderr) = folder.texts(&ratios, 2);
    assert!(stderr.contains("no score is above 0"), "{stderr}");
    // A command that names no instance is played once.
    let [old, new] = ["old: sh -c 'echo Score = 7'", "new: sh -c 'echo Score = 5'"];
    let (stdout, stderr) = folder.texts(&["compare", old, new, "--set", "program.goal=minimize"], 0);
    assert!(stderr.contains("one trial each, because the command names no instance"), "{stderr}");
    assert!(
        stdout.contains(
            "new against old: better\n  difference        -2.0000  (negative is better)\n  objective gain    +2.000\n"
        ),
        "{stdout}"
    );
    let (_, stderr) = folder.texts(&["compare", "job.toml", "new: ./missing {seed}"], 2);
    assert!(stderr.contains("./missing"), "{stderr}");
}

/// Candidates are compared only with the same inputs and measures, wherever their files are.
#[test]
fn scores_of_other_inputs_or_measures_are_not_compared() {
    let job = "name = \"first\"\n[program]\ncommand = \"sh solver.sh {k}\"\nstdin = \"small/{seed}.txt\"\nseeds = \"0-5\"\nsplit = false\nenv = \
               { K = \"{k}\" }\n[parameters]\nk = { int = [1, 20], start = 5 }\n[search]\nbudget = 20\n";
    let folder = Bench::new(job);
    folder.write("solver.sh", "read n\necho Score = $(( n + $1 ))\n");
    for seed in 0..6 {
        folder.write(format!("small/{seed}.txt"), format!("{seed}\n"));
        folder.write(format!("large/{seed}.txt"), format!("{}\n", seed + 1000));
        folder.write(format!("copy/{seed}.txt"), format!("{seed}\n"));
    }
    folder.write("score.sh", "cat $1\n");
    folder.write("copy/score.sh", "cat $1\n");
    folder.write("twice.sh", "sed 's/$/0/' $1\n");
    let scorer = |script: &str| format!("seeds = \"0-5\"\nscorer = \"sh {script} {{output}}\"");
    let with =
        |name: &str, from: &str, to: &str| folder.write(name, job.replace(from, to).replace("start = 5", "start = 7"));
    let seeds = "seeds = \"0-5\"";
    with("large.toml", "small/", "large/");
    with("copy.toml", "small/", "copy/");
    with("zero.toml", seeds, &format!("{seeds}\non_failure = 0"));
    with("status.toml", seeds, &format!("{seeds}\nsuccess_status = [3]"));
    with("scored.toml", seeds, &scorer("score.sh"));
    with("scored-copy.toml", seeds, &scorer("copy/score.sh"));
    with("twice.toml", seeds, &scorer("twice.sh"));
    for (one, other, key) in [
        ("job.toml", "large.toml", "`stdin`"),
        ("job.toml", "zero.toml", "`on_failure`"),
        ("job.toml", "status.toml", "`success_status`"),
        ("job.toml", "scored.toml", "`scorer`"),
        ("scored.toml", "twice.toml", "`scorer`"),
    ] {
        let said = folder.refuses(&["compare", one, other]);
        assert!(said.contains(&format!("{one} and {other} differ in {key}\n")), "{said}");
    }
    folder.does(&["compare", "scored.toml", "scored-copy.toml"]);
    // Every instance is played, so the difference is exact. `new` has the value as $K.
    let text = folder.does(&["compare", "job.toml", "copy.toml", "new: sh -c 'read n; echo Score = $(( n + K + 1 ))'"]);
    assert!(text.contains("copy.toml against job.toml: better\n  difference        +2.0000\n  better on 6 "), "{text}");
    assert!(text.contains("new against job.toml: better\n  difference        +1.0000\n"), "{text}");
}

#[test]
fn a_comparison_on_a_whole_list_is_exact_if_trials_repeat() {
    let job = "name = \"first\"\n[program]\ncommand = \"sh solver.sh {k} {seed}\"\nseeds = \"0-2\"\nsplit = false\nscale = \
               \"relative\"\n[parameters]\nk = { int = [1, 20], start = 5 }\n[search]\nbudget = 20\n";
    let folder = Bench::new(job);
    folder.write("other.toml", job.replace("start = 5", "start = 7"));
    folder.write("solver.sh", "echo Score = $(( 100000 + $2 * 1000 + $1 ))\n");
    let (text, _) = folder.texts(&["compare", "job.toml", "other.toml"], 0);
    assert!(text.contains(": better\n  difference        +2.0\n  objective gain    +0.0000"), "{text}");
    let (text, _) = folder.texts(&["compare", "job.toml", "other.toml", "--trials", "2"], 0);
    assert!(text.contains("job.toml: not clear\n") && text.contains("unknown: too few instances"), "{text}");
    folder.write("solver.sh", "echo x >> log\necho Score = $(( 100000 + $2 * 1000 + $1 + $(wc -l < log) ))\n");
    let (text, said) = folder.texts(&["compare", "job.toml", "other.toml"], 0);
    assert!(said.contains("note: repeating a trial gave other numbers"), "{said}");
    assert!(
        text.contains("95 % confidence interval unknown: too few instances, paired") && !text.contains("inf"),
        "{text}"
    );
}

/// The finalist of a run that recommends the baseline.
#[test]
fn a_rejected_finalist_is_kept() {
    let folder = Bench::new(JOB);
    folder.evolve(&["run", "job.toml", "--quiet"]).assert().success();
    let finalist = folder.result("finalist.toml");
    assert!(finalist.starts_with("# The finalist, which the run does not recommend.\n# finalist: "), "{finalist}");
    assert!(finalist.contains("\nrejected = true\n") && finalist.contains("\nimprovement = false\n"), "{finalist}");
    // The recommendation is the baseline, which the commands say at once.
    let (_, stderr) = folder.texts(&["compare", "defaults", "first"], 2);
    let kept = "first found no improvement and recommends the baseline";
    assert!(stderr.contains(kept) && stderr.contains("the finalist of its test is first:finalist"), "{stderr}");
    let (_, stderr) = folder.texts(&["explain", "first"], 2);
    assert!(stderr.contains(kept) && stderr.contains("with: evolve explain first:finalist"), "{stderr}");
    // The finalist is compared, explained and exported under its name.
    let (stdout, _) = folder.texts(&["compare", "defaults", "first:finalist", "--trials", "40"], 0);
    assert!(stdout.contains("first:finalist against defaults: "), "{stdout}");
    let (stdout, _) = folder.texts(&["explain", "first:finalist", "--trials", "30"], 0);
    assert!(stdout.contains("tile_gold"), "{stdout}");
    assert!(!folder.path().join("results/first/explain.csv").exists());
    let (program, stderr) = folder.texts(&["export", "first", "--finalist", "--output", "-"], 0);
    assert!(stderr.contains("note: first: the finalist, not recommended: it had "), "{stderr}");
    let (other, stderr) = folder.texts(&["export", "first", "--output", "-"], 0);
    assert!(program.contains("the finalist, not recommended") && program != other, "{program}");
    assert!(stderr.contains("note: first: the baseline itself; the finalist had "), "{stderr}");
    let (_, stderr) = folder.texts(&["compare", "defaults", "job.toml:finalist"], 2);
    assert!(stderr.contains("job.toml has no finalist"), "{stderr}");
}

#[test]
fn runs_are_explained() {
    // A gain far beyond the noise of a short test: without an improvement, there is nothing to
    // explain.
    let genetic = "optimizer = \"genetic\"\npopulation = 6\nelites = 1\ntrials = 4\ngenerations = 5\n";
    let weights =
        ["\"tile_gold\", \"moves_1\", \"stuck_soon\"", "\"layer_corner\", \"layer_edge\", \"layer_inner_corner\""];
    let folder = Bench::new(&JOB.replace(genetic, "budget = 500\n").replace(weights[0], weights[1]));
    folder.evolve(&["run", "job.toml", "--quiet"]).assert().success();
    let explain = |args: &[&str]| folder.texts(&[&["explain", "first", "--trials", "60"], args].concat(), 0);
    let (stdout, stderr) = explain(&["--parallel", "1"]);
    assert!(stderr.starts_with("first: ") && stderr.contains(" candidates, 60 trials each"), "{stderr}");
    assert!(stdout.contains("trials changed") && stdout.contains(" rows together (Bonferroni)"), "{stdout}");
    let once = folder.result("explain.csv");
    assert!(once.starts_with("name,worth,low,high,trials_changed,set_to,kind\n"), "{once}");
    // A parameter that the run put back to its start has no row.
    assert!((1 + 2..=1 + 3).contains(&once.lines().count()), "{once}");
    // The same on another number of threads; existing files do not prevent a resume.
    assert_eq!(explain(&["--parallel", "3"]).0, stdout);
    assert_eq!(folder.result("explain.csv"), once);
    let rows: Value = serde_json::from_str(&explain(&["--json"]).0).unwrap();
    let named = |row: &Value| row["parameter"].as_str().unwrap().to_string();
    let names: Vec<String> = rows.as_array().unwrap().iter().map(named).collect();
    let in_table: Vec<&str> = once.lines().skip(1).map(|line| line.split(',').next().unwrap()).collect();
    assert_eq!(names, in_table);
    assert!(rows[0]["worth"][1].as_f64() <= rows[0]["worth"][0].as_f64(), "{rows}");
    folder.evolve(&["run", "job.toml", "--resume", "--quiet"]).assert().success();
    let (_, stderr) = folder.texts(&["explain", "job.toml"], 2);
    assert!(stderr.contains("takes the folder of a run"), "{stderr}");
}
