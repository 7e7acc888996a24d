//! `evolve check`, and the warnings that `evolve run` repeats of it.

use crate::shared::Bench;
use serde_json::{Value, json};
use std::fs;
use std::io::{BufRead, BufReader};

/// Standard output and standard error of `evolve check`.
fn check(folder: &Bench, args: &[&str], status: i32) -> (String, String) {
    folder.texts(&[&["check", "job.toml"], args].concat(), status)
}

/// The same without figures that depend on the clock.
fn timeless(text: &str) -> String {
    let line = |line: &str| match line.split_whitespace().next() {
        Some("a") => "  a trial      TIME, 2 at a time: SPEED\n".to_string(),
        Some("the") if line.starts_with("the job can run") => {
            format!("{} trials, TIME\n", line.split_once(" trials").map_or(line, |(before, _)| before))
        }
        Some("held-out") if line.contains("; a run of 8 hours") => {
            format!(
                "{}; a run of 8 hours ...\n",
                line.split_once("; a run of 8 hours").map_or(line, |(before, _)| before)
            )
        }
        _ => format!("{line}\n"),
    };
    text.lines().map(line).collect()
}

/// The differences that a test detects are true in any unit, and no run could detect smaller ones.
#[test]
fn forecasts_of_the_test_do_not_depend_on_the_unit_of_the_score() {
    let job = |factor: u32, more: &str| {
        Bench::new(&format!(
            "name = \"first\"\n[program]\ncommand = [\"sh\", \"-c\", \"echo Score = $(( ((7 - {{k}}) * (7 - {{k}}) + 20 + {{seed}} * 31 % 17) * \
             {factor} ))\"]\nscale = \"log\"\ngoal = \"minimize\"\n[parameters]\nk = {{ int = [1, 20], start = 12 }}\n\
             [search]\n{more}\n"
        ))
    };
    let forecast = |factor: u32, more: &str| {
        let (output, _) = check(&job(factor, more), &["--trials", "12", "--parallel", "2"], 0);
        let line = output.lines().find(|line| line.trim_start().starts_with("held-out test"));
        line.unwrap_or_else(|| panic!("{output}")).to_string()
    };
    let share = |line: &str| line.split_once(" with 80 %").unwrap().0.to_string();
    let [one, thousand] = [1, 1000].map(|factor| share(&forecast(factor, "budget = 300")));
    assert_eq!(one, thousand);
    assert!(one.contains(" % of the baseline)"), "{one}");
    // The largest test has 10,000 trials, however long the run.
    let long = forecast(1, "time = \"100h\"");
    assert!(long.contains("10,000 trials") && !long.contains("8 hours"), "{long}");
    // Without a test, nothing is said about its instances.
    let (output, said) = check(&job(1, "budget = 300\ntest = 0"), &["--trials", "12"], 0);
    assert!(output.contains("none, as the job says") && !output.contains("list more instances"), "{output}{said}");
}

#[test]
fn a_game_is_checked() {
    let quickstart = concat!(env!("CARGO_MANIFEST_DIR"), "/../../configs/quickstart.toml");
    let folder = Bench::new(&fs::read_to_string(quickstart).unwrap());
    let (output, _) = check(&folder, &["--trials", "20", "--parallel", "2"], 0);
    insta::assert_snapshot!("check-quickstart", timeless(&output));
    let (all, _) = check(&folder, &["--trials", "2", "--parallel", "2", "--all"], 0);
    assert_eq!(all.lines().filter(|line| line.starts_with("  tile_bronze ")).count(), 2, "{all}");
    assert!(all.lines().count() > 272, "{all}");
}

/// A program with a parameter that improves the score, one that only changes it, one that never
/// reaches it, one with a condition, and one that makes it fail.
const PROGRAM: &str = r#"name = "first"

[program]
command = ["sh", "-c", "[ $3 -gt 6 ] && exit 3; echo Score = $(( 1000 - ({k} - 7) * ({k} - 7) + ({seed} * 31 + $2 * {seed} * 17) % 5 )) #{dead}{heat}{move}", "sh", "{k}", "{j}", "{crash}"]
seeds = "0-99"
on_failure = 0

[parameters]
k = { int = [1, 20], start = 4 }
j = { int = [1, 20], start = 5 }
dead = { float = [0, 1], start = 0.5 }
move = { choice = ["a", "b"], start = "a" }
heat = { float = [0, 1], start = 0.5, condition = "move == 'b'" }
crash = { int = [1, 8], start = 6 }

[search]
budget = 60
"#;

