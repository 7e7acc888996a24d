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

/// The source of a program that plays as this one does, but for one argument given: then it does `other` instead. What it
/// answers is what the exported program would, because all the rest is the same code.
#[allow(dead_code)]
pub fn with_other_main(source: &str, other: &str) -> String {
    const MAIN: &str = "\nfn main() -> ExitCode {";
    assert_eq!(source.matches(MAIN).count(), 1);
    let source = source.replace(MAIN, "\nfn contest() -> ExitCode {");
    format!(
        "{source}\nfn main() -> ExitCode {{\n    if std::env::args().len() == 1 {{\n        return contest();\n    }}\n{other}\n    \
         ExitCode::SUCCESS\n}}\n"
    )
}

/// What a program with [another main](with_other_main) prints there for this input.
#[allow(dead_code)]
pub fn answers(program: &Path, input: String) -> Vec<String> {
    let mut child =
        Command::new(program).arg("other").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("it is built");
    let mut to = child.stdin.take().unwrap();
    let writer = std::thread::spawn(move || to.write_all(input.as_bytes()).unwrap());
    let lines = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap).collect();
    writer.join().unwrap();
    assert!(child.wait().unwrap().success());
    lines
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
