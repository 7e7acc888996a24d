//! Checks the resource use of a child against its limits.

use std::time::{Duration, Instant};

use super::guard::Exit;
use super::limits::{Exceeded, Limits};
use super::system::Keeper;

/// The interval between samples.
const SAMPLING: Duration = Duration::from_millis(20);

/// The resource use of a child, and its limits.
pub(crate) struct Watch {
    pub limits: Limits,
    start: Instant,
    /// The time of the next sample; `None` if no limit requires samples.
    next: Option<Instant>,
    /// The peak of the sampled resident memory of all processes together, in bytes.
    memory: u64,
    pub exceeded: Option<Exceeded>,
}

impl Watch {
    pub fn new(limits: Limits, start: Instant) -> Self {
        let next = limits.sampled().then(|| start + SAMPLING);
        Self { limits, start, next, memory: 0, exceeded: None }
    }

    /// Returns the time until the next check.
    pub fn left(&self) -> Option<Duration> {
        let sample = self.next.map(|next| next.saturating_duration_since(Instant::now()));
        // Add a nanosecond, so that the time is exceeded and not merely reached.
        let wall = self.limits.wall.map(|wall| wall.saturating_sub(self.start.elapsed()) + Duration::from_nanos(1));
        sample.into_iter().chain(wall).min()
    }

    /// Samples the program's processes if a sample is due.
    pub fn sample(&mut self, keeper: &mut Keeper) {
        if self.next.is_none_or(|next| next > Instant::now()) {
            return;
        }
        let Some(sample) = keeper.sample(self.limits.memory) else {
            self.next = None;
            return;
        };
        self.memory = self.memory.max(sample.memory);
        self.note(self.limits.check(sample.cpu, sample.memory));
        // Count from now, so that slow samples do not take all the time.
        self.next = Some(Instant::now() + SAMPLING);
    }

    /// Checks the limits that require no sample: the bytes of output so far, and the figures of the
    /// exit if known.
    pub fn check(&mut self, exit: Option<Exit>, stdout: u64, stderr: u64) {
        if let Some(limit) = self.limits.stdout.filter(|&limit| stdout > limit) {
            self.note(Some(Exceeded::Stdout { used: stdout, limit }));
        }
        if let Some(limit) = self.limits.stderr.filter(|&limit| stderr > limit) {
            self.note(Some(Exceeded::Stderr { used: stderr, limit }));
        }
        if let Some(exit) = exit {
            self.note(self.limits.check(exit.cpu, exit.memory));
        }
        if let Some(limit) = self.limits.wall {
            let used = exit.map_or_else(|| self.start.elapsed(), |exit| exit.wall);
            self.note((used > limit).then_some(Exceeded::Wall { used, limit }));
        }
    }

    /// Adds the sampled figures to the exit.
    pub fn complete(&self, exit: Exit) -> Exit {
        Exit { memory: exit.memory.max(self.memory), ..exit }
    }

    /// Records an exceeded limit; only the first one counts.
    fn note(&mut self, exceeded: Option<Exceeded>) {
        self.exceeded = self.exceeded.or(exceeded);
    }
}
