//! Resource use of a child, checked against its limits.

use std::time::{Duration, Instant};

use super::guard::Exit;
use super::limits::{Exceeded, Limits};
use super::system::Keeper;

/// How often samples are taken.
const SAMPLING: Duration = Duration::from_millis(20);

/// Resource use of a child, and its limits.
pub(crate) struct Watch {
    pub limits: Limits,
    start: Instant,
    /// When the next sample is due; never without limits that need one.
    next: Option<Instant>,
    /// The most resident memory of all processes together, as sampled, bytes.
    memory: u64,
    pub exceeded: Option<Exceeded>,
}

impl Watch {
    pub fn new(limits: Limits, start: Instant) -> Self {
        let next = limits.sampled().then(|| start + SAMPLING);
        Self { limits, start, next, memory: 0, exceeded: None }
    }

    /// How long the child can go unwatched.
    pub fn left(&self) -> Option<Duration> {
        let sample = self.next.map(|next| next.saturating_duration_since(Instant::now()));
        // A nanosecond more, so that the time is not merely reached but over.
        let wall = self.limits.wall.map(|wall| wall.saturating_sub(self.start.elapsed()) + Duration::from_nanos(1));
        sample.into_iter().chain(wall).min()
    }

    /// Takes a sample of the program's processes if it is due.
    pub fn sample(&mut self, keeper: &mut Keeper) {
        if self.next.is_none_or(|next| next > Instant::now()) {
            return;
        }
        let Some(sample) = keeper.sample(self.limits.memory) else {
            self.next = None;
            return;
        };
        self.memory = self.memory.max(sample.memory);
        self.note(self.limits.check(sample.cpu, sample.memory, sample.processes));
        // From now, so that samples that take long do not crowd out all else.
        self.next = Some(Instant::now() + SAMPLING);
    }

    /// Checks every limit that needs no sample: bytes of output so far, and the figures of the exit once it is known.
    pub fn check(&mut self, exit: Option<Exit>, stdout: u64, stderr: u64) {
        if let Some(limit) = self.limits.stdout.filter(|&limit| stdout > limit) {
            self.note(Some(Exceeded::Stdout { used: stdout, limit }));
        }
        if let Some(limit) = self.limits.stderr.filter(|&limit| stderr > limit) {
            self.note(Some(Exceeded::Stderr { used: stderr, limit }));
        }
        if let Some(exit) = exit {
            self.note(self.limits.check(exit.cpu, exit.memory, 0));
        }
        if let Some(limit) = self.limits.wall {
            let used = exit.map_or_else(|| self.start.elapsed(), |exit| exit.wall);
            self.note((used > limit).then_some(Exceeded::Wall { used, limit }));
        }
    }

    /// The exit with what the samples know of it.
    pub fn complete(&self, exit: Exit) -> Exit {
        Exit { memory: exit.memory.max(self.memory), ..exit }
    }

    /// The first limit is the one that counts.
    fn note(&mut self, exceeded: Option<Exceeded>) {
        self.exceeded = self.exceeded.or(exceeded);
    }
}
