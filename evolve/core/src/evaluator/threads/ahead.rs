//! A round that plays expected trials in the background, in order, so that no thread waits while
//! another plays a slow trial.

use super::{Seat, Threads};
use crate::evaluator::{Round, Trial};
use crate::lock;
use crate::model::trial::{Outcome, PlayError};
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// A round on the threads of a pool.
pub struct Ahead<'a> {
    threads: &'a Threads,
    seats: Vec<Arc<Seat>>,
    shared: Arc<Shared>,
}

/// The part of a round that its threads share with it.
#[derive(Default)]
struct Shared {
    progress: Mutex<Progress>,
    changed: Condvar,
}

#[derive(Default)]
struct Progress {
    /// The expected trials whose outcomes the caller has not yet taken, the oldest first, each with
    /// its result once it is complete.
    expected: VecDeque<(Trial, Option<Played>)>,
    /// Number of trials whose results were taken.
    taken: usize,
    /// Number of trials under way.
    playing: usize,
    /// Whether no further trial starts.
    is_stopped: bool,
}

/// The result of a trial, or the panic that ended it.
type Played = std::thread::Result<Result<Outcome, PlayError>>;

impl Progress {
    /// Returns the results of the oldest trials, at most `most`.
    fn results(&self, most: usize) -> impl Iterator<Item = &Option<Played>> {
        self.expected.iter().take(most).map(|(_, played)| played)
    }

    /// Removes the oldest trials, and returns the results of these `count`, which are complete.
    fn take(&mut self, count: usize) -> Vec<Played> {
        self.taken += count;
        self.expected.drain(..count).filter_map(|(_, played)| played).collect()
    }
}

impl Shared {
    fn progress(&self) -> MutexGuard<'_, Progress> {
        lock(&self.progress)
    }

    /// Plays a trial, unless the round was stopped before.
    fn play(&self, number: usize, seat: &Seat, trial: &Trial) {
        {
            let mut progress = self.progress();
            if progress.is_stopped {
                return;
            }
            progress.playing += 1;
        }
        let play = || seat.contender().player().play_against(&trial.deal, trial.rival);
        let played = catch_unwind(AssertUnwindSafe(play));
        let mut progress = self.progress();
        let place = number - progress.taken;
        progress.expected[place].1 = Some(played);
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
    /// Creates a round without candidates.
    pub fn new(threads: &'a Threads) -> Self {
        Ahead { threads, seats: Vec::new(), shared: Arc::default() }
    }

    /// Starts no further trials, and waits for those under way.
    fn stop(&self) -> MutexGuard<'_, Progress> {
        self.shared.progress().is_stopped = true;
        self.shared.changed.notify_all();
        self.shared.wait(|progress| progress.playing == 0)
    }
}

impl Round for Ahead<'_> {
    fn add(&mut self, candidates: &[Vec<f64>]) {
        self.threads.seat(&mut self.seats, candidates);
    }

    fn expect(&mut self, trials: &[Trial]) {
        let first = {
            let mut progress = self.shared.progress();
            let first = progress.taken + progress.expected.len();
            progress.expected.extend(trials.iter().map(|&trial| (trial, None)));
            first
        };
        for (&trial, number) in trials.iter().zip(first..) {
            let (shared, seat) = (Arc::clone(&self.shared), Arc::clone(&self.seats[trial.candidate]));
            self.threads.pool.spawn_fifo(move || shared.play(number, &seat, &trial));
        }
    }

    fn evaluate(&mut self, trials: &[Trial]) -> Result<Vec<Outcome>, PlayError> {
        let known = {
            let expected = &self.shared.progress().expected;
            let are_expected = expected.iter().zip(trials).all(|((expected, _), trial)| expected == trial);
            assert!(are_expected, "batches are the expected ones");
            expected.len().min(trials.len())
        };
        self.expect(&trials[known..]);
        // A failure ends the run, so later trials need not be awaited.
        let ends = |played: &Option<Played>| matches!(played, Some(Err(_) | Ok(Err(_))));
        let mut progress = self.shared.wait(|progress| {
            progress.results(trials.len()).find(|played| played.is_none() || ends(played)).is_none_or(ends)
        });
        let count = progress.results(trials.len()).take_while(|played| played.is_some()).count();
        let played = progress.take(count);
        drop(progress);
        played.into_iter().map(|played| played.unwrap_or_else(|panic| resume_unwind(panic))).collect()
    }

    fn finish(&mut self, most: usize) -> Vec<Outcome> {
        let mut progress = self.stop();
        let count = progress.results(most).take_while(|played| matches!(played, Some(Ok(Ok(_))))).count();
        progress.take(count).into_iter().filter_map(|played| played.ok()?.ok()).collect()
    }
}

