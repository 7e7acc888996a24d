//! Linux: the process between this one and the program.
//!
//! Everything from [`begin`] on runs in a fork of a process that may have had several threads, so it calls nothing but
//! the system (no allocation, no locks, no panics).

use std::io;
use std::os::fd::{AsRawFd, RawFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::process::{self, Command};
use std::ptr;

use libc::{c_int, c_void, pid_t};
use rustix::process::{Pid, Signal, kill_process};

use super::launch::Launch;
use super::report::{Report, Started};
use super::tree;

/// How long the supervisor waits between two rounds of killing, milliseconds: processes may have been born meanwhile.
const ROUND: c_int = 2;

/// After how many rounds it gives up on processes that cannot be killed if nobody waits for it: 10 s.
const ROUNDS: u32 = 5000;

/// The supervisor as its parent sees it.
pub(crate) struct Supervisor {
    process: process::Child,
}

/// Starts the program below a supervisor.
pub(crate) fn start(mut command: Command) -> io::Result<Started<Supervisor>> {
    let (control, theirs) = UnixStream::pair()?;
    let (end, parent) = (theirs.as_raw_fd(), process::id());
    let launch = Launch::new(&command)?;
    // The command itself never comes to its `exec`; what it does is pipes, directory, and telling of errors.
    // SAFETY: `begin` calls async-signal-safe functions only.
    let mut process = unsafe { command.pre_exec(move || begin(end, parent as pid_t, &launch)) }.spawn()?;
    let (stdin, stdout, stderr) = (process.stdin.take(), process.stdout.take(), process.stderr.take());
    Ok(Started { supervisor: Supervisor { process }, control, stdin, stdout, stderr })
}

impl Supervisor {
    /// The process below which all the program's processes are.
    pub fn id(&self) -> u32 {
        self.process.id()
    }

    /// Begins the end; the closed control line says all there is to say.
    pub fn end(&mut self) {}

    /// Does the supervisor's work in its place: it may have been stopped.
    pub fn insist(&mut self) {
        tree::kill(self.id());
        let _ = kill_process(Pid::from_child(&self.process), Signal::CONT);
    }

    /// Kills and reaps the supervisor.
    pub fn bury(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Makes this process, a fresh fork of `parent`, the supervisor; returns only if the program cannot be started.
fn begin(control: RawFd, parent: pid_t, launch: &Launch) -> io::Result<()> {
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
        let mut signals: libc::sigset_t = std::mem::zeroed();
        libc::sigfillset(&mut signals);
        libc::sigprocmask(libc::SIG_SETMASK, &signals, ptr::null_mut());
        let program = launch.start()?;
        supervise(control, parent, program, &signals)
    }
}

/// Waits until the program has exited or the parent hangs up, ends all that is left, reports and exits.
///
/// # Safety
/// To be called in a process of one thread that owns all its descriptors.
unsafe fn supervise(control: RawFd, parent: pid_t, program: pid_t, signals: &libc::sigset_t) -> ! {
    // SAFETY: plain system calls on memory of this stack frame.
    unsafe {
        libc::prctl(libc::PR_SET_NAME, c"supervisor".as_ptr());
        close_all_but(control);
        libc::chdir(c"/".as_ptr());
        let mut own: libc::rusage = std::mem::zeroed();
        libc::getrusage(libc::RUSAGE_SELF, &mut own);
        let arrivals = libc::signalfd(-1, signals, libc::SFD_CLOEXEC | libc::SFD_NONBLOCK);
        let event = |fd| libc::pollfd { fd, events: libc::POLLIN, revents: 0 };
        let mut fds = [event(control), event(arrivals)];
        // Without the descriptor, which takes a machine that is out of them, children are looked at now and then.
        let idle = if arrivals < 0 { 10 } else { -1 };
        let mut report = Report::killed();
        let (mut ending, mut rounds) = (false, 0);
        loop {
            loop {
                let mut status = 0;
                match libc::waitpid(-1, &mut status, libc::WNOHANG) {
                    0 => break,
                    -1 => {
                        // Nobody is left.
                        let mut usage: libc::rusage = std::mem::zeroed();
                        libc::getrusage(libc::RUSAGE_CHILDREN, &mut usage);
                        report.usage(&usage, &own);
                        let bytes = report.to_bytes();
                        libc::write(control, bytes.as_ptr().cast::<c_void>(), bytes.len());
                        libc::_exit(0);
                    }
                    pid if pid == program => {
                        report.status = status;
                        ending = true;
                    }
                    _ => {}
                }
            }
            let orphaned = libc::getppid() != parent;
            ending |= orphaned;
            if ending {
                // Its end of the line says nothing new from now on.
                fds[0].fd = -1;
                libc::kill(-program, libc::SIGKILL);
                kill_children();
                rounds += 1;
                if rounds > ROUNDS && orphaned {
                    libc::_exit(1);
                }
            }
            libc::poll(fds.as_mut_ptr(), fds.len() as libc::nfds_t, if ending { ROUND } else { idle });
            // Nothing is ever sent to this end, so that whatever happens to it is the parent's hanging up.
            ending |= fds[0].fd >= 0 && fds[0].revents != 0;
            let mut buffer = [0_u8; 1024];
            while libc::read(arrivals, buffer.as_mut_ptr().cast::<c_void>(), buffer.len()) > 0 {}
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

/// Lets go of all that was inherited: pipes must end where the program ends.
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
