//! A program that receives its time limit: the search at a shorter one, the held-out test at the
//! full one, and what `check`, `compare` and the page of a run say about it. The programs compute
//! with the limit instead of waiting for it.

use crate::shared::Bench;
use std::collections::BTreeSet;

/// Prints the limit, and a score whose best `k` is a twentieth of it: 10 at the full limit, 2 at
/// the short one.
const SHIFTED: &str = "best=$(( $3 / 20 ))\necho $3 >> log\necho limit: $3\n\
                       echo Score = $(( 1000 - 10 * ($1 - best) * ($1 - best) + $2 * 7 % 5 + $1 * $2 % 3 ))\n";
/// The same with the best `k` at both limits.
const AGREEING: &str = "echo $3 >> log\necho limit: $3\n\
                        echo Score = $(( 1000 + $3 - 10 * ($1 - 10) * ($1 - 10) + $2 * 7 % 5 + $1 * $2 % 3 ))\n";

const JOB: &str = r#"name = "first"

[program]
command = "sh solver.sh {k} {seed} {limit_ms}"
limit   = { full = "200ms", search = "50ms" }
metrics = { limit = 'limit: (\d+)' }

[parameters]
k = { int = [1, 20], start = 5 }

[search]
budget = 240
test = 40
"#;

/// The stages of a run with the limit of each trial.
fn limits(folder: &Bench) -> BTreeSet<[String; 2]> {
    folder.cells(["stage", "metrics"]).into_iter().collect()
}

#[test]
fn only_the_test_has_the_full_limit() {
    let folder = Bench::with_solver(JOB, SHIFTED);
    let (verdict, said) = folder.texts(&["run", "job.toml", "--parallel", "2"], 0);
    let expected = [["search", "limit=50"], ["test", "limit=200"]].map(|row| row.map(String::from));
    assert_eq!(limits(&folder), BTreeSet::from(expected));
    // The best value of the search is worse at the full limit.
    assert!(verdict.contains("no improvement found"), "{verdict}");
    let plan = "time limit: 0.2 s in the test, 0.05 s in the search; ";
    assert!(said.contains(plan) && said.contains("; at the full limit throughout, "), "{said}");
    let note = "note: time limit 0.2 s in the test, 0.05 s in the search; the longest trial took ";
    assert!(verdict.contains(note), "{verdict}");
    let (_, status) = folder.texts(&["status", "first"], 0);
    assert!(status.contains(note), "{status}");
    let weights = folder.result("recommendation.toml");
    assert!(weights.contains("note: time limit 0.2 s in the test, 0.05 s in the search\n"), "{weights}");
    assert!(folder.result("report.html").contains("0.2 s in the test, 0.05 s in the search"), "no limit on the page");
    assert!(folder.result("report.html").contains("99.9 % of trials within"), "no extrapolation on the page");
    // With the full limit in the search, it finds the value.
    let full = Bench::with_solver(&JOB.replace(", search = \"50ms\"", ""), SHIFTED);
    let (verdict, said) = full.texts(&["run", "job.toml"], 0);
    assert!(verdict.contains("improvement found: the finalist is better"), "{verdict}");
    assert!(limits(&full).iter().all(|[_, limit]| limit == "limit=200"));
    assert!(said.contains("time limit: 0.2 s; ") && !said.contains("throughout"), "{said}");
    assert!(full.result("recommendation.toml").contains("k = 10"), "{verdict}");
}

#[test]
fn validations_and_selection_have_the_limit_of_the_search() {
    let job = JOB.replace("test = 40", "validation = 6\nselection = 6\ntest = 40");
    let folder = Bench::with_solver(&job, AGREEING);
    let verdict = folder.run(&[]);
    assert!(verdict.contains("improvement found: the finalist is better"), "{verdict}");
    let mut stages = limits(&folder);
    assert!(stages.remove(&["test", "limit=200"].map(String::from)));
    assert!(stages.iter().all(|[_, limit]| limit == "limit=50") && stages.len() >= 4, "{stages:?}");
}

/// A run that is interrupted in its search, and once more in its test.
#[cfg(unix)]
#[test]
fn a_resumed_run_has_the_same_limits() {
    let (whole, parts) = (Bench::with_solver(JOB, AGREEING), Bench::with_solver(JOB, AGREEING));
    whole.run(&["--parallel", "2"]);
    parts.hold_after(60);
    parts.interrupt(parts.spawn(&["run", "job.toml", "--parallel", "1"]));
    parts.hold_after(130);
    parts.interrupt(parts.spawn(&["run", "job.toml", "--parallel", "2", "--resume"]));
    parts.run(&["--resume"]);
    let rows = |folder: &Bench| folder.cells(["stage", "number", "score", "metrics", "value.k"]);
    assert_eq!(rows(&parts), rows(&whole));
}

