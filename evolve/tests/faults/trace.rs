//! The system calls of a process on the files below a folder, as `strace` tells them.

use std::collections::HashMap;
use std::fmt;
use std::fs;
use std::path::{Component, Path, PathBuf};
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

/// Calls that make, change, sync, lock or remove a file or a folder, or open one.
const CHANGING: &str = "open,openat,creat,write,pwrite64,writev,copy_file_range,sendfile,ftruncate,fsync,fdatasync,rename,\
                        renameat,renameat2,link,linkat,symlink,symlinkat,unlink,unlinkat,rmdir,mkdir,mkdirat,chmod,fchmod,\
                        fchmodat,flock";
/// Calls that only look.
const LOOKING: &str = "read,pread64,lseek,stat,fstat,lstat,statx,newfstatat,readlink,readlinkat,getdents64,access,\
                       faccessat2,getcwd";

/// A system call that was made.
#[derive(Clone, Debug)]
pub struct Call {
    /// Which thread made it, in the order in which they began.
    pub thread: usize,
    pub name: String,
    /// How many calls of this name the thread had made by then, this one included.
    pub number: usize,
    /// The files that it is about, below the folder: as named, or by the descriptor.
    pub files: Vec<PathBuf>,
    /// The descriptor that it is about, if it names one.
    pub descriptor: Option<i32>,
    /// All texts among its arguments, decoded: paths, or what was written.
    pub texts: Vec<Vec<u8>>,
    /// Its arguments as `strace` wrote them, texts left out.
    pub arguments: String,
    /// What it returned; `None` if it did not.
    pub result: Option<i64>,
    /// Whether the call was tampered with.
    pub is_injected: bool,
}

impl Call {
    /// Whether it makes, changes, syncs, locks, opens or removes something.
    pub fn changes(&self) -> bool {
        CHANGING.split(',').any(|name| name == self.name)
    }
}

impl fmt::Display for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let files: Vec<_> = self.files.iter().map(|file| file.display().to_string()).collect();
        write!(f, "{} {} of thread {} ({})", self.name, self.number, self.thread, files.join(", "))
    }
}

/// What a process did, and how it ended.
pub struct Traced {
    pub output: Output,
    /// Calls on files below the folder, in the order of time.
    pub calls: Vec<Call>,
}

/// Runs a command in a folder under `strace`, with options that tamper with it if there are any. Its children are not
/// followed. All that it keeps is below the folder.
pub fn run(folder: &Path, args: &[&str], options: &[String]) -> Traced {
    let logs = TempDir::new().unwrap();
    let mut command = Command::new("strace");
    command.args(["-ff", "-ttt", "-b", "execve", "-y", "-xx", "-s", "10000000", "-o"]).arg(logs.path().join("log"));
    command.arg("-e").arg(format!("trace={CHANGING},{LOOKING}"));
    command.args(options);
    command.arg(env!("CARGO_BIN_EXE_evolve")).args(args);
    let output = surround(&mut command, folder).output().unwrap();
    // Logs are named by thread.
    let mut files: Vec<(u32, PathBuf)> = fs::read_dir(&logs)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .map(|path| (path.extension().unwrap().to_str().unwrap().parse().unwrap(), path))
        .collect();
    files.sort();
    let root = fs::canonicalize(folder).unwrap();
    let mut calls = Vec::new();
    for (thread, (_, path)) in files.iter().enumerate() {
        let mut numbers = HashMap::new();
        for line in fs::read_to_string(path).unwrap().lines() {
            let (time, line) = line.split_once(' ').unwrap();
            let time: f64 = time.parse().unwrap();
            calls.extend(call(line, thread, &mut numbers, &root).map(|call| (time, call)));
        }
    }
    calls.sort_by(|(one, _), (other, _)| one.total_cmp(other));
    let calls = calls.into_iter().map(|(_, call)| call).collect();
    Traced { output, calls }
}

