//! The system calls of a process on the files below a folder, as `strace` prints them.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

/// Calls that open, make, change, sync, lock or remove a file or a folder.
pub const CHANGING: [&str; 16] = [
    "open",
    "openat",
    "write",
    "ftruncate",
    "fsync",
    "fdatasync",
    "rename",
    "renameat",
    "renameat2",
    "link",
    "linkat",
    "unlink",
    "unlinkat",
    "mkdir",
    "mkdirat",
    "flock",
];

/// A call that succeeded.
#[derive(Clone, Debug)]
pub struct Call {
    pub name: String,
    /// The number of calls of this name so far, including this one.
    pub number: usize,
    /// The affected file, relative to the folder.
    pub file: PathBuf,
    /// Its arguments in quotes, decoded: paths, or written bytes.
    pub texts: Vec<Vec<u8>>,
    /// Its other arguments, as `strace` writes them.
    pub rest: String,
    pub result: i64,
}

/// The command in its folder. It writes nothing outside.
pub fn evolve(folder: &Path, args: &[&str], tamper: Option<&str>) -> Output {
    let mut command = match tamper {
        Some(tamper) => strace(&["-o", "/dev/null", "-e", tamper]),
        None => Command::new(env!("CARGO_BIN_EXE_evolve")),
    };
    surround(&mut command, folder, args).output().unwrap()
}

/// `strace` of the command's first thread, which is the one that writes the files of a run. Its
/// children are not followed.
fn strace(options: &[&str]) -> Command {
    let mut command = Command::new("strace");
    command.args(["-e", &format!("trace={}", CHANGING.join(","))]);
    command.args(options).arg(env!("CARGO_BIN_EXE_evolve"));
    command
}

pub fn surround<'c>(command: &'c mut Command, folder: &Path, args: &[&str]) -> &'c mut Command {
    fs::create_dir_all(folder.join("tmp")).unwrap();
    let below = |name: &str| folder.join(name);
    command.args(args).current_dir(folder).env("XDG_CACHE_HOME", below("cache")).env("TMPDIR", below("tmp"));
    command.env_remove("RUST_BACKTRACE").stdin(Stdio::null())
}

/// Runs the command, and returns its calls.
pub fn calls(folder: &Path, args: &[&str]) -> Vec<Call> {
    let logs = TempDir::new().unwrap();
    let log = logs.path().join("log");
    let options = ["-y", "-xx", "-s", "10000000", "-o", log.to_str().unwrap()];
    let output = surround(&mut strace(&options), folder, args).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let root = fs::canonicalize(folder).unwrap();
    let mut numbers = HashMap::new();
    fs::read_to_string(log).unwrap().lines().filter_map(|line| call(line, &mut numbers, &root)).collect()
}

/// A line of the log, if it is a call on a file below the folder.
fn call(line: &str, numbers: &mut HashMap<String, usize>, root: &Path) -> Option<Call> {
    let (name, rest) = line.split_once('(')?;
    let number = *numbers.entry(name.to_string()).and_modify(|number| *number += 1).or_insert(1);
    let (arguments, result) = rest.rsplit_once(" = ")?;
    let texts: Vec<Vec<u8>> = arguments.split('"').skip(1).step_by(2).map(decoded).collect();
    // The paths of descriptors are in angle brackets; the path of an opened file follows the
    // result.
    let of_descriptor = |text: &str| Some(path(&decoded(text.split_once('<')?.1.split_once('>')?.0)));
    let file = match name {
        "open" | "openat" => of_descriptor(result)?,
        "write" | "ftruncate" | "fsync" | "fdatasync" | "flock" => of_descriptor(arguments)?,
        _ => path(texts.last()?),
    };
    let file = root.join(file).strip_prefix(root).ok()?.to_path_buf();
    let result = result.split(['<', ' ']).next()?.parse().ok().filter(|result| *result >= 0)?;
    let rest = arguments.split('"').step_by(2).collect();
    Some(Call { name: name.to_string(), number, file, texts, rest, result })
}

/// Bytes that are written as `\x61\x62`.
fn decoded(text: &str) -> Vec<u8> {
    text.split("\\x").filter_map(|digits| u8::from_str_radix(digits.get(..2)?, 16).ok()).collect()
}

pub fn path(bytes: &[u8]) -> PathBuf {
    PathBuf::from(String::from_utf8_lossy(bytes).into_owned())
}
