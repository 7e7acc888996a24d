//! A contest's day in a minute: rounds until a deadline, while the source changes, the process is
//! killed and the machine slows down. At every moment, the folder of the best version compiles,
//! plays, and is the best one that was confirmed.

use crate::shared::{Bench, wait_until};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

/// A solver whose best `K` is 17, in a version with this line. The file `slow` holds the
/// milliseconds that a trial takes.
fn solver(line: &str) -> String {
    format!(
        r#"#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <thread>
static double param(const char *name, double otherwise) {{
    const char *set = getenv(name);
    return set ? atof(set) : otherwise;
}}
const int K = param("EVOLVE_K", 40);       // evolve: [1, 60]
const double T = param("EVOLVE_T", 0.5);   // evolve: [0, 1]
int main(int argc, char **argv) {{
    int seed = atoi(argv[1]), bonus = 0, wait = 0;
    std::ifstream("slow") >> wait;
    std::this_thread::sleep_for(std::chrono::milliseconds(wait));
    {line}
    double loss = (K - 17) * (K - 17) + 100 * (T - 0.2) * (T - 0.2);
    printf("Score = %.6f\n", 1000 + bonus - loss + seed * 37 % 50 + (K + 3 * seed) % 5);
}}
"#
    )
}

/// The day's changes: better ones, worse ones, and two that do not compile.
const CHANGES: [&str; 10] = [
    "bonus = 5;",
    "bonus = 5; // the same",
    "bonus = -20;",
    "bonus = oops;",
    "bonus = 12;",
    "bonus = 11;",
    "return 1",
    "bonus = 11; bonus += 9;",
    "bonus = 3;",
    "bonus = 25;",
];

/// The build compares times, as `make` does, and compiles only a newer source.
const JOB: &str = r#"name = "tour"

[program]
build   = "sh -c '[ solver -nt solver.cpp ] || g++ -O1 -o solver solver.cpp'"
command = "./solver {seed}"
source  = ["solver.cpp"]

[search]
deadline = "DEADLINE"
"#;

fn place(seconds: u64) -> (Bench, SystemTime) {
    let deadline = SystemTime::now() + Duration::from_secs(seconds);
    let bench = Bench::new(&JOB.replace("DEADLINE", &utc(deadline)));
    bench.write("solver.cpp", solver(""));
    (bench, deadline)
}

fn utc(time: SystemTime) -> String {
    let text = humantime::format_rfc3339_seconds(time);
    text.to_string()
}

fn write(bench: &Bench, line: &str) {
    bench.write("new.tmp", solver(line));
    fs::rename(bench.path().join("new.tmp"), bench.path().join("solver.cpp")).unwrap();
}

fn start(bench: &Bench, more: &[&str]) -> Child {
    let log = fs::File::options().append(true).create(true).open(bench.path().join("said")).unwrap();
    let mut run = bench.process(&[&["run", "job.toml", "--no-report"], more].concat());
    run.stdout(Stdio::null()).stderr(log).spawn().unwrap()
}

/// The folder of the best version, which does not change any more.
fn best(bench: &Bench) -> Option<PathBuf> {
    let home = bench.path().join("results/tour");
    fs::read_link(home.join("best")).ok().map(|link| home.join(link))
}

/// Compiles a version elsewhere, and returns its mean score without any values from outside.
fn worth(version: &Path) -> f64 {
    let home = tempfile::tempdir().unwrap();
    let program = home.path().join("solver");
    let built = Command::new("g++").arg("-o").args([&program, &version.join("solver.cpp")]).status().unwrap();
    assert!(built.success(), "{version:?} does not compile");
    let score_of = |program: &Path, seed: u32| {
        let output = Command::new(program).arg(seed.to_string()).current_dir(home.path()).output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        text.trim().strip_prefix("Score = ").unwrap_or_else(|| panic!("{text}")).parse::<f64>().unwrap()
    };
    let score = |seed: u32| score_of(&program, seed);
    assert_eq!(score_of(&version.join("solver"), 1), score(1), "the program in {version:?} is not of its source");
    (1..=50).map(score).sum::<f64>() / 50.0
}

