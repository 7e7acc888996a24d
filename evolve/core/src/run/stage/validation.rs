//! Validation: plays the mean of the search on held-out deals, during the search. It selects
//! nothing.

use super::At;
use crate::job::Job;
use crate::judgement::comparison::{Difference, Units};
use crate::judgement::held::{Holding, held, worst};
use crate::judgement::measured::{Measured, difference, differences};
use crate::model::seed::Split;
use crate::model::trial::Deal;
use crate::run::finalist::Finalist;
use crate::run::rows::Stage;
use crate::run::schedule::Schedule;
use crate::run::search::Search;
use crate::run::state::{Evidence, Gain, Phase, State};
use crate::search::FinalistKind;
use crate::statistics::{LEAST_SAMPLE, mean, standard_deviation};

pub(super) fn round(job: &Job, state: &State, search: &Search) -> Schedule {
    let mean = job.space.candidate(search.optimizer.mean());
    Schedule::all(vec![mean], &Deal::first(job.seed, Split::Validation, state.plan.validation), 0)
}

pub(super) fn complete(at: At<'_>, outcomes: &[Measured]) -> Phase {
    let At { job, state, search, log } = at;
    let problem = &*job.source.problem;
    let units = Units::of(problem, Split::Validation, outcomes.len());
    state.validation.differences = units.observations_by_number(&differences(problem, outcomes, &state.baseline));
    if !state.ended {
        state.validation.needed = needed(&state.validation.differences, &units);
        // The user may have ended the search during this validation.
        state.ended = state.is_over(job, search);
    }
    let difference = difference(job, Split::Validation, outcomes, &state.baseline).interval();
    let generation = search.optimizer.generation();
    log.candidate((Stage::Validation, generation), state.trials(), FinalistKind::Mean, outcomes, difference);
    let held = held(problem, Split::Validation, outcomes);
    if worst(&held) == Holding::Held {
        state.gain = Some(Gain { interval: difference, evidence: Evidence::Validation });
        // At the end of the search, the mean is a finalist anyway.
        if !held.is_empty() && !state.ended {
            let weights = job.space.rounded(search.optimizer.mean());
            state.validation.incumbent = Some(Finalist { kind: FinalistKind::Mean, generation, weights, matter: None });
        }
    }
    state.validation.searched = state.search_trials();
    if state.ended { Phase::Selection } else { Phase::Search }
}

/// Approximate half-width of the interval of a test in standard errors, wider for interim analyses
/// and corrections.
const REACH: f64 = 2.2;
/// Factor on the estimated number of trials, because the difference is known only roughly.
const MORE: f64 = 1.5;

/// Returns the approximate number of trials after which a test of these observations is conclusive;
/// `None` if it is unknown.
fn needed(differences: &[Difference], units: &Units) -> Option<usize> {
    let values: Vec<f64> = differences.iter().map(|difference| difference.value).collect();
    let (mean, deviation) = (mean(&values), standard_deviation(&values));
    if values.len() < LEAST_SAMPLE || mean <= 0.0 {
        return None;
    }
    let ratio = 2.0 * REACH * deviation / mean;
    let observations = MORE * ratio * ratio;
    let each = units.deals as f64 / units.count as f64;
    Some((observations * each).ceil().max(LEAST_SAMPLE as f64) as usize)
}
