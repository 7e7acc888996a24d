//! Runs of programs: stopped, killed and resumed, with inputs that change.

use crate::shared::{Bench, wait_until};
use rustix::process::{Pid, Signal, kill_process};
use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

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
fn folder() -> Bench {
    let folder = Bench::with_solver(JOB, SOLVER);
    for seed in 0..40 {
        folder.write(format!("in/{seed}.txt"), format!("{}\n", seed % 7));
    }
    folder
}

/// All files that must reproduce.
const REPRODUCED: [&str; 6] =
    ["generations.csv", "validation.csv", "trials.csv", "recommendation.toml", "config.toml", "inputs.txt"];

/// Whether any process of the program runs: none may, that was started before now.
fn running(folder: &Bench) -> Vec<String> {
    let is_running = |pid: &&str| {
        let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        let command = fs::read_to_string(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        // A process that ended and was not waited for yet does not run; a number may be another's
        // by now.
        !stat.is_empty() && !stat.contains(") Z ") && command.contains("solver.sh")
    };
    folder.read("pids").lines().filter(is_running).map(String::from).collect()
}

/// The trials played, without the folder of the slot, and how often.
fn played(folder: &Bench) -> BTreeMap<String, usize> {
    let mut played = BTreeMap::new();
    for line in folder.read("log").lines() {
        *played.entry(line.to_string()).or_insert(0) += 1;
    }
    played
}

fn homes(folder: &Bench) -> Vec<PathBuf> {
    fs::read_dir(folder.path().join("tmp")).unwrap().map(|entry| entry.unwrap().path()).collect()
}

/// The run is killed during trials: no child survives, partial files are removed, and the results
/// are byte-identical.
#[test]
fn a_killed_run_of_a_program_resumes() {
    let whole = folder();
    whole.evolve(&["run", "job.toml", "--quiet", "--parallel", "2"]).assert().success();
    assert_eq!(homes(&whole), [] as [PathBuf; 0]);

    let killed = folder();
    for kill in 1..=3 {
        killed.hold_after(15 * kill);
        let mut child = killed.spawn(&["run", "job.toml", "--resume", "--parallel", "2"]);
        killed.wait_until_held(&mut child);
        child.kill().unwrap();
        child.wait().unwrap();
        // They end shortly afterwards; the command does not wait for them.
        wait_until(|| running(&killed).is_empty());
        assert_eq!(homes(&killed).len(), 1, "left of the one that was killed last");
    }
    killed.release();
    killed.evolve(&["run", "job.toml", "--resume", "--quiet"]).assert().success();
    assert_eq!(homes(&killed), [] as [PathBuf; 0]);
    whole.assert_same(&killed, &REPRODUCED);
}

/// An interruption waits for the trials in progress, so a resumed run repeats none, not even those
/// of the baseline.
#[test]
fn no_trial_is_repeated_after_an_interruption() {
    let whole = folder();
    // Both play the same trials for warnings.
    whole.evolve(&["run", "job.toml", "--parallel", "2"]).assert().success();

    let stopped = folder();
    for _ in 0..3 {
        stopped.hold_after(10);
        let child = stopped.spawn(&["run", "job.toml", "--resume", "--parallel", "2"]);
        let (status, said) = stopped.interrupt(child);
        assert_eq!(status.code(), Some(130), "{said}");
    }
    stopped.evolve(&["run", "job.toml", "--resume", "--quiet"]).assert().success();
    whole.assert_same(&stopped, &REPRODUCED);
    assert_eq!(played(&whole), played(&stopped));
}

/// A search that ends within a generation has rows only for whole generations.
#[test]
fn a_run_finished_early_has_the_rows_of_its_config() {
    let folder = folder();
    let long = ["run", "job.toml", "--set", "search.generations=1000000"];
    let child = folder.spawn(&long);
    wait_until(|| {
        let rows = |name: &str| folder.so_far(&format!("results/first/{name}")).lines().count();
        rows("generations.csv") > 3 && rows("trials.csv") > 5
    });
    kill_process(Pid::from_child(&child), Signal::INT).unwrap();
    child.wait_with_output().unwrap();
    folder.evolve(&[&long[..], &["--resume", "--finish", "--quiet"]].concat()).assert().success();
    let trials = folder.result("trials.csv");
    for (i, row) in trials.lines().skip(1).enumerate() {
        assert!(row.starts_with(&format!("{i},")), "{row} is row {i}");
    }
    let again = self::folder();
    again.write("job.toml", folder.result("config.toml"));
    again.evolve(&["run", "job.toml", "--quiet"]).assert().success();
    folder.assert_same(&again, &REPRODUCED);
}

/// Commands that read a run, and their output.
fn looks(folder: &Bench, from: &Bench) -> Vec<(String, String)> {
    let run = folder.path().join("results/first");
    let run = run.to_str().unwrap();
    let state = |folder: &Bench| folder.read("results/first/report.html");
    let mut seen = Vec::new();
    for args in [
        &["status", run] as &[_],
        &["status", run, "--json"],
        &["plot", run],
        &["report", run],
        &["export", run, "--format", "args"],
    ] {
        let assert = from.evolve(args).env("TMPDIR", folder.path()).assert().success();
        let printed = String::from_utf8(assert.get_output().stdout.clone()).unwrap();
        assert!(!printed.is_empty() || args[0] == "report", "{args:?}");
        seen.push((args[0].to_string(), if args[0] == "report" { state(folder) } else { printed }));
    }
    seen.push(("watch".to_string(), watched(run, from)));
    seen
}

/// The status of a run, as `evolve watch` shows it.
fn watched(run: &str, from: &Bench) -> String {
    let mut child = from.spawn(&["watch", run, "--port", "0"]);
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
        folder.evolve(&["run", "job.toml", "--quiet"]).assert().success();
        let before = looks(&folder, &folder);
        for gone in ["solver.sh", "best.csv", "job.toml"] {
            fs::remove_file(path(gone)).unwrap();
        }
        fs::remove_dir_all(path("in")).unwrap();
        assert_eq!(looks(&folder, &folder), before, "{job}");
        // In another folder, as on another machine.
        let elsewhere = Bench::empty();
        assert_eq!(looks(&folder, &elsewhere), before, "{job}");
        // The worker reports what is missing.
        for args in [["compare", "results/first"], ["explain", "results/first"]] {
            let assert = folder.evolve(&args).assert().code(1);
            let printed = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
            assert!(
                printed.contains("missing") || printed.contains("fewer than 16 files match"),
                "{args:?}: {printed}"
            );
        }
    }
}

