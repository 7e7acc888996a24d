//! Plays the baseline on the held-out instances, before the search.

use super::At;
use crate::job::Job;
use crate::judgement::measured::Measured;
use crate::model::seed::Split;
use crate::model::trial::Deal;
use crate::run::rows::Stage;
use crate::run::schedule::Schedule;
use crate::run::state::{Phase, State};
use crate::search::FinalistKind;
use crate::statistics::Interval;

pub(super) fn round(job: &Job, state: &State) -> Schedule {
    Schedule::all(vec![job.space.start().to_vec()], &Deal::first(job.seed, Split::Validation, state.plan.validation), 0)
}

pub(super) fn complete(at: At<'_>, outcomes: &[Measured]) -> Phase {
    if !outcomes.is_empty() {
        at.log.candidate(
            (Stage::Validation, 0),
            at.state.trials(),
            FinalistKind::Baseline,
            outcomes,
            Interval::default(),
        );
    }
    at.state.baseline = outcomes.to_vec();
    Phase::Search
}
