//! A running program, controlled through its supervisor.

use std::fs::File;
use std::io::{self, ErrorKind};
use std::net::Shutdown;
use std::os::unix::net::UnixStream;
use std::os::unix::process::ExitStatusExt as _;
use std::process::{Command, ExitStatus};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::net::{RecvFlags, recv};

use super::pipes::Pipes;
use super::report::Report;
use crate::ended::{Ended, Look};
use crate::limits::{Limits, Sample};

#[cfg(not(target_os = "linux"))]
use super::group::{self as supervisor, Supervisor};
#[cfg(target_os = "linux")]
use super::linux::supervisor::{self, Supervisor};

/// A running program with all its descendants.
pub(crate) struct Keeper(Supervisor);

impl Keeper {
    /// Starts the program with this file as its input, or with a pipe. Limits are checked by
    /// samples.
    pub fn start(command: Command, stdin: Option<File>, _: &Limits) -> io::Result<(Self, Pipes)> {
        let (supervisor, pipes) = supervisor::start(command, stdin.map(Into::into))?;
        pipes.never_wait()?;
        Ok((Self(supervisor), pipes))
    }

    /// Returns a socket that becomes readable when the program ends.
    pub fn control(&self) -> &UnixStream {
        &self.0.control
    }

    /// Checks whether the program has ended; does not wait.
    pub fn look(&mut self) -> Look {
        let mut bytes = [0; Report::BYTES];
        match recv(&self.0.control, &mut bytes[..], RecvFlags::DONTWAIT) {
            // A report is written at once and small enough to arrive complete.
            Ok((Report::BYTES, _)) => {
                let Report { status, cpu, memory } = Report::from_bytes(&bytes);
                let (status, cpu) = (ExitStatus::from_raw(status), Duration::from_micros(cpu));
                Look::Ended(Ended { status, cpu, memory })
            }
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) => Look::Running,
            _ => Look::Lost,
        }
    }

    /// Waits until the program has ended, or `wait` has passed.
    pub fn wait(&self, wait: Duration) {
        let _ = poll(&mut [PollFd::new(&self.0.control, PollFlags::IN)], Timespec::try_from(wait).ok().as_ref());
    }

    /// Starts to end the program.
    pub fn end(&self) {
        let _ = self.0.control.shutdown(Shutdown::Write);
        self.0.end();
    }

    /// Takes further steps if the end takes long.
    pub fn insist(&self) {
        self.0.insist();
    }

    /// Samples the resource use of the program's processes. `limit` is the memory limit. Returns
    /// `None` where samples are not available.
    pub fn sample(&mut self, limit: Option<u64>) -> Option<Sample> {
        self.0.sample(limit)
    }

    /// Releases the supervisor after a program that ended by itself and used `cpu`.
    pub fn rest(self, cpu: Duration) {
        self.0.rest(cpu);
    }

    /// Removes the supervisor after a program that was killed.
    pub fn bury(self) {
        self.0.bury();
    }
}
