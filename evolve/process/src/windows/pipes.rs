//! The parent's ends of a program's pipes.
//!
//! Anonymous pipes support only transfers that block. So each pipe has a name, and a transfer at
//! this end runs in the background.

use std::fs::File;
use std::io::{self, ErrorKind, Read, Write};
use std::mem::zeroed;
use std::os::windows::ffi::OsStrExt as _;
use std::os::windows::io::{AsRawHandle as _, OwnedHandle};
use std::path::PathBuf;
use std::process;
use std::ptr;
use std::sync::atomic::{AtomicU64, Ordering};

use windows_sys::Win32::Foundation::{ERROR_IO_INCOMPLETE, ERROR_IO_PENDING, HANDLE};
use windows_sys::Win32::Storage::FileSystem::{
    FILE_FLAG_FIRST_PIPE_INSTANCE, FILE_FLAG_OVERLAPPED, PIPE_ACCESS_INBOUND, PIPE_ACCESS_OUTBOUND, ReadFile, WriteFile,
};
use windows_sys::Win32::System::IO::{CancelIoEx, GetOverlappedResult, OVERLAPPED};
use windows_sys::Win32::System::Pipes::{CreateNamedPipeW, PIPE_REJECT_REMOTE_CLIENTS};
use windows_sys::Win32::System::Threading::{CreateEventW, SetEvent};
use windows_sys::core::BOOL;

use super::job::owned;

/// The number of bytes moved at once, which is the capacity of a pipe.
pub(crate) const CHUNK: usize = 64 << 10;

/// The parent's ends of the pipes. `stdin` is `None` if the input is a file.
pub(crate) struct Pipes {
    pub stdin: Option<Writer>,
    pub stdout: Reader,
    pub stderr: Reader,
}

/// The program's ends of the pipes.
pub(super) struct Theirs {
    pub input: Option<File>,
    pub output: [File; 2],
}

/// Creates pipes for both output streams and, if requested, for the input.
pub(super) fn make(with_input: bool) -> io::Result<(Pipes, Theirs)> {
    let (stdin, input) = match with_input {
        true => {
            let (transfer, theirs) = Transfer::pipe(false)?;
            (Some(Writer(transfer)), Some(theirs))
        }
        false => (None, None),
    };
    let reader = || {
        let (mut transfer, theirs) = Transfer::pipe(true)?;
        transfer.read();
        io::Result::Ok((Reader(transfer), theirs))
    };
    let ((stdout, out), (stderr, err)) = (reader()?, reader()?);
    Ok((Pipes { stdin, stdout, stderr }, Theirs { input, output: [out, err] }))
}

/// Reads the output of a program. A read fails with `WouldBlock` instead of waiting. A read is
/// always under way.
pub(crate) struct Reader(Transfer);

/// Writes the input of a program. A write that has to wait fails with `WouldBlock` and continues in
/// the background: the next write must begin with the same bytes, and returns how many of them were
/// accepted.
pub(crate) struct Writer(Transfer);

impl Reader {
    /// Returns an event that is set once there is data to read, or the stream has ended.
    pub fn event(&self) -> HANDLE {
        self.0.event.as_raw_handle()
    }
}

impl Writer {
    /// Returns an event that is set once more can be written.
    pub fn event(&self) -> HANDLE {
        self.0.event.as_raw_handle()
    }
}

impl Read for Reader {
    /// Reads into a buffer, which must have room for a [`CHUNK`].
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            match self.0.done() {
                Ok(count) => {
                    buffer[..count].copy_from_slice(&self.0.buffer[..count]);
                    self.0.read();
                    // An empty write of the program does not end the stream.
                    if count > 0 {
                        return Ok(count);
                    }
                }
                Err(error) if error.kind() == ErrorKind::BrokenPipe => return Ok(0),
                Err(error) => return Err(error),
            }
        }
    }
}

