//! A child process on three pipes that can neither block its judge nor outlive it.

use std::collections::VecDeque;
use std::ffi::OsString;
use std::io::{self, ErrorKind, Read, Write};
use std::os::unix::process::CommandExt;
use std::process::{self, ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::ioctl_fionbio;
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};

/// Bytes read at once.
const CHUNK: usize = 8 << 10;

/// Reads of standard error after the end: enough to empty a pipe, and an end even if a process that
/// left the group keeps filling it.
const LAST_READS: usize = 256;

/// What the program's standard output holds next.
pub(super) enum Line {
    /// A line without its end; a last line may lack one.
    Whole(Vec<u8>),
    /// Not a whole line yet.
    Part,
    /// The line is longer than allowed.
    TooLong,
    /// The stream has ended.
    End,
}

/// A running program in a process group of its own; dropping it kills and reaps the group.
///
/// All three pipes are non-blocking on this side and served together by [`exchange`](Self::exchange).
pub(super) struct Child {
    process: process::Child,
    /// `None` once closed by either side.
    stdin: Option<ChildStdin>,
    /// `None` at the end of the stream.
    stdout: Option<ChildStdout>,
    /// `None` at the end of the stream.
    stderr: Option<ChildStderr>,
    /// Text that the pipe has not taken yet.
    outgoing: VecDeque<u8>,
    /// Close standard input once `outgoing` is empty.
    closing: bool,
    /// Output of which no line was taken yet.
    incoming: Vec<u8>,
    /// The last bytes of standard error, at most twice `kept`.
    tail: Vec<u8>,
    kept: usize,
    exited: bool,
    /// Known once the program is reaped.
    status: Option<ExitStatus>,
}

impl Child {
    /// Starts the program `command[0]` with the arguments `command[1..]`; the last `kept` bytes of its
    /// standard error will be kept.
    pub fn spawn(command: &[OsString], kept: usize) -> io::Result<Self> {
        let (program, args) =
            command.split_first().ok_or_else(|| io::Error::new(ErrorKind::InvalidInput, "no program named"))?;
        let mut process = Command::new(program)
            .args(args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0)
            .spawn()?;
        let child = Self {
            stdin: process.stdin.take(),
            stdout: process.stdout.take(),
            stderr: process.stderr.take(),
            process,
            outgoing: VecDeque::new(),
            closing: false,
            incoming: Vec::new(),
            tail: Vec::new(),
            kept,
            exited: false,
            status: None,
        };
        if let (Some(stdin), Some(stdout), Some(stderr)) = (&child.stdin, &child.stdout, &child.stderr) {
            ioctl_fionbio(stdin, true)?;
            ioctl_fionbio(stdout, true)?;
            ioctl_fionbio(stderr, true)?;
        }
        Ok(child)
    }

    /// Queues text for standard input; [`exchange`](Self::exchange) delivers it.
    pub fn send(&mut self, text: &str) {
        self.outgoing.extend(text.as_bytes());
    }

    /// Closes standard input after all that was sent.
    pub fn close(&mut self) {
        self.closing = true;
    }

    /// Whether the program left input in its pipe, so that not all text could be delivered.
    pub fn unread(&self) -> bool {
        !self.outgoing.is_empty()
    }

    /// Takes the next line, of at most `limit` bytes.
    pub fn line(&mut self, limit: usize) -> Line {
        match self.incoming.iter().position(|&byte| byte == b'\n') {
            Some(end) if end <= limit => {
                let mut line: Vec<u8> = self.incoming.drain(..=end).collect();
                line.pop();
                Line::Whole(line)
            }
            Some(_) => Line::TooLong,
            None if self.incoming.len() > limit => Line::TooLong,
            None if self.stdout.is_some() => Line::Part,
            None if self.incoming.is_empty() => Line::End,
            None => Line::Whole(std::mem::take(&mut self.incoming)),
        }
    }

    /// Output of which no line was taken yet.
    pub fn pending(&self) -> &[u8] {
        &self.incoming
    }

    /// Whether the program has exited and all its output was read.
    pub fn finished(&self) -> bool {
        self.exited && self.stdout.is_none()
    }

