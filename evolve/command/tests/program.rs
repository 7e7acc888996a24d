//! Runs of programs: stopped, killed and resumed, with inputs that change.

mod shared;

use assert_cmd::Command;
use assert_cmd::cargo::CommandCargoExt;
use rustix::process::{Pid, Signal, kill_process};
use shared::{HOLD, hold_after, interrupt, wait_until, wait_until_held};
use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::{self, Stdio};
use tempfile::TempDir;

/// The program logs each of its starts, with its process.
const SOLVER: &str = "#!/bin/sh\necho $$ >> pids\nread x\necho \"$1 $2 $3\" >> log\n\
                      echo Score = $(( (7 - $1) * (7 - $1) + x + 10 ))\n";

const JOB: &str = r#"name = "first"

[program]
command  = "sh solver.sh {k} {seed} {random} {dir}"
stdin    = "in/{seed}.txt"
seeds    = "0-39"
goal     = "minimize"
scale    = "relative"

[parameters]
k = { int = [1, 20], start = 15 }

[search]
optimizer = "genetic"
population = 4
elites = 1
trials = 3
generations = 4

validation = 30

selection = 4
test = 30
"#;

/// A folder with a program, its inputs, its job and a place for temporary files.
fn folder() -> TempDir {
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::write(path("job.toml"), JOB).unwrap();
    fs::write(path("solver.sh"), format!("{SOLVER}{HOLD}")).unwrap();
    fs::create_dir(path("in")).unwrap();
    fs::create_dir(path("tmp")).unwrap();
    for seed in 0..40 {
        fs::write(path(&format!("in/{seed}.txt")), format!("{}\n", seed % 7)).unwrap();
    }
    folder
}

fn evolve(folder: &TempDir, args: &[&str]) -> Command {
    let mut command = shared::evolve(folder, args);
    command.env("TMPDIR", folder.path().join("tmp"));
    command
}

fn spawn(folder: &TempDir, args: &[&str]) -> process::Child {
    let mut command = process::Command::cargo_bin("evolve").unwrap();
    command.args(args).current_dir(folder).env("TMPDIR", folder.path().join("tmp"));
    command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap()
}

fn read(folder: &TempDir, name: &str) -> String {
    fs::read_to_string(folder.path().join(name)).unwrap_or_default()
}

fn result(folder: &TempDir, name: &str) -> String {
    read(folder, &format!("results/first/{name}"))
}

/// All files that must reproduce.
fn assert_same(a: &TempDir, b: &TempDir) {
    for name in ["generations.csv", "validation.csv", "trials.csv", "recommendation.toml", "config.toml", "inputs.txt"]
    {
        assert!(!result(a, name).is_empty(), "{name}");
        assert_eq!(result(a, name), result(b, name), "{name} differs");
    }
}

