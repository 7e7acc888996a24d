//! Runs that are killed at any system call, on a disk that is full or whose power fails, and by two
//! processes at once.
//!
//! `cargo test -p evolve-tuner --test faults -- --include-ignored` needs `strace`, and `unshare` to
//! mount small disks.

mod disk;
mod trace;

use disk::Disk;
use rayon::prelude::*;
use rustix::process::{Pid, Signal, kill_process};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};
use tempfile::TempDir;
use trace::{Call, calls, evolve, surround};

/// A job that goes through all stages.
const GAME: &str = r#"name = "first"
seed = 3

[game]
name = "solitaire-chess"
group = 4

[player]
name = "greedy"

[weights]
include = ["tile_gold", "moves_1"]

[search]
generations = 2

validation = 30

selection = 2
test = 30
"#;

/// The same of a program, which fails at times.
const PROGRAM: &str = r#"name = "first"
seed = 3

[program]
command    = "sh solver.sh {k} {seed}"
seeds      = "0-15"
goal       = "minimize"
on_failure = 1000

[parameters]
k = { int = [1, 20], start = 15 }

[search]
generations = 2

validation = 30

selection = 2
test = 30
"#;

/// Trials wait while there is a file `hold`.
const SOLVER: &str = "while [ -e hold ]; do sleep 0.05; done\n[ $2 -lt 8 ] && [ $1 != 15 ] && exit 3\necho Score = $(( (7 - $1) * (7 - $1) + $2 + 10 ))\n";

const RUN: [&str; 5] = ["run", "job.toml", "--quiet", "--parallel", "1"];
const RESUME: [&str; 6] = ["run", "job.toml", "--quiet", "--parallel", "1", "--resume"];

/// The number of faults of each kind in a sample.
const SAMPLE: usize = 40;

/// Files below a folder, by their paths.
type Files = BTreeMap<PathBuf, Vec<u8>>;

fn begin(job: &str) -> TempDir {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("job.toml"), job).unwrap();
    fs::write(folder.path().join("solver.sh"), SOLVER).unwrap();
    folder
}

/// The reproducible files in a folder. The copy of a program has links to the files next to the
/// program.
fn files(folder: &Path) -> Files {
    let mut files = all(folder);
    files.retain(|path, _| {
        !["checkpoint", "log.jsonl", "report.html", "timing.csv", "trial-times.csv"]
            .iter()
            .any(|name| path.ends_with(name))
            && path.starts_with("results")
            && !["failures", "program"].iter().any(|name| path.starts_with(Path::new("results/first").join(name)))
    });
    files
}

/// All files below a folder, without links: the links next to the copy of a program lead out of it,
/// perhaps to nothing.
fn all(folder: &Path) -> Files {
    let mut files = Files::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(below) = folders.pop() {
        for entry in fs::read_dir(below).unwrap().map(Result::unwrap) {
            let (path, kind) = (entry.path(), entry.file_type().unwrap());
            if kind.is_dir() {
                folders.push(path);
            } else if kind.is_file() {
                files.insert(path.strip_prefix(folder).unwrap().to_path_buf(), fs::read(&path).unwrap());
            }
        }
    }
    files
}

/// Runs a job without faults.
fn whole(job: &str) -> Files {
    let folder = begin(job);
    resume(folder.path()).unwrap();
    files(folder.path())
}

/// Resumes a run until it is complete.
fn resume(folder: &Path) -> Result<(), String> {
    let output = evolve(folder, &RESUME, None);
    match output.status.success() {
        true => Ok(()),
        false => Err(format!("it does not go on: {}", String::from_utf8_lossy(&output.stderr))),
    }
}

/// The errors after a fault: a resumed run must give the same bytes as an undisturbed one.
fn wrong(folder: &Path, whole: &Files) -> Option<String> {
    if let Err(message) = resume(folder) {
        return Some(message);
    }
    let now = files(folder);
    let other = now.keys().chain(whole.keys()).find(|path| now.get(*path) != whole.get(*path))?;
    Some(format!("{} differs", other.display()))
}

fn assert_none(wrong: &[String]) {
    assert!(wrong.is_empty(), "{} faults did harm:\n{}", wrong.len(), wrong.join("\n"));
}

/// A sample, evenly spread.
fn sample<T>(all: Vec<T>) -> Vec<T> {
    let step = all.len() / SAMPLE + 1;
    all.into_iter().step_by(step).collect()
}

#[test]
#[ignore = "needs strace"]
fn a_fault_at_any_call_does_no_harm() {
    // Errors would also affect writes to the children of a program.
    for (job, faults) in [(GAME, &["signal=KILL", "error=EIO", "error=ENOSPC"][..]), (PROGRAM, &["signal=KILL"])] {
        let whole = whole(job);
        let folder = begin(job);
        let places = calls(folder.path(), &RUN).into_iter().map(|call| (call.name, call.number)).collect();
        let killed = AtomicUsize::new(0);
        let attempt = |(name, number): (String, usize)| {
            faults.iter().find_map(|fault| {
                let tamper = format!("inject={name}:{fault}:when={number}");
                let folder = begin(job);
                let harm = || {
                    // At the start, and after a resume.
                    let first = evolve(folder.path(), &RUN, Some(&tamper));
                    killed.fetch_add(usize::from(first.status.code().is_none()), Ordering::Relaxed);
                    let output = evolve(folder.path(), &RESUME, Some(&tamper));
                    if output.status.code() == Some(1) && output.stderr.is_empty() && name != "write" {
                        return Some("it ends without a message".to_string());
                    }
                    wrong(folder.path(), &whole)
                };
                harm().map(|what| format!("{tamper}: {what}"))
            })
        };
        assert_none(&sample(places).into_par_iter().filter_map(attempt).collect::<Vec<_>>());
        assert!(killed.into_inner() > SAMPLE / 4, "the faults are not met");
    }
}