    /// Whether the program has exited.
    pub fn exited(&self) -> bool {
        self.exited
    }

    /// Moves what can be moved through the pipes, after waiting for at most `wait` until anything can.
    pub fn exchange(&mut self, wait: Duration) {
        self.write();
        let mut fds = Vec::with_capacity(3);
        if let Some(stdin) = self.stdin.as_ref().filter(|_| !self.outgoing.is_empty()) {
            fds.push(PollFd::new(stdin, PollFlags::OUT));
        }
        fds.extend(self.stdout.iter().map(|pipe| PollFd::new(pipe, PollFlags::IN)));
        fds.extend(self.stderr.iter().map(|pipe| PollFd::new(pipe, PollFlags::IN)));
        let wait = Timespec::try_from(wait).ok();
        // An interruption by a signal is as good as nothing to do; which pipes are ready the non-blocking
        // reads find out.
        let _ = poll(&mut fds, wait.as_ref());

        // A descendant may hold the pipe open after the program's exit, so that the end of the stream
        // never comes. Nothing to read *after* the exit was seen is the end, too.
        let exited = self.exited;
        let heard = read(&mut self.stdout, &mut self.incoming);
        if !heard {
            if exited {
                self.stdout = None;
            } else {
                self.exited = has_exited(&self.process);
            }
        }
        self.read_stderr();
        self.write();
    }

    fn write(&mut self) {
        while let Some(stdin) = self.stdin.as_mut().filter(|_| !self.outgoing.is_empty()) {
            match stdin.write(self.outgoing.as_slices().0) {
                Ok(count) => drop(self.outgoing.drain(..count)),
                Err(error) if error.kind() == ErrorKind::WouldBlock => return,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                // A broken pipe: a program may stop reading as soon as it knows enough.
                Err(_) => self.stdin = None,
            }
        }
        if self.stdin.is_none() {
            self.outgoing.clear();
        } else if self.closing {
            self.stdin = None;
        }
    }

    /// Whether there was anything to read.
    fn read_stderr(&mut self) -> bool {
        let heard = read(&mut self.stderr, &mut self.tail);
        if self.tail.len() > 2 * self.kept {
            self.tail.drain(..self.tail.len() - self.kept);
        }
        heard
    }

    /// Kills whatever still runs of the group and reaps the program. The status is the program's own if it
    /// had [`exited`](Self::exited).
    pub fn end(&mut self) -> ExitStatus {
        if let Some(status) = self.status {
            return status;
        }
        // The program is not reaped yet, so no stranger can have got the group's number meanwhile.
        // An error means that the group is gone.
        let _ = kill_process_group(Pid::from_child(&self.process), Signal::KILL);
        // Waiting fails only where SIGCHLD is ignored and the system reaps; the status is lost then.
        *self.status.insert(self.process.wait().unwrap_or_default())
    }

    /// The last bytes of standard error, all that there will be after [`end`](Self::end).
    pub fn stderr(&mut self) -> &[u8] {
        for _ in 0..LAST_READS {
            if !self.read_stderr() {
                break;
            }
        }
        &self.tail[self.tail.len().saturating_sub(self.kept)..]
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        self.end();
    }
}

/// One read that does not wait; closes the pipe at its end. Whether another read is worth while.
fn read(pipe: &mut Option<impl Read>, into: &mut Vec<u8>) -> bool {
    let Some(open) = pipe else { return false };
    let mut chunk = [0; CHUNK];
    match open.read(&mut chunk) {
        Ok(count) if count > 0 => {
            into.extend_from_slice(&chunk[..count]);
            return true;
        }
        Err(error) if error.kind() == ErrorKind::Interrupted => return true,
        Err(error) if error.kind() == ErrorKind::WouldBlock => {}
        _ => *pipe = None,
    }
    false
}

/// Whether the process has exited; leaves it to be reaped, which keeps its number taken.
fn has_exited(process: &process::Child) -> bool {
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    // An error means that there is no such child any more.
    !matches!(waitid(WaitId::Pid(Pid::from_child(process)), options), Ok(None))
}
