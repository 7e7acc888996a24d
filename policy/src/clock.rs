//! Time in play: a budget for a whole game that a player shares out over its moves.

use std::time::{Duration, Instant};

/// How much of a game's time is left. Without a limit a player's choices depend on its settings alone; with one,
/// they stay the same until the clock runs short, and then the player searches less.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    deadline: Option<Instant>,
}

impl Clock {
    /// A clock that never runs out.
    pub const UNLIMITED: Clock = Clock { deadline: None };

    /// A clock that starts now and runs out after `limit`.
    pub fn start(limit: Duration) -> Self {
        Clock { deadline: Some(Instant::now() + limit) }
    }

    /// The time left, zero once it ran out; `None` without a limit.
    pub fn left(&self) -> Option<Duration> {
        self.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()))
    }

    /// A clock for one move when `moves` more are to be made: an even share of what is left.
    pub fn share(&self, moves: u32) -> Self {
        match self.left() {
            Some(left) => Clock { deadline: Some(Instant::now() + left / moves.max(1)) },
            None => *self,
        }
    }

    /// Whether the time is up.
    pub fn is_over(&self) -> bool {
        self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }
}
