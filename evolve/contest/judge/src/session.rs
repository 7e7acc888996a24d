//! Sessions of many dialogues with one program, several in parallel.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc;
use std::thread;

use super::process::{Dialogue, DialogueLimits, NotPlayed, play_dialogue};
use super::verdict::Verdict;
use evolve_contest::judge::Referee;
use evolve_process::StartError;

/// The dialogues to play with one program, each in a new process.
#[derive(Clone, Debug)]
pub struct Dialogues<'a> {
    /// The program and its arguments.
    pub command: &'a [OsString],
    /// The limits of each dialogue.
    pub limits: DialogueLimits,
    /// The number of the first dialogue.
    pub first: u64,
    /// The number of dialogues.
    pub dialogues: u64,
    /// The number of parallel dialogues. It does not change which dialogues are played, nor their
    /// referees. But the time limit is wall-clock time: with more jobs than idle cores, programs
    /// wait for a core during their own time, so that a slow program may fail here and pass in the
    /// contest.
    pub jobs: NonZeroUsize,
    /// Whether to record transcripts.
    pub transcripts: bool,
}

/// The result of a session.
#[derive(Debug)]
pub struct Played {
    /// The dialogues in order of their numbers, from the first; fewer than requested if the session
    /// ended early.
    pub dialogues: Vec<Dialogue>,
    /// The resource that the judge lacked, if a shortage ended the session.
    pub shortage: Option<StartError>,
}

impl Dialogues<'_> {
    /// Plays the dialogues and returns them in the order of their numbers.
    ///
    /// `deal` creates the referee of a dialogue from its number, on the thread that plays it.
    /// `each` receives every finished dialogue with its number, in order, as soon as it and all
    /// earlier ones are finished. It may take the transcript, which is not kept.
    ///
    /// Fewer dialogues than requested are returned in three cases: if `stop` is set, which also
    /// breaks off the current dialogues; if the program cannot be started, where that dialogue is
    /// the last one; or if the judge runs out of threads, processes, descriptors or memory.
    ///
    /// # Panics
    ///
    /// Panics if `deal`, a referee or `each` does.
    pub fn play_dialogues(
        &self,
        deal: &(dyn Fn(u64) -> Box<dyn Referee> + Sync),
        stop: &AtomicBool,
        each: &mut dyn FnMut(u64, &mut Dialogue),
    ) -> Played {
        let jobs = self.jobs.get().min(usize::try_from(self.dialogues).unwrap_or(usize::MAX));
        let (next, ended) = (AtomicU64::new(0), AtomicBool::new(false));
        let (sender, finished) = mpsc::channel();
        let (mut dialogues, mut shortage) = (Vec::new(), None);
        thread::scope(|scope| {
            for _ in 0..jobs {
                let player = {
                    let (sender, next, ended) = (sender.clone(), &next, &ended);
                    move || {
                        while !ended.load(Ordering::Relaxed) {
                            let index = next.fetch_add(1, Ordering::Relaxed);
                            if index >= self.dialogues {
                                break;
                            }
                            let mut referee = deal(self.first + index);
                            let played =
                                play_dialogue(self.command, &mut *referee, &self.limits, stop, self.transcripts);
                            let goes_on = played.is_ok();
                            if sender.send((index, played)).is_err() || !goes_on {
                                break;
                            }
                        }
                    }
                };
                if let Err(error) = thread::Builder::new().spawn_scoped(scope, player) {
                    shortage = Some(StartError::Shortage(error));
                    ended.store(true, Ordering::Relaxed);
                    break;
                }
            }
            drop(sender);

            let mut waiting = BTreeMap::new();
            for (index, played) in finished {
                match played {
                    Ok(dialogue) => _ = waiting.insert(index, dialogue),
                    Err(NotPlayed::Stopped) => {}
                    Err(NotPlayed::Shortage(error)) => {
                        shortage = Some(error);
                        ended.store(true, Ordering::Relaxed);
                    }
                }
                while let Some(mut dialogue) = waiting.remove(&(dialogues.len() as u64)) {
                    each(self.first + dialogues.len() as u64, &mut dialogue);
                    dialogue.transcript = None;
                    let hopeless = matches!(dialogue.verdict, Verdict::NotStarted { .. });
                    dialogues.push(dialogue);
                    if hopeless {
                        ended.store(true, Ordering::Relaxed);
                        return;
                    }
                }
            }
        });
        Played { dialogues, shortage }
    }
}
