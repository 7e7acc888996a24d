//! The end of a program: how it is enforced, and its result.

use std::fs::File;
use std::io;
use std::process::{Command, ExitStatus};
use std::time::{Duration, Instant};

use super::ended::{Ended, Look};
use super::limits::Limits;
use super::system::{self, Keeper, Pipes};

/// The time to wait for the end before trying again.
const PATIENCE: Duration = Duration::from_millis(100);

/// The number of attempts before the program is given up. Processes may die slowly (if there are
/// many, or much memory to free), and one that waits for a broken device cannot be killed at all.
const ATTEMPTS: u32 = 100;

/// The exit status and resource use of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exit {
    /// The status of the program itself; after it was killed here, `SIGKILL`, or 1 on Windows.
    pub status: ExitStatus,
    /// The wall-clock time from the start to the end of the program and all its descendants.
    pub wall: Duration,
    /// The CPU time, user and system, of the program and of descendants that were waited for, as
    /// reported by `wait4`.
    pub cpu: Duration,
    /// The peak resident memory in bytes: the larger of the sampled sum over all processes (see
    /// [`Limits::memory`](crate::Limits::memory)) and the largest process. The memory of the launch
    /// and of this process does not count, so the value is 0 for a program that was not sampled and
    /// used less than this process.
    pub memory: u64,
}

/// A running program with all its descendants, which end when this value is dropped.
pub(crate) struct Guard {
    /// `None` once the exit is known.
    keeper: Option<Keeper>,
    /// Whether the end was requested.
    ending: bool,
    start: Instant,
    exit: Option<Exit>,
}

impl Guard {
    /// Starts the program with this file as its input, or with a pipe.
    pub fn start(command: Command, stdin: Option<File>, limits: &Limits) -> io::Result<(Self, Pipes)> {
        let start = Instant::now();
        let (keeper, pipes) = Keeper::start(command, stdin, limits)?;
        Ok((Self { keeper: Some(keeper), ending: false, start, exit: None }, pipes))
    }

    pub fn start_time(&self) -> Instant {
        self.start
    }

    /// Returns the keeper of the program while it runs.
    pub fn keeper(&self) -> Option<&Keeper> {
        self.keeper.as_ref()
    }

    /// Returns the keeper for taking samples.
    pub fn keeper_mut(&mut self) -> Option<&mut Keeper> {
        self.keeper.as_mut()
    }

    /// Returns the exit of the program, if known.
    pub fn exit(&self) -> Option<Exit> {
        self.exit
    }

    /// Checks whether the program has ended; does not wait.
    pub fn look(&mut self) -> Option<Exit> {
        match self.keeper.as_mut().map(Keeper::look) {
            Some(Look::Running) | None => self.exit,
            Some(Look::Ended(ended)) => Some(self.finish(Some(ended))),
            Some(Look::Lost) => Some(self.finish(None)),
        }
    }

    /// Kills the program and all its descendants, unless the program has already ended.
    pub fn end(&mut self) -> Exit {
        if let Some(exit) = self.look() {
            return exit;
        }
        self.ending = true;
        self.keeper.iter().for_each(Keeper::end);
        for _ in 0..ATTEMPTS {
            let start = Instant::now();
            while start.elapsed() < PATIENCE {
                self.keeper.iter().for_each(|keeper| keeper.wait(PATIENCE.saturating_sub(start.elapsed())));
                if let Some(exit) = self.look() {
                    return exit;
                }
            }
            self.keeper.iter().for_each(Keeper::insist);
        }
        self.finish(None)
    }

    /// Records the end. `ended` is `None` if the supervisor was killed or given up.
    fn finish(&mut self, ended: Option<Ended>) -> Exit {
        let wall = self.start.elapsed();
        match (self.keeper.take(), &ended) {
            (Some(keeper), Some(ended)) if !self.ending => keeper.rest(ended.cpu),
            (keeper, _) => keeper.into_iter().for_each(Keeper::bury),
        }
        let Ended { status, cpu, memory } =
            ended.unwrap_or_else(|| Ended { status: system::killed(), cpu: Duration::ZERO, memory: 0 });
        *self.exit.insert(Exit { status, wall, cpu, memory })
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        self.end();
    }
}
