//! The stages of a run, one file each: the trials that a stage requests, and the effect of their
//! outcomes, including the next phase.

mod baseline;
mod effects;
pub(super) mod search;
mod selection;
mod test;
mod validation;

pub(super) use test::Judged;

use super::log::Log;
use super::schedule::Schedule;
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

/// The next step of a run.
pub(super) enum Next<'s> {
    Round(Schedule),
    Done(&'s Verdict),
}

/// Returns the next step of a run.
pub(super) fn next<'s>(job: &Job, state: &'s State, search: &Search) -> Next<'s> {
    Next::Round(match &state.phase {
        Phase::Baseline => baseline::round(job, state),
        Phase::Search => search::round(job, state, search),
        Phase::Validation => validation::round(job, state, search),
        Phase::Selection => selection::round(job, state, search),
        Phase::Effects(effects, judging) => effects::round(job, effects, judging),
        Phase::Test(judging) => test::round(job, state, judging),
        Phase::Done { verdict, .. } => return Next::Done(verdict),
    })
}

/// Returns whether the current round plays all its trials, even those with known outcomes: an exact
/// verdict relies on trials that repeat.
pub(super) fn plays_again(job: &Job, state: &State) -> bool {
    matches!(state.phase, Phase::Test(_)) && job.source.problem.is_exact(state.plan.test)
}

/// Continues a run whose trials turned out not to repeat in the test. `job` has the problem as it
/// is.
pub(super) fn repeat(job: &Job, state: &mut State, search: &mut Search, log: &mut Log) {
    if let Phase::Test(judging) = std::mem::take(&mut state.phase) {
        state.phase = test::repeat(At { job, state: &mut *state, search, log }, judging);
    }
}

/// Returns the rounds after the current one whose trials are known before its outcomes, in order.
pub(super) fn ahead(job: &Job, state: &State, search: &Search) -> Vec<Schedule> {
    match &state.phase {
        Phase::Search => search::ahead(job, state, search),
        _ => Vec::new(),
    }
}

/// Advances to the next stage once every trial of a round has its outcome.
pub(super) fn complete(
    job: &Job,
    state: &mut State,
    search: &mut Search,
    round: &Schedule,
    outcomes: &[Measured],
    log: &mut Log,
) {
    let phase = std::mem::take(&mut state.phase);
    let at = At { job, state: &mut *state, search, log };
    state.phase = match phase {
        Phase::Baseline => baseline::complete(at, outcomes),
        Phase::Search => search::complete(at, round, outcomes),
        Phase::Validation => validation::complete(at, outcomes),
        Phase::Selection => selection::complete(at, &round.by_candidate(outcomes)),
        Phase::Effects(effects, judging) => effects::complete(at, effects, judging, outcomes),
        Phase::Test(judging) => test::complete(at, judging, &round.by_candidate(outcomes)),
        done @ Phase::Done { .. } => done,
    }
}
