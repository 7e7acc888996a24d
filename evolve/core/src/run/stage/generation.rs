//! The search: what the optimizer asks for.

use super::At;
use crate::config::Job;
use crate::evaluator::Trial;
use crate::optimizer::Generation;
use crate::run::measured::{Measured, objectives};
use crate::run::round::Round;
use crate::run::search::Search;
use crate::run::state::{Leader, State};
use crate::seed::{Purpose, seed};
use crate::trial::Deal;

pub(super) fn round(job: &Job, state: &State, search: &Search) -> Round {
    let ask = &search.ask;
    let generation = search.optimizer.generation();
    let deal = |place: usize| Deal {
        purpose: Purpose::Training,
        number: state.deals + place as u64,
        seed: seed(job.seed, Purpose::Training, generation, (ask.first + place) as u64),
    };
    let deals: Vec<Deal> = (0..ask.deals).map(deal).collect();
    Round {
        candidates: ask.points.iter().map(|point| job.space.candidate(point)).collect(),
        trials: ask.trials.iter().map(|&(candidate, place)| Trial { candidate, deal: deals[place] }).collect(),
    }
}

pub(super) fn complete(at: At<'_>, outcomes: &[Measured]) {
    let At { job, state, search, tables } = at;
    let generation = search.optimizer.tell(&search.ask, &objectives(outcomes));
    state.searched += search.ask.trials.len() as u64;
    state.deals += search.ask.deals as u64;
    if let Some(generation) = &generation {
        tables.generation(job, state, search.optimizer.as_ref(), generation);
        lead(job, state, generation);
    }
    state.used = state.share(job, search.optimizer.generation());
    search.ask = search.optimizer.ask(state.used);
    if state.is_over(job, search) {
        state.end(state.games);
    }
    state.phase = state.phase_after_generation(job, search);
}

/// Keeps the leaders of some generations, spread over the run.
fn lead(job: &Job, state: &mut State, generation: &Generation) {
    let (point, objective) = generation.best.clone();
    state.latest = Some((objective, generation.mean));
    let leader = Leader { generation: generation.number, point };
    if leader.generation.is_multiple_of(state.stride) {
        state.leaders.push(leader.clone());
        if state.leaders.len() > job.finals.leaders {
            // Full: keep every other one, the first of them included, and from now on half as many.
            state.stride *= 2;
            let stride = state.stride;
            state.leaders.retain(|leader| leader.generation.is_multiple_of(stride));
        }
    }
    state.last_leader = Some(leader);
}
