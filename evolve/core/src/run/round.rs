//! A round: the trials that a stage asks for, played in batches.

use super::measured::Measured;
use crate::evaluator::Trial;
use crate::trial::Deal;

/// Candidates and their trials, in the order of play.
pub struct Round {
    /// A value for every parameter, for each candidate.
    pub candidates: Vec<Vec<f64>>,
    /// Who plays what.
    pub trials: Vec<Trial>,
}

impl Round {
    /// Every candidate on every deal, deal by deal.
    pub fn all(candidates: Vec<Vec<f64>>, deals: &[Deal]) -> Self {
        let all = 0..candidates.len();
        let trials = deals.iter().flat_map(|&deal| all.clone().map(move |candidate| Trial { candidate, deal }));
        Round { trials: trials.collect(), candidates }
    }

    /// The next batch of about `size` trials. What is left of the round is shared out evenly, so that its last batch
    /// is no remnant too small to keep all threads busy.
    pub fn batch(&self, played: usize, size: usize) -> &[Trial] {
        let left = self.trials.len() - played;
        let batches = (left.saturating_add(size / 2) / size.max(1)).max(1);
        &self.trials[played..played + left.div_ceil(batches)]
    }

    /// The outcomes of each candidate, in the order of play.
    pub fn by_candidate(&self, outcomes: &[Measured]) -> Vec<Vec<Measured>> {
        let mut rows = vec![Vec::new(); self.candidates.len()];
        for (trial, &outcome) in self.trials.iter().zip(outcomes) {
            rows[trial.candidate].push(outcome);
        }
        rows
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seed::Purpose;

    #[test]
    fn batches_cover_a_round() {
        let round = Round::all(vec![vec![]; 7], &Deal::first(1, Purpose::HeldOut, 31));
        for size in [1, 5, 36, 150, 1000] {
            let mut played = 0;
            while played < round.trials.len() {
                let batch = round.batch(played, size);
                assert_eq!(batch[0], round.trials[played]);
                assert!(batch.len() <= 2 * size, "{} of {size}", batch.len());
                played += batch.len();
            }
        }
    }
}
