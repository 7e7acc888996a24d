//! Linux: an order to a supervisor to start a program, as a message on its connection, and the
//! answer to it.
//!
//! The message is a [`Head`], followed by all strings, each ended by a zero byte. The
//! [`DESCRIPTORS`] accompany its first byte.

use std::collections::BTreeMap;
use std::env;
use std::ffi::{CString, OsStr, OsString};
use std::fs::OpenOptions;
use std::io::{self, IoSlice, Read as _, Write as _};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd as _, BorrowedFd, OwnedFd, RawFd};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::OpenOptionsExt as _;
use std::os::unix::net::UnixStream;
use std::process::Command;
use std::ptr;

use libc::{c_char, c_int, c_void};
use rustix::io::retry_on_intr;
use rustix::net::{SendAncillaryBuffer, SendAncillaryMessage, SendFlags, sendmsg};

use super::sys;

/// The number of descriptors: standard input, output and error of the program, and its directory.
pub(crate) const DESCRIPTORS: usize = 4;

/// The total bytes of all strings, the number of arguments including the program's name, and the
/// number of variables.
type Head = [usize; 3];

/// The bytes of stack for a launch. `execvp` puts paths there, and all arguments of a script
/// without a `#!` line.
const STACK: usize = 4 << 20;

/// An order, in the process that sends it.
pub(crate) struct Order {
    bytes: Vec<u8>,
    descriptors: [OwnedFd; DESCRIPTORS],
}

impl Order {
    /// Creates the order to start a command with these standard streams.
    pub fn new(command: &Command, [stdin, stdout, stderr]: [OwnedFd; 3]) -> io::Result<Self> {
        // The supervisor's own directory does not serve: it is `/`, and this process may have
        // changed its directory.
        let directory = OpenOptions::new().read(true).custom_flags(libc::O_PATH | libc::O_DIRECTORY).open(".")?;
        let mut variables: BTreeMap<OsString, OsString> = env::vars_os().collect();
        for (name, value) in command.get_envs() {
            match value {
                Some(value) => drop(variables.insert(name.to_owned(), value.to_owned())),
                None => drop(variables.remove(name)),
            }
        }
        let mut bytes = vec![0; size_of::<Head>()];
        let mut count = 0;
        for word in [command.get_program()].into_iter().chain(command.get_args()) {
            bytes.extend(CString::new(word.as_bytes())?.as_bytes_with_nul());
            count += 1;
        }
        for (name, value) in &variables {
            let variable = [name, value].map(OsString::as_os_str).join(OsStr::new("="));
            bytes.extend(CString::new(variable.as_bytes())?.as_bytes_with_nul());
        }
        let head: Head = [bytes.len() - size_of::<Head>(), count, variables.len()];
        bytes[..size_of::<Head>()].copy_from_slice(head.map(usize::to_ne_bytes).as_flattened());
        Ok(Self { bytes, descriptors: [stdin, stdout, stderr, directory.into()] })
    }

    /// Sends the order to an idle supervisor.
    pub fn send(&self, mut control: &UnixStream) -> io::Result<()> {
        let descriptors: [BorrowedFd<'_>; DESCRIPTORS] = std::array::from_fn(|i| self.descriptors[i].as_fd());
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(DESCRIPTORS))];
        let mut ancillary = SendAncillaryBuffer::new(&mut space);
        ancillary.push(SendAncillaryMessage::ScmRights(&descriptors));
        let parts = [IoSlice::new(&self.bytes)];
        let sent = retry_on_intr(|| sendmsg(control, &parts, &mut ancillary, SendFlags::NOSIGNAL))?;
        control.write_all(&self.bytes[sent..])
    }
}

/// Answers with 0 if the program was started, or with the error number.
pub(crate) fn answer(control: RawFd, error: c_int) {
    sys::write(control, &error.to_ne_bytes());
}

/// Waits for the answer. The inner error is the reason why the program did not start; the outer
/// error is a failure of the connection.
pub(crate) fn hear(mut control: &UnixStream) -> io::Result<Result<(), io::Error>> {
    let mut bytes = [0; size_of::<c_int>()];
    control.read_exact(&mut bytes)?;
    Ok(match c_int::from_ne_bytes(bytes) {
        0 => Ok(()),
        error => Err(io::Error::from_raw_os_error(error)),
    })
}

/// An order in the memory of a supervisor: a stack for the launch, pointers to the strings, and the
/// strings.
pub(crate) struct Received {
    memory: *mut c_void,
    size: usize,
    pub stack: *mut c_void,
    pub argv: *const *const c_char,
    pub envp: *const *const c_char,
    /// The descriptors; -1 for those that could not be received.
    pub descriptors: [RawFd; DESCRIPTORS],
}

