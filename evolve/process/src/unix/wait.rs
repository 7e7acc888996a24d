//! Waiting for a program and its pipes.

use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};

use super::keeper::Keeper;
use super::pipes::{Reader, Writer};
use crate::ended::Ready;

/// Waits until the program ends, data can move through these pipes, or `wait` has passed.
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
    // A wait that is too long for the system becomes unlimited. An interruption by a signal counts
    // as no event.
    let wait = wait.and_then(|wait| Timespec::try_from(wait).ok());
    let done = poll(&mut fds, wait.as_ref()).is_ok();
    let ready = |place: Option<usize>| place.is_some_and(|place| done && !fds[place].revents().is_empty());
    Ready { end: ready(end), stdout: ready(stdout), stderr: ready(stderr) }
}
