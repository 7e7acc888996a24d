//! Linux: the process between the parent and the program, from within.
//!
//! Everything here runs in a fork of a process that may have had several threads, so it calls nothing but the system (no
//! allocation, no locks, no panics).

use std::os::fd::RawFd;

use libc::{c_int, pid_t};

use super::launch::launch;
use super::order::{Received, answer};
use super::sys::{self, Children};
use crate::unix::report::Report;

/// How long the supervisor waits between two rounds of killing, milliseconds: processes may have been born meanwhile.
const ROUND: c_int = 2;

/// Number of rounds after which it gives up on processes that cannot be killed if no caller waits for it: 10 s.
const ROUNDS: u32 = 5000;

/// Makes this process, a fresh fork of `parent` with all `signals` blocked, a supervisor: it carries out one order after
/// another until the parent hangs up or is gone.
///
/// # Safety
/// To be called in a process of one thread that owns all its descriptors.
pub(crate) unsafe fn serve(control: RawFd, parent: pid_t, signals: &libc::sigset_t) -> ! {
    detach();
    let control = keep_only(control);
    // SAFETY: the set of signals is one.
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
        // SAFETY: the other end belongs to the parent, which made this process, and nothing but this uses the order.
        unsafe {
            let Some(order) = Received::read(control) else { sys::exit(0) };
            let launched = launch(&order);
            answer(control, launched.err().unwrap_or(0));
            // Pipes must end where the program ends.
            order.free();
            if let Ok(program) = launched {
                supervise(&line, program);
            }
        }
    }
}

/// Protects this process from signals to the parent, and makes it the parent of all orphans below it.
fn detach() {
    // SAFETY: none of these touches memory of this process but the strings, which end by zero.
    unsafe {
        // Away from what is sent to the parent's process group, SIGKILL in particular. A session of its own would do
        // that, too, but Linux may schedule sessions as groups, and a new one waits milliseconds on a busy machine.
        libc::setpgid(0, 0);
        libc::prctl(libc::PR_SET_CHILD_SUBREAPER, 1);
        // All signals are read from a descriptor, or ignored. The parent's death comes as a signal, too, in case that
        // somebody else has inherited the other end of the control line. It also comes when the *thread* that started
        // this ends, so it is only an occasion to look who the parent is.
        libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGUSR1);
        // Rust programs ignore it, and what they start should not.
        libc::signal(libc::SIGPIPE, libc::SIG_DFL);
        libc::prctl(libc::PR_SET_NAME, c"supervisor".as_ptr());
        libc::chdir(c"/".as_ptr());
    }
}

/// The events that a supervisor listens for.
struct Line {
    control: RawFd,
    /// Of signals.
    arrivals: RawFd,
    parent: pid_t,
}

impl Line {
    /// Whether the parent is gone.
    fn is_orphaned(&self) -> bool {
        sys::parent() != self.parent
    }

    /// Waits for signals, at most `wait` milliseconds or forever, and for messages or the hang-up of the parent if
    /// these are `heeded`; returns whether the parent caused the wake-up.
    fn wait(&self, heeded: bool, wait: c_int) -> bool {
        let event = |fd| libc::pollfd { fd, events: libc::POLLIN, revents: 0 };
        let mut events = [event(if heeded { self.control } else { -1 }), event(self.arrivals)];
        // Without the descriptor, which takes a machine that is out of them, children are looked at now and then.
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

/// Waits until the program has exited or the parent hangs up, kills the remaining processes, and reports. Returns if it
/// was the program that ended.
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
        // Nothing is ever said during a program, so that whatever happens to the line is the parent's hanging up.
        // It says nothing new to one that ends already.
        hung_up |= line.wait(!ending, if ending { ROUND } else { -1 });
    }
    report.discount(&sys::own_usage());
    sys::write(line.control, &report.to_bytes());
    // One that hears of no signals is not kept: it would look around for ever.
    if hung_up || line.arrivals < 0 {
        sys::exit(0);
    }
}

/// Kills all children of this process, among them orphans of the program. Their own children will come next.
fn kill_children() {
    // "/proc/thread-self" needs no number of this process to be written.
    // SAFETY: the path ends by zero.
    let file = unsafe { libc::open(c"/proc/thread-self/children".as_ptr(), libc::O_RDONLY | libc::O_CLOEXEC) };
    let mut text = [0; 4096];
    let read = sys::read(file, &mut text);
    sys::close(file);
    // A number that is cut off at the end of the buffer has no space behind it, and its turn in the next round.
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

/// Closes all inherited descriptors but this one, which gets another number: pipes must end where the program ends. The
/// numbers of the standard streams stay taken, so that later descriptors do not get one of them.
fn keep_only(kept: RawFd) -> RawFd {
    close_all_but(kept);
    // SAFETY: these touch no memory; this process owns all its descriptors.
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

/// Closes all descriptors but one.
fn close_all_but(kept: RawFd) {
    let close_range = |first: RawFd, last: RawFd| {
        // SAFETY: it touches no memory; this process owns all its descriptors.
        first > last || unsafe { libc::syscall(libc::SYS_close_range, first, last, 0) } == 0
    };
    if close_range(0, kept - 1) && close_range(kept + 1, RawFd::MAX) {
        return;
    }
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: it is a place of that type.
    unsafe { libc::getrlimit(libc::RLIMIT_NOFILE, &raw mut limit) };
    for fd in (0..limit.rlim_cur.min(1 << 20) as RawFd).filter(|&fd| fd != kept) {
        sys::close(fd);
    }
}
