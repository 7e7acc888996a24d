//! Processes of a run on many machines: a coordinator and workers, and their output.

use crate::EVOLVE;
use crate::problem::HOLD;
use std::fs::{self, File};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// The longest time that a test waits.
pub const PATIENCE: Duration = Duration::from_secs(600);

/// A folder for a run.
pub struct Cluster {
    pub folder: TempDir,
    pub url: String,
    /// Certificates for checking servers, instead of the system's.
    pub certificates: Option<String>,
}

/// A process and the file that it writes its messages to.
pub struct Process {
    pub child: Child,
    log: PathBuf,
}

/// Returns a job with this many generations of trials, each of this many microseconds.
pub fn job(generations: u32, micros: u32) -> String {
    format!(
        "name = \"first\"\nseed = 3\n[game]\nname = \"steps\"\nmicros = {micros}\n[search]\noptimizer = \"genetic\"\n\
         population = 8\ntrials = 25\ngenerations = {generations}\nvalidation = 50\nselection = 20\ntest = 100\n"
    )
}

/// This program under another name.
pub fn command(name: &str) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.arg0(name);
    command
}

impl Cluster {
    /// A folder with a job.
    pub fn new(job: &str, url: String) -> Self {
        let folder = TempDir::new().unwrap();
        fs::write(folder.path().join("job.toml"), job).unwrap();
        Cluster { folder, url, certificates: None }
    }

    /// Lets the run play only the first cases of its search.
    pub fn hold(&self, cases: u64) {
        // In one step, so that no trial reads half of it.
        let partial = self.folder.path().join("hold.new");
        fs::write(&partial, cases.to_string()).unwrap();
        fs::rename(partial, self.folder.path().join(HOLD)).unwrap();
    }

    /// Lets the run play all cases.
    pub fn release(&self) {
        fs::remove_file(self.folder.path().join(HOLD)).unwrap();
    }

    fn spawn(&self, name: &str, log: &str, args: &[&str]) -> Process {
        let log = self.folder.path().join(format!("{log}.log"));
        let file = File::create(&log).unwrap();
        let mut command = command(name);
        command.args(args).current_dir(&self.folder).stdin(Stdio::null());
        command.stdout(file.try_clone().unwrap()).stderr(file);
        command.envs(self.certificates.iter().map(|file| ("SSL_CERT_FILE", file)));
        Process { child: command.spawn().unwrap(), log }
    }

    /// Starts the run.
    pub fn run(&self, log: &str, more: &[&str]) -> Process {
        self.spawn(EVOLVE, log, &[&["run", "job.toml", "--server", &self.url], more].concat())
    }

    /// Starts a worker of a build.
    pub fn worker_of(&self, build: &str, log: &str, more: &[&str]) -> Process {
        self.spawn(build, log, &[&["worker", "--server", &self.url], more].concat())
    }

    /// Starts a worker with two threads.
    pub fn worker(&self, log: &str) -> Process {
        self.worker_of(EVOLVE, log, &["--parallel", "2"])
    }

    /// The output of a command.
    pub fn output(&self, args: &[&str]) -> Output {
        command(EVOLVE).args(args).current_dir(&self.folder).output().unwrap()
    }

    /// A file of the run.
    pub fn result(&self, name: &str) -> String {
        result(self.folder.path(), name)
    }

    /// Asserts that the results are the same as on one thread.
    pub fn assert_same_as_one_thread(&self) {
        let job = fs::read_to_string(self.folder.path().join("job.toml")).unwrap();
        let folder = TempDir::new().unwrap();
        // Scripts of jobs that have any.
        for entry in fs::read_dir(&self.folder).unwrap().map(Result::unwrap) {
            if entry.path().extension().is_some_and(|extension| extension == "sh") {
                fs::copy(entry.path(), folder.path().join(entry.file_name())).unwrap();
            }
        }
        // The time of a trial has no effect on the results.
        let at_once = |text: &str| {
            let line = text.lines().find(|line| line.starts_with("micros = "));
            line.map_or(text.to_string(), |line| text.replace(line, "micros = 0"))
        };
        fs::write(folder.path().join("job.toml"), at_once(&job)).unwrap();
        let one = command(EVOLVE).args(["run", "job.toml", "--quiet", "--parallel", "1"]).current_dir(&folder).output();
        let one = one.unwrap();
        assert!(one.status.success(), "{}", String::from_utf8_lossy(&one.stderr));
        for name in ["generations.csv", "validation.csv", "recommendation.toml", "config.toml"] {
            assert!(result(folder.path(), name) == at_once(&self.result(name)), "{name} differs");
        }
    }
}

fn result(folder: &Path, name: &str) -> String {
    fs::read_to_string(folder.join("results/first").join(name)).unwrap()
}

/// Waits for something.
pub fn wait_until(what: &str, mut is: impl FnMut() -> bool) {
    let start = Instant::now();
    while !is() {
        assert!(start.elapsed() < PATIENCE, "waited in vain: {what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

impl Process {
    pub fn said(&self) -> String {
        fs::read_to_string(&self.log).unwrap()
    }

    /// Waits until it prints a text.
    pub fn says(&mut self, text: &str) {
        let start = Instant::now();
        while !self.said().contains(text) {
            let ended = self.child.try_wait().unwrap().is_some();
            assert!(!ended && start.elapsed() < PATIENCE, "it does not say `{text}`:\n{}", self.said());
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    pub fn has_ended(&mut self) -> bool {
        self.child.try_wait().unwrap().is_some()
    }

    /// Waits until it ends; its exit status.
    pub fn status(&mut self) -> i32 {
        let mut status = None;
        let start = Instant::now();
        while status.is_none() {
            assert!(start.elapsed() < PATIENCE, "it does not end:\n{}", self.said());
            std::thread::sleep(Duration::from_millis(20));
            status = self.child.try_wait().unwrap();
        }
        let status = status.unwrap();
        status.code().unwrap_or_else(|| 128 + status.signal().unwrap())
    }

    /// Waits until it ends with success.
    pub fn succeeds(&mut self) {
        assert_eq!(self.status(), 0, "{}", self.said());
    }

    /// Sends it a signal.
    pub fn signal(&self, signal: rustix::process::Signal) {
        rustix::process::kill_process(rustix::process::Pid::from_child(&self.child), signal).unwrap();
    }

    /// Kills it, as `kill -9` does.
    pub fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
