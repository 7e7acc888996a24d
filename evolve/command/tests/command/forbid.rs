//! Forbidden combinations: no trial has one, and a command that names one is an error.

use crate::shared::Bench;
use std::fs;

/// The best combination would be swap with 20, which is forbidden; the program logs what it plays.
const SOLVER: &str = "echo \"$1 $2\" >> log\nbonus=0\n\
                      [ $2 = swap ] && bonus=8\necho Score = $(( 5 * $1 + bonus + $3 % 7 ))\n";

const JOB: &str = r#"name = "first"

[program]
command = "sh solver.sh {k} {move} {seed} {greedy}"
seeds = "0-39"
forbid = [
    "move == 'swap' && k > 10",
    "k in [13, 19, 20] || !(move != 'insert')",
    "greedy == true && k < 4",
]

[parameters]
k      = { int = [1, 20], start = 5 }
move   = { choice = ["swap", "2opt", "insert"], start = "2opt" }
greedy = { bool = true, condition = "move == 'swap'" }

[search]
budget = 400
"#;

fn place(job: &str) -> Bench {
    Bench::with_solver(job, SOLVER)
}

fn is_forbidden(played: &str) -> bool {
    let (k, name) = played.split_once(' ').unwrap();
    let k: i64 = k.parse().unwrap();
    name == "swap" && k > 10 || [13, 19, 20].contains(&k) || name == "insert"
}

#[test]
fn no_trial_is_forbidden() {
    for optimizer in ["optimizer = \"auto\"", "optimizer = \"genetic\"\npopulation = 8\ntrials = 2\nelites = 2"] {
        // So many instances that hardly a trial of the search repeats an earlier one.
        let one = place(&JOB.replace("0-39", "0-199").replace("budget", &format!("{optimizer}\nbudget")));
        one.evolve(&["run", "job.toml", "--quiet"]).assert().success();
        let log = one.read("log");
        let forbidden: Vec<&str> = log.lines().filter(|played| is_forbidden(played)).collect();
        assert!(forbidden.is_empty() && log.lines().count() > 150, "{optimizer}: {forbidden:?}");
        // 18 is the largest number that is left, and beats swap with 10.
        let best = log.lines().filter(|played| *played == "18 2opt").count();
        assert!(best > 20, "{optimizer}: {best}");
        assert!(one.read("results/first/recommendation.toml").contains("\nk = 18\n"), "{optimizer}");
        let exported = one.texts(&["export", "results/first", "--format", "args"], 0).0;
        assert!(exported.contains("18 2opt"), "{exported}");
    }
}

#[test]
fn check_and_explain_skip_forbidden_candidates() {
    let folder = place(JOB);
    folder.evolve(&["check", "job.toml", "--trials", "5"]).assert().success();
    folder.evolve(&["run", "job.toml", "--quiet"]).assert().success();
    folder.evolve(&["explain", "results/first", "--trials", "20"]).assert().success();
    let log = folder.read("log");
    assert_eq!(log.lines().find(|played| is_forbidden(played)), None);
}

#[test]
fn forbidden_candidates_are_rejected_by_every_command() {
    let folder = place(JOB);
    folder.evolve(&["run", "job.toml", "--quiet"]).assert().success();
    let refuses = |args: &[&str], said: &str| {
        let output = folder.texts(args, 2).1;
        assert!(output.contains(said), "{args:?}: {output}");
    };
    let baseline = "the baseline is forbidden by \"move == 'swap' && k > 10\": `k` is 12, `move` is swap";
    let set = ["--set", "parameters.k.start=12", "--set", "parameters.move.start=swap"];
    refuses(&[&["run", "job.toml"][..], &set].concat(), baseline);
    refuses(&[&["compare", "job.toml"][..], &set].concat(), baseline);
    refuses(&["run", "job.toml", "--set", "program.forbid=[\"k < 9\"]"], "--set program.forbid");
    let wrong = JOB.replace("start = 5", "start = 12").replace("\"2opt\" }", "\"swap\" }");
    folder.write("wrong.toml", wrong);
    refuses(&["check", "wrong.toml"], &format!("wrong.toml:6:1: {baseline}"));
    let values = ["--set", "weights.k=12", "--set", "weights.move=swap"];
    let said = "these values are forbidden by \"move == 'swap' && k > 10\"";
    refuses(&[&["compare", "results/first", "defaults"][..], &values].concat(), said);
    let file = folder.path().join("results/first/recommendation.toml");
    let weights = fs::read_to_string(&file).unwrap();
    fs::write(&file, weights.replace("\nk = 18\n", "\nk = 19\n")).unwrap();
    refuses(&["export", "results/first", "--format", "args"], "forbidden by \"k in [13, 19, 20] || ");
    refuses(&["compare", "results/first", "defaults"], "forbidden by \"k in [13, 19, 20] || ");
}
