//! Linux: the supervisor process between the parent and the program, from inside.
//!
//! This code runs in a fork of a process that may have had several threads, so it only makes system
//! calls (no allocation, no locks, no panics).

use std::os::fd::RawFd;

use libc::{c_int, pid_t};

use super::launch::launch;
use super::order::{Received, answer};
use super::sys::{self, Children};
use crate::unix::report::Report;

/// The milliseconds between two rounds of killing, in which new processes may have been started.
const ROUND: c_int = 2;

/// The number of rounds after which the supervisor gives up on processes that cannot be killed: 10
/// s.
const ROUNDS: u32 = 5000;

/// Turns this process, a new fork of `parent` with all `signals` blocked, into a supervisor, which
/// executes one order after another until the parent closes the connection or ends.
///
/// # Safety
/// The calling process must have a single thread and own all its descriptors.
pub(crate) unsafe fn serve(control: RawFd, parent: pid_t, signals: &libc::sigset_t) -> ! {
    detach();
    let control = keep_only(control);
    // SAFETY: `signals` is a valid set of signals.
    let arrivals = unsafe { libc::signalfd(-1, signals, libc::SFD_CLOEXEC | libc::SFD_NONBLOCK) };
    let line = Line { control, arrivals, parent };
    loop {
        loop {
            if line.is_orphaned() {
                sys::exit(0);
            }
            if line.wait(true, -1) {
                break;
            }
        }
        // SAFETY: the other end belongs to the parent, which created this process, and only this
        // code uses the order.
        unsafe {
            let Some(order) = Received::read(control) else { sys::exit(0) };
            let launched = launch(&order);
            answer(control, launched.err().unwrap_or(0));
            // Close the pipes here, so that they end when the program closes them.
            order.free();
            if let Ok(program) = launched {
                supervise(&line, program);
            }
        }
    }
}

/// Protects this process from signals to the parent, and makes it the parent of all orphans below
/// it.
fn detach() {
    // SAFETY: the calls access no memory of this process except the strings, which end with a zero.
    unsafe {
        // Leave the parent's process group, to escape signals to it, SIGKILL in particular. A new
        // session would do so too, but Linux may schedule sessions as groups, and a new one waits
        // milliseconds on a busy machine.
        libc::setpgid(0, 0);
        libc::prctl(libc::PR_SET_CHILD_SUBREAPER, 1);
        // All signals are read from a descriptor, or ignored. The parent's death also arrives as a
        // signal, in case another process has inherited the other end of the connection. The signal
        // also arrives when the *thread* that started this process ends, so it only causes a check
        // of the parent.
        libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGUSR1);
        // Rust programs ignore SIGPIPE, but the programs that they start should not.
        libc::signal(libc::SIGPIPE, libc::SIG_DFL);
        libc::prctl(libc::PR_SET_NAME, c"supervisor".as_ptr());
        libc::chdir(c"/".as_ptr());
    }
}

/// The sources of events for a supervisor.
struct Line {
    control: RawFd,
    /// The descriptor of signals.
    arrivals: RawFd,
    parent: pid_t,
}

impl Line {
    /// Returns whether the parent has ended.
    fn is_orphaned(&self) -> bool {
        sys::parent() != self.parent
    }

    /// Waits for signals, at most `wait` milliseconds or forever. If `heeded` is set, also waits
    /// for messages of the parent or the end of the connection. Returns whether the parent caused
    /// the wake-up.
    fn wait(&self, heeded: bool, wait: c_int) -> bool {
        let event = |fd| libc::pollfd { fd, events: libc::POLLIN, revents: 0 };
        let mut events = [event(if heeded { self.control } else { -1 }), event(self.arrivals)];
        // Without the descriptor of signals, if the machine has none left, check the children
        // periodically.
        let wait = if wait < 0 && self.arrivals < 0 { 10 } else { wait };
        if !sys::poll(&mut events, wait) {
            return false;
        }
        if events[1].revents != 0 {
            let mut buffer = [0; 1024];
            while sys::read(self.arrivals, &mut buffer) > 0 {}
        }
        events[0].revents != 0
    }
}

