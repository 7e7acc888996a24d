//! An evaluator that plays trials on the threads of this process.

mod ahead;

use super::{Evaluator, Opened, Queue, Trial, Values};
use crate::lock;
use crate::model::problem::{Contender, Context, Input, OpenError, Player, Problem, Session};
use crate::model::trial::{Case, Outcome, PlayError};
use ahead::Ahead;
use rayon::prelude::*;
use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, OnceLock};

/// Plays trials on the threads of a rayon pool.
pub struct Threads {
    pool: rayon::ThreadPool,
    sides: Vec<Arc<Side>>,
}

/// An open problem, with its order of play.
struct Side {
    opened: Opened,
    keeps_order: bool,
}

impl Side {
    fn of(problem: &dyn Problem, opened: Opened) -> Arc<Self> {
        Arc::new(Side { opened, keeps_order: problem.behaviour().is_external })
    }
}

/// The largest number of consecutive trials in one task.
const LONGEST_TASK: usize = 8;
/// The smallest number of tasks for each thread, if there are enough trials, so that few threads
/// are idle at the end of a batch.
const TASKS_A_THREAD: usize = 16;

/// Returns the number of consecutive trials of one candidate in a task, when `threads` share
/// `trials` in total.
fn task_size(trials: usize, threads: usize) -> usize {
    (trials / (threads.max(1) * TASKS_A_THREAD)).clamp(1, LONGEST_TASK)
}

/// Returns the number of cases that one candidate plays before the next candidate plays them. If
/// order matters, this is the number of threads; otherwise, it is large enough that creating
/// players costs little.
pub fn together(problem: &dyn Problem, threads: usize) -> usize {
    threads.max(1) * if problem.behaviour().is_external { 1 } else { LONGEST_TASK * TASKS_A_THREAD }
}

impl Threads {
    /// Creates a pool of `threads` threads and opens the problem on it; 0 means one thread for each
    /// core.
    ///
    /// # Errors
    /// If the system refuses to start the threads, or the problem cannot be played.
    pub fn open(problem: &dyn Problem, threads: usize, context: Context) -> Result<Self, OpenError> {
        Self::of_several([problem], threads, &context)
    }

    /// Creates a pool of `threads` threads that play in an open session.
    ///
    /// # Errors
    /// If the system refuses to start the threads.
    pub fn of_session(
        problem: &dyn Problem,
        session: impl Into<Arc<dyn Session>>,
        threads: usize,
    ) -> Result<Self, OpenError> {
        let opened = Opened::new(session, problem.parameters());
        Self::start(threads, || Ok(vec![Side::of(problem, opened)]))
    }

    /// Opens several problems, one for each candidate, in the order in which a queue first receives
    /// them; candidates without a problem play the last one.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn of_several<'s>(
        problems: impl IntoIterator<Item = &'s dyn Problem>,
        threads: usize,
        context: &Context,
    ) -> Result<Self, OpenError> {
        let open = |problem| Ok(Side::of(problem, Opened::open(problem, context.clone())?));
        let problems: Vec<_> = problems.into_iter().collect();
        Self::start(threads, || problems.into_iter().map(open).collect())
    }

    /// Starts the threads, and opens the sides on one of them.
    fn start(
        threads: usize,
        open: impl FnOnce() -> Result<Vec<Arc<Side>>, OpenError> + Send,
    ) -> Result<Self, OpenError> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let pool = pool.map_err(|error| format!("cannot start threads: {error}"))?;
        let sides = pool.install(open)?;
        Ok(Threads { pool, sides })
    }
}

impl Evaluator for Threads {
    fn queue(&self) -> Box<dyn Queue + '_> {
        match self.plays_ahead() {
            true => Box::new(Ahead::new(self)),
            false => Box::new(Batches { seats: Seats::new(self), trials: VecDeque::new() }),
        }
    }

    fn inputs(&self) -> &[Input] {
        self.sides[0].opened.inputs()
    }

    fn changed(&self) -> Option<String> {
        self.sides.iter().find_map(|side| side.opened.changed())
    }

    fn parallelism(&self) -> usize {
        self.pool.current_num_threads()
    }

    /// Only programs keep the order of their trials. These trials are long and differ in length, so
    /// they are played ahead.
    fn plays_ahead(&self) -> bool {
        self.sides.iter().any(|side| side.keeps_order)
    }
}

