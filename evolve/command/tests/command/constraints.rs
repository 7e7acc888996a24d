//! Runs whose candidates have to hold constraints, as a user meets them.

use crate::shared::{Bench, wait_until};

/// A program whose score and memory both grow with `k`; the memory differs between instances.
const SOLVER: &str = "echo $1 >> log\n\
                      echo Score = $((100 * $1 + $2 * 13 % 20))\necho peak $((10 * $1 + $2 * 7 % 9 - 4))\n";

const JOB: &str = r#"name = "first"

[program]
command = "sh solver.sh {k} {seed}"
seeds   = "0-199"
metrics = { memory = 'peak (-?\d+)' }

[parameters]
k = { int = [1, 20], start = 4 }

[constraints]
memory = "<= 122"

[search]
budget = 240
"#;

const GENETIC: &str = "optimizer = \"genetic\"\npopulation = 6\nelites = 1\nsigma0 = 4\ntrials = 3\ngenerations = 6\n\
                       validation = 30\nselection = 30\ntest = 40\n";

fn folder(job: &str) -> Bench {
    Bench::with_solver(job, SOLVER)
}

/// Returns the recommended value of `k`.
fn k(folder: &Bench) -> i64 {
    let weights = folder.result("recommendation.toml");
    let mut values = weights.lines().filter_map(|line| line.strip_prefix("k = ")?.trim().parse().ok());
    values.next().unwrap_or_else(|| panic!("{weights}"))
}

fn genetic(job: &str) -> String {
    job.replace("budget = 240\n", GENETIC)
}

#[test]
fn the_best_score_within_the_limit_is_found() {
    let free = folder(&JOB.replace("[constraints]\nmemory = \"<= 122\"\n", ""));
    assert!(free.run(&[]).contains("improvement found"));
    assert_eq!(k(&free), 20);
    for job in [JOB.to_string(), genetic(JOB), JOB.replace("<= 122", "each <= 122")] {
        let folder = folder(&job);
        let text = folder.run(&[]);
        assert!(text.contains("improvement found: the finalist is better."), "{text}");
        let line = text.lines().find(|line| line.trim().starts_with("memory: ")).unwrap();
        assert!(line.contains("<= 122: held; baseline ") && line.ends_with(": held"), "{line}");
        // 12 takes 120 on average, and 124 at most.
        let best = if job.contains("each") { 11 } else { 12 };
        assert!((best - 2..=best).contains(&k(&folder)), "{}: {text}", k(&folder));
        assert!(folder.result("trials.csv").contains("memory="));
        assert!(folder.result("recommendation.toml").contains("constraints = [\"memory: "));
    }
}

#[test]
fn a_limit_is_held_with_confidence_under_noise() {
    // Memory differs by ten or more between trials, for every k.
    let noisy = SOLVER.replace("$2 * 7 % 9 - 4", "$2 * 37 % 61 - 30");
    let folder = folder(JOB);
    folder.write("solver.sh", noisy);
    let text = folder.run(&["--set", "search.budget=600"]);
    assert!(text.contains("improvement found"), "{text}");
    let line = text.lines().find(|line| line.trim().starts_with("memory: ")).unwrap();
    assert!(line.contains(" (95 % confidence bound ") && line.contains("<= 122: held"), "{line}");
    assert!((6..=12).contains(&k(&folder)), "{text}");
}

#[test]
fn a_baseline_that_breaks_a_constraint_is_worse_than_any_candidate_that_holds_it() {
    for job in [JOB.to_string(), genetic(JOB)] {
        let job = job.replace("start = 4", "start = 18");
        let folder = folder(&job);
        let text = folder.run(&[]);
        let why = "the finalist holds the constraints, and the baseline breaks `memory <= 122`; its score is worse by ";
        assert!(text.contains(why) && !text.contains("improvement found"), "{text}");
        assert!(text.contains("(96 % confidence interval -"), "{text}");
        assert!(k(&folder) <= 12, "{text}");
        assert!(folder.result("recommendation.toml").contains("\nimprovement = false\nholds = true\n"));
        // All commands take the finalist for what the run recommends.
        let same = folder.refuses(&["compare", "results/first", "first:finalist", "--trials", "5"]);
        assert!(same.contains("results/first and first:finalist have the same values"), "{same}");
        let worth = folder.does(&["explain", "results/first", "--trials", "5"]);
        assert!(worth.lines().any(|line| line.split_whitespace().next() == Some("k")), "{worth}");
        let series = folder.does(&["log"]);
        assert!(series.contains("first") && !series.contains("not better"), "{series}");
        folder.texts(&["report", "results/first"], 0);
        let page = folder.result("report.html");
        assert!(
            page.contains("Within the limits, which the baseline breaks; the score is worse"),
            "the page does not say so"
        );
    }
}

#[test]
fn a_finalist_that_breaks_a_constraint_is_not_recommended() {
    // Late trials, after the search, take more memory than earlier ones.
    let folder = folder(&JOB.replace("<= 122", "each <= 122"));
    let solver = SOLVER.replace("$2 * 7 % 9 - 4", "($(wc -l < log) > 200) * 200");
    folder.write("solver.sh", solver);
    let text = folder.run(&["--parallel", "1"]);
    assert!(
        text.contains("no improvement found: the finalist breaks `memory each <= 122`. The baseline stays, though"),
        "{text}"
    );
    assert!(text.contains("beyond the limit) each <= 122: broken"), "{text}");
    assert_eq!(k(&folder), 4);
}

