//! Whether what is found in a cheap player holds in the real one.
//!
//! A few candidates play the same deals in both. How well the ranks agree says whether a search in the cheap player goes the
//! right way; how much the recommendation gains in the real one says what came of it.

use crate::config::Job;
use crate::evaluator::Evaluator;
use crate::outlook::{neighbours, play};
use crate::seed::{Purpose, seed};
use crate::statistics::{Estimate, mean, rank_correlation};
use crate::trial::{Deal, Failure};

/// A candidate in both players.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Which one it is.
    pub name: String,
    /// The mean objective in the player of the search, and in the real one.
    pub means: (f64, f64),
}

/// How candidates did in both players.
#[derive(Clone, Debug, PartialEq)]
pub struct Transfer {
    /// The start first, then the recommendation if there is one.
    pub rows: Vec<Row>,
    /// The correlation of their ranks in both, -1 to 1.
    pub ranks: f64,
    /// The difference of the recommendation to the start in the player of the search and in the real one.
    pub gains: Option<(Estimate, Estimate)>,
}

/// How many other candidates are played.
const OTHERS: usize = 7;

/// Plays the start, the recommendation, and candidates around the start and between both, in both players.
///
/// # Errors
/// The first trial that failed and does not count.
pub fn hold(
    job: &Job,
    recommended: Option<&[f64]>,
    (cheap, real): (&dyn Evaluator, &dyn Evaluator),
    games: usize,
) -> Result<Transfer, Failure> {
    let start = job.space.start();
    let mut named = vec![("start".to_string(), start.to_vec())];
    if let Some(recommended) = recommended.filter(|recommended| *recommended != start) {
        named.push(("recommended".to_string(), recommended.to_vec()));
    }
    for (i, values) in neighbours(job, OTHERS).into_iter().enumerate() {
        named.push((format!("neighbour {}", i + 1), values));
    }
    let own = seed(job.seed, Purpose::Measurement, u64::MAX, u64::MAX);
    let deals = Deal::first(own, Purpose::Measurement, games);
    let candidates: Vec<Vec<f64>> = named.iter().map(|(_, values)| values.clone()).collect();
    let objectives = |evaluator: &dyn Evaluator| -> Result<Vec<Vec<f64>>, Failure> {
        let mut round = evaluator.round(&candidates);
        let of = |candidate| {
            let outcomes = play(round.as_mut(), candidate, &deals)?;
            Ok(outcomes.iter().map(|outcome| outcome.objective).collect())
        };
        (0..candidates.len()).map(of).collect()
    };
    let (cheap, real) = (objectives(cheap)?, objectives(real)?);
    let means = |rows: &[Vec<f64>]| rows.iter().map(|row| mean(row)).collect::<Vec<_>>();
    let (cheap_means, real_means) = (means(&cheap), means(&real));
    let is_moved = named.get(1).is_some_and(|(name, _)| name == "recommended");
    let gains = is_moved.then(|| (Estimate::paired(&cheap[1], &cheap[0]), Estimate::paired(&real[1], &real[0])));
    let both = cheap_means.iter().copied().zip(real_means.iter().copied());
    let rows = named.into_iter().zip(both).map(|((name, _), means)| Row { name, means });
    Ok(Transfer { rows: rows.collect(), ranks: rank_correlation(&cheap_means, &real_means), gains })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluator::{Round, Threads, Trial};
    use crate::fixture::job;
    use crate::trial::Outcome;

    /// Everything turned round.
    struct Opposite(Threads);

    struct OppositeRound<'a>(Box<dyn Round + 'a>);

    impl Evaluator for Opposite {
        fn round<'a>(&'a self, candidates: &'a [Vec<f64>]) -> Box<dyn Round + 'a> {
            Box::new(OppositeRound(self.0.round(candidates)))
        }

        fn parallelism(&self) -> usize {
            1
        }
    }

    impl Round for OppositeRound<'_> {
        fn play(&mut self, trials: &[Trial]) -> Result<Vec<Outcome>, Failure> {
            Ok(self.0.play(trials)?.into_iter().map(|outcome| Outcome::of(-outcome.score)).collect())
        }
    }

    #[test]
    fn ranks_carry_over_or_do_not() {
        let job = job(&[]);
        let threads = || Threads::new(job.source.problem, &job.source.setup, 2).unwrap();
        let mut better = job.space.start().to_vec();
        better[0] = 1.0;
        let same = hold(&job, Some(&better), (&threads(), &threads()), 30).unwrap();
        assert_eq!((same.rows.len(), same.ranks), (9, 1.0));
        let (cheap, real) = same.gains.unwrap();
        assert_eq!(cheap, real);
        assert!(cheap.interval().0 > 7.0);
        let turned = hold(&job, None, (&threads(), &Opposite(threads())), 30).unwrap();
        assert_eq!((turned.rows.len(), turned.ranks, turned.gains), (8, -1.0, None));
    }
}
