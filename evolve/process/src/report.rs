//! What a supervisor tells: a program that was started, and its end.

use std::os::unix::net::UnixStream;
use std::process::{ChildStderr, ChildStdin, ChildStdout};

/// A program just started.
pub(crate) struct Started<S> {
    pub supervisor: S,
    /// Brings the [`Report`] at the end.
    pub control: UnixStream,
    pub stdin: Option<ChildStdin>,
    pub stdout: Option<ChildStdout>,
    pub stderr: Option<ChildStderr>,
}

/// What the supervisor says at the end.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Report {
    /// As `waitpid` gives it.
    pub status: i32,
    /// Microseconds.
    pub cpu: u64,
    /// The most resident memory of one process, bytes; 0 if not known.
    pub memory: u64,
}

impl Report {
    pub const BYTES: usize = 24;

    /// Of a program that was killed, which is assumed until it is known better.
    pub fn killed() -> Self {
        Self { status: libc::SIGKILL, ..Self::default() }
    }

    /// Takes over what the processes used; `own` is of the process that they were forked from.
    pub fn usage(&mut self, usage: &libc::rusage, own: &libc::rusage) {
        let micros =
            |time: libc::timeval| (time.tv_sec as u64).wrapping_mul(1_000_000).wrapping_add(time.tv_usec as u64);
        self.cpu = micros(usage.ru_utime).wrapping_add(micros(usage.ru_stime));
        // A fork begins with the memory of its parent, and that counts until its `exec`.
        let unit = if cfg!(target_vendor = "apple") { 1 } else { 1 << 10 };
        self.memory = if usage.ru_maxrss > own.ru_maxrss { usage.ru_maxrss as u64 * unit } else { 0 };
    }

    pub fn to_bytes(self) -> [u8; Self::BYTES] {
        let mut bytes = [0; Self::BYTES];
        bytes[..4].copy_from_slice(&self.status.to_ne_bytes());
        bytes[8..16].copy_from_slice(&self.cpu.to_ne_bytes());
        bytes[16..].copy_from_slice(&self.memory.to_ne_bytes());
        bytes
    }

    pub fn from_bytes(bytes: &[u8; Self::BYTES]) -> Self {
        let word = |at: usize| u64::from_ne_bytes(std::array::from_fn(|i| bytes[at + i]));
        let status = i32::from_ne_bytes(std::array::from_fn(|i| bytes[i]));
        Self { status, cpu: word(8), memory: word(16) }
    }
}
