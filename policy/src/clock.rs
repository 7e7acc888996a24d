//! Time in play: a budget for a whole game that a player shares out over its moves.

use std::fmt::Debug;
use std::time::{Duration, Instant};

/// Where time comes from. A program has the machine's; tests have one of their own, so that a clock can run out at any
/// point of a search.
pub trait Time: Debug {
    /// The time since some moment in the past, always the same one.
    fn passed(&self) -> Duration;
}

impl Time for Instant {
    fn passed(&self) -> Duration {
        self.elapsed()
    }
}

/// How much of a game's time is left. Without a limit a player's choices depend on its settings alone; with one,
/// they stay the same until the clock runs short, and then the player searches less.
#[derive(Clone, Copy, Debug)]
pub struct Clock<'a>(Option<Limited<'a>>);

#[derive(Clone, Copy, Debug)]
struct Limited<'a> {
    time: &'a dyn Time,
    limit: Duration,
    /// When the time is up.
    end: Duration,
}

impl<'a> Clock<'a> {
    /// A clock that never runs out.
    pub const UNLIMITED: Self = Clock(None);

    /// A clock that starts now and runs out after `limit`.
    pub fn start(time: &'a dyn Time, limit: Duration) -> Self {
        Clock(Some(Limited { time, limit, end: time.passed() + limit }))
    }

    /// A clock with the same limit that starts now: for the next game.
    pub fn again(&self) -> Self {
        self.0.map_or(Clock::UNLIMITED, |Limited { time, limit, .. }| Clock::start(time, limit))
    }

    /// The time left, zero once it ran out; `None` without a limit.
    pub fn left(&self) -> Option<Duration> {
        self.0.map(|Limited { time, end, .. }| end.saturating_sub(time.passed()))
    }

    /// A clock for one move when `moves` more are to be made: an even share of the remaining time.
    pub fn share(&self, moves: u32) -> Self {
        match (self.0, self.left()) {
            (Some(Limited { time, .. }), Some(left)) => Clock::start(time, left / moves.max(1)),
            _ => *self,
        }
    }

    /// Whether the time is up.
    pub fn is_over(&self) -> bool {
        self.0.is_some_and(|Limited { time, end, .. }| time.passed() >= end)
    }
}
