//! An evaluator that plays trials on the threads of this process.

mod ahead;

use super::{Evaluator, Opened, Round, Trial};
use crate::lock;
use crate::model::problem::{Contender, Context, Input, OpenError, Player, Problem, Session};
use crate::model::trial::{Outcome, PlayError};
use ahead::Ahead;
use rayon::prelude::*;
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
        Arc::new(Side { opened, keeps_order: problem.traits().is_external() })
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

/// Returns the number of deals that one candidate plays before the next candidate plays them. If
/// order matters, this is the number of threads; otherwise, it is large enough that creating
/// players costs little.
pub fn together(problem: &dyn Problem, threads: usize) -> usize {
    threads.max(1) * if problem.traits().is_external() { 1 } else { LONGEST_TASK * TASKS_A_THREAD }
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

    /// Opens several problems, one for each candidate of a round. The first candidate plays the
    /// first problem, and so on; candidates without a problem play the last one.
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

    /// Adds candidates to the seats of a round.
    fn seat(&self, seats: &mut Vec<Arc<Seat>>, candidates: &[Vec<f64>]) {
        for values in candidates {
            let side = Arc::clone(&self.sides[seats.len().min(self.sides.len() - 1)]);
            seats.push(Arc::new(Seat { side, values: values.clone(), contender: OnceLock::new() }));
        }
    }
}

impl Evaluator for Threads {
    fn round(&self, candidates: &[Vec<f64>]) -> Box<dyn Round + '_> {
        let mut round: Box<dyn Round + '_> = match self.plays_ahead() {
            true => Box::new(Ahead::new(self)),
            false => Box::new(Batches { threads: self, seats: Vec::new() }),
        };
        round.add(candidates);
        round
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

/// A candidate of a round, prepared by the first task that plays it.
struct Seat {
    side: Arc<Side>,
    values: Vec<f64>,
    contender: OnceLock<Box<dyn Contender>>,
}

impl Seat {
    fn contender(&self) -> &dyn Contender {
        self.contender.get_or_init(|| self.side.opened.contender(&self.values)).as_ref()
    }
}

/// A round that plays the trials of each candidate in a batch together.
struct Batches<'a> {
    threads: &'a Threads,
    seats: Vec<Arc<Seat>>,
}

impl Round for Batches<'_> {
    fn add(&mut self, candidates: &[Vec<f64>]) {
        self.threads.seat(&mut self.seats, candidates);
    }

    fn evaluate(&mut self, trials: &[Trial]) -> Result<Vec<Outcome>, PlayError> {
        let mut order: Vec<usize> = (0..trials.len()).collect();
        // Trials of the same candidate are adjacent, so that a player plays several in a row.
        order.sort_by_key(|&i| trials[i].candidate);
        let size = task_size(trials.len(), self.threads.parallelism());
        let tasks: Vec<&[usize]> = order
            .chunk_by(|&a, &b| trials[a].candidate == trials[b].candidate)
            .flat_map(|of_candidate| of_candidate.chunks(size))
            .collect();
        let round = &*self;
        // Idle players by candidate. Because they are reused, a batch creates at most one player
        // for each thread and candidate.
        let idle: Vec<Mutex<Vec<Box<dyn Player + '_>>>> = self.seats.iter().map(|_| Mutex::default()).collect();
        let play = |task: &&[usize]| -> Vec<(usize, Result<Outcome, PlayError>)> {
            let candidate = trials[task[0]].candidate;
            let idle = &idle[candidate];
            let free = || lock(idle);
            let waiting = free().pop();
            let mut player = waiting.unwrap_or_else(|| round.seats[candidate].contender().player());
            let played = task.iter().map(|&i| (i, player.play_against(&trials[i].deal, trials[i].rival))).collect();
            free().push(player);
            played
        };
        let played: Vec<_> =
            self.threads.pool.install(|| tasks.par_iter().with_max_len(1).flat_map_iter(play).collect());
        let mut outcomes: Vec<Option<Result<Outcome, PlayError>>> = vec![None; trials.len()];
        for (i, outcome) in played {
            outcomes[i] = Some(outcome);
        }
        outcomes.into_iter().map(|outcome| outcome.expect("every trial is in one task")).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::parameter::Parameter;
    use crate::model::problem::{Session, session};
    use crate::model::seed::Split;
    use crate::model::trial::{Deal, Failure, FailureKind};

    /// A problem whose scores identify the candidate and the deal.
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
                move |deal: &Deal| match deal.number {
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
                move |deal: &Deal| Ok(Outcome::of(summand + deal.number as f64))
            }))
        }
    }

    fn threads(count: usize) -> Threads {
        Threads::open(&Product, count, Context::default()).unwrap()
    }

    fn deal(number: u64) -> Deal {
        Deal { split: Split::Search, number, seed: 0 }
    }

    #[test]
    fn outcomes_are_in_the_order_of_the_trials() {
        for (candidates, deals) in [(1, 1), (1, 1000), (3, 7), (40, 1), (5, 300), (2, 0)] {
            let rows: Vec<Vec<f64>> = (1..=candidates).map(|i| vec![f64::from(i)]).collect();
            let trials: Vec<Trial> = (0..deals)
                .flat_map(|number| (0..rows.len()).map(move |candidate| Trial::new(candidate, deal(number))))
                .collect();
            for count in [1, 2, 16] {
                let threads = threads(count);
                let outcomes = threads.round(&rows).evaluate(&trials).unwrap();
                assert_eq!(outcomes.len(), trials.len());
                for (outcome, trial) in outcomes.iter().zip(&trials) {
                    assert_eq!(outcome.score, rows[trial.candidate][0] * trial.deal.number as f64);
                }
            }
        }
    }

    #[test]
    fn each_candidate_plays_its_own_side() {
        let rows = vec![vec![2.0], vec![3.0], vec![5.0]];
        let trials: Vec<Trial> = (0..3).map(|candidate| Trial::new(candidate, deal(7))).collect();
        let sides: [&dyn Problem; 2] = [&Product, &Sum];
        let threads = Threads::of_several(sides, 2, &Context::default()).unwrap();
        let scores: Vec<f64> =
            threads.round(&rows).evaluate(&trials).unwrap().iter().map(|outcome| outcome.score).collect();
        assert_eq!(scores, [14.0, 10.0, 12.0]);
    }

    #[test]
    fn the_first_failure_is_reported() {
        let rows = vec![vec![1.0], vec![2.0], vec![3.0]];
        let trials: Vec<Trial> =
            (0..60).map(|i| Trial::new(2 - i / 20, deal(if i % 7 == 6 { u64::MAX } else { 1 }))).collect();
        let threads = threads(2);
        assert_eq!(threads.round(&rows).evaluate(&trials), Err(Failure::new(FailureKind::Memory, "3").into()));
    }

    #[test]
    fn a_few_slow_trials_are_distributed_one_by_one() {
        assert_eq!(task_size(0, 2), 1);
        assert_eq!(task_size(16, 2), 1);
        assert_eq!(task_size(100, 2), 3);
        assert_eq!(task_size(1_000_000, 2), LONGEST_TASK);
    }
}
