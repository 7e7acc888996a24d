//! Runs whose folder is taken from under them: by another process, by whoever moves or removes it, by a disk that is full
//! or read-only.

use crate::operation::{Files, JOB, files};
use crate::trace::{plain, surround};
use rustix::process::{Pid, Signal, kill_process};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};
use tempfile::TempDir;

const RUN: &[&str] = &["run", "job.toml", "--quiet", "--threads", "1"];
const RESUME: &[&str] = &["run", "job.toml", "--quiet", "--threads", "1", "--resume"];

/// A folder with a job of many generations.
fn folder() -> TempDir {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("job.toml"), JOB.replace("generations = 2", "generations = 60")).unwrap();
    folder
}

/// What reproduces of the run in a folder.
fn results(folder: &Path) -> Files {
    let mut files = files(&folder.join("results/first"));
    files.retain(|path, _| {
        !["checkpoint", "checkpoint.previous", "timing.csv"].map(Path::new).contains(&path.as_path())
    });
    files
}

/// The results of the run of [`folder`], undisturbed.
fn whole() -> Files {
    let folder = folder();
    assert!(plain(folder.path(), RUN).status.success());
    results(folder.path())
}

/// A run that is halted in the middle of its search.
fn halted(folder: &Path) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_evolve"));
    let child = surround(command.args(RUN), folder).stderr(Stdio::piped()).spawn().unwrap();
    let rows = folder.join("results/first/generations.csv");
    let start = Instant::now();
    while !fs::read_to_string(&rows).is_ok_and(|text| text.lines().count() > 1) {
        assert!(start.elapsed() < Duration::from_secs(60), "it does not begin");
        thread::sleep(Duration::from_millis(1));
    }
    kill_process(Pid::from_child(&child), Signal::STOP).unwrap();
    assert!(!folder.join("results/first/weights.toml").exists(), "it is over already");
    child
}

/// Lets a halted run go on to its end: its exit status, and what it says.
fn let_go(child: Child) -> (Option<i32>, String) {
    kill_process(Pid::from_child(&child), Signal::CONT).unwrap();
    let output = child.wait_with_output().unwrap();
    (output.status.code(), String::from_utf8(output.stderr).unwrap())
}

pub fn two_at_one_folder() {
    let folder = folder();
    let first = halted(folder.path());
    for args in [RESUME, RUN] {
        let second = plain(folder.path(), args);
        let said = String::from_utf8_lossy(&second.stderr);
        assert_eq!(second.status.code(), Some(1), "{said}");
        assert!(said.contains("results/first: another process is at this run"), "{said}");
    }
    assert_eq!(let_go(first), (Some(0), String::new()));
    assert!(results(folder.path()) == whole());
}

pub fn a_folder_that_is_moved() {
    let folder = folder();
    let path = |name: &str| folder.path().join(name);
    let first = halted(folder.path());
    fs::rename(path("results/first"), path("results/moved")).unwrap();
    let (status, said) = let_go(first);
    assert_eq!(status, Some(1), "{said}");
    assert!(said.contains("results/first: this folder was moved, removed or replaced"), "{said}");
    assert!(!path("results/first").exists());
    fs::rename(path("results/moved"), path("results/first")).unwrap();
    assert!(plain(folder.path(), RESUME).status.success());
    assert!(results(folder.path()) == whole());
}

pub fn a_folder_that_is_removed() {
    let folder = folder();
    let first = halted(folder.path());
    fs::remove_dir_all(folder.path().join("results")).unwrap();
    let (status, said) = let_go(first);
    assert_eq!(status, Some(1), "{said}");
    assert!(said.contains("results/first: this folder was moved, removed or replaced"), "{said}");
    assert!(!folder.path().join("results").exists());
    assert!(plain(folder.path(), RESUME).status.success());
    assert!(results(folder.path()) == whole());
}

/// Runs a script in a name space of its own, in which it may mount. `$1` is a folder with a job and the mount point
/// `disk`, `$2` the command. What it writes to `said` is given back.
fn mounted(script: &str) -> (TempDir, String) {
    let folder = TempDir::new().unwrap();
    let path = |name: &str| -> PathBuf { folder.path().join(name) };
    fs::write(path("job.toml"), JOB).unwrap();
    fs::create_dir(path("disk")).unwrap();
    let mut command = Command::new("unshare");
    command.args(["--map-root-user", "--mount", "sh", "-euc", script, "sh"]).arg(folder.path());
    let output = surround(command.arg(env!("CARGO_BIN_EXE_evolve")), folder.path()).output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "this needs `unshare` and its rights to mount: {errors}");
    let said = fs::read_to_string(path("said")).unwrap();
    (folder, said)
}

pub fn a_disk_that_is_full() {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("job.toml"), JOB).unwrap();
    assert!(plain(folder.path(), RUN).status.success());
    let whole = results(folder.path());
    let (mut full, mut size) = (0, 4);
    loop {
        // From hardly any space to enough, a page more each time.
        let (folder, said) = mounted(&format!(
            "mount -t tmpfs -o size={size}k none disk; cd disk\n\
             status=0; \"$2\" run ../job.toml --quiet --threads 1 2> ../said || status=$?; echo $status >> ../said\n\
             mount -o remount,size=10m \"$1/disk\"\n\
             \"$2\" run ../job.toml --quiet --threads 1 --resume; cp -r results .."
        ));
        assert!(results(folder.path()) == whole, "{size} kB: {said}");
        if said == "0\n" {
            break;
        }
        // Of a picture alone, a note tells.
        let is_told = said.starts_with("error: results/first") && said.ends_with("\n1\n");
        let is_noted = said.starts_with("the plots could not be drawn: cannot write results/first/plots");
        assert!((is_told || is_noted) && said.contains("No space left on device"), "{size} kB: {said}");
        (full, size) = (full + 1, size + 4);
    }
    assert!(full > 10);
}

pub fn a_disk_that_is_read_only() {
    let (folder, said) = mounted(
        "mount -t tmpfs none disk; cd disk\n\
         try() { status=0; \"$@\" --quiet --threads 1 2>> ../said || status=$?; echo $status >> ../said; }\n\
         mount -o remount,ro \"$1/disk\"; try \"$2\" run ../job.toml\n\
         mount -o remount,rw \"$1/disk\"; try \"$2\" run ../job.toml\n\
         mount -o remount,ro \"$1/disk\"; try \"$2\" run ../job.toml --resume\n\
         \"$2\" export results/first --output submission.rs 2>> ../said || echo $? >> ../said\n\
         mount -o remount,rw \"$1/disk\"; try \"$2\" run ../job.toml --resume; cp -r results ..",
    );
    let why = "Read-only file system (os error 30)";
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!(lines[..3], [&format!("error: results/first: {why}"), "1", "0"], "{said}");
    assert_eq!(lines[3..5], [&format!("error: results/first/.lock: {why}"), "1"], "{said}");
    assert!(lines[5].starts_with(&format!("error: submission.rs: {why}")) && lines[6..] == ["1", "0"], "{said}");
    assert!(folder.path().join("results/first/weights.toml").exists());
}
