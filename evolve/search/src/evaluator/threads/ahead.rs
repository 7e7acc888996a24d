//! A queue that plays its trials in the background, in order, so that no thread waits while another
//! plays a slow trial.

use super::{Seat, Seats, Threads};
use crate::evaluator::{Queue, Trial};
use crate::lock;
use crate::model::trial::{Case, Outcome, PlayError};
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// A queue on the threads of a pool.
pub struct Ahead<'a> {
    seats: Seats<'a>,
    shared: Arc<Shared>,
}

/// The part of a queue that its threads share with it.
#[derive(Default)]
struct Shared {
    progress: Mutex<Progress>,
    changed: Condvar,
}

#[derive(Default)]
struct Progress {
    /// The results of the trials in the queue, the oldest first, each once it is complete.
    results: VecDeque<Option<Played>>,
    /// Number of trials that have left the queue.
    taken: usize,
    /// Number of trials under way.
    playing: usize,
    /// Whether no further trial starts.
    is_stopped: bool,
}

/// The result of a trial, or the panic that ended it.
type Played = std::thread::Result<Result<Outcome, PlayError>>;

impl Progress {
    /// Returns the number of oldest trials, at most `most`, whose results are `known`.
    fn known(&self, most: usize, known: impl Fn(&Played) -> bool) -> usize {
        self.results.iter().take(most).take_while(|played| played.as_ref().is_some_and(&known)).count()
    }

    /// Removes the oldest trials, and returns the results of these `count`, which are complete.
    fn take(&mut self, count: usize) -> Vec<Played> {
        self.taken += count;
        self.results.drain(..count).flatten().collect()
    }
}

/// Returns whether a result ends the run.
fn ends(played: &Played) -> bool {
    !matches!(played, Ok(Ok(_)))
}

impl Shared {
    fn progress(&self) -> MutexGuard<'_, Progress> {
        lock(&self.progress)
    }

    /// Plays a trial, unless it has left the queue or the queue was stopped.
    fn play(&self, number: usize, seat: &Seat, case: &Case, rival: Option<f64>) {
        {
            let mut progress = self.progress();
            if progress.is_stopped || number < progress.taken {
                return;
            }
            progress.playing += 1;
        }
        let play = || seat.contender().player().play(case, rival);
        let played = catch_unwind(AssertUnwindSafe(play));
        let mut progress = self.progress();
        let place = number.checked_sub(progress.taken);
        if let Some(result) = place.and_then(|place| progress.results.get_mut(place)) {
            *result = Some(played);
        }
        progress.playing -= 1;
        drop(progress);
        self.changed.notify_all();
    }

    /// Waits until `is_done` holds.
    fn wait(&self, is_done: impl Fn(&Progress) -> bool) -> MutexGuard<'_, Progress> {
        let progress = self.progress();
        self.changed.wait_while(progress, |progress| !is_done(progress)).unwrap_or_else(PoisonError::into_inner)
    }
}

impl<'a> Ahead<'a> {
    /// Creates an empty queue.
    pub fn new(threads: &'a Threads) -> Self {
        Ahead { seats: Seats::new(threads), shared: Arc::default() }
    }

    /// Starts no further trials, and waits for those under way.
    fn halt(&self) -> MutexGuard<'_, Progress> {
        self.shared.progress().is_stopped = true;
        self.shared.changed.notify_all();
        self.shared.wait(|progress| progress.playing == 0)
    }
}

impl Queue for Ahead<'_> {
    fn push(&mut self, trials: Vec<Trial>) {
        let first = {
            let mut progress = self.shared.progress();
            let first = progress.taken + progress.results.len();
            progress.results.extend(trials.iter().map(|_| None));
            first
        };
        for (Trial { candidate, case, rival }, number) in trials.into_iter().zip(first..) {
            let seat = self.seats.index(&candidate);
            let (shared, seat) = (Arc::clone(&self.shared), Arc::clone(&self.seats.all[seat]));
            self.seats.threads.pool.spawn_fifo(move || shared.play(number, &seat, &case, rival));
        }
    }

    fn pop(&mut self, count: usize) -> Result<Vec<Outcome>, PlayError> {
        // A failure ends the run, so later trials need not be awaited.
        let failed = |progress: &Progress, known: usize| {
            progress.results.iter().take(count).nth(known).and_then(Option::as_ref).is_some_and(ends)
        };
        let mut progress = self.shared.wait(|progress| {
            let known = progress.known(count, |played| !ends(played));
            known == count || failed(progress, known)
        });
        let known = progress.known(count, |_| true);
        let played = progress.take(known);
        if played.iter().any(ends) {
            // The others leave the queue, and those under way end before anything else is played.
            progress.taken += progress.results.len();
            progress.results.clear();
            drop(progress);
            drop(self.shared.wait(|progress| progress.playing == 0));
        }
        played.into_iter().map(|played| played.unwrap_or_else(|panic| resume_unwind(panic))).collect()
    }

    fn stop(&mut self, most: usize) -> Vec<Outcome> {
        let mut progress = self.halt();
        let known = progress.known(most, |played| !ends(played));
        progress.take(known).into_iter().filter_map(|played| played.ok()?.ok()).collect()
    }
}

