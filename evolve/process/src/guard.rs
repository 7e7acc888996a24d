//! The end of a program: how it is brought about, and what is known then.

use std::io::{self, Read};
use std::net::Shutdown;
use std::os::unix::net::UnixStream;
use std::os::unix::process::ExitStatusExt;
use std::process::{ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};

use super::report::Report;

#[cfg(not(target_os = "linux"))]
use super::group as keeper;
#[cfg(target_os = "linux")]
use super::supervisor as keeper;

/// How long an end is waited for before something more is done about it.
const PATIENCE: Duration = Duration::from_millis(100);

/// How often that is done before the program is given up. A process can be slow to die (many of them, much memory to
/// free), and one that waits for a broken device cannot be killed at all.
const ATTEMPTS: u32 = 100;

/// How a program ended and what it used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exit {
    /// The program's own status; by `SIGKILL` if it was ended.
    pub status: ExitStatus,
    /// Wall-clock time from the start to the end of the program and all its descendants.
    pub wall: Duration,
    /// CPU time, user and system, of the program and those descendants that were waited for, as `wait4` gives it.
    pub cpu: Duration,
    /// The most resident memory, bytes: that of all processes together as sampled (see
    /// [`Limits::memory`](crate::Limits::memory)), or that of the largest process, whichever is more. What a start and
    /// this process itself used is not counted as the program's; so it is 0 for a program that was not sampled and
    /// used less than this process had.
    pub memory: u64,
}

/// A running program with all its descendants, which ends with this.
pub(crate) struct Guard {
    supervisor: keeper::Supervisor,
    pub control: UnixStream,
    start: Instant,
    exit: Option<Exit>,
}

/// The parent's ends of the pipes.
pub(crate) type Pipes = (Option<ChildStdin>, Option<ChildStdout>, Option<ChildStderr>);

impl Guard {
    pub fn start(command: Command) -> io::Result<(Self, Pipes)> {
        let start = Instant::now();
        let started = keeper::start(command)?;
        let guard = Self { supervisor: started.supervisor, control: started.control, start, exit: None };
        guard.control.set_nonblocking(true)?;
        Ok((guard, (started.stdin, started.stdout, started.stderr)))
    }

    /// Since when the program runs.
    pub fn start_time(&self) -> Instant {
        self.start
    }

    /// The process below which all the program's processes are.
    #[cfg(target_os = "linux")]
    pub fn id(&self) -> u32 {
        self.supervisor.id()
    }

    /// How the program ended, if that is known.
    pub fn exit(&self) -> Option<Exit> {
        self.exit
    }

    /// Looks whether the program has ended; does not wait.
    pub fn look(&mut self) -> Option<Exit> {
        if self.exit.is_none() {
            let mut bytes = [0; Report::BYTES];
            match self.control.read(&mut bytes) {
                // A report is written at once and so small that it comes whole.
                Ok(Report::BYTES) => return Some(self.bury(Report::from_bytes(&bytes))),
                Err(error) if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted) => {}
                // The supervisor was killed.
                _ => return Some(self.bury(Report::killed())),
            }
        }
        self.exit
    }

    /// Ends the program and all its descendants, unless it has ended by itself.
    pub fn end(&mut self) -> Exit {
        if let Some(exit) = self.look() {
            return exit;
        }
        let _ = self.control.shutdown(Shutdown::Write);
        self.supervisor.end();
        for _ in 0..ATTEMPTS {
            let start = Instant::now();
            while start.elapsed() < PATIENCE {
                let wait = Timespec::try_from(PATIENCE.saturating_sub(start.elapsed())).ok();
                let _ = poll(&mut [PollFd::new(&self.control, PollFlags::IN)], wait.as_ref());
                if let Some(exit) = self.look() {
                    return exit;
                }
            }
            self.supervisor.insist();
        }
        self.bury(Report::killed())
    }

    fn bury(&mut self, report: Report) -> Exit {
        let wall = self.start.elapsed();
        self.supervisor.bury();
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
