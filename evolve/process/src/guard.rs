//! The end of a program: how it is forced, and what is known afterwards.

use std::io::{self, ErrorKind};
use std::net::Shutdown;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, ExitStatus};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::net::{RecvFlags, recv};

use super::report::{Pipes, Report};

#[cfg(not(target_os = "linux"))]
use super::group as keeper;
#[cfg(target_os = "linux")]
use super::supervisor as keeper;

/// How long an end is waited for before something more is done about it.
const PATIENCE: Duration = Duration::from_millis(100);

/// How often that is done before the program is given up. A process can be slow to die (many of them, much memory to
/// free), and one that waits for a broken device cannot be killed at all.
const ATTEMPTS: u32 = 100;

/// Exit status and resource use of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exit {
    /// The program's own status; by `SIGKILL` if it was ended.
    pub status: ExitStatus,
    /// Wall-clock time from the start to the end of the program and all its descendants.
    pub wall: Duration,
    /// CPU time, user and system, of the program and those descendants that were waited for, as `wait4` gives it.
    pub cpu: Duration,
    /// Peak resident memory in bytes: of all processes together as sampled (see
    /// [`Limits::memory`](crate::Limits::memory)), or of the largest process, whichever is more. Memory of the launch
    /// and of this process does not count as the program's, so the value is 0 for a program that was not sampled and
    /// used less than this process had.
    pub memory: u64,
}

/// A running program with all its descendants, which ends with this.
pub(crate) struct Guard {
    /// `None` once the exit is known.
    supervisor: Option<keeper::Supervisor>,
    /// Whether the end was asked for.
    ending: bool,
    start: Instant,
    exit: Option<Exit>,
}

impl Guard {
    /// Starts the program with this input, or with a pipe.
    pub fn start(command: Command, stdin: Option<OwnedFd>) -> io::Result<(Self, Pipes)> {
        let start = Instant::now();
        let started = keeper::start(command, stdin)?;
        Ok((Self { supervisor: Some(started.supervisor), ending: false, start, exit: None }, started.pipes))
    }

    /// Since when the program runs.
    pub fn start_time(&self) -> Instant {
        self.start
    }

    /// A descriptor that becomes readable when the running program ends.
    pub fn control(&self) -> Option<&UnixStream> {
        self.supervisor.as_ref().map(|supervisor| &supervisor.control)
    }

    /// The ancestor of the program's processes, while the program runs.
    #[cfg(target_os = "linux")]
    pub fn supervisor(&self) -> Option<&keeper::Supervisor> {
        self.supervisor.as_ref()
    }

    /// How the program ended, if that is known.
    pub fn exit(&self) -> Option<Exit> {
        self.exit
    }

    /// Looks whether the program has ended; does not wait.
    pub fn look(&mut self) -> Option<Exit> {
        if let Some(control) = self.control() {
            let mut bytes = [0; Report::BYTES];
            match recv(control, &mut bytes[..], RecvFlags::DONTWAIT) {
                // A report is written at once and so small that it comes whole.
                Ok((Report::BYTES, _)) => return Some(self.finish(Some(Report::from_bytes(&bytes)))),
                Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) => {}
                // The supervisor was killed.
                _ => return Some(self.finish(None)),
            }
        }
        self.exit
    }

    /// Ends the program and all its descendants, unless it has ended by itself.
    pub fn end(&mut self) -> Exit {
        if let Some(exit) = self.look() {
            return exit;
        }
        self.ending = true;
        if let Some(supervisor) = &self.supervisor {
            let _ = supervisor.control.shutdown(Shutdown::Write);
            supervisor.end();
        }
        for _ in 0..ATTEMPTS {
            let start = Instant::now();
            while start.elapsed() < PATIENCE {
                let wait = Timespec::try_from(PATIENCE.saturating_sub(start.elapsed())).ok();
                if let Some(control) = self.control() {
                    let _ = poll(&mut [PollFd::new(control, PollFlags::IN)], wait.as_ref());
                }
                if let Some(exit) = self.look() {
                    return exit;
                }
            }
            self.supervisor.iter().for_each(|supervisor| supervisor.insist());
        }
        self.finish(None)
    }

    /// The end, of which there is a report unless the supervisor was killed or is given up.
    fn finish(&mut self, report: Option<Report>) -> Exit {
        let wall = self.start.elapsed();
        match (self.supervisor.take(), &report) {
            (Some(supervisor), Some(report)) if !self.ending => supervisor.rest(Duration::from_micros(report.cpu)),
            (supervisor, _) => supervisor.into_iter().for_each(|supervisor| supervisor.bury()),
        }
        let report = report.unwrap_or(Report::killed());
        *self.exit.insert(Exit {
            status: ExitStatus::from_raw(report.status),
            wall,
            cpu: Duration::from_micros(report.cpu),
            memory: report.memory,
        })
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        self.end();
    }
}