#[test]
fn a_program_is_checked() {
    let folder = Bench::new(PROGRAM);
    let (output, _) = check(&folder, &["--trials", "12", "--parallel", "2"], 0);
    insta::assert_snapshot!("check-program", timeless(&output));
}

#[test]
fn an_answer_for_programs() {
    let folder = Bench::new(PROGRAM);
    let (output, _) = check(&folder, &["--trials", "12", "--parallel", "2", "--json"], 0);
    let answer: Value = serde_json::from_str(&output).unwrap();
    assert_eq!((&answer["job"], &answer["deterministic"]), (&json!("first"), &json!(true)), "{output}");
    assert!(answer["trials"].as_f64() <= Some(60.0) && answer["detects"].as_f64() > Some(0.0), "{output}");
    assert!(answer["facts"]["parameters"].as_str().unwrap().contains("changed nothing"), "{output}");
    let tried = answer["parameters"].as_array().unwrap();
    let of = |name: &str| tried.iter().filter(|row| row["parameter"] == name).collect::<Vec<_>>();
    let better = of("k").into_iter().find(|row| row["value"].as_i64() > Some(4)).unwrap();
    assert_eq!((&better["start"], &better["trials"], &better["changed"]), (&json!(4), &json!(12), &json!(12)));
    assert!(better["difference"][0].as_f64() > Some(0.0), "{better}");
    assert!(of("dead").iter().all(|row| row["changed"] == 0) && of("crash").iter().any(|row| row["failed"] == 12));
}

/// A difference may be the same on every instance.
#[test]
fn the_same_gain_on_every_instance_is_an_effect() {
    let alike = "[program]\ncommand = [\"sh\", \"-c\", \"echo Score = $(( {seed} + 10 * {k} ))\"]\nseeds = \"0-99\"\n\
                 [parameters]\nk = { int = [1, 20], start = 5 }\n[search]\nbudget = 60\n";
    let (output, _) = check(&Bench::new(&format!("name = \"alike\"\n{alike}")), &["--trials", "12"], 0);
    assert!(output.contains("1 of 1 change outcomes") && !output.contains("no tuned parameter"), "{output}");
    assert!(output.contains("+40.000 to +40.000  better"), "{output}");
    assert!(
        output.contains("on the 12 instances tried, candidates differ from the baseline by the same amount"),
        "{output}"
    );
    // The plan of another budget.
    let most = |output: &str| output.split("at most ").nth(1).unwrap().split(' ').next().unwrap().to_string();
    let folder = Bench::new(&format!("name = \"alike\"\n{alike}"));
    let (other, _) = check(&folder, &["--trials", "12", "--set", "search.budget=90", "--seed", "2"], 0);
    assert_ne!(most(&other), most(&output), "{other}");
    let (_, stderr) = check(&folder, &["--set", "search.budgt=90"], 2);
    assert!(stderr.contains("--set search.budgt=90: "), "{stderr}");
}

/// A program whose parameters have no effect, and whose scores are random.
const NOISE: &str = r#"name = "noise"

[program]
command  = ["sh", "-c", "echo Score = $(( $(od -An -N2 -tu2 /dev/urandom) + 1000 + 0 * {k} * {seed} ))"]
seeds    = "0-399"
scale    = "relative"

[parameters]
k = { int = [1, 20], start = 15 }

[search]
budget = 4000
"#;

#[test]
fn a_program_that_is_not_deterministic_is_detected() {
    let (output, _) = check(&Bench::new(NOISE), &["--trials", "12"], 0);
    assert!(output.contains("deterministic  NO"), "{output}");
    assert!(output.contains("of 1 change the mean significantly") && !output.contains("outcomes changed"), "{output}");
    let declared = NOISE.replace("seeds", "deterministic = false\nseeds");
    let (output, _) = check(&Bench::new(&declared), &["--trials", "12"], 0);
    assert!(output.contains("no: the job declares it") && !output.contains("warning: trials"), "{output}");
    // Parameters that were not tried are not counted.
    let many: String = (0..30).map(|i| format!("k{i} = {{ int = [1, 20], start = 15 }}\n")).collect();
    let many = declared.replace("echo", "sleep 0.05; echo").replace("k = { int = [1, 20], start = 15 }\n", &many);
    let many = many.replace("{k} * {seed} ))\"]", "{seed} ))\", \"{args}\"]");
    let (output, _) = check(&Bench::new(&many), &["--time", "1s", "--parallel", "2"], 0);
    assert!(output.contains(" that were tried change the mean significantly"), "{output}");
}