#[test]
fn a_run_started_again_after_its_first_trial_failed_has_no_failures() {
    let folder = folder();
    folder.write("solver.sh", "exit 1\n");
    let run = |code| folder.texts(&["run", "job.toml", "--set", "search.generations=1"], code);
    let (_, stderr) = run(1);
    let at = stderr.split_once("a trial failed on instance ").unwrap_or_else(|| panic!("{stderr}")).1;
    let kept = at.split_once("that repeats it: ").unwrap().1.split_once("/\n").unwrap().0;
    assert!(folder.path().join(kept).join("again.sh").exists(), "{stderr}");
    folder.write("solver.sh", SOLVER);
    let (stdout, stderr) = run(0);
    assert!(stdout.contains("none of ") && !stdout.contains("failures/"), "{stdout}{stderr}");
    assert!(!folder.path().join("results/first/failures").exists());
}

/// A small budget finds a large gain, and the test costs no more than the search.
#[test]
fn sixty_trials_find_a_large_gain() {
    let folder = Bench::empty();
    let job = "name = \"few\"\n[program]\n\
               command = [\"sh\", \"-c\", \"echo Score = $(( 400 - 4 * ({k} - 3) * ({k} - 3) + {seed} % 7 ))\"]\n\
               [parameters]\nk = { int = [1, 20], start = 9 }\n[search]\nbudget = 60\n";
    folder.write("job.toml", job);
    let assert = folder.evolve(&["run", "job.toml"]).assert().success();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let (stdout, stderr) = (text(&assert.get_output().stdout), text(&assert.get_output().stderr));
    assert!(stdout.contains("improvement found: the finalist is better"), "{stdout}");
    assert!(folder.read("results/few/recommendation.toml").contains("\nk = 3\n"));
    let total = stderr.split(" trials, in ").next().unwrap().rsplit(' ').next().unwrap();
    assert!(total.parse::<u64>().unwrap() <= 120, "{stderr}");
}

