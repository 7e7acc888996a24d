//! The seam between what asks for scores and what plays: candidates x deals -> scores.

use crate::game::Arena;
use crate::judge::referee::Outcome;
use rayon::prelude::*;

/// Plays every candidate on every deal.
pub trait Evaluator {
    /// The score of each candidate (rows, each with every weight in declaration order) on each deal (columns). The
    /// result depends on candidates and deals alone, not on how the work was shared out.
    fn scores(&self, candidates: &[&[f64]], deals: &[u64]) -> Vec<Vec<f64>>;

    /// How many games it plays at the same time, a hint for the size of batches.
    fn parallelism(&self) -> usize;
}

/// Plays on the threads of a rayon pool.
pub struct Threads {
    pool: rayon::ThreadPool,
    arena: Box<dyn Arena>,
}

/// Games that one task plays in a row at most: enough to make a player worth setting up.
const LONGEST_TASK: usize = 8;
/// Tasks for each thread at least, if there are games enough: so many that hardly a thread idles while the last ones
/// are played.
const TASKS_A_THREAD: usize = 16;

/// How many games of one candidate a task plays in a row, when `games` in all are shared out among `threads`.
fn task_size(games: usize, threads: usize) -> usize {
    (games / (threads.max(1) * TASKS_A_THREAD)).clamp(1, LONGEST_TASK)
}

impl Threads {
    /// A pool of `threads` threads; 0 means one a core.
    ///
    /// # Errors
    /// If the system refuses to start the threads.
    pub fn new(arena: Box<dyn Arena>, threads: usize) -> Result<Self, rayon::ThreadPoolBuildError> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
        Ok(Threads { pool, arena })
    }

    /// Plays one candidate on every deal and answers with whole outcomes, in the order of the deals. Each game that is
    /// over is told to `played`.
    pub fn outcomes(&self, weights: &[f64], deals: &[u64], played: &(dyn Fn() + Sync)) -> Vec<Outcome> {
        let size = task_size(deals.len(), self.pool.current_num_threads());
        self.pool.install(|| {
            deals
                .par_chunks(size)
                .with_max_len(1)
                .flat_map_iter(|deals| {
                    let mut contestant = self.arena.contestant(weights);
                    let play = |&deal| {
                        let outcome = contestant.play(deal);
                        played();
                        outcome
                    };
                    deals.iter().map(play).collect::<Vec<_>>()
                })
                .collect()
        })
    }
}

impl Evaluator for Threads {
    fn scores(&self, candidates: &[&[f64]], deals: &[u64]) -> Vec<Vec<f64>> {
        let size = task_size(candidates.len() * deals.len(), self.pool.current_num_threads());
        let chunks: Vec<&[u64]> = deals.chunks(size).collect();
        let tasks: Vec<(usize, &[u64])> =
            (0..candidates.len()).flat_map(|candidate| chunks.iter().map(move |&chunk| (candidate, chunk))).collect();
        let played: Vec<Vec<f64>> = self.pool.install(|| {
            tasks
                .par_iter()
                .with_max_len(1)
                .map(|&(candidate, deals)| {
                    let mut contestant = self.arena.contestant(candidates[candidate]);
                    deals.iter().map(|&deal| contestant.play(deal).score).collect()
                })
                .collect()
        });
        match chunks.len() {
            0 => vec![Vec::new(); candidates.len()],
            per_candidate => played.chunks(per_candidate).map(<[Vec<f64>]>::concat).collect(),
        }
    }

    fn parallelism(&self) -> usize {
        self.pool.current_num_threads()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Contestant;

    /// Scores that tell by which candidate and on which deal they were made.
    struct Product;

    struct Factor(f64);

    impl Arena for Product {
        fn contestant(&self, weights: &[f64]) -> Box<dyn Contestant + '_> {
            Box::new(Factor(weights[0]))
        }
    }

    impl Contestant for Factor {
        fn play(&mut self, deal: u64) -> Outcome {
            Outcome { score: self.0 * deal as f64, ..Outcome::default() }
        }
    }

    #[test]
    fn every_score_stands_in_its_place() {
        for (candidates, deals) in [(1, 1), (1, 1000), (3, 7), (40, 1), (5, 300), (2, 0)] {
            let weights: Vec<[f64; 1]> = (1..=candidates).map(|i| [f64::from(i)]).collect();
            let rows: Vec<&[f64]> = weights.iter().map(|row| &row[..]).collect();
            let deals: Vec<u64> = (0..deals).collect();
            for threads in [1, 2, 16] {
                let scores = Threads::new(Box::new(Product), threads).unwrap().scores(&rows, &deals);
                assert_eq!(scores.len(), rows.len());
                for (row, weights) in scores.iter().zip(&weights) {
                    assert_eq!(*row, deals.iter().map(|&deal| weights[0] * deal as f64).collect::<Vec<_>>());
                }
            }
        }
    }

    #[test]
    fn a_few_slow_games_are_shared_out_one_by_one() {
        assert_eq!(task_size(0, 2), 1);
        assert_eq!(task_size(16, 2), 1);
        assert_eq!(task_size(100, 2), 3);
        assert_eq!(task_size(1_000_000, 2), LONGEST_TASK);
    }
}