/// Fewer is better, and a failed trial counts as the best of all.
#[test]
fn rewarded_failures_are_noted() {
    let job = NOISE.replace("\"relative\"", "\"raw\"").replace("seeds", "goal = \"minimize\"\non_failure = 0\nseeds");
    let (output, _) = check(&Bench::new(&job), &["--trials", "12"], 0);
    assert!(output.contains("a failed trial scores 0, which is better than "), "{output}");
    let (output, _) = check(&Bench::new(&job.replace("on_failure = 0", "on_failure = 1e9")), &["--trials", "12"], 0);
    assert!(!output.contains("a failed trial scores"), "{output}");
}

#[test]
fn a_parameter_that_takes_time_is_noted() {
    // `loops` is the number of loops of 20 ms; `fast` changes only the score.
    let job = "name = \"loops\"\n[program]\ncommand = [\"sh\", \"-c\", \"for i in $(seq {loops}); do sleep 0.02; done; \
               echo Score = $(( {loops} + {fast} + {seed} ))\"]\nseeds = \"0-99\"\n[parameters]\n\
               loops = { int = [1, 20], start = 5 }\nfast = { int = [1, 20], start = 5 }\n\
               [search]\nbudget = 60\n";
    let (output, _) = check(&Bench::new(job), &["--trials", "6", "--parallel", "2"], 0);
    let note = output.lines().find(|line| line.starts_with("note: the run time depends on loops ("));
    let note = note.unwrap_or_else(|| panic!("{output}"));
    assert!(note.contains(" times as long at 9 as at 1)") && note.contains("`[constraints]`"), "{note}");
    assert!(!note.contains("fast"), "{note}");
    let (output, _) = check(&Bench::new(&format!("{job}[constraints]\ntime = \"<= 1\"\n")), &["--trials", "6"], 0);
    assert!(!output.contains("the run time depends"), "{output}");
}

#[test]
fn a_run_warns_that_trials_are_not_deterministic() {
    let folder = Bench::new(NOISE);
    let mut run = folder.spawn(&["run", "job.toml"]);
    let lines = BufReader::new(run.stderr.take().unwrap()).lines().map_while(Result::ok);
    let output = lines.into_iter().find(|line| line.starts_with("warning: repeating a trial "));
    run.kill().unwrap();
    run.wait().unwrap();
    assert!(output.is_some());
}

#[test]
fn a_check_respects_its_time_limit() {
    let parameters: String = (0..30).map(|i| format!("k{i} = {{ int = [1, 20], start = 5 }}\n")).collect();
    let slow = format!(
        "name = \"slow\"\n[program]\ncommand = [\"sh\", \"-c\", \"sleep 0.1; echo Score = {{seed}}\", \"{{args}}\"]\n\
         seeds = \"0-99\"\n[parameters]\n{parameters}[search]\nbudget = 2000\n"
    );
    let (output, cost) = check(&Bench::new(&slow), &["--time", "3s", "--parallel", "2"], 0);
    assert!(cost.starts_with("slow: checking with up to "), "{cost}");
    // The number of those that were tried depends on the machine.
    let note = output.lines().find(|line| line.starts_with("note: ") && line.contains(" of 30 parameters w"));
    let note = note.unwrap_or_else(|| panic!("{output}"));
    assert!(note.contains(" tried, at one value only, because of the time limit; `--time "), "{note}");
    let tried: usize = note.split(' ').nth(1).unwrap().parse().unwrap();
    assert!((1..30).contains(&tried), "{note}");
    // Other values of a parameter may change outcomes although the tried one does not.
    assert!(output.contains("of 30 change outcomes") && !output.contains("keep their start"), "{output}");
}

#[test]
fn a_failing_program_is_reported_with_its_output() {
    let fails = r#"name = "fails"

[program]
command = ["sh", "-c", "echo reading >&2; if read x; then echo Score = $x; else echo there is no input >&2; exit 4; fi", "{k}"]
seeds = "0-99"
scale = "relative"

[parameters]
k = { int = [1, 20], start = 5 }

[search]
budget = 60
"#;
    for goal in ["maximize", "minimize"] {
        let job = fails.replace("seeds", &format!("goal = \"{goal}\"\nseeds"));
        let (_, output) = check(&Bench::new(&job), &[], 2);
        assert!(
            output.starts_with("error: a trial of the baseline fails: exit status: 4\n  command: sh -c "),
            "{output}"
        );
        assert!(
            output.contains("\n    reading\n    there is no input\n") && output.contains("name the files"),
            "{output}"
        );
        assert!(!output.contains("scale"), "{output}");
    }
}