/// A solver whose score is its CPU time, and whose exit status 10 is success. A time-out counts ten
/// times the limit.
#[test]
fn run_time_is_a_score() {
    let folder = Bench::empty();
    let solver = "i=0; while [ $i -lt $(( ($1 - 3) * ($1 - 3) * 400 + $2 % 5 )) ]; do i=$((i+1)); done\n\
                  [ $1 = 20 ] && sleep 100; exit 10\n";
    folder.write("solver.sh", solver);
    let job = |more: &str| {
        format!(
            "name = \"fast\"\n[program]\ncommand = \"sh solver.sh {{k}} {{seed}}\"\nscore = \"time\"\ntimeout = \"1s\"\n\
             {more}\n[parameters]\nk = {{ int = [1, 20], start = 12 }}\n[search]\nbudget = 100\n"
        )
    };
    let write = |more: &str| folder.write("job.toml", job(more));
    let stderr = |status, args: &[&str]| {
        let assert = folder.evolve(args).assert().code(status);
        String::from_utf8_lossy(&assert.get_output().stderr).into_owned()
    };
    write("");
    assert!(stderr(2, &["check", "job.toml", "--trials", "2"]).contains("exit status: 10"));
    write("success_status = [10]\ngoal = \"maximize\"");
    assert!(stderr(2, &["check", "job.toml"]).contains("a run time is minimized: remove `goal`"));
    write("success_status = [10]");
    let assert = folder.evolve(&["run", "job.toml"]).assert().success();
    let stdout = String::from_utf8_lossy(&assert.get_output().stdout).into_owned();
    assert!(stdout.contains("improvement found: the finalist is better"), "{stdout}");
    let config = folder.read("results/fast/config.toml");
    for line in ["goal = \"minimize\"", "scale = \"log\"", "deterministic = false", "penalty = 10.0"] {
        assert!(config.contains(line), "{line}: {config}");
    }
    assert!(config.contains("time = 10.0"), "a time-out counts ten times a second: {config}");
    // The recorded job reads as the same.
    folder.evolve(&["run", "job.toml", "--resume"]).assert().success();
}

/// A job of a program without instances, with one switch.
fn switch(command: &str, keys: &str) -> Bench {
    let job = format!(
        "name = \"first\"\n[program]\ncommand = ['sh', '-c', '''{command}''']\n{keys}\n[parameters]\n\
         k = {{ choice = [\"a\", \"b\"], start = \"a\" }}\n[search]\nbudget = 60\n"
    );
    Bench::new(&job)
}

/// Runs a job; returns its exit status and output.
fn run(folder: &Bench, args: &[&str]) -> (Option<i32>, String, String) {
    let assert = folder.evolve(&[&["run", "job.toml", "--parallel", "1"], args].concat()).assert();
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
    let shown = folder.evolve(&["status", "first"]).assert().success();
    assert!(String::from_utf8_lossy(&shown.get_output().stderr).contains(note));
    let json = folder.evolve(&["status", "first", "--json"]).assert().success();
    assert!(String::from_utf8_lossy(&json.get_output().stdout).contains("\"notes\": ["));
    // The recommended values are compared as what they are.
    assert!(folder.result("recommendation.toml").contains("deterministic = false"));
    assert!(!folder.result("config.toml").contains("deterministic = false"));
    // 60 trials of the run, and two before it.
    assert!(folder.read("starts").lines().count() <= 62);
    // A run has one verdict, even if its job has changed.
    let (status, again, stderr) = run(&folder, &["--resume", "--set", "search.budget=200"]);
    assert_eq!((status, again), (Some(0), stdout), "{stderr}");
    let next = "note: a run has one verdict; to search on in a new run: evolve run results/first/config.toml --after results/first";
    assert!(stderr.contains(next), "{stderr}");
}

#[test]
fn a_program_without_instances_starts_few_times() {
    let folder = switch("echo {k} >> starts; case {k} in a) echo Score = 1;; *) echo Score = 2;; esac", "");
    let (status, stdout, stderr) = run(&folder, &[]);
    assert!(status == Some(0) && stdout.contains("improvement found: the finalist is better."), "{stdout}{stderr}");
    // Twice before the run, once for each value in the search, and twice for each in the test.
    assert_eq!(folder.read("starts").lines().count(), 2 + 2 + 4);
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
    let shown = folder.evolve(&["status", "first"]).assert().success();
    assert!(String::from_utf8_lossy(&shown.get_output().stdout).contains("failed"));
}

#[test]
fn a_trial_of_a_run_is_played_again() {
    let folder = folder();
    let (status, _, said) = run(&folder, &["--quiet", "--name", "first"]);
    assert_eq!(status, Some(0), "{said}");
    let table = folder.result("trials.csv");
    let row = |number: usize| table.lines().nth(number + 1).unwrap().split(',').map(String::from).collect::<Vec<_>>();
    let last = table.lines().count() - 2;
    for number in [0, last] {
        let (printed, _) = folder.texts(&["repeat", "first", &number.to_string()], 0);
        let (stage, instance, score) = (&row(number)[1], &row(number)[3], &row(number)[6]);
        assert!(printed.starts_with(&format!("trial      {number}, {stage}\ninstance   {instance}\n")), "{printed}");
        assert!(printed.contains(&format!("recorded   {score}\nnow        {score}\n")), "{printed}");
    }
    // Another solver gives another score.
    let other = folder.read("solver.sh").replace("x + 10", "x + 11");
    folder.write("solver.sh", other);
    let (printed, _) = folder.texts(&["repeat", "first", "0"], 1);
    assert!(printed.contains("recorded ") && printed.contains("now "), "{printed}");
    let (_, refusal) = folder.texts(&["repeat", "first", "100000"], 2);
    assert!(refusal.contains("trials.csv: no trial 100000"), "{refusal}");
}
