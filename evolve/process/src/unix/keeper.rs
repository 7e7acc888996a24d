//! A running program, through what supervises it.

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
    /// Starts the program with this input, or with a pipe. What is limited, samples tell.
    pub fn start(command: Command, stdin: Option<File>, _: &Limits) -> io::Result<(Self, Pipes)> {
        let (supervisor, pipes) = supervisor::start(command, stdin.map(Into::into))?;
        pipes.never_wait()?;
        Ok((Self(supervisor), pipes))
    }

    /// Becomes readable when the program ends.
    pub fn control(&self) -> &UnixStream {
        &self.0.control
    }

    /// Looks whether the program has ended; does not wait.
    pub fn look(&mut self) -> Look {
        let mut bytes = [0; Report::BYTES];
        match recv(&self.0.control, &mut bytes[..], RecvFlags::DONTWAIT) {
            // A report is written at once and so small that it comes whole.
            Ok((Report::BYTES, _)) => {
                let Report { status, cpu, memory } = Report::from_bytes(&bytes);
                let (status, cpu) = (ExitStatus::from_raw(status), Duration::from_micros(cpu));
                Look::Ended(Ended { status, cpu, memory })
            }
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) => Look::Running,
            _ => Look::Lost,
        }
    }

    /// Waits until the program has ended, or for so long.
    pub fn wait(&self, wait: Duration) {
        let _ = poll(&mut [PollFd::new(&self.0.control, PollFlags::IN)], Timespec::try_from(wait).ok().as_ref());
    }

    /// Begins the end.
    pub fn end(&self) {
        let _ = self.0.control.shutdown(Shutdown::Write);
        self.0.end();
    }

    /// Does what else there is to do, as the end takes long.
    pub fn insist(&self) {
        self.0.insist();
    }

    /// Resource use of the program's processes; `limit` is the one of memory. `None` where nobody tells.
    pub fn sample(&mut self, limit: Option<u64>) -> Option<Sample> {
        self.0.sample(limit)
    }

    /// After a program that ended by itself and used so much CPU time.
    pub fn rest(self, cpu: Duration) {
        self.0.rest(cpu);
    }

    /// After a program that was ended.
    pub fn bury(self) {
        self.0.bury();
    }
}
