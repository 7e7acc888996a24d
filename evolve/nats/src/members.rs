//! The workers of a session, as far as they were heard of.

use crate::wire::{Beat, Hello};
use evolve_core::run::workers::{Worker, WorkerState};
use std::collections::{BTreeMap, VecDeque};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// How long a worker's speed is measured over.
const LATELY: Duration = Duration::from_secs(10);

/// All workers that asked to join, by what names them.
#[derive(Default)]
pub struct Members(BTreeMap<String, Member>);

struct Member {
    name: String,
    threads: u32,
    state: WorkerState,
    /// Whether it has shown what it had to.
    is_proved: bool,
    heard: Instant,
    heard_at: SystemTime,
    games: u64,
    busy: Duration,
    since: Duration,
    /// Trials at moments of the last seconds.
    marks: VecDeque<(Instant, u64)>,
}

/// Workers and threads, and what share of their time they spent on trials.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sum {
    /// Workers that ever joined.
    pub workers: usize,
    /// Their threads.
    pub threads: usize,
    /// How long these took part, all together.
    pub seconds: f64,
    /// The share of that time that was spent on trials.
    pub busy: f64,
}

impl Members {
    /// A worker that asks to join. Nothing of it counts yet.
    pub fn hello(&mut self, hello: &Hello) {
        let now = Instant::now();
        let known = self.0.get(&hello.worker);
        let state = known.map_or(WorkerState::Playing, |member| member.state);
        let (games, busy, since) = known.map(|m| (m.games, m.busy, m.since)).unwrap_or_default();
        let member = Member {
            name: hello.name.clone(),
            threads: hello.threads,
            state,
            is_proved: false,
            heard: now,
            heard_at: SystemTime::now(),
            games,
            busy,
            since,
            marks: VecDeque::new(),
        };
        self.0.insert(hello.worker.clone(), member);
    }

    /// What a worker played counts from now on.
    pub fn accept(&mut self, worker: &str) {
        if let Some(member) = self.0.get_mut(worker) {
            member.state = WorkerState::Playing;
            member.is_proved = true;
        }
    }

    /// What a worker played does not count from now on.
    pub fn refuse(&mut self, worker: &str) {
        if let Some(member) = self.0.get_mut(worker) {
            member.state = WorkerState::Refused;
            member.is_proved = false;
        }
    }

    /// Whether what a worker played counts.
    pub fn counts(&self, worker: &str) -> bool {
        self.0.get(worker).is_some_and(|member| member.is_proved)
    }

    /// The name of a worker.
    pub fn name(&self, worker: &str) -> String {
        self.0.get(worker).map_or_else(|| "a stranger".to_string(), |member| member.name.clone())
    }

    /// A sign of life; the worker's name if it comes back after it was given up, or leaves now.
    pub fn beat(&mut self, beat: &Beat) -> Option<String> {
        let member = self.0.get_mut(&beat.worker).filter(|member| member.is_proved)?;
        let was = member.state;
        member.heard = Instant::now();
        member.heard_at = SystemTime::now();
        member.games = beat.games;
        member.busy = beat.busy;
        member.since = beat.since;
        member.state = if beat.last { WorkerState::Left } else { WorkerState::Playing };
        member.marks.push_back((member.heard, beat.games));
        while member.marks.len() > 2 && member.heard - member.marks[1].0 > LATELY {
            member.marks.pop_front();
        }
        (member.state != was).then(|| member.name.clone())
    }

    /// Whether there are workers that were silent for so long and not given up yet.
    pub fn any_silent(&self, silent: Duration) -> bool {
        self.playing().any(|member| member.heard.elapsed() > silent)
    }

    /// Gives up workers that were silent for so long; their names.
    pub fn give_up(&mut self, silent: Duration) -> Vec<String> {
        let is_lost = |member: &&mut Member| member.state == WorkerState::Playing && member.heard.elapsed() > silent;
        let lost = self.0.values_mut().filter(is_lost).map(|member| {
            member.state = WorkerState::Lost;
            member.name.clone()
        });
        lost.collect()
    }

    fn playing(&self) -> impl Iterator<Item = &Member> {
        self.0.values().filter(|member| member.is_proved && member.state == WorkerState::Playing)
    }

    /// Threads that play now.
    pub fn threads(&self) -> usize {
        self.playing().map(|member| member.threads as usize).sum()
    }

    /// Workers that play now.
    pub fn count(&self) -> usize {
        self.playing().count()
    }

    /// Whether any worker ever joined.
    pub fn any(&self) -> bool {
        self.0.values().any(|member| member.is_proved)
    }

    /// All that joined, put together.
    pub fn sum(&self) -> Sum {
        let joined = || self.0.values().filter(|member| member.is_proved);
        let seconds: f64 = joined().map(|member| f64::from(member.threads) * member.since.as_secs_f64()).sum();
        let busy: f64 = joined().map(|member| member.busy.as_secs_f64()).sum();
        Sum {
            workers: joined().count(),
            threads: joined().map(|member| member.threads as usize).sum(),
            seconds,
            busy: if seconds > 0.0 { busy / seconds } else { 0.0 },
        }
    }

    /// All workers, for those who look on.
    pub fn listing(&self) -> Vec<Worker> {
        let mut all: Vec<Worker> = self.0.values().map(Member::listed).collect();
        all.sort_by(|a, b| a.name.cmp(&b.name));
        all
    }
}

impl Member {
    fn listed(&self) -> Worker {
        let speed = match (self.marks.front(), self.marks.back()) {
            (Some((from, first)), Some((to, last))) if to > from => {
                last.saturating_sub(*first) as f64 / (*to - *from).as_secs_f64()
            }
            _ => 0.0,
        };
        let all = f64::from(self.threads) * self.since.as_secs_f64();
        Worker {
            name: self.name.clone(),
            state: self.state,
            threads: self.threads,
            games: self.games,
            games_per_second: if self.state == WorkerState::Playing { speed } else { 0.0 },
            busy: if all > 0.0 { (self.busy.as_secs_f64() / all).min(1.0) } else { 0.0 },
            heard: self.heard_at.duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::digest::Digest;
    use crate::wire::Build;

    #[test]
    fn a_worker_counts_once_it_has_proved_itself() {
        let digest = Digest::of(b"");
        let build = Build { version: 1, problem: "p".into(), declaration: digest, executable: digest };
        let mut members = Members::default();
        members.hello(&Hello { worker: "a".into(), name: "node:1".into(), threads: 4, build });
        assert!(!members.counts("a") && members.threads() == 0 && !members.any());
        members.accept("a");
        members.accept("nobody");
        assert!(members.counts("a") && members.threads() == 4 && members.count() == 1);

        let second = Duration::from_secs(1);
        let beat = Beat { worker: "a".into(), games: 30, busy: 2 * second, since: second, last: false };
        assert_eq!(members.beat(&beat), None);
        assert_eq!(members.sum(), Sum { workers: 1, threads: 4, seconds: 4.0, busy: 0.5 });
        assert_eq!(members.give_up(Duration::ZERO), ["node:1"]);
        assert_eq!((members.threads(), members.listing()[0].state), (0, WorkerState::Lost));
        assert!(members.counts("a"), "what a late one played counts all the same");
        assert_eq!(members.beat(&beat), Some("node:1".to_string()));
        assert_eq!(members.threads(), 4);
        members.beat(&Beat { last: true, ..beat.clone() });
        assert_eq!((members.count(), members.listing()[0].games), (0, 30));
        members.refuse("a");
        assert!(!members.counts("a") && members.beat(&beat).is_none());
    }
}
