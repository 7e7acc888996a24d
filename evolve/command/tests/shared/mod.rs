//! The bench of the command's tests; each suite uses a part of it.
#![allow(dead_code)]

use assert_cmd::Command;
use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{self, Child, ExitStatus, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant, UNIX_EPOCH};
use tempfile::TempDir;

/// A folder with jobs, programs and their inputs, and the command in it. Temporary files of the
/// command are in `tmp`.
pub struct Bench(TempDir);

impl Bench {
    pub fn empty() -> Bench {
        let bench = Bench(TempDir::new().unwrap());
        fs::create_dir(bench.path().join("tmp")).unwrap();
        bench
    }

    /// A folder with `job.toml`.
    pub fn new(job: &str) -> Bench {
        let bench = Bench::empty();
        bench.write("job.toml", job);
        bench
    }

    /// A folder with `job.toml` and `solver.sh`, whose trials can be held; see [`HOLD`].
    pub fn with_solver(job: &str, solver: &str) -> Bench {
        let bench = Bench::new(job);
        bench.write("solver.sh", format!("{solver}{HOLD}"));
        bench
    }

    pub fn path(&self) -> &Path {
        self.0.path()
    }

    /// Writes a file, and the folders that it is in.
    pub fn write(&self, name: impl AsRef<Path>, text: impl AsRef<[u8]>) {
        let path = self.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    pub fn read(&self, name: impl AsRef<Path>) -> String {
        let path = self.path().join(name);
        fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    }

    /// The text of a file that a process may not have written yet.
    pub fn so_far(&self, name: &str) -> String {
        fs::read_to_string(self.path().join(name)).unwrap_or_default()
    }

    /// The text of a file of the run `first`.
    pub fn result(&self, name: &str) -> String {
        self.read(Path::new("results/first").join(name))
    }

    /// Repeats the trials of a run up to 100,000.
    pub fn lengthen(&self, run: &str) {
        let name = format!("results/{run}/trials.csv");
        let table = self.read(&name);
        let (head, rows) = table.split_once('\n').unwrap();
        let row = |(number, row): (usize, &str)| format!("{number},{}\n", row.split_once(',').unwrap().1);
        let long: String = rows.lines().cycle().take(100_000).enumerate().map(row).collect();
        self.write(&name, format!("{head}\n{long}"));
        let started = |trial: u64| humantime::format_rfc3339_millis(UNIX_EPOCH + Duration::from_millis(25 * trial));
        let time = |trial: u64| format!("{trial},{},{}\n", 0.05 + (trial * 37 % 100) as f64 / 1e3, started(trial));
        let times: String = (0..100_000).map(time).collect();
        self.write(format!("results/{run}/trial-times.csv"), format!("trial,seconds,started\n{times}"));
    }

    /// Cells of `trials.csv` of the run `first` by the names of their columns, a row each.
    pub fn cells<const N: usize>(&self, names: [&str; N]) -> Vec<[String; N]> {
        let table = self.result("trials.csv");
        let mut rows = table.lines().map(|line| line.split(',').collect::<Vec<_>>());
        let head = rows.next().unwrap();
        let place = |name: &str| head.iter().position(|column| *column == name);
        let places = names.map(|name| place(name).unwrap_or_else(|| panic!("{name}")));
        rows.map(|row| places.map(|place| row[place].to_string())).collect()
    }

    /// Checks that files of the run `first` have the same bytes as in another folder.
    pub fn assert_same(&self, other: &Bench, names: &[&str]) {
        for name in names {
            let (own, others) = (self.result(name), other.result(name));
            assert!(!own.is_empty(), "{name}");
            assert!(own == others, "{name} differs: {own}\n{others}");
        }
    }

    /// The command in this folder.
    pub fn evolve(&self, args: &[&str]) -> Command {
        let mut command = evolve(args);
        command.current_dir(self.path()).env("TMPDIR", self.path().join("tmp"));
        command
    }

    /// Standard output of a command that succeeds.
    pub fn does(&self, args: &[&str]) -> String {
        self.texts(args, 0).0
    }

    /// Standard error of a command that fails.
    pub fn refuses(&self, args: &[&str]) -> String {
        let assert = self.evolve(args).assert().failure();
        String::from_utf8_lossy(&assert.get_output().stderr).into_owned()
    }

    /// Standard output of the run of `job.toml`.
    pub fn run(&self, more: &[&str]) -> String {
        self.does(&[&["run", "job.toml"], more].concat())
    }

    /// Standard output and standard error of a command that ends with a status.
    pub fn texts(&self, args: &[&str], status: i32) -> (String, String) {
        texts(&mut self.evolve(args), status)
    }

    /// The command in this folder, to be started.
    pub fn process(&self, args: &[&str]) -> process::Command {
        let mut command = process::Command::new(env!("CARGO_BIN_EXE_evolve"));
        command.args(args).current_dir(self.path()).env("TMPDIR", self.path().join("tmp"));
        command
    }

    /// Starts a command; its standard error is a pipe.
    pub fn spawn(&self, args: &[&str]) -> Child {
        self.process(args).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap()
    }

    /// The output of a line of sh in a folder below, with the command in its path.
    pub fn shell(&self, folder: &str, line: &str) -> Output {
        let own = Path::new(env!("CARGO_BIN_EXE_evolve")).parent().unwrap();
        let path = format!("{}:{}", own.display(), std::env::var("PATH").unwrap());
        let mut shell = process::Command::new("sh");
        shell.args(["-c", line]).current_dir(self.path().join(folder)).env("PATH", path);
        shell.env_remove("RUSTFLAGS").env_remove("COLUMNS").output().unwrap()
    }

    /// The number of trials that have begun.
    pub fn begun(&self) -> usize {
        self.so_far("log").lines().count()
    }

    /// Lets this many further trials of a program pass [`HOLD`].
    pub fn hold_after(&self, trials: usize) {
        self.write("hold", (self.begun() + trials).to_string());
    }

    /// Lets all trials pass.
    pub fn release(&self) {
        fs::remove_file(self.path().join("hold")).unwrap();
    }

    /// Waits until trials are held.
    pub fn wait_until_held(&self, run: &mut Child) {
        let passing: usize = self.read("hold").parse().unwrap();
        wait_until(|| self.begun() > passing || run.try_wait().unwrap().is_some());
        assert!(run.try_wait().unwrap().is_none(), "it ended");
    }

    /// Interrupts a run whose trials are held, and lets them pass once the run knows. Its standard
    /// error must be a pipe. Returns the exit status and the standard error.
    #[cfg(unix)]
    pub fn interrupt(&self, mut run: Child) -> (ExitStatus, String) {
        self.wait_until_held(&mut run);
        rustix::process::kill_process(rustix::process::Pid::from_child(&run), rustix::process::Signal::INT).unwrap();
        let (mut errors, mut said) = (BufReader::new(run.stderr.take().unwrap()), String::new());
        while !said.contains("stopping after the trials in progress") {
            assert!(errors.read_line(&mut said).unwrap() > 0, "it ended: {said}");
        }
        self.release();
        errors.read_to_string(&mut said).unwrap();
        (run.wait().unwrap(), said)
    }
}

impl AsRef<Path> for Bench {
    fn as_ref(&self) -> &Path {
        self.path()
    }
}

/// The command, without environment variables for the width and colours of terminals.
pub fn evolve(args: &[&str]) -> Command {
    let mut command = Command::cargo_bin("evolve").unwrap();
    command.args(args).env_remove("COLUMNS").env_remove("CLICOLOR_FORCE");
    command
}

/// Standard output and standard error of a command that ends with a status.
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
