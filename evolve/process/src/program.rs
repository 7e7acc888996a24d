//! The command to start.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, ErrorKind};
use std::path::PathBuf;
use std::process::Command;

use super::guard::Guard;
use super::limits::Limits;
use super::system::Pipes;

/// A program to start, with its arguments, surroundings and limits. It can be started any number of times.
///
/// ```
/// use evolve_process::{Heard, Program, Until};
/// use std::time::Duration;
///
/// let mut worker = Program::new("cat").start()?;
/// let heard = worker.ask("3 4", Until::after(Duration::from_secs(10)))?;
/// assert_eq!(heard, Heard::Line(b"3 4".to_vec()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Program {
    command: Vec<OsString>,
    variables: Vec<(OsString, OsString)>,
    directory: Option<PathBuf>,
    pub(crate) limits: Limits,
    pub(crate) longest_line: usize,
    pub(crate) kept: usize,
}

impl Program {
    /// A program without arguments that inherits environment and working directory. It is looked for as a shell does:
    /// a name without `/` in `PATH`.
    pub fn new(program: impl Into<OsString>) -> Self {
        Self::from_command([program])
    }

    /// A program and its arguments. An empty command has no program; [`start`](Self::start) then fails.
    pub fn from_command(command: impl IntoIterator<Item = impl Into<OsString>>) -> Self {
        Self {
            command: command.into_iter().map(Into::into).collect(),
            variables: Vec::new(),
            directory: None,
            limits: Limits::default(),
            longest_line: 64 << 10,
            kept: 64 << 10,
        }
    }

    #[must_use]
    pub fn arg(mut self, argument: impl Into<OsString>) -> Self {
        self.command.push(argument.into());
        self
    }

    /// Sets a variable of the environment besides those that are inherited.
    #[must_use]
    pub fn env(mut self, name: impl Into<OsString>, value: impl Into<OsString>) -> Self {
        self.variables.push((name.into(), value.into()));
        self
    }

    /// Sets the working directory. A program named by a relative path should be made absolute before.
    #[must_use]
    pub fn directory(mut self, directory: impl Into<PathBuf>) -> Self {
        self.directory = Some(directory.into());
        self
    }

    /// Sets the limits; there are none by default.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Sets the longest line of output for [`Child::line`](crate::Child::line), bytes without the line end; 64 KiB by default.
    #[must_use]
    pub fn longest_line(mut self, bytes: usize) -> Self {
        self.longest_line = bytes;
        self
    }

    /// Sets how much output is kept, bytes for each stream; 64 KiB by default. [`run`](Self::run) keeps half of that
    /// from the beginning and half from the end, a [`Child`](crate::Child) keeps the end of standard error.
    #[must_use]
    pub fn keep(mut self, bytes: usize) -> Self {
        self.kept = bytes;
        self
    }

    /// The program as it was named; empty if none was.
    pub fn name(&self) -> &OsStr {
        self.command.first().map_or(OsStr::new(""), |name| name)
    }

    /// Starts it with this input, or with a pipe.
    pub(crate) fn spawn(&self, stdin: Option<File>) -> io::Result<(Guard, Pipes)> {
        let (program, arguments) =
            self.command.split_first().ok_or_else(|| io::Error::new(ErrorKind::InvalidInput, "no program named"))?;
        let mut command = Command::new(program);
        command.args(arguments).envs(self.variables.iter().map(|(name, value)| (name, value)));
        if let Some(directory) = &self.directory {
            command.current_dir(directory);
        }
        Guard::start(command, stdin, &self.limits)
    }
}
