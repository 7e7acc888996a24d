//! The seam between what asks for scores and what plays: candidates x deals -> scores.

use crate::game::Arena;
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

/// Games that one task plays in a row: enough to make a player worth setting up, few enough to share out evenly.
const CHUNK: usize = 8;

impl Threads {
    /// A pool of `threads` threads; 0 means one a core.
    ///
    /// # Errors
    /// If the system refuses to start the threads.
    pub fn new(arena: Box<dyn Arena>, threads: usize) -> Result<Self, rayon::ThreadPoolBuildError> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
        Ok(Threads { pool, arena })
    }

    /// Plays one candidate on every deal and answers with whole outcomes, in the order of the deals.
    pub fn outcomes(&self, weights: &[f64], deals: &[u64]) -> Vec<crate::judge::referee::Outcome> {
        self.pool.install(|| {
            deals
                .par_chunks(CHUNK)
                .flat_map_iter(|deals| {
                    let mut contestant = self.arena.contestant(weights);
                    deals.iter().map(|&deal| contestant.play(deal)).collect::<Vec<_>>()
                })
                .collect()
        })
    }
}

impl Evaluator for Threads {
    fn scores(&self, candidates: &[&[f64]], deals: &[u64]) -> Vec<Vec<f64>> {
        let chunks: Vec<&[u64]> = deals.chunks(CHUNK).collect();
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