impl Write for Writer {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.0.state != State::UnderWay {
            let count = bytes.len().min(CHUNK);
            self.0.buffer[..count].copy_from_slice(&bytes[..count]);
            self.0.write(count);
        }
        let done = self.0.done();
        if !matches!(&done, Err(error) if error.kind() == ErrorKind::WouldBlock) {
            self.0.state = State::Idle;
        }
        done
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The state of one end of a pipe.
#[derive(PartialEq)]
enum State {
    Idle,
    /// The system is using the buffer.
    UnderWay,
    /// The transfer could not start because of this system error.
    Failed(i32),
}

/// One end of a pipe, with at most one transfer at a time.
struct Transfer {
    pipe: OwnedHandle,
    /// The event that is set while no transfer is under way.
    event: OwnedHandle,
    /// Boxed, like the buffer, so that neither moves while the system uses it.
    overlapped: Box<OVERLAPPED>,
    buffer: Box<[u8]>,
    state: State,
}

// SAFETY: the pointers refer to the event and to memory that this value owns.
unsafe impl Send for Transfer {}
// SAFETY: shared references do not allow changes.
unsafe impl Sync for Transfer {}

impl Transfer {
    /// Creates a pipe and returns this process's end, for reading or writing, and the program's
    /// end.
    fn pipe(reads: bool) -> io::Result<(Self, File)> {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let name = PathBuf::from(format!(r"\\.\pipe\evolve-{}-{number}", process::id()));
        let wide: Vec<u16> = name.as_os_str().encode_wide().chain([0]).collect();
        let direction = if reads { PIPE_ACCESS_INBOUND } else { PIPE_ACCESS_OUTBOUND };
        let mode = direction | FILE_FLAG_OVERLAPPED | FILE_FLAG_FIRST_PIPE_INSTANCE;
        let size = CHUNK as u32;
        // SAFETY: the name ends with a zero; the calls return new handles, or none.
        let (pipe, event) = unsafe {
            let pipe = CreateNamedPipeW(wide.as_ptr(), mode, PIPE_REJECT_REMOTE_CLIENTS, 1, size, size, 0, ptr::null());
            (owned(pipe)?, owned(CreateEventW(ptr::null(), 1, 1, ptr::null()))?)
        };
        let theirs = File::options().read(!reads).write(reads).open(&name)?;
        // SAFETY: the structure holds only numbers and pointers, for which 0 is valid.
        let mut overlapped: Box<OVERLAPPED> = Box::new(unsafe { zeroed() });
        overlapped.hEvent = event.as_raw_handle();
        let buffer = vec![0; CHUNK].into();
        Ok((Self { pipe, event, overlapped, buffer, state: State::Idle }, theirs))
    }

    /// Starts a read.
    fn read(&mut self) {
        let (buffer, overlapped) = (self.buffer.as_mut_ptr(), &raw mut *self.overlapped);
        // SAFETY: buffer and structure do not move until the transfer is done, which `drop` waits
        // for.
        let begun = unsafe { ReadFile(self.pipe.as_raw_handle(), buffer, CHUNK as u32, ptr::null_mut(), overlapped) };
        self.begun(begun);
    }

    /// Starts to write `count` bytes of the buffer.
    fn write(&mut self, count: usize) {
        let (buffer, overlapped) = (self.buffer.as_ptr(), &raw mut *self.overlapped);
        // SAFETY: as above.
        let begun = unsafe { WriteFile(self.pipe.as_raw_handle(), buffer, count as u32, ptr::null_mut(), overlapped) };
        self.begun(begun);
    }

    fn begun(&mut self, begun: BOOL) {
        let error = io::Error::last_os_error().raw_os_error().unwrap_or(0);
        self.state = match begun != 0 || error == ERROR_IO_PENDING as i32 {
            true => State::UnderWay,
            false => {
                // Wake up any wait for the failed transfer.
                // SAFETY: the handle is open.
                unsafe { SetEvent(self.event.as_raw_handle()) };
                State::Failed(error)
            }
        };
    }

    /// Returns how many bytes the transfer has moved; `WouldBlock` while it is under way.
    fn done(&mut self) -> io::Result<usize> {
        if let State::Failed(error) = self.state {
            return Err(io::Error::from_raw_os_error(error));
        }
        self.result(false)
    }

    fn result(&mut self, wait: bool) -> io::Result<usize> {
        let mut count = 0;
        // SAFETY: the structure belongs to this transfer.
        let done =
            unsafe { GetOverlappedResult(self.pipe.as_raw_handle(), &*self.overlapped, &mut count, BOOL::from(wait)) };
        if done != 0 {
            return Ok(count as usize);
        }
        let error = io::Error::last_os_error();
        if error.raw_os_error() == Some(ERROR_IO_INCOMPLETE as i32) {
            return Err(ErrorKind::WouldBlock.into());
        }
        self.state = State::Failed(error.raw_os_error().unwrap_or(0));
        Err(error)
    }
}

impl Drop for Transfer {
    /// Cancels the transfer, so that the system no longer uses buffer and structure.
    fn drop(&mut self) {
        if self.state == State::UnderWay {
            // SAFETY: the structure belongs to this transfer.
            unsafe { CancelIoEx(self.pipe.as_raw_handle(), &*self.overlapped) };
            let _ = self.result(true);
        }
    }
}
