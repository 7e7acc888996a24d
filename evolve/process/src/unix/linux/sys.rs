//! Linux: system calls with safe signatures, for the supervisor process.
//!
//! The supervisor is a fork of a process that may have had several threads, so no function here
//! allocates, locks or panics: all are async-signal-safe. Descriptors are plain numbers, because
//! the supervisor owns all its descriptors.

use std::os::fd::RawFd;

use libc::{c_int, c_void, pid_t, pollfd, rusage};

/// Returns the number of the parent process.
pub fn parent() -> pid_t {
    // SAFETY: the call has no arguments and always succeeds.
    unsafe { libc::getppid() }
}

/// Ends this process at once.
pub fn exit(code: c_int) -> ! {
    // SAFETY: the call runs no more code of this process.
    unsafe { libc::_exit(code) }
}

/// Sends a signal to a process, or to a process group if the number is negative. Ignores missing
/// processes.
pub fn kill(process: pid_t, signal: c_int) {
    // SAFETY: the call touches no memory of this process.
    unsafe { libc::kill(process, signal) };
}

/// Reads into a buffer. Returns 0 at the end, or if nothing can be read.
pub fn read(fd: RawFd, buffer: &mut [u8]) -> usize {
    // SAFETY: the buffer has that many bytes.
    let read = unsafe { libc::read(fd, buffer.as_mut_ptr().cast::<c_void>(), buffer.len()) };
    usize::try_from(read).unwrap_or(0)
}

/// Writes bytes. Ignores errors, which mean that the other end is closed.
pub fn write(fd: RawFd, bytes: &[u8]) {
    // SAFETY: the slice has that many bytes.
    unsafe { libc::write(fd, bytes.as_ptr().cast::<c_void>(), bytes.len()) };
}

/// Closes a descriptor, if it is valid.
pub fn close(fd: RawFd) {
    // SAFETY: the call touches no memory, and the caller owns the descriptor.
    unsafe { libc::close(fd) };
}

/// Waits for at most `wait` milliseconds, or forever if negative. Returns whether an event
/// occurred.
pub fn poll(events: &mut [pollfd], wait: c_int) -> bool {
    // SAFETY: the slice has that many entries.
    unsafe { libc::poll(events.as_mut_ptr(), events.len() as libc::nfds_t, wait) > 0 }
}

/// A child that has ended.
pub struct Reaped {
    pub process: pid_t,
    /// The status as reported by `wait`.
    pub status: c_int,
    pub usage: rusage,
}

pub enum Children {
    /// A child has ended and was reaped.
    Ended(Reaped),
    /// All children are running.
    Running,
    /// There are no children.
    None,
}

/// Looks for a child that has ended, without waiting.
pub fn wait_any() -> Children {
    let (mut status, mut usage) = (0, no_usage());
    // SAFETY: both pointers refer to values of these types.
    match unsafe { libc::wait4(-1, &raw mut status, libc::WNOHANG, &raw mut usage) } {
        0 => Children::Running,
        -1 => Children::None,
        process => Children::Ended(Reaped { process, status, usage }),
    }
}

/// Returns the resource use of this process itself.
pub fn own_usage() -> rusage {
    let mut usage = no_usage();
    // SAFETY: the pointer refers to a value of that type.
    unsafe { libc::getrusage(libc::RUSAGE_SELF, &raw mut usage) };
    usage
}

fn no_usage() -> rusage {
    // SAFETY: the structure holds only numbers, for which 0 is valid.
    unsafe { std::mem::zeroed() }
}
