//! The end of a program: how it is forced, and what is known afterwards.

use std::fs::File;
use std::io;
use std::process::{Command, ExitStatus};
use std::time::{Duration, Instant};

use super::ended::{Ended, Look};
use super::limits::Limits;
use super::system::{self, Keeper, Pipes};

/// How long an end is waited for before something more is done about it.
const PATIENCE: Duration = Duration::from_millis(100);

/// How often that is done before the program is given up. A process can be slow to die (many of them, much memory to
/// free), and one that waits for a broken device cannot be killed at all.
const ATTEMPTS: u32 = 100;

/// Exit status and resource use of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exit {
    /// The program's own status; if it was killed from here, `SIGKILL`, or 1 on Windows.
    pub status: ExitStatus,
    /// Wall-clock time from the start to the end of the program and all its descendants.
    pub wall: Duration,
    /// CPU time, user and system, of the program and those descendants that were waited for, as `wait4` gives it.
    pub cpu: Duration,
    /// Peak resident memory in bytes: of all processes together as sampled (see
    /// [`Limits::memory`](crate::Limits::memory)), or of the largest process, whichever is more. Memory of the launch
    /// and of this process does not count as the program's, so the value is 0 for a program that was not sampled and
    /// used less than this process had.
    pub memory: u64,
}

/// A running program with all its descendants; dropping this ends them.
pub(crate) struct Guard {
    /// `None` once the exit is known.
    keeper: Option<Keeper>,
    /// Whether the end was asked for.
    ending: bool,
    start: Instant,
    exit: Option<Exit>,
}

impl Guard {
    /// Starts the program with this input, or with a pipe.
    pub fn start(command: Command, stdin: Option<File>, limits: &Limits) -> io::Result<(Self, Pipes)> {
        let start = Instant::now();
        let (keeper, pipes) = Keeper::start(command, stdin, limits)?;
        Ok((Self { keeper: Some(keeper), ending: false, start, exit: None }, pipes))
    }

    /// When the program started.
    pub fn start_time(&self) -> Instant {
        self.start
    }

    /// What the program runs in, while it runs.
    pub fn keeper(&self) -> Option<&Keeper> {
        self.keeper.as_ref()
    }

    /// The same, to be asked for samples.
    pub fn keeper_mut(&mut self) -> Option<&mut Keeper> {
        self.keeper.as_mut()
    }

    /// How the program ended, if that is known.
    pub fn exit(&self) -> Option<Exit> {
        self.exit
    }

    /// Looks whether the program has ended; does not wait.
    pub fn look(&mut self) -> Option<Exit> {
        match self.keeper.as_mut().map(Keeper::look) {
            Some(Look::Running) | None => self.exit,
            Some(Look::Ended(ended)) => Some(self.finish(Some(ended))),
            Some(Look::Lost) => Some(self.finish(None)),
        }
    }

    /// Ends the program and all its descendants, unless it has ended by itself.
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

    /// The end, of which something is known unless what supervised the program was killed or is given up.
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