#[test]
fn the_baseline_stays_if_no_candidate_holds_the_constraint() {
    let folder = folder(&genetic(JOB).replace("<= 122", "<= 2"));
    let text = folder.run(&[]);
    assert!(text.contains("no improvement found. The baseline stays, though it breaks `memory <= 2`."), "{text}");
    assert!(text.contains("memory: baseline 40"), "{text}");
    let weights = folder.result("recommendation.toml");
    assert!(weights.contains("\nimprovement = false\nfinalist = \"baseline\"\n"), "{weights}");
}

#[test]
fn the_incumbent_holds_the_constraints() {
    // Stopped in the search after a validation: the incumbent holds the constraints.
    let folder =
        folder(&genetic(JOB).replace("generations = 6", "generations = 1000000").replace("start = 4", "start = 11"));
    let mut child = folder.spawn(&["run", "job.toml", "--parallel", "2"]);
    let text = || folder.so_far("results/first/incumbent.toml");
    wait_until(|| text().starts_with("# Not tested yet: the latest mean") || child.try_wait().unwrap().is_some());
    child.kill().unwrap();
    child.wait().unwrap();
    let text = text();
    assert!(
        text.starts_with("# Not tested yet: the latest mean of the search that held")
            || text.starts_with("# The baseline")
    );
    let k = text.lines().find_map(|line| line.strip_prefix("k = ")?.trim().parse::<i64>().ok()).unwrap();
    assert!(k <= 12, "{text}");
}

#[test]
fn measured_quantities_are_held() {
    let job = JOB
        .replace("metrics = { memory = 'peak (-?\\d+)' }\n", "")
        .replace("memory = \"<= 122\"", "memory = \"each <= 4000\"\ntime = \"<= 5\"\nwall = \"each <= 50\"");
    let folder = folder(&job.replace("budget = 240", "budget = 60"));
    let text = folder.run(&[]);
    for what in ["MiB (the largest of ", "time: 0.", "s (the largest of "] {
        assert!(text.contains(what), "{what}: {text}");
    }
    assert!(folder.result("trials.csv").contains("memory="));
    assert!(folder.result("config.toml").contains("deterministic = false"));
}

#[test]
fn check_prints_constraints() {
    let free = folder(&JOB.replace("start = 4", "start = 15"));
    let (text, _) = free.texts(&["check", "job.toml", "--trials", "12"], 0);
    assert!(text.contains("constraints    memory <= 122: baseline 1"), "{text}");
    assert!(text.contains("warning: the baseline breaks memory <= 122"), "{text}");
}

#[test]
fn compare_prints_the_constraints_of_each_candidate() {
    let folder = folder(JOB);
    folder.write("more.toml", JOB.replace("start = 4", "start = 15"));
    let (text, _) = folder.texts(&["compare", "job.toml", "more.toml"], 0);
    let lines: Vec<&str> = text.lines().filter(|line| line.contains("memory: ")).collect();
    assert!(
        matches!(lines[..], [held, broken] if held.starts_with("job.toml: memory: 39.53 (") && held.ends_with(": held")
        && broken.starts_with("more.toml: memory: 149.53 (") && broken.ends_with("<= 122: broken")),
        "{text}"
    );
    let (text, _) = folder.texts(&["compare", "more.toml", "--json"], 0);
    assert!(text.contains("\"constraints\": [\n    \"memory: 1"), "{text}");
}

#[test]
fn errors_in_constraints_name_the_line() {
    for (from, to, message) in [
        (
            "<= 122",
            "< 122",
            "job.toml:12:1: `constraints.memory`: \"< 122\" is not a limit; write a limit such as \"<= 256\"",
        ),
        ("<= 122", "<= lots", "job.toml:12:1: `constraints.memory`: \"lots\" is not a number"),
        (
            "memory = \"<=",
            "memry = \"<=",
            "job.toml:12:1: `constraints.memry`: unknown quantity; did you mean `memory`?",
        ),
        (r"peak (-?\d+)", r"peak -?\d+", "job.toml:6:13: `metrics.memory`: the regular expression needs one group"),
        ("budget = 240", "budget = 240\ntest = 0", "job.toml:16:1: `search.test` is 0, but constraints are judged"),
        (
            "metrics = { memory = 'peak (-?\\d+)' }",
            "deterministic = true",
            "job.toml:6:1: `memory` is a measurement, which is not deterministic: remove `deterministic`",
        ),
        (
            "metrics = { memory = 'peak (-?\\d+)' }",
            "worker = true",
            "`constraints.memory`: a worker plays many trials, so a single one cannot be measured",
        ),
        (
            "seeds   = \"0-199\"",
            "goal = \"minimize\"\nseeds = \"0-199\"\ncapping = 2",
            "`capping`: [constraints] needs the values",
        ),
    ] {
        let job = JOB.replace(from, to);
        assert_ne!(job, JOB, "{from}");
        let folder = folder(&job);
        let (_, errors) = folder.texts(&["run", "job.toml"], 2);
        assert!(errors.contains(message), "{message}\n{errors}");
    }
    let game = "name = \"x\"\n[game]\nname = \"gomoku\"\n[constraints]\ntime = \"<= 2\"\n[search]\nbudget = 1000\n";
    let (_, errors) = folder(game).texts(&["run", "job.toml"], 2);
    assert!(errors.contains("job.toml:4:2: a job has both [constraints] and [game]: remove one"), "{errors}");
}

#[test]
fn a_trial_without_a_limited_metric_fails() {
    let folder = folder(&JOB.replace("peak (", "pique ("));
    let (_, errors) = folder.texts(&["run", "job.toml"], 1);
    assert!(errors.contains("the output has no number `memory`, which is needed"), "{errors}");
}
