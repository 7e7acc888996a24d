//! Helpers of several tests of the command; each test uses some of them.
#![allow(dead_code)]

use assert_cmd::Command;
use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::process::{Child, ExitStatus};
use std::thread;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// A folder with a job file in it.
pub fn folder(job: &str) -> TempDir {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("job.toml"), job).unwrap();
    folder
}

/// The command in a folder, without environment variables for the width and colours of terminals.
pub fn evolve(folder: &TempDir, args: &[&str]) -> Command {
    let mut command = Command::cargo_bin("evolve").unwrap();
    command.args(args).current_dir(folder).env_remove("COLUMNS").env_remove("CLICOLOR_FORCE");
    command
}

/// Standard output and standard error.
pub fn texts(command: &mut Command, status: i32) -> (String, String) {
    let assert = command.assert().code(status);
    let output = assert.get_output();
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    (text(&output.stdout), text(&output.stderr))
}

/// Waits for a condition that is sure to come true, however busy the machine.
pub fn wait_until(mut condition: impl FnMut() -> bool) {
    let start = Instant::now();
    while !condition() {
        assert!(start.elapsed() < Duration::from_secs(600), "it never came true");
        thread::sleep(Duration::from_millis(1));
    }
}

/// A line of a solver in sh that has written a line to `log` for each trial: while there is a file
/// `hold` with a number, trials after this many wait. A run that is held cannot end before a test
/// ends it.
pub const HOLD: &str =
    "while [ -e hold ] && [ $(wc -l < log) -gt $(cat hold 2>/dev/null || echo 1000000) ]; do sleep 0.05; done\n";

/// The number of trials that have begun.
pub fn begun(folder: &TempDir) -> usize {
    fs::read_to_string(folder.path().join("log")).unwrap_or_default().lines().count()
}

/// Lets this many further trials of a program pass [`HOLD`].
pub fn hold_after(folder: &TempDir, trials: usize) {
    fs::write(folder.path().join("hold"), (begun(folder) + trials).to_string()).unwrap();
}

/// Waits until trials are held.
pub fn wait_until_held(folder: &TempDir, run: &mut Child) {
    let passing: usize = fs::read_to_string(folder.path().join("hold")).unwrap().parse().unwrap();
    wait_until(|| begun(folder) > passing || run.try_wait().unwrap().is_some());
    assert!(run.try_wait().unwrap().is_none(), "it ended");
}

/// Interrupts a run whose trials are held, and lets them pass once the run knows. Its standard
/// error must be a pipe. Returns the exit status and the standard error.
#[cfg(unix)]
pub fn interrupt(folder: &TempDir, mut run: Child) -> (ExitStatus, String) {
    wait_until_held(folder, &mut run);
    rustix::process::kill_process(rustix::process::Pid::from_child(&run), rustix::process::Signal::INT).unwrap();
    let (mut errors, mut said) = (BufReader::new(run.stderr.take().unwrap()), String::new());
    while !said.contains("stopping after the trials in progress") {
        assert!(errors.read_line(&mut said).unwrap() > 0, "it ended: {said}");
    }
    fs::remove_file(folder.path().join("hold")).unwrap();
    errors.read_to_string(&mut said).unwrap();
    (run.wait().unwrap(), said)
}
