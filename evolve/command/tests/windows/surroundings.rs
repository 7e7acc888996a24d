//! Folders to run in, the command of both systems, and the list of running processes.

use crate::shared::Bench;
use std::fs;
use std::ops::Deref;
use std::path::Path;
use std::process::Command;

/// Whose command is meant.
#[derive(Clone, Copy, PartialEq)]
pub enum System {
    Here,
    /// Under wine.
    Windows,
}

/// A folder in which the command of a system is started.
pub struct Place {
    pub system: System,
    bench: Bench,
}

impl Deref for Place {
    type Target = Bench;

    fn deref(&self) -> &Bench {
        &self.bench
    }
}

impl Place {
    /// A folder with a job.
    pub fn new(system: System, job: &str) -> Self {
        Place { system, bench: Bench::new(job) }
    }

    /// The same folder, for another system.
    pub fn on(self, system: System) -> Self {
        Place { system, ..self }
    }

    /// The command, not started yet.
    pub fn evolve(&self, args: &[&str]) -> Command {
        let mut command = match self.system {
            System::Here => Command::new(env!("CARGO_BIN_EXE_evolve")),
            System::Windows => {
                let program = std::env::var("EVOLVE_WINDOWS").expect("the command for Windows: `./test windows`");
                let mut command = Command::new(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../dist/wine"));
                command.arg(program);
                command
            }
        };
        command.args(args).current_dir(self.path()).env_remove("COLUMNS").env_remove("CLICOLOR_FORCE");
        command
    }
}

/// The output on both streams of a command that ends with this status.
pub fn said(mut command: Command, status: i32) -> String {
    let output = command.output().unwrap();
    let text = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
    assert_eq!(output.status.code(), Some(status), "{command:?}: {}: {text}", output.status);
    text
}

/// Compiles a program of these tests for a place's system.
pub fn compile(place: &Place, name: &str) {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/windows/{name}.cpp"));
    let compiler = if place.system == System::Windows { "x86_64-w64-mingw32-g++" } else { "g++" };
    // Linked statically, because Windows would search for the libraries.
    let status =
        Command::new(compiler).args(["-O1", "-static", "-o", name]).arg(source).current_dir(place.path()).status();
    assert!(status.expect(compiler).success());
}

/// Returns the number of processes that run a Windows program.
pub fn living(program: &Path) -> usize {
    let folder = program.parent().and_then(Path::file_name).unwrap().to_str().unwrap().to_string();
    let numbers = fs::read_dir("/proc").unwrap().flatten().filter(|entry| {
        let line = fs::read(entry.path().join("cmdline")).unwrap_or_default();
        let line = String::from_utf8_lossy(&line).replace('\\', "/");
        let is_there = fs::read_link(entry.path().join("cwd")).is_ok_and(|cwd| cwd.to_string_lossy().contains(&folder));
        line.contains("hostile") && (is_there || line.contains(&folder)) && !line.contains("job.toml")
    });
    // A zombie process has no command line.
    numbers.count()
}

/// Sends a signal to a process.
pub fn signal(process: u32, name: &str) {
    assert!(Command::new("kill").args([&format!("-{name}"), &process.to_string()]).status().unwrap().success());
}
