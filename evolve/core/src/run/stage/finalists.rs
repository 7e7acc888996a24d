//! The final round: which of a few finalists is best on fresh games.

use super::At;
use crate::config::Job;
use crate::run::measured::{Finalist, Measured, difference, objectives};
use crate::run::round::Round;
use crate::run::search::Search;
use crate::run::state::{Chosen, Phase, State};
use crate::seed::Purpose;
use crate::statistics::mean;
use crate::trial::Deal;

pub(super) fn round(job: &Job, state: &State, search: &Search) -> Round {
    let candidates = finalists(job, state, search).into_iter().map(|finalist| finalist.weights).collect();
    Round::all(candidates, &Deal::first(job.seed, Purpose::Finalists, job.finals.games))
}

pub(super) fn complete(at: At<'_>, outcomes: &[Vec<Measured>]) {
    let finalists = finalists(at.job, at.state, at.search);
    for (finalist, of_finalist) in finalists.iter().zip(outcomes) {
        let Finalist { name, generation, .. } = finalist;
        let estimate = difference(at.job, Purpose::Finalists, of_finalist, &outcomes[0]);
        let (low, high) = estimate.interval();
        let difference = (estimate.mean, low, high);
        at.tables.compared(("finalists", *generation), at.state.games, name, of_finalist, difference);
    }
    let mut best = 0;
    let means: Vec<f64> = outcomes.iter().map(|row| mean(&objectives(row))).collect();
    for i in 1..means.len() {
        if means[i] > means[best] {
            best = i;
        }
    }
    let (finalist, of) = (finalists[best].clone(), outcomes[0].len());
    at.state.chosen = Some(Chosen {
        finalist,
        of,
        games: at.state.games,
        verdict: at.job.finals.verdict,
        early: at.job.finals.early,
    });
    at.state.phase = Phase::Verdict;
}

/// Those among whom the final round chooses, the starting weights first.
fn finalists(job: &Job, state: &State, search: &Search) -> Vec<Finalist> {
    let finalist = |name: &str, generation: u64, point: &[f64]| Finalist {
        name: name.to_string(),
        generation,
        weights: job.space.rounded(point),
    };
    let start = Finalist { name: "start".to_string(), generation: 0, weights: job.space.start().to_vec() };
    let generation = search.optimizer.generation();
    let recommended = search.optimizer.recommended();
    let recommended = recommended.iter().map(|(name, point)| finalist(name, generation, point));
    // The leader of the first generation has hardly evolved.
    let early = state.leaders.iter().filter(|leader| leader.generation > 0);
    let last = state.last_leader.iter().filter(|last| job.finals.leaders > 0 && !state.leaders.contains(last));
    let leaders = early.chain(last).map(|leader| finalist("leader", leader.generation, &leader.point));
    std::iter::once(start).chain(recommended).chain(leaders).collect()
}
