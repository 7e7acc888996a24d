//! Linux: system calls with safe signatures, for the process between the parent and the program.
//!
//! That process is a fork of one that may have had several threads. So nothing here allocates, locks or panics; every
//! function is async-signal-safe. Descriptors are numbers, as that process owns all of its descriptors.

use std::os::fd::RawFd;

use libc::{c_int, c_void, pid_t, pollfd, rusage};

/// The process that started this one.
pub fn parent() -> pid_t {
    // SAFETY: it has no arguments and always succeeds.
    unsafe { libc::getppid() }
}

/// Ends this process at once.
pub fn exit(code: c_int) -> ! {
    // SAFETY: it runs nothing of this process any more.
    unsafe { libc::_exit(code) }
}

/// Sends a signal to a process, or to a group of that number if it is negative. One that is gone hears nothing.
pub fn kill(process: pid_t, signal: c_int) {
    // SAFETY: it touches no memory of this process.
    unsafe { libc::kill(process, signal) };
}

/// Reads into a buffer; 0 at the end, or if nothing can be read.
pub fn read(fd: RawFd, buffer: &mut [u8]) -> usize {
    // SAFETY: the buffer has that many bytes.
    let read = unsafe { libc::read(fd, buffer.as_mut_ptr().cast::<c_void>(), buffer.len()) };
    usize::try_from(read).unwrap_or(0)
}

/// Writes bytes. Errors are ignored: the other end is gone.
pub fn write(fd: RawFd, bytes: &[u8]) {
    // SAFETY: there are that many bytes.
    unsafe { libc::write(fd, bytes.as_ptr().cast::<c_void>(), bytes.len()) };
}

/// Closes a descriptor, if it is one.
pub fn close(fd: RawFd) {
    // SAFETY: it touches no memory; who calls it owns the descriptor.
    unsafe { libc::close(fd) };
}

/// Waits for so many milliseconds at most, or without end if that is negative; whether anything happened.
pub fn poll(events: &mut [pollfd], wait: c_int) -> bool {
    // SAFETY: there are that many entries.
    unsafe { libc::poll(events.as_mut_ptr(), events.len() as libc::nfds_t, wait) > 0 }
}

/// A child that has ended.
pub struct Ended {
    pub process: pid_t,
    /// As `wait` gives it.
    pub status: c_int,
    pub usage: rusage,
}

/// State of the children.
pub enum Children {
    /// One has ended, and is now forgotten.
    Ended(Ended),
    /// All are running.
    Running,
    /// There are none.
    None,
}

/// Looks for a child that has ended, without waiting.
pub fn wait_any() -> Children {
    let (mut status, mut usage) = (0, no_usage());
    // SAFETY: both are places of their types.
    match unsafe { libc::wait4(-1, &raw mut status, libc::WNOHANG, &raw mut usage) } {
        0 => Children::Running,
        -1 => Children::None,
        process => Children::Ended(Ended { process, status, usage }),
    }
}

/// Resource use of this process itself.
pub fn own_usage() -> rusage {
    let mut usage = no_usage();
    // SAFETY: it is a place of that type.
    unsafe { libc::getrusage(libc::RUSAGE_SELF, &raw mut usage) };
    usage
}

fn no_usage() -> rusage {
    // SAFETY: a structure of numbers, for which 0 is a value.
    unsafe { std::mem::zeroed() }
}
