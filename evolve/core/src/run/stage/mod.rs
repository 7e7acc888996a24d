//! The stages of a run, one file each: the trials that a stage requests, and the effect of their outcomes, including
//! the next phase.

mod baseline;
mod check;
mod effects;
mod finalists;
mod generation;
mod verdict;

use super::log::Log;
use super::round::Round;
use super::state::{Phase, State};
use super::verdict::Verdict;
use crate::job::Job;
use crate::judgement::measured::Measured;
use crate::run::search::Search;

/// A run at a stage.
struct At<'a> {
    job: &'a Job,
    state: &'a mut State,
    search: &'a mut Search,
    log: &'a mut Log,
}

/// Returns the next round of the run, or its verdict if the run is complete.
pub(super) fn round<'s>(job: &Job, state: &'s State, search: &Search) -> Result<Round, &'s Verdict> {
    Ok(match &state.phase {
        Phase::Baseline => baseline::round(job, state),
        Phase::Search => generation::round(job, state, search),
        Phase::Validation => check::round(job, state, search),
        Phase::Selection => finalists::round(job, state, search),
        Phase::Effects(effects, judging) => effects::round(job, effects, judging),
        Phase::Test(judging) => verdict::round(job, state, judging),
        Phase::Done { verdict, .. } => return Err(verdict),
    })
}

/// Advances to the next stage once every trial of a round has its outcome.
pub(super) fn complete(
    job: &Job,
    state: &mut State,
    search: &mut Search,
    round: &Round,
    outcomes: &[Measured],
    log: &mut Log,
) {
    let phase = std::mem::take(&mut state.phase);
    let at = At { job, state: &mut *state, search, log };
    state.phase = match phase {
        Phase::Baseline => baseline::complete(at, outcomes),
        Phase::Search => generation::complete(at, round, outcomes),
        Phase::Validation => check::complete(at, outcomes),
        Phase::Selection => finalists::complete(at, &round.by_candidate(outcomes)),
        Phase::Effects(effects, judging) => effects::complete(at, effects, judging, outcomes),
        Phase::Test(judging) => verdict::complete(at, judging, &round.by_candidate(outcomes)),
        done @ Phase::Done { .. } => done,
    }
}