#[test]
fn a_marked_constant_takes_the_limit() {
    let source = "import os\n\ndef param(name, otherwise):\n    return type(otherwise)(os.environ.get(name, otherwise))\n\n\
                  LIMIT = param(\"EVOLVE_LIMIT\", 2.0)  # evolve: limit s\n\
                  K = param(\"EVOLVE_K\", 5)  # evolve: [1, 20]\n\
                  print(\"limit:\", LIMIT)\nprint(\"Score =\", 100 - (K - 7) ** 2)\n";
    let job = r#"name = "first"

[program]
command = "python3 solver.py {seed}"
source  = ["solver.py"]
limit   = { full = "2s", search = "0.25s" }
metrics = { limit = 'limit: ([0-9.]+)' }

[search]
budget = 60
"#;
    let folder = Bench::new(job);
    folder.write("solver.py", source);
    folder.run(&[]);
    let expected = [["search", "limit=0.25"], ["test", "limit=2"]].map(|row| row.map(String::from));
    assert_eq!(limits(&folder), BTreeSet::from(expected));
    // The limit in the source stays.
    folder.does(&["export", "results/first", "--into", "solver.py"]);
    assert!(folder.read("solver.py").contains("LIMIT = param(\"EVOLVE_LIMIT\", 2.0)  # evolve: limit s"));
    let unset = folder.refuses(&["check", "job.toml", "--set", "program.limit={}"]);
    assert!(unset.contains("full"), "{unset}");
    folder.write("job.toml", job.lines().filter(|line| !line.starts_with("limit")).collect::<Vec<_>>().join("\n"));
    let unset = folder.refuses(&["check", "job.toml"]);
    assert!(
        unset.contains(
            "solver.py:6 marks `LIMIT` as the time limit: set `limit`, such as `limit = { full = \"2000ms\" }`"
        ),
        "{unset}"
    );
    folder.write("job.toml", job);
    folder.write("solver.py", source.replace("param(\"EVOLVE_LIMIT\", 2.0)", "2.0"));
    let unread = folder.refuses(&["check", "job.toml"]);
    assert!(
        unread.contains("solver.py:6 marks `LIMIT`, but does not read it: write `param(\"EVOLVE_LIMIT\", 2.0)`"),
        "{unread}"
    );
}

#[test]
fn a_worker_receives_the_limit_of_each_trial() {
    let worker = "import json, sys\nfor line in sys.stdin:\n    trial = json.loads(line)\n    k = trial['params']['k']\n    \
                  print(json.dumps({'score': 1000 - (k - 7) ** 2, 'limit': trial['limit_ms']}), flush=True)\n";
    let job =
        JOB.replace("sh solver.sh {k} {seed} {limit_ms}\"", "python3 worker.py\"\nworker = true\nseeds = \"0-99\"");
    let folder = Bench::new(&job.replace("{ limit = 'limit: (\\d+)' }", "[\"limit\"]"));
    folder.write("worker.py", worker);
    folder.run(&["--parallel", "2"]);
    let expected = [["search", "limit=50"], ["test", "limit=200"]].map(|row| row.map(String::from));
    assert_eq!(limits(&folder), BTreeSet::from(expected));
}

#[test]
fn limits_that_do_not_fit_are_refused() {
    let folder = Bench::with_solver(JOB, AGREEING);
    for (from, to, message) in [
        (" {limit_ms}", "", "job.toml:5:1: `limit`: the program does not receive it"),
        ("limit   = { full = \"200ms\", search = \"50ms\" }\n", "", "`{limit_ms}` is the time limit: set it"),
        ("search = \"50ms\"", "search = \"300ms\"", "`limit`: `search` is 0.3 s, and `full` only 0.2 s"),
        ("search = \"50ms\"", "search = \"1us\"", "`limit`: the minimum is 0.001 s"),
        ("full = \"200ms\"", "full = \"1m\"", "`timeout` is 60 s, and the program runs until its time limit of 60 s"),
        ("metrics", "cpu_limit = \"0.1s\"\nmetrics", "`cpu_limit` is 0.1 s, and the program runs until"),
        ("metrics", "deterministic = true\nmetrics", "a program that runs until a time limit is not deterministic"),
        ("metrics", "score = \"wall\"\nmetrics", "`limit`: the score is the run time"),
        ("k = {", "limit_s = { int = [1, 2], start = 1 }\nk = {", "`limit_s` is reserved"),
    ] {
        assert!(JOB.contains(from), "{from}");
        folder.write("job.toml", JOB.replacen(from, to, 1));
        let refused = folder.refuses(&["check", "job.toml"]);
        assert!(refused.contains(message), "{message}: {refused}");
    }
}

