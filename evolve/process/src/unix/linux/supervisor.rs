//! Linux: the supervisor process between this process and the program, as this process sees it.
//!
//! A supervisor is a fork of this process. A fork takes longer with more memory and threads, so a
//! supervisor stays after a program that ended by itself, and waits for the next one.

use std::io::{self, ErrorKind};
use std::os::fd::{AsRawFd as _, OwnedFd};
use std::os::unix::net::UnixStream;
use std::process::{self, Command};
use std::ptr;
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, Signal, WaitOptions, kill_process, waitpid};

use super::order::{self, Order};
use super::serve::serve;
use super::tree;
use crate::limits::Sample;
use crate::unix::Pipes;

/// The supervisors that wait for a program, never more than were needed at the same time.
static IDLE: Mutex<Vec<Supervisor>> = Mutex::new(Vec::new());

/// The time without an answer to an order after which the supervisor is resumed: 0.1 s.
const SILENCE: Timespec = Timespec { tv_sec: 0, tv_nsec: 100_000_000 };

/// The number of attempts to start a program that is open for writing: 10 s.
const WRITTEN: usize = 1000;
/// The time between two such attempts.
const PAUSE: Duration = Duration::from_millis(10);

/// A supervisor process, with or without a program.
pub(crate) struct Supervisor {
    process: Pid,
    /// The connection that delivers the report at the end of the program. Closing it ends the
    /// supervisor and the program.
    pub control: UnixStream,
    /// The process that created the supervisor. A fork of that process has this value in its
    /// memory, but is not the parent.
    parent: u32,
    /// The CPU time of earlier programs.
    before: Duration,
}

/// Starts the program below a supervisor, with a pipe as its input if `stdin` is `None`.
pub(crate) fn start(command: Command, stdin: Option<OwnedFd>) -> io::Result<(Supervisor, Pipes)> {
    let (their_stdin, stdin) = match stdin {
        Some(stdin) => (stdin, None),
        None => {
            let (theirs, ours) = io::pipe()?;
            (theirs.into(), Some(ours))
        }
    };
    let (stdout, their_stdout) = io::pipe()?;
    let (stderr, their_stderr) = io::pipe()?;
    let order = Order::new(&command, [their_stdin, their_stdout.into(), their_stderr.into()])?;
    let pipes = Pipes { stdin, stdout, stderr };
    let mut written = 0;
    loop {
        let idle = Supervisor::idle();
        let waited = idle.is_some();
        let supervisor = idle.map_or_else(Supervisor::fork, Ok)?;
        match supervisor.carry_out(&order) {
            Ok(Ok(())) => return Ok((supervisor, pipes)),
            Ok(Err(error)) => {
                supervisor.rest(Duration::ZERO);
                // Another thread may have forked while this process wrote the program. The fork
                // closes the file soon.
                written += usize::from(error.kind() == ErrorKind::ExecutableFileBusy);
                if error.kind() != ErrorKind::ExecutableFileBusy || written > WRITTEN {
                    return Err(error);
                }
                thread::sleep(PAUSE);
            }
            Err(error) => {
                supervisor.bury();
                // If an idle supervisor was killed, this says nothing about the program: try
                // another one.
                if !(waited && is_end(&error)) {
                    return Err(error);
                }
            }
        }
    }
}

/// Returns whether the error means that the other end of the connection is closed.
fn is_end(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::BrokenPipe | ErrorKind::ConnectionReset | ErrorKind::UnexpectedEof)
}

impl Supervisor {
    fn idle() -> Option<Self> {
        let mut idle = IDLE.lock().unwrap_or_else(PoisonError::into_inner);
        let parent = process::id();
        idle.retain(|supervisor| supervisor.parent == parent);
        idle.pop()
    }

    fn fork() -> io::Result<Self> {
        let (control, theirs) = UnixStream::pair()?;
        let parent = process::id();
        // SAFETY: the new process calls only async-signal-safe functions. Signals stay blocked, so
        // no handler of this process runs there.
        let process = unsafe {
            let mut all: libc::sigset_t = std::mem::zeroed();
            let mut before = all;
            libc::sigfillset(&raw mut all);
            libc::pthread_sigmask(libc::SIG_SETMASK, &raw const all, &raw mut before);
            let process = libc::fork();
            if process == 0 {
                serve(theirs.as_raw_fd(), parent as libc::pid_t, &all);
            }
            let error = io::Error::last_os_error();
            libc::pthread_sigmask(libc::SIG_SETMASK, &raw const before, ptr::null_mut());
            Pid::from_raw(process).filter(|_| process > 0).ok_or(error)?
        };
        Ok(Self { process, control, parent, before: Duration::ZERO })
    }

    /// Orders the supervisor to start a program. The inner error is the reason why the program did
    /// not start; the outer error is a failure of the supervisor.
    fn carry_out(&self, order: &Order) -> io::Result<io::Result<()>> {
        order.send(&self.control)?;
        // No answer arrives while `exec` takes its time, or if the supervisor was stopped by a
        // signal.
        while let Ok(0) = poll(&mut [PollFd::new(&self.control, PollFlags::IN)], Some(&SILENCE)) {
            let _ = kill_process(self.process, Signal::CONT);
        }
        order::hear(&self.control)
    }

    /// Returns the number of the supervisor process.
    fn id(&self) -> u32 {
        self.process.as_raw_nonzero().get().unsigned_abs()
    }

    /// Samples the resource use of the program's processes. `limit` is the memory limit.
    pub fn sample(&self, limit: Option<u64>) -> Option<Sample> {
        let sample = tree::sample(self.id(), limit);
        Some(Sample { cpu: sample.cpu.saturating_sub(self.before), ..sample })
    }

    /// Does nothing: closing the connection starts the end.
    pub fn end(&self) {}

    /// Kills the processes in place of the supervisor, which may have been stopped.
    pub fn insist(&self) {
        tree::kill(self.id());
        let _ = kill_process(self.process, Signal::CONT);
    }

    /// Keeps the supervisor for another program, after one that ended by itself and used `cpu`.
    pub fn rest(mut self, cpu: Duration) {
        self.before += cpu;
        IDLE.lock().unwrap_or_else(PoisonError::into_inner).push(self);
    }

    /// Kills and reaps the supervisor.
    pub fn bury(self) {
        let _ = kill_process(self.process, Signal::KILL);
        while let Err(rustix::io::Errno::INTR) = waitpid(Some(self.process), WaitOptions::empty()) {}
    }
}
