//! Many dialogues with one program, several at a time.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, MutexGuard, PoisonError, mpsc};
use std::thread;

use super::process::{Dialogue, Limits, NotPlayed, play};
use super::verdict::Verdict;
use evolve_core::contest::Referee;
use evolve_process::StartError;

/// What to play: so many dialogues from the first on with one program, each in a fresh process.
#[derive(Clone, Debug)]
pub struct Session<'a> {
    /// The program and its arguments.
    pub command: &'a [OsString],
    /// The limits of each dialogue.
    pub limits: Limits,
    /// The number of the first dialogue.
    pub first: u64,
    /// How many dialogues there are.
    pub dialogues: u64,
    /// How many dialogues are played at a time. Which, and their referees, do not depend on it, but the
    /// time limit is one of wall-clock time: with more jobs than idle cores, programs wait for a core on
    /// their own time, so that a slow one may fail here and pass in the contest.
    pub jobs: NonZeroUsize,
    /// Whether what is said is taken down.
    pub transcripts: bool,
}

/// What came of a session.
#[derive(Debug)]
pub struct Played {
    /// The dialogues in the order of their numbers, from the first; fewer than asked for if the session ended early.
    pub dialogues: Vec<Dialogue>,
    /// Why the judge could not go on, where that was its own shortage and not the program's fault.
    pub shortage: Option<StartError>,
}

impl Session<'_> {
    /// Plays the dialogues and returns them in the order of their numbers.
    ///
    /// `deal` makes the referee of a dialogue from its number, on the thread that plays it; `each` sees
    /// each finished dialogue with its number, in order, as soon as it and all before it are finished, and may take its
    /// transcript, which is not kept.
    ///
    /// There are fewer dialogues than asked for if `stop` is raised, which also breaks off the dialogues under
    /// way, or if the program cannot be started; that dialogue is the last one then. Where the judge runs out of
    /// threads, processes, descriptors or memory, it goes on with fewer dialogues at a time; if it cannot start even
    /// one, the session ends with that shortage.
    ///
    /// # Panics
    ///
    /// Panics if `deal`, a referee or `each` does, after the dialogues under way.
    pub fn play(
        &self,
        deal: &(dyn Fn(u64) -> Box<dyn Referee> + Sync),
        stop: &AtomicBool,
        each: &mut dyn FnMut(u64, &mut Dialogue),
    ) -> Played {
        let work = Work::new(self.dialogues);
        let (sender, finished) = mpsc::channel();
        let mut dialogues = Vec::new();
        thread::scope(|scope| {
            for _ in 0..self.jobs.get().min(usize::try_from(self.dialogues).unwrap_or(usize::MAX)) {
                let (sender, work) = (sender.clone(), &work);
                let player = move || {
                    let _close = CloseOnPanic(work);
                    while let Some(index) = work.take() {
                        let mut referee = deal(self.first + index);
                        match play(self.command, &mut *referee, &self.limits, stop, self.transcripts) {
                            Ok(dialogue) => {
                                if sender.send((index, dialogue)).is_err() {
                                    break;
                                }
                            }
                            Err(NotPlayed::Stopped) => break,
                            Err(NotPlayed::Shortage(shortage)) => return work.give_back(Some(index), shortage),
                        }
                    }
                };
                work.join();
                if let Err(error) = thread::Builder::new().spawn_scoped(scope, player) {
                    // There will be no more threads either.
                    work.give_back(None, StartError::Shortage(error));
                    break;
                }
            }
            drop(sender);

            let _close = CloseOnPanic(&work);
            let mut waiting = BTreeMap::new();
            for (index, dialogue) in finished {
                waiting.insert(index, dialogue);
                while let Some(mut dialogue) = waiting.remove(&(dialogues.len() as u64)) {
                    each(self.first + dialogues.len() as u64, &mut dialogue);
                    dialogue.transcript = None;
                    let hopeless = matches!(dialogue.verdict, Verdict::NotStarted { .. });
                    dialogues.push(dialogue);
                    if hopeless {
                        work.close();
                        return;
                    }
                }
            }
        });
        Played { dialogues, shortage: work.lock().shortage.take() }
    }
}

/// Hands out the numbers of the dialogues.
struct Work(Mutex<Open>);

/// What is left to do.
struct Open {
    next: u64,
    end: u64,
    /// Numbers handed out, but given back.
    returned: Vec<u64>,
    /// The threads that will take more.
    players: usize,
    shortage: Option<StartError>,
}

impl Work {
    fn new(end: u64) -> Self {
        Self(Mutex::new(Open { next: 0, end, returned: Vec::new(), players: 0, shortage: None }))
    }

    /// Nothing that is done under the lock can panic half-way.
    fn lock(&self) -> MutexGuard<'_, Open> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// One more thread will take numbers.
    fn join(&self) {
        self.lock().players += 1;
    }

    /// The next number; if there is none, the thread that asked takes no more.
    fn take(&self) -> Option<u64> {
        let mut open = self.lock();
        if let Some(index) = open.returned.pop() {
            return Some(index);
        }
        if open.next >= open.end {
            open.players -= 1;
            return None;
        }
        open.next += 1;
        Some(open.next - 1)
    }

    /// The thread takes no more for this shortage. That is the end if nobody is left to take what is left.
    fn give_back(&self, index: Option<u64>, shortage: StartError) {
        let mut open = self.lock();
        open.players -= 1;
        open.returned.extend(index);
        if open.players == 0 && (!open.returned.is_empty() || open.next < open.end) {
            open.shortage = Some(shortage);
        }
    }

    /// Hands out no more.
    fn close(&self) {
        let mut open = self.lock();
        open.next = open.end;
        open.returned.clear();
    }
}

/// After a panic in one thread, keeps the others from playing all that is left before it is passed on.
struct CloseOnPanic<'a>(&'a Work);

impl Drop for CloseOnPanic<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.close();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shortage() -> StartError {
        StartError::Shortage(rustix::io::Errno::MFILE.into())
    }

    #[test]
    fn what_one_thread_cannot_do_another_does() {
        let work = Work::new(3);
        work.join();
        work.join();
        assert_eq!((work.take(), work.take()), (Some(0), Some(1)));
        work.give_back(Some(0), shortage());
        assert_eq!((work.take(), work.take(), work.take()), (Some(0), Some(2), None));
        assert!(work.lock().shortage.is_none());
    }

    #[test]
    fn the_last_thread_gives_up() {
        let work = Work::new(3);
        work.join();
        assert_eq!(work.take(), Some(0));
        // A second thread could not be started.
        work.join();
        work.give_back(None, shortage());
        assert!(work.lock().shortage.is_none());
        work.give_back(Some(0), shortage());
        assert!(work.lock().shortage.is_some());
    }
}
