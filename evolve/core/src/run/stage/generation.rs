//! The search: what the optimizer asks for.

use super::At;
use crate::evaluator::Trial;
use crate::job::Job;
use crate::judgement::measured::{Measured, objectives};
use crate::model::seed::{Purpose, seed};
use crate::model::trial::Deal;
use crate::run::round::Round;
use crate::run::search::Search;
use crate::run::state::{Phase, State};

pub(super) fn round(job: &Job, state: &State, search: &Search) -> Round {
    let ask = &search.ask;
    let generation = search.optimizer.generation();
    let deal = |place: usize| Deal {
        purpose: Purpose::Training,
        number: state.deals + place as u64,
        seed: seed(job.seed, Purpose::Training, generation, place as u64),
    };
    let deals: Vec<Deal> = (0..ask.deals).map(deal).collect();
    Round {
        candidates: ask.points.iter().map(|point| job.space.candidate(point)).collect(),
        trials: ask.trials.iter().map(|&(candidate, place)| Trial { candidate, deal: deals[place] }).collect(),
    }
}

pub(super) fn complete(at: At<'_>, round: &Round, outcomes: &[Measured]) -> Phase {
    let At { job, state, search, log } = at;
    let generation = search.optimizer.tell(&search.ask, &objectives(outcomes));
    state.searched += search.ask.trials.len() as u64;
    state.late.add(round, outcomes, job.source.problem.is_rated_by_ratio(), state.searched);
    state.deals += search.ask.deals as u64;
    state.generations = search.optimizer.generation();
    state.latest = Some(log.generation(job, state, search.optimizer.as_ref(), &generation));
    search.ask = search.optimizer.ask();
    if state.is_over(job, search) {
        state.end(state.games);
    }
    state.phase_after_generation(job, search)
}
