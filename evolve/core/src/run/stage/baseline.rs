//! The starting weights on the held-out games, before the search.

use super::At;
use crate::config::Job;
use crate::optimizer::FinalistKind;
use crate::run::measured::Measured;
use crate::run::round::Round;
use crate::run::rows::Stage;
use crate::run::state::Phase;
use crate::seed::Purpose;
use crate::statistics::Interval;
use crate::trial::Deal;

pub(super) fn round(job: &Job) -> Round {
    Round::all(vec![job.space.start().to_vec()], &Deal::first(job.seed, Purpose::HeldOut, job.validation.games))
}

pub(super) fn complete(at: At<'_>, outcomes: &[Measured]) -> Phase {
    at.log.check((Stage::HeldOut, 0), at.state.games, FinalistKind::Start, outcomes, Interval::default());
    at.state.baseline = outcomes.to_vec();
    Phase::Search
}
