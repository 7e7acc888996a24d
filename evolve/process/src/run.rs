//! A program run to completion.

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
pub enum Input<'a> {
    /// Nothing.
    #[default]
    Empty,
    /// These bytes. The program need not read them all.
    Bytes(&'a [u8]),
    /// A file, from where it stands.
    File(File),
}

/// A program that was run to completion.
#[derive(Clone, Debug, PartialEq)]
pub struct Finished {
    /// Exit status and resource use.
    pub exit: Exit,
    /// Why it was ended, if it did not end by itself: never [`Interruption::Late`].
    pub interruption: Option<Interruption>,
    /// Standard output.
    pub stdout: Captured,
    /// Standard error.
    pub stderr: Captured,
}

impl Finished {
    /// Whether the program ended by itself with status 0.
    pub fn success(&self) -> bool {
        self.interruption.is_none() && self.exit.status.success()
    }
}

impl Program {
    /// Runs the program until it ends, exceeds a limit or `stop` is raised. Then all its descendants are ended, too.
    ///
    /// # Errors
    /// Says whose fault it is that the program cannot be started.
    pub fn run(&self, input: Input<'_>, stop: Option<&AtomicBool>) -> Result<Finished, StartError> {
        let capture = Captured::new(self.kept - self.kept / 2, self.kept / 2);
        let (stdin, bytes) = match input {
            Input::Empty => (Some(File::open(system::NOTHING)?), &[][..]),
            Input::Bytes(bytes) => (None, bytes),
            Input::File(file) => (Some(file), &[][..]),
        };
        let mut child = Child::start(self, stdin)?;
        child.stderr = capture.clone();
        child.send(bytes);
        child.close();
        let mut stdout = capture;
        let interruption = child.drain(Until { deadline: None, stop }, |bytes| stdout.extend(bytes)).err();
        let exit = child.end();
        child.read_rest();
        stdout.extend(child.pending());
        Ok(Finished { exit, interruption, stdout, stderr: std::mem::take(&mut child.stderr) })
    }
}
