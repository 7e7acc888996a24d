//! The description of a program to start.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, ErrorKind};
use std::process::Command;

use super::guard::Guard;
use super::limits::Limits;
use super::system::Pipes;

/// A program to start, with its arguments, environment and limits. It can be started any number of
/// times.
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
    variables: Vec<(OsString, Option<OsString>)>,
    pub(crate) limits: Limits,
    pub(crate) longest_line: usize,
    pub(crate) kept: usize,
}

impl Program {
    /// Describes a program without arguments that inherits environment and working directory. The
    /// program is found as by a shell: a name without `/` is searched for in `PATH`.
    pub fn new(program: impl Into<OsString>) -> Self {
        Self::from_command([program])
    }

    /// Describes a program and its arguments. With an empty command, [`start`](Self::start) fails.
    pub fn from_command(command: impl IntoIterator<Item = impl Into<OsString>>) -> Self {
        Self {
            command: command.into_iter().map(Into::into).collect(),
            variables: Vec::new(),
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

    /// Sets a variable of the environment, in addition to the inherited ones.
    #[must_use]
    pub fn env(mut self, name: impl Into<OsString>, value: impl Into<OsString>) -> Self {
        self.variables.push((name.into(), Some(value.into())));
        self
    }

    /// Does not hand an inherited variable of the environment on.
    #[must_use]
    pub fn env_remove(mut self, name: impl Into<OsString>) -> Self {
        self.variables.push((name.into(), None));
        self
    }

    /// Sets the limits; by default there are none.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Sets the longest line of output for [`Child::line`](crate::Child::line), in bytes without
    /// the line end; 64 KiB by default.
    #[must_use]
    pub fn longest_line(mut self, bytes: usize) -> Self {
        self.longest_line = bytes;
        self
    }

    /// Sets how much output is kept, in bytes for each stream; 64 KiB by default.
    /// [`run`](Self::run) keeps half of that from the beginning and half from the end; a
    /// [`Child`](crate::Child) keeps the end of standard error.
    #[must_use]
    pub fn keep(mut self, bytes: usize) -> Self {
        self.kept = bytes;
        self
    }

    /// Returns the program as it was named; empty for an empty command.
    pub fn name(&self) -> &OsStr {
        self.command.first().map_or(OsStr::new(""), |name| name)
    }

    /// Starts the program with this file as its input, or with a pipe.
    pub(crate) fn spawn(&self, stdin: Option<File>) -> io::Result<(Guard, Pipes)> {
        let (program, arguments) =
            self.command.split_first().ok_or_else(|| io::Error::new(ErrorKind::InvalidInput, "no program named"))?;
        let mut command = Command::new(program);
        command.args(arguments);
        for (name, value) in &self.variables {
            match value {
                Some(value) => command.env(name, value),
                None => command.env_remove(name),
            };
        }
        Guard::start(command, stdin, &self.limits)
    }
}
