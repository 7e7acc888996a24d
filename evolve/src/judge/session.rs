//! Many dialogues with one program, several at a time.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc;
use std::thread;

use super::process::{Dialogue, Limits, play};
use super::verdict::Verdict;
use evolve_core::contest::Referee;

/// What to play: the dialogues 0 to `dialogues` - 1 with one program, each in a fresh process.
#[derive(Clone, Debug)]
pub struct Session<'a> {
    /// The program and its arguments.
    pub command: &'a [OsString],
    /// The limits of each dialogue.
    pub limits: Limits,
    /// The number of dialogues.
    pub dialogues: u64,
    /// How many dialogues are played at a time. Which, and their referees, do not depend on it, but the
    /// time limit is one of wall-clock time: with more jobs than idle cores, programs wait for a core on
    /// their own time, so that a slow one may fail here and pass in the contest.
    pub jobs: NonZeroUsize,
}

impl Session<'_> {
    /// Plays the dialogues and returns them in the order of their numbers.
    ///
    /// `deal` makes the referee of a dialogue from its number, on the thread that plays it; `each` sees
    /// each finished dialogue with its number, in order, as soon as it and all before it are finished.
    ///
    /// The result is shorter than asked for if `stop` is raised, which also breaks off the dialogues under
    /// way, or if the program cannot be started; that dialogue is the last one then.
    ///
    /// # Panics
    ///
    /// Panics if `deal`, a referee or `each` does, after the dialogues under way.
    pub fn play(
        &self,
        deal: &(dyn Fn(u64) -> Box<dyn Referee> + Sync),
        stop: &AtomicBool,
        each: &mut dyn FnMut(u64, &Dialogue),
    ) -> Vec<Dialogue> {
        let counter = Counter { next: AtomicU64::new(0), end: self.dialogues };
        let (sender, finished) = mpsc::channel();
        let mut dialogues = Vec::new();
        thread::scope(|scope| {
            for _ in 0..self.jobs.get().min(usize::try_from(self.dialogues).unwrap_or(usize::MAX)) {
                let (sender, counter) = (sender.clone(), &counter);
                scope.spawn(move || {
                    let _close = CloseOnPanic(counter);
                    while let Some(index) = counter.take() {
                        let played = play(self.command, &mut *deal(index), &self.limits, stop);
                        let Some(dialogue) = played else { break };
                        if sender.send((index, dialogue)).is_err() {
                            break;
                        }
                    }
                });
            }
            drop(sender);

            let _close = CloseOnPanic(&counter);
            let mut waiting = BTreeMap::new();
            for (index, dialogue) in finished {
                waiting.insert(index, dialogue);
                while let Some(dialogue) = waiting.remove(&(dialogues.len() as u64)) {
                    each(dialogues.len() as u64, &dialogue);
                    let hopeless = matches!(dialogue.verdict, Verdict::NotStarted { .. });
                    dialogues.push(dialogue);
                    if hopeless {
                        counter.close();
                        return;
                    }
                }
            }
        });
        dialogues
    }
}

/// Hands out the numbers of the dialogues.
struct Counter {
    next: AtomicU64,
    end: u64,
}

impl Counter {
    fn take(&self) -> Option<u64> {
        let index = self.next.fetch_add(1, Ordering::Relaxed);
        (index < self.end).then_some(index)
    }

    /// Hands out no more.
    fn close(&self) {
        self.next.store(self.end, Ordering::Relaxed);
    }
}

/// After a panic in one thread, keeps the others from playing all that is left before it is passed on.
struct CloseOnPanic<'a>(&'a Counter);

impl Drop for CloseOnPanic<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.close();
        }
    }
}
