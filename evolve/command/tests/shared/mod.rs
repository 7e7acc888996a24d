//! Helpers of several tests of the command; each test uses some of them.
#![allow(dead_code)]

use assert_cmd::Command;
use std::fs;
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

/// Waits for a condition that is sure to come true.
pub fn wait_until(mut condition: impl FnMut() -> bool) {
    let start = Instant::now();
    while !condition() {
        assert!(start.elapsed() < Duration::from_secs(60), "it never came true");
        thread::sleep(Duration::from_millis(1));
    }
}
