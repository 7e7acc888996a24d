//! What tests of exported programs share.

use evolve::judge::referee::{Referee, Reply};
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use tempfile::TempDir;

/// Builds a source file as a contest does, but takes no warnings.
pub fn build(source: &str, folder: &TempDir) -> PathBuf {
    let file = folder.path().join("submission.rs");
    fs::write(&file, source).unwrap();
    let program = folder.path().join("submission");
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(rustc)
        .args(["-O", "--edition", "2021", "-D", "warnings", "-o"])
        .arg(&program)
        .arg(&file)
        .output()
        .expect("rustc runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    program
}

/// Plays a game with a program: all that it was told, and all that it said.
pub fn converse(program: &Path, mut referee: Box<dyn Referee>) -> (String, String) {
    let mut child = Command::new(program).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut told = referee.open();
    let mut said = String::new();
    input.write_all(told.as_bytes()).unwrap();
    let _open = loop {
        let line = lines.next().expect("a move").unwrap();
        said += &line;
        said.push('\n');
        match referee.answer(&line) {
            Reply::Send(text) => {
                input.write_all(text.as_bytes()).unwrap();
                told += &text;
            }
            Reply::Over(text) => {
                // The program may be gone already.
                let _ = input.write_all(text.as_bytes());
                told += &text;
                // A program that is told of the end goes by itself; for others the end is that of their input.
                break (!text.is_empty()).then_some(input);
            }
            wrong => panic!("{line}: {wrong:?}"),
        }
    };
    assert!(lines.next().is_none());
    assert!(child.wait().unwrap().success());
    (told, said)
}
