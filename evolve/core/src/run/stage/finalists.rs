//! The final round: which of a few finalists is best on fresh games.

use super::At;
use crate::config::Job;
use crate::optimizer::FinalistKind;
use crate::run::measured::{Finalist, Measured, difference, objectives};
use crate::run::round::Round;
use crate::run::search::Search;
use crate::run::state::Phase;
use crate::seed::Purpose;
use crate::statistics::mean;
use crate::trial::Deal;

pub(super) fn round(job: &Job, search: &Search) -> Round {
    let candidates = finalists(job, search).into_iter().map(|finalist| finalist.weights).collect();
    Round::all(candidates, &Deal::first(job.seed, Purpose::Finalists, job.finals.games))
}

pub(super) fn complete(at: At<'_>, outcomes: &[Vec<Measured>]) {
    let mut finalists = finalists(at.job, at.search);
    for (finalist, of_finalist) in finalists.iter().zip(outcomes) {
        let estimate = difference(at.job, Purpose::Finalists, of_finalist, &outcomes[0]);
        let (low, high) = estimate.interval();
        let difference = (estimate.mean, low, high);
        let stage = ("finalists", finalist.generation);
        at.tables.compared(stage, at.state.games, finalist.kind, of_finalist, difference);
    }
    let mut best = 0;
    let means: Vec<f64> = outcomes.iter().map(|row| mean(&objectives(row))).collect();
    for i in 1..means.len() {
        if means[i] > means[best] {
            best = i;
        }
    }
    at.state.chosen = Some(finalists.swap_remove(best));
    at.state.phase = Phase::Verdict;
}

/// Those among whom the final round chooses, the starting weights first.
fn finalists(job: &Job, search: &Search) -> Vec<Finalist> {
    let start = Finalist { kind: FinalistKind::Start, generation: 0, weights: job.space.start().to_vec() };
    let generation = search.optimizer.generation();
    let recommended = search.optimizer.recommended().into_iter();
    let recommended =
        recommended.map(|(kind, point)| Finalist { kind, generation, weights: job.space.rounded(&point) });
    std::iter::once(start).chain(recommended).collect()
}