/// Waits until the program has exited or the parent closes the connection, kills the remaining
/// processes, and reports. Returns if the program ended by itself.
fn supervise(line: &Line, program: pid_t) {
    let mut report = Report::killed();
    let (mut ended, mut hung_up, mut rounds) = (false, false, 0_u32);
    loop {
        match sys::wait_any() {
            Children::None => break,
            Children::Running => {}
            Children::Ended(child) => {
                report.add(&child.usage);
                if child.process == program {
                    report.status = child.status;
                    ended = true;
                }
                continue;
            }
        }
        let orphaned = line.is_orphaned();
        hung_up |= orphaned;
        let ending = ended || hung_up;
        if ending {
            sys::kill(-program, libc::SIGKILL);
            kill_children();
            rounds = rounds.wrapping_add(1);
            if rounds > ROUNDS && orphaned {
                sys::exit(1);
            }
        }
        // The parent sends nothing while a program runs, so any event on the connection means that
        // it was closed. Once the program is being ended, such an event changes nothing.
        hung_up |= line.wait(!ending, if ending { ROUND } else { -1 });
    }
    report.discount(&sys::own_usage());
    sys::write(line.control, &report.to_bytes());
    // A supervisor that receives no signals is not reused, because it would check its children
    // forever.
    if hung_up || line.arrivals < 0 {
        sys::exit(0);
    }
}

/// Kills all children of this process, including orphans of the program. Their own children follow
/// in later rounds.
fn kill_children() {
    // "/proc/thread-self" does not require the number of this process.
    // SAFETY: the path ends with a zero.
    let file = unsafe { libc::open(c"/proc/thread-self/children".as_ptr(), libc::O_RDONLY | libc::O_CLOEXEC) };
    let mut text = [0; 4096];
    let read = sys::read(file, &mut text);
    sys::close(file);
    // A number that is cut off at the end of the buffer is not followed by a space; the next round
    // reads it.
    let mut number: pid_t = 0;
    for &byte in text.iter().take(read) {
        match byte {
            b'0'..=b'9' => number = number.wrapping_mul(10).wrapping_add(pid_t::from(byte - b'0')),
            _ => {
                if number > 1 {
                    sys::kill(number, libc::SIGKILL);
                }
                number = 0;
            }
        }
    }
}

/// Closes all inherited descriptors except `kept`, which gets another number, so that pipes end
/// when the program closes them. The numbers of the standard streams stay in use, so that later
/// descriptors do not get them.
fn keep_only(kept: RawFd) -> RawFd {
    close_all_but(kept);
    // SAFETY: the calls touch no memory; this process owns all its descriptors.
    let moved = unsafe { libc::fcntl(kept, libc::F_DUPFD_CLOEXEC, 3) };
    for stream in 0..3 {
        // SAFETY: as above.
        unsafe { libc::dup2(moved, stream) };
    }
    if kept > 2 {
        sys::close(kept);
    }
    moved
}

/// Closes all descriptors except one.
fn close_all_but(kept: RawFd) {
    let close_range = |first: RawFd, last: RawFd| {
        // SAFETY: the call touches no memory; this process owns all its descriptors.
        first > last || unsafe { libc::syscall(libc::SYS_close_range, first, last, 0) } == 0
    };
    if close_range(0, kept - 1) && close_range(kept + 1, RawFd::MAX) {
        return;
    }
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: the pointer refers to a value of that type.
    unsafe { libc::getrlimit(libc::RLIMIT_NOFILE, &raw mut limit) };
    for fd in (0..limit.rlim_cur.min(1 << 20) as RawFd).filter(|&fd| fd != kept) {
        sys::close(fd);
    }
}
