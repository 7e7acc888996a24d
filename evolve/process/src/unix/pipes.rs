//! The parent's ends of a program's pipes.

use std::io::{self, PipeReader, PipeWriter};

use rustix::io::ioctl_fionbio;

/// The number of bytes read at once, which is the capacity of a pipe.
pub(crate) const CHUNK: usize = 64 << 10;

/// Reads the output of a program. A read fails with `WouldBlock` instead of waiting.
pub(crate) type Reader = PipeReader;

/// Writes the input of a program. A write fails with `WouldBlock` instead of waiting.
pub(crate) type Writer = PipeWriter;

/// The parent's ends of the pipes. `stdin` is `None` if the input is a file.
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
