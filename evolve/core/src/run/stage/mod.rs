//! The stages of a run, a small file each: what it asks for, and what follows from the outcomes.

mod baseline;
mod check;
mod effects;
mod finalists;
mod generation;
mod verdict;

use super::measured::Measured;
use super::round::Round;
use super::state::{Phase, State};
use super::tables::Tables;
use crate::config::Job;
use crate::run::search::Search;

/// A run at a stage.
struct At<'a> {
    job: &'a Job,
    state: &'a mut State,
    search: &'a mut Search,
    tables: &'a mut Tables,
}

/// What the run asks for next; `None` if it is complete.
pub(super) fn round(job: &Job, state: &State, search: &Search) -> Option<Round> {
    Some(match state.phase {
        Phase::Baseline => baseline::round(job),
        Phase::Search => generation::round(job, state, search),
        Phase::Check => check::round(job, search),
        Phase::Finalists => finalists::round(job, search),
        Phase::Effects => effects::round(job, state),
        Phase::Verdict => verdict::round(job, state),
        Phase::Done => return None,
    })
}

/// Goes on to the next stage, once every trial of a round has its outcome.
pub(super) fn complete(
    job: &Job,
    state: &mut State,
    search: &mut Search,
    round: &Round,
    outcomes: &[Measured],
    tables: &mut Tables,
) {
    let at = At { job, state, search, tables };
    match at.state.phase {
        Phase::Baseline => baseline::complete(at, outcomes),
        Phase::Search => generation::complete(at, round, outcomes),
        Phase::Check => check::complete(at, outcomes),
        Phase::Finalists => finalists::complete(at, &round.by_candidate(outcomes)),
        Phase::Effects => effects::complete(at, outcomes),
        Phase::Verdict => verdict::complete(at, &round.by_candidate(outcomes)),
        Phase::Done => {}
    }
}
