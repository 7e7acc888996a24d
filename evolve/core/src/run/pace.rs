//! How many trials a batch has, and when a run saves. Results do not depend on either.

use evolve_search::evaluator::Evaluator;
use std::time::{Duration, Instant};

/// The target duration of a batch: short enough to wait for when stopping, long enough to keep all
/// threads busy.
const BATCH: Duration = Duration::from_secs(2);
/// The target duration of a batch if the evaluator starts trials of the next batch before this one
/// ends. It can be short, because no thread waits at the end of such a batch.
const BATCH_AHEAD: Duration = Duration::from_millis(250);
/// The smallest number of trials per thread in a batch, so that threads are rarely idle at its end.
const LEAST_EACH: usize = 8;
/// The duration of a batch above which it is saved at once, because its trials are expensive.
const SLOW_BATCH: Duration = Duration::from_secs(3);
/// The longest time between two saves within a schedule of cheap trials.
const SAVE_WITHIN_SCHEDULE: Duration = Duration::from_secs(10);
/// The longest time between two saves. Dear trials are saved within a schedule, cheap ones at its
/// end.
const SAVE: Duration = Duration::from_secs(1);
/// The end of a schedule of cheap trials saves only if this many trials or [`SAVE`] have passed
/// since the last save: saving more often would take as long as playing.
const SAVE_TRIALS: u64 = 1000;
/// The largest factor by which a measured rate may grow at once. Cached outcomes arrive
/// immediately, and would otherwise inflate it.
const FASTER: f64 = 4.0;

/// The recent speed of a run, and its last save.
pub struct Pace {
    /// The recent number of trials per second; 0 before the first measurement.
    pub rate: f64,
    /// The trials since the measurement, and their time.
    since: (usize, Duration),
    /// The time of the last save, and the number of trials at that time.
    saved: (Instant, u64),
    /// The last time at which the incumbent was written.
    shown: Option<Instant>,
    /// The largest number of trials in a batch; unit tests lower it.
    pub most: usize,
}

impl Pace {
    /// Begins after this many trials.
    pub fn new(trials: u64) -> Self {
        Pace { rate: 0.0, since: (0, Duration::ZERO), saved: (Instant::now(), trials), shown: None, most: usize::MAX }
    }

    /// Returns the target number of trials in the next batch.
    pub fn batch(&self, evaluator: &dyn Evaluator) -> usize {
        let of = |duration: Duration| (self.rate * duration.as_secs_f64()) as usize;
        let size = match evaluator.plays_ahead() {
            true => of(BATCH_AHEAD),
            // Trials are slow, or their speed is unknown: a quick stop is worth more than keeping
            // every thread busy.
            false if self.rate < 2.0 * LEAST_EACH as f64 => of(BATCH).max(evaluator.parallelism()),
            false => of(BATCH).max(LEAST_EACH * evaluator.parallelism()),
        };
        size.min(self.most).max(1)
    }

    /// Adds a batch that took `elapsed`. If trials are played ahead, batches are too short to
    /// measure each.
    pub fn add(&mut self, trials: usize, elapsed: Duration, plays_ahead: bool) {
        self.since = (self.since.0 + trials, self.since.1 + elapsed);
        let (trials, time) = self.since;
        if time >= if plays_ahead { BATCH_AHEAD } else { Duration::ZERO } {
            let rate = trials as f64 / time.as_secs_f64().max(1e-6);
            self.rate = if self.rate > 0.0 { rate.min(FASTER * self.rate) } else { rate };
            self.since = (0, Duration::ZERO);
        }
    }

    /// Returns whether to save within a schedule, after a batch that took `elapsed`. `are_dear`
    /// says that trials are logged one by one, and are expensive to repeat.
    pub fn saves_within_schedule(&self, elapsed: Duration, are_dear: bool) -> bool {
        let within = if are_dear { SAVE } else { SAVE_WITHIN_SCHEDULE };
        elapsed > SLOW_BATCH || self.saved.0.elapsed() > within
    }

    /// Returns whether saving can wait at the end of a schedule of cheap trials, after this many
    /// trials.
    pub fn can_wait(&self, trials: u64) -> bool {
        trials - self.saved.1 < SAVE_TRIALS && self.saved.0.elapsed() < SAVE
    }

    /// Returns whether to write the incumbent of a search with a save: the first time, and when the
    /// last one is long ago.
    pub fn shows(&mut self) -> bool {
        let is_due = self.shown.is_none_or(|shown| shown.elapsed() > SAVE);
        if is_due {
            self.shown = Some(Instant::now());
        }
        is_due
    }

    /// Notes a save after this many trials.
    pub fn save(&mut self, trials: u64) {
        self.saved = (Instant::now(), trials);
    }
}
