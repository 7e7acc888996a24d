//! The parent's ends of a program's pipes.

use std::io::{self, PipeReader, PipeWriter};

use rustix::io::ioctl_fionbio;

/// Bytes read at once: what a pipe holds.
pub(crate) const CHUNK: usize = 64 << 10;

/// What a program prints; a read that would have to wait fails with `WouldBlock`.
pub(crate) type Reader = PipeReader;

/// What a program reads; a write that would have to wait fails with `WouldBlock`.
pub(crate) type Writer = PipeWriter;

/// The parent's ends of the pipes; no input where that is a file.
pub(crate) struct Pipes {
    pub stdin: Option<Writer>,
    pub stdout: Reader,
    pub stderr: Reader,
}

impl Pipes {
    pub fn never_wait(&self) -> io::Result<()> {
        self.stdin.as_ref().map_or(Ok(()), |pipe| ioctl_fionbio(pipe, true))?;
        ioctl_fionbio(&self.stdout, true)?;
        Ok(ioctl_fionbio(&self.stderr, true)?)
    }
}