impl Received {
    /// Reads an order whose first byte has arrived. Returns `None` at the end of the connection.
    ///
    /// # Safety
    /// Calls only async-signal-safe functions. The other end must belong to the process that
    /// created this one.
    pub unsafe fn read(control: RawFd) -> Option<Self> {
        // SAFETY: plain system calls on memory of this stack frame and on new memory, whose size
        // follows from the data written there.
        unsafe {
            let mut head: Head = [0; 3];
            let descriptors = read_head(control, &mut head)?;
            let [text, arguments, variables] = head;
            // Both lists end with a null pointer.
            let pointers = arguments.wrapping_add(variables).wrapping_add(2).wrapping_mul(size_of::<*const c_char>());
            let size = STACK.wrapping_add(pointers).wrapping_add(text);
            let protection = libc::PROT_READ | libc::PROT_WRITE;
            // `MAP_STACK`, because huge pages would be wasted here.
            let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_STACK;
            let memory = libc::mmap(ptr::null_mut(), size, protection, flags, -1, 0);
            if memory == libc::MAP_FAILED {
                answer(control, *libc::__errno_location());
                return None;
            }
            let stack = memory.byte_add(STACK);
            let argv: *mut *const c_char = stack.cast();
            let envp = argv.add(arguments).add(1);
            let mut string: *mut c_char = stack.byte_add(pointers).cast();
            read_all(control, string.cast(), text)?;
            for place in 0..arguments.wrapping_add(variables) {
                // The null pointer between the lists already exists.
                let list = if place < arguments { argv } else { argv.add(1) };
                *list.add(place) = string;
                string = string.add(libc::strlen(string)).add(1);
            }
            Some(Self { memory, size, stack, argv, envp, descriptors })
        }
    }

    /// Frees the memory of the order.
    ///
    /// # Safety
    /// Calls only async-signal-safe functions. The memory must not be used afterwards.
    pub unsafe fn free(self) {
        // SAFETY: the order owns the memory and the descriptors.
        unsafe {
            libc::munmap(self.memory, self.size);
            for fd in self.descriptors {
                libc::close(fd);
            }
        }
    }
}

/// Reads the head, and the descriptors that accompany its first byte.
unsafe fn read_head(control: RawFd, head: &mut Head) -> Option<[RawFd; DESCRIPTORS]> {
    const BYTES: usize = DESCRIPTORS * size_of::<RawFd>();
    // SAFETY: the function only calculates.
    const SPACE: usize = unsafe { libc::CMSG_SPACE(BYTES as u32) } as usize;
    // SAFETY: plain system calls on memory of this stack frame.
    unsafe {
        let mut part = libc::iovec { iov_base: head.as_mut_ptr().cast(), iov_len: size_of::<Head>() };
        // An array of words is aligned as required.
        let mut space = [0_usize; SPACE.div_ceil(size_of::<usize>())];
        let mut message: libc::msghdr = std::mem::zeroed();
        (message.msg_iov, message.msg_iovlen) = (&raw mut part, 1);
        (message.msg_control, message.msg_controllen) = (space.as_mut_ptr().cast(), size_of_val(&space) as _);
        let read = usize::try_from(libc::recvmsg(control, &raw mut message, libc::MSG_CMSG_CLOEXEC)).unwrap_or(0);
        if read == 0 {
            return None;
        }
        let mut descriptors = [-1; DESCRIPTORS];
        let ancillary = libc::CMSG_FIRSTHDR(&raw const message);
        if !ancillary.is_null() && (*ancillary).cmsg_type == libc::SCM_RIGHTS {
            let bytes = ((*ancillary).cmsg_len as usize).wrapping_sub(libc::CMSG_LEN(0) as usize).min(BYTES);
            ptr::copy_nonoverlapping(libc::CMSG_DATA(ancillary), descriptors.as_mut_ptr().cast(), bytes);
        }
        read_all(control, head.as_mut_ptr().byte_add(read).cast(), size_of::<Head>().wrapping_sub(read))?;
        Some(descriptors)
    }
}

/// Reads `count` bytes; returns `None` if the connection ends before.
unsafe fn read_all(control: RawFd, mut to: *mut c_void, mut count: usize) -> Option<()> {
    while count > 0 {
        // SAFETY: the caller provides room for `count` bytes.
        let read = usize::try_from(unsafe { libc::read(control, to, count) }).unwrap_or(0);
        if read == 0 {
            return None;
        }
        // SAFETY: as above.
        to = unsafe { to.byte_add(read) };
        count = count.wrapping_sub(read);
    }
    Some(())
}
