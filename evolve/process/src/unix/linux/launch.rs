//! Linux: the supervisor's child until it becomes the program.
//!
//! The child is started as by `posix_spawn`: until its `exec`, it runs in the memory of the
//! supervisor, which is suspended meanwhile. This avoids a copy of the parent's page tables.
//! `posix_spawn` itself cannot perform all the steps before the `exec`.

use std::ptr;

use libc::{c_char, c_int, c_void, pid_t};

use super::order::Received;

/// Starts the program as a child of this process, which must have blocked all signals and have a
/// single thread. The error is the system's error number.
///
/// # Safety
/// Calls only async-signal-safe functions.
pub(crate) unsafe fn launch(order: &Received) -> Result<pid_t, c_int> {
    if order.descriptors.contains(&-1) {
        return Err(libc::EMFILE);
    }
    // SAFETY: the stack belongs to the order, and this process waits until it is no longer in use.
    unsafe {
        let mut birth = Birth { order, parent: libc::getpid(), error: 0 };
        let flags = libc::CLONE_VM | libc::CLONE_VFORK | libc::SIGCHLD;
        let child = libc::clone(live, order.stack, flags, (&raw mut birth).cast());
        match (child, ptr::read_volatile(&raw const birth.error)) {
            (-1, _) => Err(*libc::__errno_location()),
            (child, 0) => Ok(child),
            (child, error) => {
                libc::waitpid(child, ptr::null_mut(), 0);
                Err(error)
            }
        }
    }
}

/// The data that parent and child share.
struct Birth<'a> {
    order: &'a Received,
    parent: pid_t,
    /// The error number if the program could not be executed.
    error: c_int,
}

/// The code of the child.
extern "C" fn live(birth: *mut c_void) -> c_int {
    unsafe extern "C" {
        static mut environ: *const *const c_char;
    }
    // SAFETY: the parent waits, so only the child uses the shared data.
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
        let [streams @ .., directory] = birth.order.descriptors;
        let mut ready = libc::fchdir(directory) == 0;
        // The received descriptors have other numbers, because the first three are in use.
        for (to, from) in (0..).zip(streams) {
            ready = ready && libc::dup2(from, to) == to;
        }
        if ready {
            // `PATH` comes from the new environment, as in the standard library.
            environ = birth.order.envp;
            libc::execvp(*birth.order.argv, birth.order.argv);
        }
        birth.error = *libc::__errno_location();
        libc::_exit(1)
    }
}

/// Prevents the program from sending signals to processes other than its own, if the kernel can
/// (Landlock ABI 6).
fn confine_signals() {
    /// `LANDLOCK_SCOPE_SIGNAL`
    const SCOPE_SIGNAL: u64 = 1 << 1;
    /// `struct landlock_ruleset_attr`: no file system, no network, but this scope.
    const RULES: [u64; 3] = [0, 0, SCOPE_SIGNAL];
    // SAFETY: plain system calls; failure means that the kernel does not support them.
    unsafe {
        let rules = libc::syscall(libc::SYS_landlock_create_ruleset, RULES.as_ptr(), size_of_val(&RULES), 0);
        if rules < 0 {
            return;
        }
        if libc::syscall(libc::SYS_landlock_restrict_self, rules, 0) != 0 {
            // An unprivileged process must first promise not to gain privileges.
            libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
            libc::syscall(libc::SYS_landlock_restrict_self, rules, 0);
        }
        libc::close(rules as c_int);
    }
}