#[test]
fn a_version_is_ready_at_any_moment_of_a_day_of_changes() {
    let (bench, deadline) = place(60);
    let mut run = start(&bench, &[]);
    wait_until(|| best(&bench).is_some() || run.try_wait().unwrap().is_some());
    let (begin, mut kills, mut changes, mut seen) = (Instant::now(), 0, 0, Vec::new());
    let time = deadline.duration_since(SystemTime::now()).unwrap();
    let due = |count: usize, of: usize| time.mul_f64((count + 1) as f64 / (of + 4) as f64);
    loop {
        if changes < CHANGES.len() && begin.elapsed() >= due(changes, CHANGES.len()) {
            write(&bench, CHANGES[changes]);
            changes += 1;
            // The machine slows down in the middle of the day.
            bench.write("slow", if changes < 5 { "0" } else { "8" });
        }
        if kills < 5 && begin.elapsed() >= due(kills, 5) + Duration::from_millis(700) {
            run.kill().unwrap();
            run.wait().unwrap();
            kills += 1;
            run = start(&bench, &["--resume"]);
        }
        let version = best(&bench).unwrap();
        if seen.last().is_none_or(|(last, _)| *last != version) {
            seen.push((version.clone(), worth(&version)));
        }
        if let Some(status) = run.try_wait().unwrap() {
            assert!(status.success(), "{}", bench.read("said"));
            break;
        }
        thread::sleep(Duration::from_millis(300));
    }
    let said = bench.read("said");
    assert_eq!((kills, changes), (5, 10), "{said}");
    let late = SystemTime::now().duration_since(deadline).unwrap_or_default();
    assert!(late < Duration::from_secs(20), "{late:?} after the deadline: {said}");
    // Each version was better than the one before, and the last one is the best of all.
    let worths: Vec<f64> = seen.iter().map(|(_, worth)| *worth).collect();
    assert!(worths.windows(2).all(|pair| pair[1] > pair[0] - 1.0), "{worths:?}: {said}");
    assert!(worths.len() > 1 && worths[worths.len() - 1] > worths[0] + 500.0, "{worths:?}: {said}");

    // One command prints its path and its gain.
    let path = bench.does(&["best", "tour", "--path"]);
    assert_eq!(worth(&bench.path().join(path.trim())), *worths.last().unwrap());
    let text = bench.does(&["best", "tour"]);
    assert!(text.starts_with("results/tour/best\n\nversion ") && text.contains("gain over version 0: +"), "{text}");
    let json: Value = serde_json::from_str(&bench.does(&["best", "tour", "--json"])).unwrap();
    let all = json["versions"].as_array().unwrap();
    assert!(all.len() == json["best"]["number"].as_u64().unwrap() as usize + 1, "{json}");
    assert!(all[1..].iter().all(|version| version["gain"][1].as_f64().unwrap() > 0.0), "{json}");
    let log = bench.does(&["log", "tour"]);
    assert!(log.contains("solver changed") && log.contains(" (best)") && log.contains("over the baseline of"), "{log}");
}

#[test]
fn a_source_that_does_not_build_costs_nothing() {
    let (bench, _) = place(30);
    let mut run = start(&bench, &[]);
    wait_until(|| best(&bench).is_some() || run.try_wait().unwrap().is_some());
    write(&bench, "bonus = oops;");
    assert!(run.wait().unwrap().success(), "{}", bench.read("said"));
    let said = bench.read("said");
    assert!(said.contains("‘oops’") || said.contains("'oops'"), "{said}");
    assert!(said.contains("; the round plays the version of results/tour"), "{said}");
    let second = bench.read("results/tour-2/config.toml");
    assert!(second.contains("command = [\"./solver\", \"{seed}\"]"), "{second}");
    assert!(worth(&best(&bench).unwrap()) > 1000.0, "{said}");
}

/// The author saves the source while it is built.
#[test]
fn the_kept_source_is_that_of_the_program() {
    let (bench, _) = place(25);
    let slow = "g++ -O1 -o solver solver.cpp; touch built; sleep 2'";
    bench.write(
        "job.toml",
        bench.read("job.toml").replace("[ solver -nt solver.cpp ] || g++ -O1 -o solver solver.cpp'", slow),
    );
    let mut run = start(&bench, &[]);
    wait_until(|| bench.path().join("built").exists() || run.try_wait().unwrap().is_some());
    write(&bench, "bonus = 7;");
    wait_until(|| best(&bench).is_some() || run.try_wait().unwrap().is_some());
    let first = bench.path().join("results/tour/versions/0");
    let played = fs::read_dir(bench.path().join("results/tour/program")).unwrap().flatten();
    let played: Vec<PathBuf> = played.map(|entry| entry.path().join("solver")).filter(|path| path.exists()).collect();
    run.kill().unwrap();
    run.wait().unwrap();
    assert!(fs::read_to_string(first.join("solver.cpp")).unwrap().contains("bonus = 7;"));
    let score = |program: &Path| Command::new(program).arg("1").output().unwrap().stdout;
    assert!(played.iter().any(|program| score(program) == score(&first.join("solver"))), "{played:?}");
}