/// Repeats the calls of an operation, and returns the errors after power failures.
fn losses_of_power(before: &Files, calls: &[Call], folder: &Path, whole: &Files) -> Vec<String> {
    let mut disk = Disk::new(before);
    let mut losses: BTreeMap<Files, &Call> = BTreeMap::new();
    let mut saved = None;
    for call in calls {
        let is_checkpoint = call.name.starts_with("rename") && call.file.ends_with("checkpoint");
        let [sure, ..] = disk.losses();
        // The last checkpoint must survive until the next one is written.
        if is_checkpoint && saved.is_some() && sure.get(&call.file) != saved.as_ref() {
            return vec!["a checkpoint is lost".to_string()];
        }
        disk.apply(folder, call);
        if is_checkpoint {
            let [.., named] = disk.losses();
            saved = named.get(&call.file).cloned();
        }
        for loss in disk.losses() {
            losses.entry(loss).or_insert(call);
        }
    }
    let attempt = |(loss, call): (Files, &Call)| {
        let folder = TempDir::new().unwrap();
        for (path, bytes) in loss {
            let path = folder.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, bytes).unwrap();
        }
        wrong(folder.path(), whole).map(|what| format!("after {} of {}: {what}", call.name, call.file.display()))
    };
    sample(losses.into_iter().collect()).into_par_iter().filter_map(attempt).collect()
}

#[test]
#[ignore = "needs strace"]
fn a_loss_of_power_does_no_harm() {
    let folder = begin(GAME);
    let root = fs::canonicalize(folder.path()).unwrap();
    let before = all(&root);
    let run = calls(&root, &RUN);
    assert_none(&losses_of_power(&before, &run, &root, &files(&root)));

    // The test can fail: without syncs of one kind, some losses destroy the run.
    let short = whole(GAME);
    type IsSync = fn(&Call) -> bool;
    let syncs: [(&str, IsSync); 3] = [
        ("the log", |call| call.name == "fdatasync"),
        ("files that are replaced", |call| call.name == "fsync" && call.file.extension().is_some()),
        ("folders", |call| call.name == "fsync" && call.file.ends_with("first")),
    ];
    for (what, is_sync) in syncs {
        let careless: Vec<Call> = run.iter().filter(|call| !is_sync(call)).cloned().collect();
        assert!(!losses_of_power(&before, &careless, &root, &short).is_empty(), "{what}");
    }
}

#[test]
#[ignore = "needs unshare, and its rights to mount"]
fn a_full_disk_is_an_error_and_loses_nothing() {
    let whole = whole(GAME);
    let script = r#"mount -t tmpfs -o size="$1"k none disk; cd disk
        status=0; "$2" run ../job.toml --quiet --parallel 1 2> ../said || status=$?; echo $status >> ../said
        mount -o remount,size=10m "$PWD"
        "$2" run ../job.toml --quiet --parallel 1 --resume; cp -r results .."#;
    // From almost no space to enough, one page more each time.
    for size in (4..).step_by(4) {
        let folder = begin(GAME);
        fs::create_dir(folder.path().join("disk")).unwrap();
        let mut unshare = Command::new("unshare");
        unshare.args(["--map-root-user", "--mount", "sh", "-euc", script, "sh"]);
        let output =
            surround(&mut unshare, folder.path(), &[&size.to_string(), env!("CARGO_BIN_EXE_evolve")]).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let said = fs::read_to_string(folder.path().join("said")).unwrap();
        assert!(files(folder.path()) == whole, "{size} kB: {said}");
        if said == "0\n" {
            assert!(size > 40);
            break;
        }
        assert!(said.contains("results/first") && said.contains("No space left on device"), "{size} kB: {said}");
    }
}

#[test]
fn a_second_process_for_a_run_is_rejected() {
    let folder = begin(PROGRAM);
    fs::write(folder.path().join("hold"), "").unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_evolve"));
    let mut first = surround(&mut command, folder.path(), &RUN).stderr(Stdio::piped()).spawn().unwrap();
    let start = Instant::now();
    while !folder.path().join("results/first/checkpoint").exists() {
        assert!(start.elapsed() < Duration::from_secs(600), "it does not begin");
        thread::sleep(Duration::from_millis(1));
    }
    kill_process(Pid::from_child(&first), Signal::STOP).unwrap();
    let refusals =
        [(&RUN[..], "results/first already holds a run"), (&RESUME, "results/first: run is locked by another process")];
    for (args, refusal) in refusals {
        let second = evolve(folder.path(), args, None);
        let said = String::from_utf8_lossy(&second.stderr);
        assert_eq!(second.status.code(), Some(1), "{said}");
        assert!(said.contains(refusal), "{said}");
    }
    kill_process(Pid::from_child(&first), Signal::CONT).unwrap();
    fs::remove_file(folder.path().join("hold")).unwrap();
    assert!(first.wait().unwrap().success());
    assert!(files(folder.path()) == whole(PROGRAM));
}
