//! The workers of a session, known by their signs of life.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// The workers that play, by name.
#[derive(Default)]
pub struct Members {
    playing: BTreeMap<String, Member>,
    /// Whether any worker has joined so far.
    pub any: bool,
}

struct Member {
    threads: usize,
    heard: Instant,
}

/// The largest plausible number of simultaneous trials of a worker.
const MOST_THREADS: u32 = 4096;

impl Members {
    /// Records a sign of life. Returns whether the worker is new.
    pub fn hear(&mut self, worker: &str, threads: u32) -> bool {
        self.any = true;
        let member = Member { threads: threads.clamp(1, MOST_THREADS) as usize, heard: Instant::now() };
        self.playing.insert(worker.to_string(), member).is_none()
    }

    /// Removes a worker that leaves. Returns whether it was known.
    pub fn leave(&mut self, worker: &str) -> bool {
        self.playing.remove(worker).is_some()
    }

    /// Removes workers that were silent for longer than `silent`. Returns their names.
    pub fn give_up(&mut self, silent: Duration) -> Vec<String> {
        let all = std::mem::take(&mut self.playing).into_iter();
        let (lost, playing): (BTreeMap<_, _>, _) = all.partition(|(_, member)| member.heard.elapsed() > silent);
        self.playing = playing;
        lost.into_keys().collect()
    }

    /// Returns the number of workers that play now.
    pub fn count(&self) -> usize {
        self.playing.len()
    }

    pub fn threads(&self) -> usize {
        self.playing.values().map(|member| member.threads).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn workers_come_and_go() {
        let mut members = Members::default();
        assert!(members.hear("node:1", 4) && members.hear("node:2", 0) && !members.hear("node:1", 4));
        assert_eq!((members.count(), members.threads()), (2, 5));
        assert!(members.leave("node:2") && !members.leave("node:2"));
        assert!(members.give_up(Duration::from_secs(100_000)).is_empty());
        assert_eq!(members.give_up(Duration::ZERO), ["node:1"]);
        assert_eq!((members.count(), members.any), (0, true));
        assert!(members.hear("node:1", 4), "it may come back");
    }
}
