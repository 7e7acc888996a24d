//! Runs this executable as the command, in separate processes.

use std::fs;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};

/// The name under which this executable acts as the command.
pub const EVOLVE: &str = "evolve";

/// Returns the command with arguments, in a folder.
pub fn command(folder: &Path, args: &str) -> Command {
    let mut command = Command::new(std::env::current_exe().expect("this program has a path"));
    command.arg0(EVOLVE).args(args.split(' ')).current_dir(folder).stdin(Stdio::null());
    command
}

/// Returns the command's output on both streams. The command must succeed.
pub fn evolve(folder: &Path, args: &str) -> String {
    let output = command(folder, args).output().expect("this program can be started");
    let said = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
    assert!(output.status.success(), "evolve {args}: {said}");
    said
}

/// The number of trials that validation, selection and test take.
const JUDGED: u32 = 700;

/// Creates a folder with a job for each start of weights, which searches for a number of trials.
pub fn folder(plays: &str, seed: u64, searched: u32, starts: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let budget = searched + JUDGED;
    let roll = if plays.contains("[game]") { format!("roll = {seed}\n") } else { String::new() };
    for (name, start) in starts {
        let text = format!(
            "name = \"run\"\nseed = {seed}\n{plays}{roll}{start}[search]\noptimizer = \"genetic\"\npopulation = 8\n\
             trials = 8\nbudget = {budget}\nvalidation = 30\nselection = 30\ntest = 200\n"
        );
        fs::write(folder.path().join(name), text).expect("a job can be written");
    }
    folder
}