impl Drop for Ahead<'_> {
    fn drop(&mut self) {
        drop(self.stop());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluator::Evaluator;
    use crate::model::parameter::Parameter;
    use crate::model::problem::{Context, OpenError, Problem, Session, session};
    use crate::model::seed::Split;
    use crate::model::traits::{Execution, Traits};
    use crate::model::trial::{Deal, Failure, FailureKind};
    use std::sync::mpsc::{Receiver, Sender, channel};
    use std::time::Duration;

    /// A problem whose trials each wait for their gate. The score is the candidate's factor times
    /// the deal's number.
    struct Gates(Mutex<Option<Vec<Receiver<()>>>>, Sender<u64>);

    impl Problem for Gates {
        fn name(&self) -> &str {
            "gates"
        }

        fn parameters(&self) -> Vec<Parameter> {
            vec![Parameter::float("factor", 0.0, 1000.0, 1.0)]
        }

        fn traits(&self) -> Traits {
            Traits { execution: Execution::External, ..Traits::default() }
        }

        fn open(&self, _: Context) -> Result<Box<dyn Session>, OpenError> {
            let gates = self.0.lock().unwrap().take().expect("it is opened once").into_iter().map(Mutex::new);
            let (gates, begun) = (Arc::new(gates.collect::<Vec<_>>()), self.1.clone());
            Ok(session(move |candidate| {
                let (factor, gates, begun) = (candidate.float("factor"), Arc::clone(&gates), begun.clone());
                move |deal: &Deal| {
                    begun.send(deal.number).unwrap();
                    gates[deal.number as usize].lock().unwrap().recv().unwrap();
                    match deal.number {
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

    fn trial(candidate: usize, number: u64) -> Trial {
        Trial::new(candidate, Deal { split: Split::Search, number, seed: 0 })
    }

    /// Starts a round that expects the first `count` trials of one candidate, and waits until two
    /// have begun.
    fn start<'a>(threads: &'a Threads, begun: &Receiver<u64>, count: u64) -> (Box<dyn Round + 'a>, Vec<Trial>) {
        let mut round = threads.round(&[vec![10.0]]);
        let trials: Vec<Trial> = (0..count).map(|number| trial(0, number)).collect();
        round.expect(&trials);
        let mut two = [next(begun), next(begun)];
        two.sort_unstable();
        assert_eq!(two, [0, 1]);
        (round, trials)
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
        let (mut round, first) = start(&threads, &begun, 4);
        round.add(&[vec![100.0]]);
        round.expect(&[trial(1, 4), trial(1, 5)]);
        // Trial 0 is slow: the other thread plays all others meanwhile.
        for (number, key) in keys.iter().enumerate().skip(1) {
            key.send(()).unwrap();
            if number < 5 {
                assert_eq!(next(&begun), number as u64 + 1, "in order");
            }
        }
        keys[0].send(()).unwrap();
        assert_eq!(scores(&round.evaluate(&first[..1]).unwrap()), [0.0]);
        assert_eq!(scores(&round.evaluate(&first[1..]).unwrap()), [10.0, 20.0, 30.0]);
        assert_eq!(scores(&round.evaluate(&[trial(1, 4), trial(1, 5)]).unwrap()), [400.0, 500.0]);
    }

    #[test]
    fn a_stop_waits_for_trials_under_way_and_keeps_their_outcomes() {
        let (threads, keys, begun) = gated(5);
        let mut round = Ahead::new(&threads);
        round.add(&[vec![10.0]]);
        let trials: Vec<Trial> = (0..5).map(|number| trial(0, number)).collect();
        round.expect(&trials);
        assert_eq!(next(&begun) + next(&begun), 1);
        keys[0].send(()).unwrap();
        assert_eq!(scores(&round.evaluate(&trials[..1]).unwrap()), [0.0]);
        assert_eq!(next(&begun), 2);
        let shared = Arc::clone(&round.shared);
        let late = std::thread::spawn(move || {
            drop(shared.wait(|progress| progress.is_stopped));
            keys[1].send(()).unwrap();
            keys[2].send(()).unwrap();
            keys
        });
        let known = scores(&round.finish(5));
        // The round is stopped before the gates open, so no thread begins another trial.
        assert_eq!(known, [10.0, 20.0]);
        let keys = late.join().unwrap();
        drop(round);
        assert!(begun.try_recv().is_err(), "no further trial began");
        drop(keys);
    }

    #[test]
    fn the_first_failure_in_order_is_reported_and_panics_are_passed_on() {
        let (threads, keys, _begun) = gated(9);
        keys.iter().for_each(|key| key.send(()).unwrap());
        let mut round = threads.round(&[vec![10.0]]);
        let ended = round.evaluate(&[trial(0, 1), trial(0, 7), trial(0, 2)]);
        assert_eq!(ended, Err(Failure::new(FailureKind::Signal, "").into()));
        drop(round);
        keys[8].send(()).unwrap();
        let mut round = threads.round(&[vec![10.0]]);
        let panic = catch_unwind(AssertUnwindSafe(|| round.evaluate(&[trial(0, 8)]))).unwrap_err();
        assert_eq!(panic.downcast_ref::<&str>(), Some(&"eight"));
    }
}
