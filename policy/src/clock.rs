//! Time in play: a budget for a whole game that a player shares out over its moves.

use std::fmt::Debug;
use std::time::{Duration, Instant};

/// A source of time: the machine's in a program; a simulated one in tests, so that a clock can run
/// out at any point of a search.
pub trait Time: Debug {
    /// Returns the time since a fixed moment in the past.
    fn passed(&self) -> Duration;
}

impl Time for Instant {
    fn passed(&self) -> Duration {
        self.elapsed()
    }
}

/// The time left in a game. Without a limit, a player's choices depend on its settings alone. With
/// a limit, they stay the same until the clock runs short; then the player searches less.
#[derive(Clone, Copy, Debug)]
pub struct Clock<'a>(Option<Limited<'a>>);

#[derive(Clone, Copy, Debug)]
struct Limited<'a> {
    time: &'a dyn Time,
    limit: Duration,
    /// The moment at which the time is up.
    end: Duration,
}

impl<'a> Clock<'a> {
    /// A clock that never runs out.
    pub const UNLIMITED: Self = Clock(None);

    /// Starts a clock that runs out after `limit`.
    pub fn start(time: &'a dyn Time, limit: Duration) -> Self {
        Clock(Some(Limited { time, limit, end: time.passed() + limit }))
    }

    /// Starts a clock with the same limit for the next game.
    pub fn again(&self) -> Self {
        self.0.map_or(Clock::UNLIMITED, |Limited { time, limit, .. }| Clock::start(time, limit))
    }

    /// Returns the time left: zero after it ran out, `None` without a limit.
    pub fn left(&self) -> Option<Duration> {
        self.0.map(|Limited { time, end, .. }| end.saturating_sub(time.passed()))
    }

    /// Starts a clock for the next of `moves` moves, with an even share of the remaining time.
    pub fn share(&self, moves: u32) -> Self {
        match (self.0, self.left()) {
            (Some(Limited { time, .. }), Some(left)) => Clock::start(time, left / moves.max(1)),
            _ => *self,
        }
    }

    /// Returns whether the time is up.
    pub fn is_over(&self) -> bool {
        self.0.is_some_and(|Limited { time, end, .. }| time.passed() >= end)
    }
}
