//! The threads of a worker. Each plays one unit after the other.

use crate::proof::play;
use crate::wire::{Played, Unit};
use evolve_core::problem::{Problem, STOPPED};
use evolve_core::setup::Setup;
use std::io;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

/// Threads that play.
pub struct Crew {
    units: Option<Sender<(u64, Unit)>>,
    threads: Vec<JoinHandle<()>>,
    count: Arc<Count>,
}

/// What became of a unit, by what names it here.
pub struct Done {
    /// The number it was given with.
    pub key: u64,
    /// The round and the place of its first trial.
    pub round: u64,
    /// The place of its first trial.
    pub first: u64,
    /// Outcomes; `None` if it was not played.
    pub results: Option<Vec<Played>>,
    /// How long it took.
    pub time: Duration,
}

/// What the threads did so far, and what they are to do.
#[derive(Default)]
pub struct Count {
    /// Trials played.
    pub games: AtomicU64,
    /// Nanoseconds spent on them.
    pub busy: AtomicU64,
    /// The latest round seen: units of earlier ones are not worth playing.
    pub round: AtomicU64,
    /// Raised when no further unit is to be begun.
    pub quit: AtomicBool,
}

impl Crew {
    /// Starts threads. What they finish comes through the receiver.
    pub fn start(
        problem: &'static dyn Problem,
        setup: &Arc<Setup>,
        threads: usize,
    ) -> io::Result<(Self, UnboundedReceiver<Done>)> {
        let (units, waiting) = channel();
        let (done, finished) = unbounded_channel();
        let waiting = Arc::new(Mutex::new(waiting));
        let count = Arc::new(Count::default());
        let start = |i| {
            let (waiting, setup, count, done) =
                (Arc::clone(&waiting), Arc::clone(setup), Arc::clone(&count), done.clone());
            let work = move || work(problem, &setup, &waiting, &count, &done);
            thread::Builder::new().name(format!("player {i}")).spawn(work)
        };
        let threads = (0..threads).map(start).collect::<io::Result<_>>()?;
        Ok((Crew { units: Some(units), threads, count }, finished))
    }

    /// Has a unit played.
    pub fn give(&self, key: u64, unit: Unit) {
        self.count.round.fetch_max(unit.round, Ordering::Relaxed);
        if let Some(units) = &self.units {
            // The threads live as long as this.
            let _ = units.send((key, unit));
        }
    }

    /// What was done so far.
    pub fn count(&self) -> &Count {
        &self.count
    }
}

impl Drop for Crew {
    fn drop(&mut self) {
        self.count.quit.store(true, Ordering::Relaxed);
        self.units = None;
        for thread in self.threads.drain(..) {
            let _ = thread.join();
        }
    }
}

fn work(
    problem: &dyn Problem,
    setup: &Setup,
    waiting: &Mutex<Receiver<(u64, Unit)>>,
    count: &Count,
    done: &UnboundedSender<Done>,
) {
    loop {
        let next = waiting.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok((key, unit)) = next else { return };
        let start = Instant::now();
        let is_wanted = !count.quit.load(Ordering::Relaxed) && unit.round >= count.round.load(Ordering::Relaxed);
        let results = is_wanted.then(|| play(problem, setup, &unit));
        let time = start.elapsed();
        // What was given up says nothing.
        let is_given_up = |played: &Played| played.as_ref().is_err_and(|failure| failure.kind == STOPPED);
        let results = results.filter(|results| !results.iter().any(is_given_up));
        if let Some(results) = &results {
            count.games.fetch_add(results.len() as u64, Ordering::Relaxed);
            count.busy.fetch_add(u64::try_from(time.as_nanos()).unwrap_or(u64::MAX), Ordering::Relaxed);
        }
        if done.send(Done { key, round: unit.round, first: unit.first, results, time }).is_err() {
            return;
        }
    }
}
