//! Validation: the search's mean on the held-out deals, during the search. Nothing is selected by it.

use super::At;
use crate::job::Job;
use crate::judgement::comparison::Units;
use crate::judgement::measured::{Measured, difference, differences};
use crate::model::seed::Split;
use crate::model::trial::Deal;
use crate::run::round::Round;
use crate::run::rows::Stage;
use crate::run::search::Search;
use crate::run::state::Phase;
use crate::search::FinalistKind;

pub(super) fn round(job: &Job, search: &Search) -> Round {
    let mean = job.space.candidate(search.optimizer.mean());
    Round::all(vec![mean], &Deal::first(job.seed, Split::Validation, job.validation.games))
}

pub(super) fn complete(at: At<'_>, outcomes: &[Measured]) -> Phase {
    let At { job, state, search, log } = at;
    let is_over = state.is_over(job, search);
    if state.ended.is_none() && is_over {
        // Somebody ended the search meanwhile. Prolonged, the run goes back to before this check.
        state.end(state.games - outcomes.len() as u64);
    }
    let problem = &*job.source.problem;
    let units = Units::of(problem, Split::Validation, outcomes.len());
    state.held_out = units.observations_by_number(&differences(problem, outcomes, &state.baseline));
    let difference = difference(job, Split::Validation, outcomes, &state.baseline).interval();
    let stage = (Stage::Validation, search.optimizer.generation());
    log.check(stage, state.games, FinalistKind::Mean, outcomes, difference);
    state.difference = Some(difference);
    state.checked = state.searched;
    if is_over { Phase::Selection } else { Phase::Search }
}