impl Drop for Ahead<'_> {
    fn drop(&mut self) {
        drop(self.halt());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluator::{Evaluator, Values, play};
    use crate::model::behaviour::Behaviour;
    use crate::model::parameter::Parameter;
    use crate::model::problem::{Context, OpenError, Problem, Session, session};
    use crate::model::seed::Split;
    use crate::model::trial::{Failure, FailureKind};
    use std::sync::mpsc::{Receiver, Sender, channel};
    use std::time::Duration;

    /// A problem whose trials each wait for their gate. The score is the candidate's factor times
    /// the case's number.
    struct Gates(Mutex<Option<Vec<Receiver<()>>>>, Sender<u64>);

    impl Problem for Gates {
        fn name(&self) -> &str {
            "gates"
        }

        fn parameters(&self) -> Vec<Parameter> {
            vec![Parameter::float("factor", 0.0, 1000.0, 1.0)]
        }

        fn behaviour(&self) -> Behaviour {
            Behaviour { is_external: true, ..Behaviour::default() }
        }

        fn open(&self, _: Context) -> Result<Box<dyn Session>, OpenError> {
            let gates = self.0.lock().unwrap().take().expect("it is opened once").into_iter().map(Mutex::new);
            let (gates, begun) = (Arc::new(gates.collect::<Vec<_>>()), self.1.clone());
            Ok(session(move |candidate| {
                let (factor, gates, begun) = (candidate.float("factor"), Arc::clone(&gates), begun.clone());
                move |case: &Case| {
                    begun.send(case.number).unwrap();
                    gates[case.number as usize].lock().unwrap().recv().unwrap();
                    match case.number {
                        7 => Err(Failure::new(FailureKind::Signal, "").into()),
                        8 => panic!("eight"),
                        number => Ok(Outcome::of(factor * number as f64)),
                    }
                }
            }))
        }
    }

    /// Returns threads that play trials behind `count` gates, the keys of the gates, and the
    /// numbers of begun trials.
    fn gated(count: usize) -> (Threads, Vec<Sender<()>>, Receiver<u64>) {
        let (keys, gates) = (0..count).map(|_| channel()).unzip();
        let (begin, begun) = channel();
        let problem = Gates(Mutex::new(Some(gates)), begin);
        (Threads::open(&problem, 2, Context::default()).unwrap(), keys, begun)
    }

    fn trial(candidate: &Values, number: u64) -> Trial {
        Trial::new(candidate, Case { split: Split::Search, number, seed: 0 })
    }

    fn next(begun: &Receiver<u64>) -> u64 {
        begun.recv_timeout(Duration::from_secs(600)).expect("a trial begins")
    }

    fn scores(outcomes: &[Outcome]) -> Vec<f64> {
        outcomes.iter().map(|outcome| outcome.score).collect()
    }

    #[test]
    fn no_thread_waits_for_a_slow_trial_and_candidates_may_join() {
        let (threads, keys, begun) = gated(6);
        let mut queue = threads.queue();
        let [ten, hundred] = [10.0, 100.0].map(|factor| Values::from([factor]));
        queue.push((0..4).map(|number| trial(&ten, number)).collect());
        assert_eq!(next(&begun) + next(&begun), 1, "trials 0 and 1 begin");
        queue.push(vec![trial(&hundred, 4), trial(&hundred, 5)]);
        // Trial 0 is slow: the other thread plays all others meanwhile.
        for (number, key) in keys.iter().enumerate().skip(1) {
            key.send(()).unwrap();
            if number < 5 {
                assert_eq!(next(&begun), number as u64 + 1, "in order");
            }
        }
        keys[0].send(()).unwrap();
        assert_eq!(scores(&queue.pop(1).unwrap()), [0.0]);
        assert_eq!(scores(&queue.pop(3).unwrap()), [10.0, 20.0, 30.0]);
        assert_eq!(scores(&queue.pop(2).unwrap()), [400.0, 500.0]);
    }

    #[test]
    fn a_stop_waits_for_trials_under_way_and_keeps_their_outcomes() {
        let (threads, keys, begun) = gated(5);
        let mut queue = Ahead::new(&threads);
        let ten = Values::from([10.0]);
        queue.push((0..5).map(|number| trial(&ten, number)).collect());
        assert_eq!(next(&begun) + next(&begun), 1);
        keys[0].send(()).unwrap();
        assert_eq!(scores(&queue.pop(1).unwrap()), [0.0]);
        assert_eq!(next(&begun), 2);
        let shared = Arc::clone(&queue.shared);
        let late = std::thread::spawn(move || {
            drop(shared.wait(|progress| progress.is_stopped));
            keys[1].send(()).unwrap();
            keys[2].send(()).unwrap();
            keys
        });
        let known = scores(&queue.stop(5));
        // The queue is stopped before the gates open, so no thread begins another trial.
        assert_eq!(known, [10.0, 20.0]);
        let keys = late.join().unwrap();
        drop(queue);
        assert!(begun.try_recv().is_err(), "no further trial began");
        drop(keys);
    }

    #[test]
    fn the_first_failure_in_order_is_reported_and_panics_are_passed_on() {
        let (threads, keys, _begun) = gated(9);
        keys.iter().for_each(|key| key.send(()).unwrap());
        let ten = Values::from([10.0]);
        let mut queue = threads.queue();
        let ended = play(&mut *queue, vec![trial(&ten, 1), trial(&ten, 7), trial(&ten, 2)]);
        assert_eq!(ended, Err(Failure::new(FailureKind::Signal, "").into()));
        // The queue is empty, and serves on.
        assert_eq!(scores(&play(&mut *queue, vec![trial(&ten, 3)]).unwrap()), [30.0]);
        keys[8].send(()).unwrap();
        let panic = catch_unwind(AssertUnwindSafe(|| play(&mut *queue, vec![trial(&ten, 8)]))).unwrap_err();
        assert_eq!(panic.downcast_ref::<&str>(), Some(&"eight"));
    }
}
