//! A round: every candidate on every deal, played in batches.

use super::state::{Phase, State};
use crate::config::Job;
use crate::evaluator::Evaluator;
use crate::seed::{Purpose, seed};

/// Candidates and deals. Its games are counted deal by deal, each deal by all candidates: game `k` is candidate
/// `k % candidates` on deal `k / candidates`. That is the order of partial scores.
pub struct Round {
    candidates: Vec<Vec<f64>>,
    deals: Vec<u64>,
}

impl Round {
    /// What the state asks for next; `None` if the run is complete.
    pub fn of(job: &Job, state: &State) -> Option<Round> {
        let complete = |genome: &[f64]| job.space.complete(genome);
        let start = || job.space.start().to_vec();
        let (candidates, purpose, generation, games) = match state.phase {
            Phase::Baseline => (vec![start()], Purpose::HeldOut, 0, job.validation.games),
            Phase::Evolving => {
                let candidates = state.genetic.population.iter().map(|member| complete(&member.genome)).collect();
                (candidates, Purpose::Training, state.genetic.generation, job.games)
            }
            Phase::Validating => (vec![complete(&state.genetic.centre)], Purpose::HeldOut, 0, job.validation.games),
            Phase::Finalists => {
                let candidates = state.finalists(job).into_iter().map(|finalist| finalist.weights).collect();
                (candidates, Purpose::Finalists, 0, job.finals.games)
            }
            Phase::Verdict => {
                let chosen = state.chosen.as_ref().expect("a finalist was chosen before the verdict");
                (vec![start(), chosen.weights.clone()], Purpose::Verdict, 0, job.finals.verdict)
            }
            Phase::Done => return None,
        };
        let deals = (0..games as u64).map(|game| seed(job.seed, purpose, generation, game)).collect();
        Some(Round { candidates, deals })
    }

    /// How many games the round has.
    pub fn cells(&self) -> usize {
        self.candidates.len() * self.deals.len()
    }

    /// Whether these are the scores of all games.
    pub fn is_complete(&self, partial: &[f64]) -> bool {
        partial.len() >= self.cells()
    }

    /// Plays about `games` more games and adds their scores: whole deals, if that many games make one, else part of
    /// a deal's candidates. What is left of the round is shared out evenly, so that its last batch is no remnant too
    /// small to keep all threads busy.
    pub fn play(&self, evaluator: &dyn Evaluator, games: usize, partial: &mut Vec<f64>) {
        let all = self.candidates.len();
        let left = self.cells() - partial.len();
        let games = games.max(1);
        let games = left.div_ceil((left.saturating_add(games / 2) / games).max(1));
        let (deal, candidate) = (partial.len() / all, partial.len() % all);
        let (candidates, deals) = if candidate == 0 && games >= all {
            (0..all, deal..self.deals.len().min(deal + games / all))
        } else {
            (candidate..all.min(candidate + games), deal..deal + 1)
        };
        let rows: Vec<&[f64]> = self.candidates[candidates].iter().map(Vec::as_slice).collect();
        let scores = evaluator.scores(&rows, &self.deals[deals.clone()]);
        for i in 0..deals.len() {
            partial.extend(scores.iter().map(|row| row[i]));
        }
    }

    /// The scores of each candidate on each deal, taken out of the scores in order of play.
    pub fn take_scores(&self, partial: &mut Vec<f64>) -> Vec<Vec<f64>> {
        let all = self.candidates.len();
        let scores = (0..all).map(|i| partial.iter().skip(i).step_by(all).copied().collect()).collect();
        partial.clear();
        scores
    }
}