#[test]
fn deadlines_that_cannot_be_met_are_refused() {
    let (bench, _) = place(0);
    thread::sleep(Duration::from_secs(1));
    let said = bench.refuses(&["run", "job.toml"]);
    assert!(said.contains("the deadline ") && said.contains(" has passed"), "{said}");
    bench.write("job.toml", JOB.replace("DEADLINE", "2026-12-01T19:00"));
    let said = bench.refuses(&["run", "job.toml"]);
    assert!(said.contains("job.toml:9:") && said.contains("with its offset from UTC"), "{said}");
    let said = bench.refuses(&["best", "nothing"]);
    assert!(said.contains("no run"), "{said}");

    // Copies of the folder would share such a file with it.
    let (bench, _) = place(3600);
    let path = format!("['{}']", bench.path().join("solver.cpp").display());
    bench.write("job.toml", bench.read("job.toml").replace("[\"solver.cpp\"]", &path));
    let said = bench.refuses(&["run", "job.toml"]);
    assert!(said.contains("solver.cpp is not a path within the current folder"), "{said}");
}

/// A run after another on a list of instances tests on those that the first one left.
#[test]
fn tests_of_later_runs_use_other_instances() {
    let bench = Bench::new(
        "name = \"tour\"\n\n[program]\ncommand = \"sh solver.sh {k} {seed}\"\nseeds = \"0-999\"\n\n[parameters]\nk = { int = \
         [1, 40], start = 35 }\n\n[search]\nbudget = 200\ntest = 40\n",
    );
    bench.write("solver.sh", "echo Score = $(( 1000 - ($1 - 13) * ($1 - 13) + $2 * 7 % 13 + $1 * $2 % 3 ))\n");
    bench.run(&[]);
    bench.run(&["--after", "results/tour", "--set", "weights.ranges={ k = [1, 39] }"]);
    let of_test = |run: &str| -> Vec<String> {
        let table = bench.read(format!("results/{run}/trials.csv"));
        let head: Vec<&str> = table.lines().next().unwrap().split(',').collect();
        let [stage, instance] = ["stage", "instance"].map(|name| head.iter().position(|one| *one == name).unwrap());
        let rows = table.lines().map(|row| row.split(',').collect::<Vec<_>>());
        rows.filter(|row| row[stage] == "test").map(|row| row[instance].to_string()).collect()
    };
    let config = bench.read("results/tour-2/config.toml");
    assert!(config.contains("test_skips = "), "{config}");
    let (first, second) = (of_test("tour"), of_test("tour-2"));
    assert!(!first.is_empty() && second.iter().all(|instance| !first.contains(instance)), "{first:?} {second:?}");
    let status = bench.texts(&["status", "tour-2"], 0).1;
    assert!(!status.contains("were used by the tests"), "{status}");
}

/// A test may play an instance several times, which then counts once.
#[test]
fn tests_of_later_runs_skip_each_instance_once() {
    let bench = Bench::new(
        "name = \"tour\"\n\n[program]\ncommand = \"sh solver.sh {k} {seed}\"\nseeds = \"0-199\"\ndeterministic = \
         false\n\n[parameters]\nk = { int = [1, 40], start = 35 }\n\n[search]\nbudget = 650\ntest = 300\n",
    );
    bench.write("solver.sh", "echo Score = $(( 1000 - ($1 - 13) * ($1 - 13) + $2 * 7 % 13 ))\n");
    bench.run(&[]);
    bench.run(&["--after", "tour"]);
    let table = bench.read("results/tour/trials.csv");
    let instance = table.lines().next().unwrap().split(',').position(|name| name == "instance").unwrap();
    let tested = table.lines().filter(|row| row.split(',').any(|cell| cell == "test"));
    let tested: Vec<&str> = tested.map(|row| row.split(',').nth(instance).unwrap()).collect();
    let distinct: BTreeSet<&str> = tested.iter().copied().collect();
    assert!(tested.len() >= 4 * distinct.len(), "{tested:?}");
    let config = bench.read("results/tour-2/config.toml");
    assert!(config.contains(&format!("\ntest_skips = {}\n", distinct.len())), "{config}");
}
