//! Child processes that can neither block nor, where the system allows it, outlive their parent,
//! with limits on resources.
//!
//! A [`Program`] describes a command. There are two ways to use it:
//!
//! - [`Program::start`] returns a [`Child`] to talk to, line by line: one dialogue, or a persistent
//!   worker that answers each request with one line ([`Child::ask`]).
//! - [`Program::run`] runs it to completion: input from bytes or a file, captured output, and a
//!   [`Finished`] with the exit status, the times and the memory.
//!
//! Both return within their limits even if the program hangs, and both notice its end at once.
//!
//! # Containment
//!
//! On Linux a small supervisor process stands between this process and the program. All descendants
//! of the program remain below the supervisor in the process tree, even if they try to leave
//! (`setsid`, double forks, other process groups). The supervisor kills them with `SIGKILL` as soon
//! as
//!
//! - the program itself has exited,
//! - the [`Child`] is ended or dropped, or
//! - this process ends, by any signal, `SIGKILL` included.
//!
//! Where the kernel supports it (6.12 and later, with Landlock), the program cannot send signals to
//! processes outside its tree, so it can reach neither the supervisor nor this process. On an older
//! kernel, a program that kills its supervisor on purpose is killed as well, but descendants that
//! left its process group survive.
//!
//! The supervisor is a fork of this process without an `exec`, so that it works in any program.
//! Forking takes longer the more memory and threads this process has, so when a program ends by
//! itself, its supervisor stays and serves the next one. There are as many supervisors as programs
//! have ever run at once. Idle supervisors, named `supervisor`, remain children of this process
//! until it ends, so a wait for all children also waits for them. While a supervisor lives, pages
//! that this process has overwritten since the fork exist twice (copy-on-write).
//!
//! A program gets the environment and the working directory that this process has when the program
//! starts, and its three standard streams, but no other descriptors. It inherits other properties
//! (limits, umask, priority, processor affinity) from the thread that created the supervisor.
//!
//! On Windows, the program and all its descendants are in a job object, which they cannot leave and
//! which ends under the same conditions. There, the system enforces the limits itself;
//! `docs/windows.md` lists the differences.
//!
//! On other systems, such as macOS, the program runs in its own process group, which is killed with
//! the program and with the [`Child`]. Processes that left the group survive, and all survive if
//! this process is killed. [`Limits::memory`] has no effect there, and [`Limits::cpu`] is checked
//! only at the end.
//!
//! # Untrusted text
//!
//! [`excerpt`], [`last_words`] and [`plain`] make the output of programs safe for a terminal.
//!
//! # Signals
//!
//! The calling process must ignore `SIGPIPE`, as Rust programs do by default.

mod capture;
mod child;
mod ended;
mod error;
mod guard;
mod limits;
mod program;
mod run;
mod text;
#[cfg(unix)]
mod unix;
mod watch;
#[cfg(windows)]
mod windows;

// The implementation of each system, with the same names.
#[cfg(unix)]
use unix as system;
#[cfg(windows)]
use windows as system;

pub use capture::Captured;
pub use child::{Child, Heard, Interruption, Until};
pub use error::{StartError, hint};
pub use guard::Exit;
pub use limits::{Exceeded, Limits};
pub use program::Program;
pub use run::{Finished, Stdin};
pub use system::{can_execute, crash, listen, outlast_file_limits};
pub use text::{excerpt, last_words, plain};
