//! Systems without subreapers: a process group for the program, and a thread that waits for its
//! leader.

use std::io;
use std::io::Write as _;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process, kill_process_group, waitid};

use super::pipes::Pipes;
use super::report::Report;
use crate::limits::Sample;

/// The program's process group.
pub(crate) struct Supervisor {
    /// The socket that delivers the report at the end.
    pub control: UnixStream,
    leader: Pid,
    /// Whether the leader was reaped, after which its number may belong to another process.
    reaped: Arc<Mutex<bool>>,
}

/// Starts the program in its own process group, with a pipe as its input if `stdin` is `None`.
pub(crate) fn start(mut command: Command, stdin: Option<OwnedFd>) -> io::Result<(Supervisor, Pipes)> {
    let (control, mut theirs) = UnixStream::pair()?;
    command.stdin(stdin.map_or_else(Stdio::piped, Stdio::from)).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut process = command.process_group(0).spawn()?;
    let (Some(stdout), Some(stderr)) = (process.stdout.take(), process.stderr.take()) else {
        unreachable!("these streams are pipes");
    };
    let stdin = process.stdin.take().map(|pipe| OwnedFd::from(pipe).into());
    let pipes = Pipes { stdin, stdout: OwnedFd::from(stdout).into(), stderr: OwnedFd::from(stderr).into() };
    let leader = Pid::from_child(&process);
    let reaped = Arc::new(Mutex::new(false));
    let supervisor = Supervisor { control, leader, reaped: Arc::clone(&reaped) };
    let wait = move || {
        let _ = waitid(WaitId::Pid(leader), WaitIdOptions::EXITED | WaitIdOptions::NOWAIT);
        let _ = kill_process_group(leader, Signal::KILL);
        let mut reaped = reaped.lock().unwrap_or_else(PoisonError::into_inner);
        let mut report = Report::killed();
        // SAFETY: plain system calls on memory of this stack frame.
        unsafe {
            let (mut usage, mut own): (libc::rusage, libc::rusage) = std::mem::zeroed();
            libc::getrusage(libc::RUSAGE_SELF, &mut own);
            if libc::wait4(leader.as_raw_nonzero().get(), &mut report.status, 0, &mut usage) > 0 {
                report.add(&usage);
                report.discount(&own);
            }
        }
        *reaped = true;
        let _ = theirs.write_all(&report.to_bytes());
    };
    if let Err(error) = thread::Builder::new().name("child".to_owned()).spawn(wait) {
        supervisor.end();
        let _ = process.wait();
        return Err(error);
    }
    Ok((supervisor, pipes))
}

impl Supervisor {
    /// Kills the group, and the program itself in case it has left the group.
    pub fn end(&self) {
        if !*self.reaped.lock().unwrap_or_else(PoisonError::into_inner) {
            let _ = kill_process_group(self.leader, Signal::KILL);
            let _ = kill_process(self.leader, Signal::KILL);
        }
    }

    /// Kills the group again, because it may contain new processes.
    pub fn insist(&self) {
        self.end();
    }

    /// Returns `None`, because the use of a group is unknown before its end.
    pub fn sample(&self, _: Option<u64>) -> Option<Sample> {
        None
    }

    /// Does nothing, because each program has its own group and thread.
    pub fn rest(self, _: Duration) {}

    /// Does nothing, because the thread reaps the leader.
    pub fn bury(self) {}
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read as _;

    fn report(script: &str, end: bool) -> Report {
        let mut command = Command::new("/bin/sh");
        command.args(["-c", script]);
        let (mut supervisor, Pipes { mut stdout, .. }) = start(command, None).unwrap();
        if end {
            let mut byte = [0];
            stdout.read_exact(&mut byte).unwrap();
            supervisor.end();
        }
        let mut bytes = [0; Report::BYTES];
        supervisor.control.read_exact(&mut bytes).unwrap();
        // The pipe ends once all descendants have closed it.
        stdout.read_to_end(&mut Vec::new()).unwrap();
        Report::from_bytes(&bytes)
    }

    #[test]
    fn a_group_ends_with_its_leader() {
        assert_eq!(report("sleep 60 & exit 3", false).status, 3 << 8);
    }

    #[test]
    fn a_group_is_ended() {
        assert_eq!(report("trap '' TERM; sleep 60 & echo; while :; do sleep 60; done", true).status, libc::SIGKILL);
    }
}
