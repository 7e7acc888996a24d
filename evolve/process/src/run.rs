//! Runs a program to completion.

use std::fs::File;
use std::sync::atomic::AtomicBool;

use super::capture::Captured;
use super::child::{Child, Interruption, Until};
use super::error::StartError;
use super::guard::Exit;
use super::program::Program;
use super::system;

/// The source of a program's standard input.
#[derive(Debug, Default)]
pub enum Stdin {
    /// No input.
    #[default]
    Empty,
    /// A file, from its current position.
    File(File),
}

/// The result of a program that ran to completion.
#[derive(Clone, Debug, PartialEq)]
pub struct Finished {
    /// The exit status and resource use.
    pub exit: Exit,
    /// The reason why the program was killed, if it did not end by itself; never
    /// [`Interruption::Late`].
    pub interruption: Option<Interruption>,
    /// The standard output.
    pub stdout: Captured,
    /// The standard error.
    pub stderr: Captured,
}

impl Finished {
    /// Returns whether the program ended by itself with status 0.
    pub fn success(&self) -> bool {
        self.interruption.is_none() && self.exit.status.success()
    }
}

impl Program {
    /// Runs the program until it ends, exceeds a limit or `stop` is set. Then kills all its
    /// descendants.
    ///
    /// # Errors
    /// If the program cannot be started: whether the program or this machine is the reason.
    pub fn run(&self, input: Stdin, stop: Option<&AtomicBool>) -> Result<Finished, StartError> {
        let capture = Captured::new(self.kept - self.kept / 2, self.kept / 2);
        let stdin = match input {
            Stdin::Empty => File::open(system::NOTHING)?,
            Stdin::File(file) => file,
        };
        let mut child = Child::start(self, Some(stdin))?;
        child.stderr = capture.clone();
        let mut stdout = capture;
        let interruption = child.drain(Until { deadline: None, stop }, |bytes| stdout.extend(bytes)).err();
        let exit = child.end();
        child.read_rest();
        stdout.extend(child.pending());
        Ok(Finished { exit, interruption, stdout, stderr: std::mem::take(&mut child.stderr) })
    }
}