/// Whether any process of the program runs: none may, that was started before now.
fn running(folder: &TempDir) -> Vec<String> {
    let is_running = |pid: &&str| {
        let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        let command = fs::read_to_string(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        // A process that ended and was not waited for yet does not run; a number may be another's
        // by now.
        !stat.is_empty() && !stat.contains(") Z ") && command.contains("solver.sh")
    };
    read(folder, "pids").lines().filter(is_running).map(String::from).collect()
}

/// The trials played, without the folder of the slot, and how often.
fn played(folder: &TempDir) -> BTreeMap<String, usize> {
    let mut played = BTreeMap::new();
    for line in read(folder, "log").lines() {
        *played.entry(line.to_string()).or_insert(0) += 1;
    }
    played
}

fn homes(folder: &TempDir) -> Vec<PathBuf> {
    fs::read_dir(folder.path().join("tmp")).unwrap().map(|entry| entry.unwrap().path()).collect()
}

/// The run is killed during trials: no child survives, partial files are removed, and the results
/// are byte-identical.
#[test]
fn a_killed_run_of_a_program_resumes() {
    let whole = folder();
    evolve(&whole, &["run", "job.toml", "--quiet", "--parallel", "2"]).assert().success();
    assert_eq!(homes(&whole), [] as [PathBuf; 0]);

    let killed = folder();
    for kill in 1..=3 {
        hold_after(&killed, 15 * kill);
        let mut child = spawn(&killed, &["run", "job.toml", "--resume", "--parallel", "2"]);
        wait_until_held(&killed, &mut child);
        child.kill().unwrap();
        child.wait().unwrap();
        // They end shortly afterwards; the command does not wait for them.
        wait_until(|| running(&killed).is_empty());
        assert_eq!(homes(&killed).len(), 1, "left of the one that was killed last");
    }
    fs::remove_file(killed.path().join("hold")).unwrap();
    evolve(&killed, &["run", "job.toml", "--resume", "--quiet"]).assert().success();
    assert_eq!(homes(&killed), [] as [PathBuf; 0]);
    assert_same(&whole, &killed);
}

/// An interruption waits for the trials in progress, so a resumed run repeats none, not even those
/// of the baseline.
#[test]
fn no_trial_is_repeated_after_an_interruption() {
    let whole = folder();
    // Both play the same trials for warnings.
    evolve(&whole, &["run", "job.toml", "--parallel", "2"]).assert().success();

    let stopped = folder();
    for _ in 0..3 {
        hold_after(&stopped, 10);
        let child = spawn(&stopped, &["run", "job.toml", "--resume", "--parallel", "2"]);
        let (status, said) = interrupt(&stopped, child);
        assert_eq!(status.code(), Some(130), "{said}");
    }
    evolve(&stopped, &["run", "job.toml", "--resume", "--quiet"]).assert().success();
    assert_same(&whole, &stopped);
    assert_eq!(played(&whole), played(&stopped));
}

/// Files that trials depend on must not change during a run.
#[test]
fn a_changed_input_is_reported() {
    let folder = folder();
    hold_after(&folder, 3);
    interrupt(&folder, spawn(&folder, &["run", "job.toml"]));

    let before = result(&folder, "checkpoint");
    let path = folder.path().join("in/17.txt");
    let own = fs::read(&path).unwrap();
    fs::write(&path, "99\n").unwrap();
    let assert = evolve(&folder, &["run", "job.toml", "--resume"]).assert().code(1);
    let said = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
    assert!(said.contains("in/17.txt has changed since the run"), "{said}");
    fs::write(&path, own).unwrap();
    assert_eq!(result(&folder, "checkpoint"), before);
    evolve(&folder, &["run", "job.toml", "--resume", "--quiet"]).assert().success();
}

/// A search that ends within a generation has rows only for whole generations.
#[test]
fn a_run_finished_early_has_the_rows_of_its_config() {
    let folder = folder();
    let long = ["run", "job.toml", "--set", "search.generations=1000000"];
    let child = spawn(&folder, &long);
    wait_until(|| {
        let rows = |name: &str| result(&folder, name).lines().count();
        rows("generations.csv") > 3 && rows("trials.csv") > 5
    });
    kill_process(Pid::from_child(&child), Signal::INT).unwrap();
    child.wait_with_output().unwrap();
    evolve(&folder, &[&long[..], &["--resume", "--finish", "--quiet"]].concat()).assert().success();
    let trials = result(&folder, "trials.csv");
    for (i, row) in trials.lines().skip(1).enumerate() {
        assert!(row.starts_with(&format!("{i},")), "{row} is row {i}");
    }
    let again = self::folder();
    fs::write(again.path().join("job.toml"), result(&folder, "config.toml")).unwrap();
    evolve(&again, &["run", "job.toml", "--quiet"]).assert().success();
    assert_same(&folder, &again);
}

/// Commands that read a run, and their output.
fn looks(folder: &TempDir, from: &TempDir) -> Vec<(String, String)> {
    let run = folder.path().join("results/first");
    let run = run.to_str().unwrap();
    let state = |folder: &TempDir| fs::read_to_string(folder.path().join("results/first/report.html")).unwrap();
    let mut seen = Vec::new();
    for args in [
        &["status", run] as &[_],
        &["status", run, "--json"],
        &["plot", run],
        &["report", run],
        &["export", run, "--format", "args"],
    ] {
        let assert = evolve(from, args).env("TMPDIR", folder.path()).assert().success();
        let printed = String::from_utf8(assert.get_output().stdout.clone()).unwrap();
        assert!(!printed.is_empty() || args[0] == "report", "{args:?}");
        seen.push((args[0].to_string(), if args[0] == "report" { state(folder) } else { printed }));
    }
    seen.push(("watch".to_string(), watched(run, from)));
    seen
}

/// The status of a run, as `evolve watch` shows it.
fn watched(run: &str, from: &TempDir) -> String {
    let mut command = process::Command::cargo_bin("evolve").unwrap();
    command.args(["watch", run, "--port", "0"]).current_dir(from).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stderr.take().unwrap()).read_line(&mut line).unwrap();
    let address = line.split_once("http://").unwrap().1.split_once('/').unwrap().0;
    let mut stream = TcpStream::connect(address).unwrap();
    write!(stream, "GET /state.json HTTP/1.0\r\nHost: {address}\r\n\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    let (_, shown) = answer.split_once("\r\n\r\n").unwrap();
    assert!(shown.contains("\"page\":{"), "{shown}");
    shown.to_string()
}

#[test]
fn the_files_of_a_run_are_readable_without_its_program() {
    // Instances by seeds or by existing files, and a table of best scores.
    let files = JOB
        .replace("command  = \"sh solver.sh", "command  = \"./solver.sh")
        .replace("stdin    = \"in/{seed}.txt\"\nseeds    = \"0-39\"", "files    = \"in/*.txt\"")
        .replace("\"relative\"", "{ best = \"best.csv\" }");
    for job in [JOB, &files] {
        let folder = folder();
        let path = |name: &str| folder.path().join(name);
        fs::write(path("job.toml"), job).unwrap();
        fs::write(path("best.csv"), (0..40).map(|seed| format!("{seed},10\n")).collect::<String>()).unwrap();
        fs::set_permissions(path("solver.sh"), fs::Permissions::from_mode(0o755)).unwrap();
        evolve(&folder, &["run", "job.toml", "--quiet"]).assert().success();
        let before = looks(&folder, &folder);
        for gone in ["solver.sh", "best.csv", "job.toml"] {
            fs::remove_file(path(gone)).unwrap();
        }
        fs::remove_dir_all(path("in")).unwrap();
        assert_eq!(looks(&folder, &folder), before, "{job}");
        // In another folder, as on another machine.
        let elsewhere = TempDir::new().unwrap();
        assert_eq!(looks(&folder, &elsewhere), before, "{job}");
        // The worker reports what is missing.
        for args in [["compare", "results/first"], ["explain", "results/first"]] {
            let assert = evolve(&folder, &args).assert().code(1);
            let printed = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
            assert!(
                printed.contains("missing") || printed.contains("fewer than 16 files match"),
                "{args:?}: {printed}"
            );
        }
    }
}

/// A small budget finds a large gain, and the test costs no more than the search.
#[test]
fn a_run_started_again_after_its_first_trial_failed_has_no_failures() {
    let folder = folder();
    fs::write(folder.path().join("solver.sh"), "exit 1\n").unwrap();
    let run = |code| shared::texts(&mut evolve(&folder, &["run", "job.toml", "--set", "search.generations=1"]), code);
    let (_, stderr) = run(1);
    let at = stderr.split_once("a trial failed on instance ").unwrap_or_else(|| panic!("{stderr}")).1;
    let kept = at.split_once("that repeats it: ").unwrap().1.split_once("/\n").unwrap().0;
    assert!(folder.path().join(kept).join("again.sh").exists(), "{stderr}");
    fs::write(folder.path().join("solver.sh"), SOLVER).unwrap();
    let (stdout, stderr) = run(0);
    assert!(stdout.contains("none of ") && !stdout.contains("failures/"), "{stdout}{stderr}");
    assert!(!folder.path().join("results/first/failures").exists());
}

#[test]
fn sixty_trials_find_a_large_gain() {
    let folder = TempDir::new().unwrap();
    fs::create_dir(folder.path().join("tmp")).unwrap();
    let job = "name = \"few\"\n[program]\n\
               command = [\"sh\", \"-c\", \"echo Score = $(( 400 - 4 * ({k} - 3) * ({k} - 3) + {seed} % 7 ))\"]\n\
               [parameters]\nk = { int = [1, 20], start = 9 }\n[search]\nbudget = 60\n";
    fs::write(folder.path().join("job.toml"), job).unwrap();
    let assert = evolve(&folder, &["run", "job.toml"]).assert().success();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let (stdout, stderr) = (text(&assert.get_output().stdout), text(&assert.get_output().stderr));
    assert!(stdout.contains("improvement found: the finalist is better"), "{stdout}");
    assert!(fs::read_to_string(folder.path().join("results/few/recommendation.toml")).unwrap().contains("\nk = 3\n"));
    let total = stderr.split(" trials, in ").next().unwrap().rsplit(' ').next().unwrap();
    assert!(total.parse::<u64>().unwrap() <= 120, "{stderr}");
}

/// A solver whose score is its CPU time, and whose exit status 10 is success. A time-out counts ten
/// times the limit.
#[test]
fn run_time_is_a_score() {
    let folder = TempDir::new().unwrap();
    fs::create_dir(folder.path().join("tmp")).unwrap();
    let solver = "i=0; while [ $i -lt $(( ($1 - 3) * ($1 - 3) * 400 + $2 % 5 )) ]; do i=$((i+1)); done\n\
                  [ $1 = 20 ] && sleep 100; exit 10\n";
    fs::write(folder.path().join("solver.sh"), solver).unwrap();
    let job = |more: &str| {
        format!(
            "name = \"fast\"\n[program]\ncommand = \"sh solver.sh {{k}} {{seed}}\"\nscore = \"time\"\ntimeout = \"1s\"\n\
             {more}\n[parameters]\nk = {{ int = [1, 20], start = 12 }}\n[search]\nbudget = 100\n"
        )
    };
    let write = |more: &str| fs::write(folder.path().join("job.toml"), job(more)).unwrap();
    let stderr = |status, args: &[&str]| {
        let assert = evolve(&folder, args).assert().code(status);
        String::from_utf8_lossy(&assert.get_output().stderr).into_owned()
    };
    write("");
    assert!(stderr(2, &["check", "job.toml", "--trials", "2"]).contains("exit status: 10"));
    write("success_status = [10]\ngoal = \"maximize\"");
    assert!(stderr(2, &["check", "job.toml"]).contains("a run time is minimized: remove `goal`"));
    write("success_status = [10]");
    let assert = evolve(&folder, &["run", "job.toml"]).assert().success();
    let stdout = String::from_utf8_lossy(&assert.get_output().stdout).into_owned();
    assert!(stdout.contains("improvement found: the finalist is better"), "{stdout}");
    let config = fs::read_to_string(folder.path().join("results/fast/config.toml")).unwrap();
    for line in ["goal = \"minimize\"", "scale = \"log\"", "deterministic = false", "penalty = 10.0"] {
        assert!(config.contains(line), "{line}: {config}");
    }
    assert!(config.contains("time = 10.0"), "a time-out counts ten times a second: {config}");
    // The recorded job reads as the same.
    evolve(&folder, &["run", "job.toml", "--resume"]).assert().success();
}

/// A job of a program without instances, with one switch.
fn switch(command: &str, keys: &str) -> TempDir {
    let folder = TempDir::new().unwrap();
    let job = format!(
        "name = \"first\"\n[program]\ncommand = ['sh', '-c', '''{command}''']\n{keys}\n[parameters]\n\
         k = {{ choice = [\"a\", \"b\"], start = \"a\" }}\n[search]\nbudget = 60\n"
    );
    fs::write(folder.path().join("job.toml"), job).unwrap();
    fs::create_dir(folder.path().join("tmp")).unwrap();
    folder
}

/// Runs a job; returns its exit status and output.
fn run(folder: &TempDir, args: &[&str]) -> (Option<i32>, String, String) {
    let assert = evolve(folder, &[&["run", "job.toml", "--parallel", "1"], args].concat()).assert();
    let output = assert.get_output();
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

/// The program counts its starts, and its score is that count: no two trials are alike.
#[test]
fn trials_that_do_not_repeat_are_not_taken_for_a_fact() {
    let folder = switch("echo {k} >> starts; echo Score = $(wc -l < starts)", "");
    let (status, stdout, stderr) = run(&folder, &[]);
    assert_eq!(status, Some(0), "{stderr}");
    let note = "note: repeating a trial gave score 1, then 2: trials are not deterministic. The run continued as with";
    assert!(stdout.contains(note) && stdout.contains("held-out test, "), "{stdout}");
    let shown = evolve(&folder, &["status", "first"]).assert().success();
    assert!(String::from_utf8_lossy(&shown.get_output().stderr).contains(note));
    let json = evolve(&folder, &["status", "first", "--json"]).assert().success();
    assert!(String::from_utf8_lossy(&json.get_output().stdout).contains("\"notes\": ["));
    // The recommended values are compared as what they are.
    assert!(result(&folder, "recommendation.toml").contains("deterministic = false"));
    assert!(!result(&folder, "config.toml").contains("deterministic = false"));
    // 60 trials of the run, and two before it.
    assert!(read(&folder, "starts").lines().count() <= 62);
    // A run has one verdict, even if its job has changed.
    let (status, again, stderr) = run(&folder, &["--resume", "--set", "search.budget=200"]);
    assert_eq!((status, again), (Some(0), stdout), "{stderr}");
    let next =
        "note: a run has one verdict; to search on in a new run: evolve run results/first/config.toml --name first-2";
    assert!(stderr.contains(next), "{stderr}");
}

#[test]
fn a_program_without_instances_starts_few_times() {
    let folder = switch("echo {k} >> starts; case {k} in a) echo Score = 1;; *) echo Score = 2;; esac", "");
    let (status, stdout, stderr) = run(&folder, &[]);
    assert!(status == Some(0) && stdout.contains("improvement found: the finalist is better."), "{stdout}{stderr}");
    // Twice before the run, once for each value in the search, and twice for each in the test.
    assert_eq!(read(&folder, "starts").lines().count(), 2 + 2 + 4);
}

#[test]
fn failures_are_mentioned_and_a_run_of_nothing_else_is_an_error() {
    let folder = switch("[ {k} = a ] && echo Score = 1 || exit 3", "on_failure = 0");
    let (status, stdout, stderr) = run(&folder, &[]);
    assert_eq!(status, Some(0), "{stderr}");
    assert!(stdout.contains("note: failed trials: 1 of 2 search; the first, in the search: exit code"), "{stdout}");
    let folder = switch("exit 3 # {k}", "on_failure = 0");
    let (status, _, stderr) = run(&folder, &[]);
    assert!(status == Some(1) && stderr.contains("every trial failed, all 2 of them: there is no result"), "{stderr}");
    let shown = evolve(&folder, &["status", "first"]).assert().success();
    assert!(String::from_utf8_lossy(&shown.get_output().stdout).contains("failed"));
}
