//! Linux: the supervisor's child on its way to become the program.
//!
//! It is started as `posix_spawn` does it: until its `exec` it runs in the memory of the supervisor, which stands still
//! meanwhile. That spares a second copy of the parent's page tables. `posix_spawn` itself cannot do all that is to be
//! done between.

use std::collections::BTreeMap;
use std::env;
use std::ffi::{CStr, CString, OsStr, OsString};
use std::io;
use std::os::unix::ffi::OsStrExt as _;
use std::process::Command;
use std::ptr;

use libc::{c_char, c_int, c_void, pid_t};

/// Bytes of stack for a launch: `execvp` puts paths there, and all arguments if it is a script without a first line.
const STACK: usize = 4 << 20;

/// A program with its arguments and environment as the system wants them.
pub(crate) struct Launch {
    argv: Strings,
    envp: Strings,
}

impl Launch {
    /// What the command would start.
    pub fn new(command: &Command) -> io::Result<Self> {
        let mut variables: BTreeMap<OsString, OsString> = env::vars_os().collect();
        for (name, value) in command.get_envs() {
            match value {
                Some(value) => drop(variables.insert(name.to_owned(), value.to_owned())),
                None => drop(variables.remove(name)),
            }
        }
        let words = [command.get_program()].into_iter().chain(command.get_args());
        let assign =
            |(name, value): (&OsString, &OsString)| [name, value].map(OsString::as_os_str).join(OsStr::new("="));
        Ok(Self { argv: Strings::new(words)?, envp: Strings::new(variables.iter().map(assign))? })
    }

    /// Starts the program as a child of this process, which has blocked all signals and where no other thread runs.
    ///
    /// # Safety
    /// Calls async-signal-safe functions only.
    pub unsafe fn start(&self) -> io::Result<pid_t> {
        // SAFETY: the stack is fresh memory, and this process waits until nobody uses it any more.
        unsafe {
            let (protection, flags) = (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
            let stack = libc::mmap(ptr::null_mut(), STACK, protection, flags, -1, 0);
            if stack == libc::MAP_FAILED {
                return Err(io::Error::last_os_error());
            }
            let mut birth = Birth { launch: self, parent: libc::getpid(), error: 0 };
            let flags = libc::CLONE_VM | libc::CLONE_VFORK | libc::SIGCHLD;
            let child = libc::clone(live, stack.byte_add(STACK), flags, (&raw mut birth).cast());
            match (child, ptr::read_volatile(&raw const birth.error)) {
                (-1, _) => Err(io::Error::last_os_error()),
                (child, 0) => Ok(child),
                (_, error) => Err(io::Error::from_raw_os_error(error)),
            }
        }
    }
}

/// What parent and child share.
struct Birth<'a> {
    launch: &'a Launch,
    parent: pid_t,
    /// Why the program could not be executed.
    error: c_int,
}

/// What the child does.
extern "C" fn live(birth: *mut c_void) -> c_int {
    unsafe extern "C" {
        static mut environ: *const *const c_char;
    }
    // SAFETY: the parent waits, so that nobody else uses what is shared.
    unsafe {
        let birth = &mut *birth.cast::<Birth<'_>>();
        libc::setpgid(0, 0);
        libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
        if libc::getppid() != birth.parent {
            libc::_exit(1);
        }
        confine_signals();
        let mut none: libc::sigset_t = std::mem::zeroed();
        libc::sigemptyset(&mut none);
        libc::sigprocmask(libc::SIG_SETMASK, &none, ptr::null_mut());
        // `PATH` is that of the new environment, as in the standard library.
        environ = birth.launch.envp.pointers.as_ptr();
        libc::execvp(birth.launch.argv.pointers[0], birth.launch.argv.pointers.as_ptr());
        birth.error = *libc::__errno_location();
        libc::_exit(1)
    }
}

/// Keeps the program from sending signals to others than its own processes, where the kernel can (Landlock's ABI 6).
fn confine_signals() {
    /// `LANDLOCK_SCOPE_SIGNAL`
    const SCOPE_SIGNAL: u64 = 1 << 1;
    /// `struct landlock_ruleset_attr`: no file system, no network, but this scope.
    const RULES: [u64; 3] = [0, 0, SCOPE_SIGNAL];
    // SAFETY: plain system calls; failure means that the kernel cannot.
    unsafe {
        let rules = libc::syscall(libc::SYS_landlock_create_ruleset, RULES.as_ptr(), size_of_val(&RULES), 0);
        if rules < 0 {
            return;
        }
        if libc::syscall(libc::SYS_landlock_restrict_self, rules, 0) != 0 {
            // Without privileges it takes a promise not to gain any.
            libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
            libc::syscall(libc::SYS_landlock_restrict_self, rules, 0);
        }
        libc::close(rules as c_int);
    }
}

/// Strings for C, the list of them ended by a null pointer.
struct Strings {
    /// What the pointers point to.
    _owner: Vec<CString>,
    pointers: Vec<*const c_char>,
}

// SAFETY: the pointers point to what the same value owns, and nobody changes it.
unsafe impl Send for Strings {}
// SAFETY: as above.
unsafe impl Sync for Strings {}

impl Strings {
    fn new(strings: impl Iterator<Item = impl AsRef<OsStr>>) -> io::Result<Self> {
        let owner = strings.map(|string| CString::new(string.as_ref().as_bytes())).collect::<Result<Vec<_>, _>>()?;
        let pointers = owner.iter().map(|string: &CString| CStr::as_ptr(string)).chain([ptr::null()]).collect();
        Ok(Self { _owner: owner, pointers })
    }
}
