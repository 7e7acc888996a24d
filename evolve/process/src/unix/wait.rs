//! Waiting for a program and its pipes.

use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};

use super::keeper::Keeper;
use super::pipes::{Reader, Writer};
use crate::ended::Ready;

/// Waits until the program ends or anything can be moved through these pipes, or for so long.
pub(crate) fn wait(
    keeper: Option<&Keeper>,
    [stdout, stderr]: [Option<&Reader>; 2],
    stdin: Option<&Writer>,
    wait: Option<Duration>,
) -> Ready {
    let mut fds = Vec::with_capacity(4);
    let mut add = |fd| {
        fds.push(fd);
        fds.len() - 1
    };
    let end = keeper.map(|keeper| add(PollFd::new(keeper.control(), PollFlags::IN)));
    let [stdout, stderr] = [stdout, stderr].map(|pipe| pipe.map(|pipe| add(PollFd::new(pipe, PollFlags::IN))));
    if let Some(stdin) = stdin {
        add(PollFd::new(stdin, PollFlags::OUT));
    }
    // A wait too long to be told to the system is one without end. An interruption by a signal is as good as nothing to
    // do.
    let wait = wait.and_then(|wait| Timespec::try_from(wait).ok());
    let done = poll(&mut fds, wait.as_ref()).is_ok();
    let ready = |place: Option<usize>| place.is_some_and(|place| done && !fds[place].revents().is_empty());
    Ready { end: ready(end), stdout: ready(stdout), stderr: ready(stderr) }
}
