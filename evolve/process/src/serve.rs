//! Linux: the process between the parent and the program, from within.
//!
//! Everything here runs in a fork of a process that may have had several threads, so it calls nothing but the system (no
//! allocation, no locks, no panics).

use std::os::fd::RawFd;

use libc::{c_int, c_void, pid_t};

use super::launch::launch;
use super::order::{Received, answer};
use super::report::Report;

/// How long the supervisor waits between two rounds of killing, milliseconds: processes may have been born meanwhile.
const ROUND: c_int = 2;

/// After how many rounds it gives up on processes that cannot be killed if nobody waits for it: 10 s.
const ROUNDS: u32 = 5000;

/// Makes this process, a fresh fork of `parent` with all `signals` blocked, a supervisor: it carries out one order after
/// another until the parent hangs up or is gone.
///
/// # Safety
/// To be called in a process of one thread that owns all its descriptors.
pub(crate) unsafe fn serve(control: RawFd, parent: pid_t, signals: &libc::sigset_t) -> ! {
    // SAFETY: plain system calls on memory of this stack frame.
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
        let control = keep_only(control);
        let arrivals = libc::signalfd(-1, signals, libc::SFD_CLOEXEC | libc::SFD_NONBLOCK);
        let line = Line { control, arrivals, parent };
        loop {
            loop {
                if line.is_orphaned() {
                    libc::_exit(0);
                }
                if line.wait(true, -1) {
                    break;
                }
            }
            let Some(order) = Received::read(control) else { libc::_exit(0) };
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

/// What a supervisor listens to.
struct Line {
    control: RawFd,
    /// Of signals.
    arrivals: RawFd,
    parent: pid_t,
}

impl Line {
    /// Whether the parent is gone.
    unsafe fn is_orphaned(&self) -> bool {
        // SAFETY: a plain system call.
        unsafe { libc::getppid() != self.parent }
    }

    /// Waits for signals and so many milliseconds at most, or without end, and for the parent's words or its hanging up
    /// if they are `heeded`, which is what it tells.
    unsafe fn wait(&self, heeded: bool, wait: c_int) -> bool {
        let event = |fd| libc::pollfd { fd, events: libc::POLLIN, revents: 0 };
        let mut fds = [event(if heeded { self.control } else { -1 }), event(self.arrivals)];
        // Without the descriptor, which takes a machine that is out of them, children are looked at now and then.
        let wait = if wait < 0 && self.arrivals < 0 { 10 } else { wait };
        // SAFETY: plain system calls on memory of this stack frame.
        unsafe {
            if libc::poll(fds.as_mut_ptr(), fds.len() as libc::nfds_t, wait) < 0 {
                return false;
            }
            if fds[1].revents != 0 {
                let mut buffer = [0_u8; 1024];
                while libc::read(self.arrivals, buffer.as_mut_ptr().cast::<c_void>(), buffer.len()) > 0 {}
            }
        }
        fds[0].revents != 0
    }
}

/// Waits until the program has exited or the parent hangs up, ends all that is left, and reports. Returns if it was the
/// program that ended.
unsafe fn supervise(line: &Line, program: pid_t) {
    // SAFETY: plain system calls on memory of this stack frame.
    unsafe {
        let mut report = Report::killed();
        let (mut ended, mut hung_up, mut rounds) = (false, false, 0_u32);
        loop {
            let mut usage: libc::rusage = std::mem::zeroed();
            let mut status = 0;
            match libc::wait4(-1, &raw mut status, libc::WNOHANG, &raw mut usage) {
                0 => {}
                // Nobody is left.
                -1 => break,
                pid => {
                    report.add(&usage);
                    if pid == program {
                        report.status = status;
                        ended = true;
                    }
                    continue;
                }
            }
            let orphaned = line.is_orphaned();
            hung_up |= orphaned;
            let ending = ended || hung_up;
            if ending {
                libc::kill(-program, libc::SIGKILL);
                kill_children();
                rounds = rounds.wrapping_add(1);
                if rounds > ROUNDS && orphaned {
                    libc::_exit(1);
                }
            }
            // Nothing is ever said during a program, so that whatever happens to the line is the parent's hanging up.
            // It says nothing new to one that ends already.
            hung_up |= line.wait(!ending, if ending { ROUND } else { -1 });
        }
        let mut own: libc::rusage = std::mem::zeroed();
        libc::getrusage(libc::RUSAGE_SELF, &raw mut own);
        report.discount(&own);
        let bytes = report.to_bytes();
        libc::write(line.control, bytes.as_ptr().cast::<c_void>(), bytes.len());
        // One that hears of no signals is not kept: it would look around for ever.
        if hung_up || line.arrivals < 0 {
            libc::_exit(0);
        }
    }
}

/// Kills all children of this process, among them orphans of the program. Their own children will come next.
unsafe fn kill_children() {
    // SAFETY: plain system calls on memory of this stack frame.
    unsafe {
        // "/proc/thread-self" needs no number of this process to be written.
        let file = libc::open(c"/proc/thread-self/children".as_ptr(), libc::O_RDONLY | libc::O_CLOEXEC);
        let mut text = [0_u8; 4096];
        let read = libc::read(file, text.as_mut_ptr().cast::<c_void>(), text.len());
        libc::close(file);
        // A number that is cut off at the end of the buffer has no space behind it, and its turn in the next round.
        let mut number: pid_t = 0;
        for &byte in text.iter().take(usize::try_from(read).unwrap_or(0)) {
            match byte {
                b'0'..=b'9' => number = number.wrapping_mul(10).wrapping_add(pid_t::from(byte - b'0')),
                _ => {
                    if number > 1 {
                        libc::kill(number, libc::SIGKILL);
                    }
                    number = 0;
                }
            }
        }
    }
}

/// Lets go of all that was inherited but this descriptor, which gets another number: pipes must end where the program
/// ends. The numbers of the standard streams stay taken, so that nothing that comes later has one of them.
unsafe fn keep_only(kept: RawFd) -> RawFd {
    // SAFETY: the caller owns all descriptors.
    unsafe {
        close_all_but(kept);
        let moved = libc::fcntl(kept, libc::F_DUPFD_CLOEXEC, 3);
        for stream in 0..3 {
            libc::dup2(moved, stream);
        }
        if kept > 2 {
            libc::close(kept);
        }
        moved
    }
}

/// Closes all descriptors but one.
unsafe fn close_all_but(kept: RawFd) {
    let close_range = |first: RawFd, last: RawFd| {
        // SAFETY: the caller owns all descriptors.
        first > last || unsafe { libc::syscall(libc::SYS_close_range, first, last, 0) } == 0
    };
    if close_range(0, kept - 1) && close_range(kept + 1, RawFd::MAX) {
        return;
    }
    // SAFETY: as above.
    unsafe {
        let mut limit: libc::rlimit = std::mem::zeroed();
        libc::getrlimit(libc::RLIMIT_NOFILE, &mut limit);
        for fd in (0..limit.rlim_cur.min(1 << 20) as RawFd).filter(|&fd| fd != kept) {
            libc::close(fd);
        }
    }
}