/// Runs a command in a folder, untouched.
pub fn plain(folder: &Path, args: &[&str]) -> Output {
    surround(Command::new(env!("CARGO_BIN_EXE_evolve")).args(args), folder).output().unwrap()
}

/// The same surroundings for every command: nothing outside of the folder is written.
pub fn surround<'c>(command: &'c mut Command, folder: &Path) -> &'c mut Command {
    let below = |name: &str| folder.join(name);
    command.current_dir(folder).env("HOME", folder).env("XDG_CACHE_HOME", below("cache")).env("TMPDIR", below("tmp"));
    command.env_remove("RUST_BACKTRACE").env_remove("COLUMNS").stdin(Stdio::null())
}

/// One line of a log, if it is a call on a file below the folder.
fn call(line: &str, thread: usize, numbers: &mut HashMap<String, usize>, root: &Path) -> Option<Call> {
    let (name, rest) = line.split_once('(')?;
    if !name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
        return None;
    }
    let number = numbers.entry(name.to_string()).or_default();
    *number += 1;
    let (arguments, result) = rest.rsplit_once(" = ").unwrap_or((rest, "?"));
    let (texts, bare) = texts(arguments);
    let path = |bytes: &[u8]| PathBuf::from(String::from_utf8_lossy(bytes).into_owned());
    let first = bare.trim_start().split([',', ')', '<']).next().unwrap_or_default();
    let descriptor = first.parse().ok().filter(|_| name != "mkdir" && name != "unlink");
    // Of a descriptor, strace tells the path between angle brackets.
    let named: Vec<PathBuf> = match descriptor {
        Some(_) => texts.iter().filter(|(bracket, _)| *bracket).take(1).map(|(_, text)| path(text)).collect(),
        None => texts.iter().filter(|(bracket, _)| !bracket).map(|(_, text)| path(text)).collect(),
    };
    // Pipes and sockets have no path.
    let named = named.iter().filter(|path| descriptor.is_none() || path.is_absolute());
    let mut files: Vec<PathBuf> = named.filter_map(|path| below(path, root)).collect();
    if name == "getcwd" {
        files = vec![PathBuf::new()];
    }
    (!files.is_empty()).then(|| Call {
        thread,
        name: name.to_string(),
        number: *number,
        files,
        descriptor,
        texts: texts.into_iter().filter(|(bracket, _)| !bracket).map(|(_, text)| text).collect(),
        arguments: bare,
        result: result.split([' ', '<']).next().and_then(|number| number.parse().ok()),
        is_injected: result.contains("(INJECTED)"),
    })
}

/// The texts in quotes and angle brackets, with whether it is a bracket, and the rest.
fn texts(arguments: &str) -> (Vec<(bool, Vec<u8>)>, String) {
    let (mut texts, mut bare) = (Vec::new(), String::new());
    let mut rest = arguments;
    while let Some(start) = rest.find(['"', '<']) {
        let is_bracket = rest.as_bytes()[start] == b'<';
        bare.push_str(&rest[..start]);
        let inside = &rest[start + 1..];
        let end = inside.find(if is_bracket { '>' } else { '"' }).unwrap_or(inside.len());
        texts.push((is_bracket, decoded(&inside[..end])));
        rest = inside.get(end + 1..).unwrap_or_default();
    }
    bare.push_str(rest);
    (texts, bare)
}

/// Bytes that are written as `\x61\x62`.
fn decoded(text: &str) -> Vec<u8> {
    text.split("\\x").filter_map(|digits| u8::from_str_radix(digits.get(..2)?, 16).ok()).collect()
}

/// A path relative to the folder, if it is below it or the folder itself.
fn below(path: &Path, root: &Path) -> Option<PathBuf> {
    if path.as_os_str().is_empty() {
        return None;
    }
    let plain: PathBuf = root.join(path).components().filter(|part| *part != Component::CurDir).collect();
    plain.strip_prefix(root).ok().map(Path::to_path_buf)
}