#[test]
fn check_says_whether_the_short_limit_may_be_trusted() {
    let check = |job: &str, solver: &str, more: &[&str]| {
        let folder = Bench::with_solver(job, solver);
        let text = folder.does(&[&["check", "job.toml"], more].concat());
        (text, folder)
    };
    let wide = JOB.replace("start = 5", "start = 5, unit = 3").replace("budget = 240\ntest = 40", "budget = 1500");
    let (agreeing, folder) = check(&wide, AGREEING, &["--trials", "10"]);
    assert!(
        agreeing.contains("  short limit    agrees with the full one: the correlation of differences"),
        "{agreeing}"
    );
    assert!(
        agreeing.contains("by 12 candidates on 10 trials") && !agreeing.contains("warning: what is better"),
        "{agreeing}"
    );
    assert!(agreeing.contains("  time limit     0.2 s in the test, 0.05 s in the search\n"), "{agreeing}");
    assert!(agreeing.contains("                 at the full limit throughout, 1,500 trials take about "), "{agreeing}");
    assert!(agreeing.contains("  slack          longest trial "), "{agreeing}");
    let effects = "  effects        in the same direction at both limits: 1 of 1 parameter; in opposite ones: 0; ";
    assert!(agreeing.contains(effects) && agreeing.contains("; 99.9 % within "), "{agreeing}");
    // The test takes a third of the time, because each of its trials takes as long as four.
    assert!(agreeing.contains("  trials         search 1,334, test 166\n"), "{agreeing}");
    let log = folder.read("log");
    assert_eq!(log.lines().filter(|line| *line == "200").count(), 130, "{log}");
    let (shifted, _) = check(&wide, SHIFTED, &["--trials", "10"]);
    assert!(shifted.contains("  short limit    does NOT agree with the full one: "), "{shifted}");
    let opposite = "in opposite ones: 1; clear at one limit only: 0; not clear: 0\n                 k 5 -> 11 is worse with 0.05 s, and \
                    better with 0.2 s";
    assert!(shifted.contains(opposite), "{shifted}");
    assert!(shifted.contains("warning: what is better with 0.05 s is not what is better with 0.2 s"), "{shifted}");
    // The candidates differ by far less than the trials of each.
    let noisy = "echo limit: $3\necho Score = $(( 1000 + $1 + ($2 * 7919 + $1 * 104729 + $3) * 31 % 7001 ))\n";
    let (noisy, _) = check(&wide, noisy, &["--trials", "10"]);
    assert!(noisy.contains("not known whether it agrees with the full one: the correlation"), "{noisy}");
    let (hasty, _) = check(&JOB.replace("\"200ms\"", "\"50s\""), AGREEING, &["--time", "1s"]);
    assert!(
        hasty.contains("not known whether it agrees with the full one: the time of the check is too short"),
        "{hasty}"
    );
}

#[test]
fn comparisons_and_measured_worths_have_the_full_limit() {
    let folder = Bench::with_solver(JOB, AGREEING);
    folder.run(&[]);
    for (args, limits) in [
        (&["compare", "defaults", "first", "--trials", "30"][..], &["200"][..]),
        (&["compare", "first", "--trials", "30"], &["200"]),
        (&["explain", "first", "--trials", "30"], &["200"]),
        (&["compare", "first", "--trials", "30", "--slowdown", "1.25"], &["160", "200"]),
    ] {
        folder.write("log", "");
        let text = folder.does(args);
        let log = folder.read("log");
        assert_eq!(log.lines().collect::<BTreeSet<_>>(), limits.iter().copied().collect(), "{args:?}: {text}");
        if limits.len() > 1 {
            assert!(text.contains("first, judge 1.25 times slower (0.16 s) against first: worse"), "{text}");
            assert!(text.contains("-40"), "{text}");
        }
    }
    let other = folder.refuses(&["compare", "job.toml", "first", "--set", "program.limit.full=\"0\""]);
    assert!(other.contains("must be a duration"), "{other}");
    folder.write(
        "free.toml",
        JOB.replace(" {limit_ms}", " 1").replace("limit   = { full = \"200ms\", search = \"50ms\" }\n", ""),
    );
    let unlimited = folder.refuses(&["compare", "free.toml", "--slowdown", "1.1"]);
    assert!(unlimited.contains("--slowdown shortens the time limit, and free.toml receives none"), "{unlimited}");
    let differing = folder.refuses(&["compare", "free.toml", "job.toml"]);
    assert!(differing.contains("differ in `limit`"), "{differing}");
}