/// A candidate, prepared by the first task that plays it.
struct Seat {
    side: Arc<Side>,
    values: Values,
    contender: OnceLock<Box<dyn Contender>>,
}

impl Seat {
    fn contender(&self) -> &dyn Contender {
        self.contender.get_or_init(|| self.side.opened.contender(&self.values)).as_ref()
    }
}

/// The candidates of a queue, in the order in which it received them. A seat keeps its values, so
/// that no other candidate has their address.
struct Seats<'a> {
    threads: &'a Threads,
    all: Vec<Arc<Seat>>,
    by_address: BTreeMap<usize, usize>,
}

impl<'a> Seats<'a> {
    fn new(threads: &'a Threads) -> Self {
        Seats { threads, all: Vec::new(), by_address: BTreeMap::new() }
    }

    /// Returns the index of the seat of a candidate.
    fn index(&mut self, values: &Values) -> usize {
        let (sides, all) = (&self.threads.sides, &mut self.all);
        *self.by_address.entry(values.as_ptr().addr()).or_insert_with(|| {
            let side = Arc::clone(&sides[all.len().min(sides.len() - 1)]);
            all.push(Arc::new(Seat { side, values: Arc::clone(values), contender: OnceLock::new() }));
            all.len() - 1
        })
    }
}

/// A queue that plays trials when they are taken, grouped by candidate.
struct Batches<'a> {
    seats: Seats<'a>,
    /// Each with the seat of its candidate.
    trials: VecDeque<(usize, Case, Option<f64>)>,
}

