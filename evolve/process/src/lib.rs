//! Child processes that can neither block nor outlive their parent, with limits on what they use.
//!
//! A [`Program`] says what to start. There are two ways to use it:
//!
//! - [`Program::start`] gives a [`Child`] to talk to, line by line: one dialogue, or a persistent worker that answers
//!   one line to each ([`Child::ask`]).
//! - [`Program::run`] runs it to completion: input from bytes or a file, output captured, and a [`Finished`] with the
//!   exit status, the times and the memory.
//!
//! Both return within their limits whatever the program does, and both notice its end at once.
//!
//! # How a program is kept
//!
//! On Linux a small supervisor process stands between this process and the program. All descendants of the program
//! stay below it, whatever they do to leave (`setsid`, double forks, other process groups), and it ends them with
//! `SIGKILL` as soon as
//!
//! - the program itself has exited,
//! - the [`Child`] is ended or dropped, or
//! - this process is gone, by whatever signal, `SIGKILL` included.
//!
//! Where the kernel can (6.12 and later, with Landlock), the program cannot send signals to processes that are not its
//! own, so that it can reach neither the supervisor nor this process. On an older kernel, a program that kills its
//! supervisor on purpose ends itself by that, but descendants that left its process group survive.
//!
//! The supervisor is a fork of this process without an `exec`, so that it works in anyone's program. Making one takes the
//! longer the more memory and threads this process has, so it stays after a program that ended by itself and serves the
//! next one. There are as many as programs ran at the same time, and those that idle are children of this process, named
//! `supervisor`, until it ends: whoever waits for all children of this process waits for them, too. What this process
//! has overwritten since a supervisor was made is in memory twice for as long as that lives.
//!
//! A program has the environment and the directory of its start, and its three streams: no other descriptors. What else
//! is inherited (limits, the mask of new files, priority, processors) is what the thread had that made the supervisor.
//!
//! On other systems, such as macOS, the program runs in a process group of its own, and the group is ended with the
//! program and with the [`Child`]: whoever left the group survives, and all survive if this process is killed.
//! [`Limits::memory`] and [`Limits::processes`] have no effect there, and [`Limits::cpu`] is checked at the end alone.
//!
//! # Text that others wrote
//!
//! [`quote`], [`last_words`] and [`plain`] make text of programs fit for a terminal.
//!
//! # Signals
//!
//! The calling process must ignore `SIGPIPE`, as Rust programs do unless told otherwise.

mod capture;
mod child;
mod error;
#[cfg(any(test, not(target_os = "linux")))]
mod group;
mod guard;
#[cfg(target_os = "linux")]
mod launch;
mod limits;
#[cfg(target_os = "linux")]
mod order;
mod program;
mod report;
mod run;
#[cfg(target_os = "linux")]
mod serve;
#[cfg(target_os = "linux")]
mod supervisor;
#[cfg(target_os = "linux")]
mod sys;
mod text;
#[cfg(target_os = "linux")]
mod tree;
mod watch;

pub use capture::Captured;
pub use child::{Child, Heard, Interruption, Until};
pub use error::{StartError, is_shortage};
pub use guard::Exit;
pub use limits::{Exceeded, Limits};
pub use program::Program;
pub use run::{Finished, Input};
pub use text::{last_words, plain, quote};
