//! Says what is awaited when nothing comes.

use std::time::{Duration, Instant};

/// How long nothing is said at first.
const FIRST: Duration = Duration::from_secs(3);
/// How much longer from each time to the next, and at most.
const LONGER: u32 = 3;
const LONGEST: Duration = Duration::from_secs(600);

/// Knows when to say something again.
pub struct Waiting {
    since: Instant,
    pause: Duration,
}

impl Default for Waiting {
    fn default() -> Self {
        Waiting { since: Instant::now(), pause: FIRST }
    }
}

impl Waiting {
    /// What was awaited has come.
    pub fn over(&mut self) {
        *self = Self::default();
    }

    /// Whether it is time to say what is awaited.
    pub fn is_due(&mut self, now: Instant) -> bool {
        if now.duration_since(self.since) < self.pause {
            return false;
        }
        self.since = now;
        self.pause = (self.pause * LONGER).min(LONGEST);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_said_less_and_less_often() {
        let mut waiting = Waiting::default();
        let start = waiting.since;
        let said: Vec<u64> = (0..60).filter(|&s| waiting.is_due(start + Duration::from_secs(s))).collect();
        assert_eq!(said, [3, 12, 39]);
        waiting.over();
        assert!(!waiting.is_due(Instant::now()));
    }
}