impl Queue for Batches<'_> {
    fn push(&mut self, trials: Vec<Trial>) {
        for Trial { candidate, case, rival } in trials {
            self.trials.push_back((self.seats.index(&candidate), case, rival));
        }
    }

    fn pop(&mut self, count: usize) -> Result<Vec<Outcome>, PlayError> {
        let trials: Vec<_> = self.trials.drain(..count).collect();
        let seat = |i: usize| trials[i].0;
        let mut order: Vec<usize> = (0..count).collect();
        // Trials of the same candidate are adjacent, so that a player plays several in a row.
        order.sort_by_key(|&i| seat(i));
        let threads = self.seats.threads;
        let size = task_size(count, threads.parallelism());
        let of_candidates = order.chunk_by(|&a, &b| seat(a) == seat(b));
        let tasks: Vec<&[usize]> = of_candidates.flat_map(|of_candidate| of_candidate.chunks(size)).collect();
        let seats = &self.seats.all;
        // Idle players by candidate. Because they are reused, a batch creates at most one player
        // for each thread and candidate.
        let idle: Vec<Mutex<Vec<Box<dyn Player + '_>>>> = seats.iter().map(|_| Mutex::default()).collect();
        let play = |task: &&[usize]| -> Vec<(usize, Result<Outcome, PlayError>)> {
            let seat = seat(task[0]);
            let free = || lock(&idle[seat]);
            let waiting = free().pop();
            let mut player = waiting.unwrap_or_else(|| seats[seat].contender().player());
            let play = |&i: &usize| {
                let (_, case, rival) = &trials[i];
                (i, player.play(case, *rival))
            };
            let played = task.iter().map(play).collect();
            free().push(player);
            played
        };
        let played: Vec<_> = threads.pool.install(|| tasks.par_iter().with_max_len(1).flat_map_iter(play).collect());
        let mut outcomes: Vec<Option<Result<Outcome, PlayError>>> = vec![None; count];
        for (i, outcome) in played {
            outcomes[i] = Some(outcome);
        }
        let outcomes = outcomes.into_iter().map(|outcome| outcome.expect("every trial is in one task"));
        outcomes.collect::<Result<_, _>>().inspect_err(|_| self.trials.clear())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluator::play;
    use crate::model::parameter::Parameter;
    use crate::model::problem::{Session, session};
    use crate::model::seed::Split;
    use crate::model::trial::{Failure, FailureKind};

    /// A problem whose scores identify the candidate and the case.
    struct Product;

    impl Problem for Product {
        fn name(&self) -> &str {
            "product"
        }

        fn parameters(&self) -> Vec<Parameter> {
            vec![Parameter::float("factor", 0.0, 1000.0, 1.0)]
        }

        fn open(&self, _: Context) -> Result<Box<dyn Session>, OpenError> {
            Ok(session(|candidate| {
                let factor = candidate.float("factor");
                move |case: &Case| match case.number {
                    u64::MAX => Err(Failure::new(FailureKind::Memory, format!("{factor}")).into()),
                    number => Ok(Outcome::of(factor * number as f64)),
                }
            }))
        }
    }

    /// The same problem with another rule for scores.
    struct Sum;

    impl Problem for Sum {
        fn name(&self) -> &str {
            "sum"
        }

        fn parameters(&self) -> Vec<Parameter> {
            Product.parameters()
        }

        fn open(&self, _: Context) -> Result<Box<dyn Session>, OpenError> {
            Ok(session(|candidate| {
                let summand = candidate.float("factor");
                move |case: &Case| Ok(Outcome::of(summand + case.number as f64))
            }))
        }
    }

    fn threads(count: usize) -> Threads {
        Threads::open(&Product, count, Context::default()).unwrap()
    }

    fn case(number: u64) -> Case {
        Case { split: Split::Search, number, seed: 0 }
    }

    fn candidates(factors: impl IntoIterator<Item = f64>) -> Vec<Values> {
        factors.into_iter().map(|factor| Values::from([factor])).collect()
    }

    #[test]
    fn outcomes_are_in_the_order_of_the_trials() {
        for (candidates, cases) in [(1, 1), (1, 1000), (3, 7), (40, 1), (5, 300), (2, 0)] {
            let rows = self::candidates((1..=candidates).map(f64::from));
            let on = |number| rows.iter().map(move |candidate| Trial::new(candidate, case(number)));
            let trials: Vec<Trial> = (0..cases).flat_map(on).collect();
            for count in [1, 2, 16] {
                let threads = threads(count);
                let outcomes = play(&mut *threads.queue(), trials.clone()).unwrap();
                assert_eq!(outcomes.len(), trials.len());
                for (outcome, trial) in outcomes.iter().zip(&trials) {
                    assert_eq!(outcome.score, trial.candidate[0] * trial.case.number as f64);
                }
            }
        }
    }

    #[test]
    fn each_candidate_plays_its_own_side() {
        let rows = candidates([2.0, 3.0, 5.0]);
        let trials: Vec<Trial> = rows.iter().map(|candidate| Trial::new(candidate, case(7))).collect();
        let sides: [&dyn Problem; 2] = [&Product, &Sum];
        let threads = Threads::of_several(sides, 2, &Context::default()).unwrap();
        let outcomes = play(&mut *threads.queue(), trials).unwrap();
        let scores: Vec<f64> = outcomes.iter().map(|outcome| outcome.score).collect();
        assert_eq!(scores, [14.0, 10.0, 12.0]);
    }

    #[test]
    fn the_first_failure_is_reported() {
        let rows = candidates([1.0, 2.0, 3.0]);
        let trial = |i: usize| Trial::new(&rows[2 - i / 20], case(if i % 7 == 6 { u64::MAX } else { 1 }));
        let (threads, trials) = (threads(2), (0..60).map(trial).collect());
        assert_eq!(play(&mut *threads.queue(), trials), Err(Failure::new(FailureKind::Memory, "3").into()));
    }

    #[test]
    fn a_few_slow_trials_are_distributed_one_by_one() {
        assert_eq!(task_size(0, 2), 1);
        assert_eq!(task_size(16, 2), 1);
        assert_eq!(task_size(100, 2), 3);
        assert_eq!(task_size(1_000_000, 2), LONGEST_TASK);
    }
}
