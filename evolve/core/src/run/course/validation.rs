//! Validation: plays the mean of the search on held-out cases, during the search. It selects
//! nothing.

use super::Course;
use super::finalist::Finalist;
use super::record::Record;
use super::rows::ValidationRow;
use super::schedule::Schedule;
use super::state::{Evidence, Gain};
use crate::job::Stage;
use crate::judgement::comparison::{Difference, Units};
use crate::judgement::feasibility::{Feasibility, Findings};
use crate::judgement::measured::{Measured, difference, differences};
use evolve_search::optimizer::FinalistKind;
use evolve_search::statistics::{LEAST_SAMPLE, mean, standard_deviation};

pub(super) fn schedule(course: &Course) -> Schedule {
    let mean = course.job.space.candidate(course.search.optimizer.mean());
    Schedule::all(vec![mean.into()], &course.cases(course.state.plan.validation), 0)
}

pub(super) fn complete(course: &mut Course, outcomes: &[Measured]) -> Vec<Record> {
    let split = course.split();
    let units = Units::of(course.problem(), split, outcomes.len());
    let differences = differences(course.problem(), outcomes, &course.state.baseline);
    course.state.validation.differences = units.observations_by_number(&differences);
    if !course.state.ended {
        course.state.validation.needed = needed(&course.state.validation.differences, &units);
        // The user may have ended the search during this validation.
        course.state.ended = course.is_search_over();
    }
    let Course { job, state, search } = course;
    let difference = difference(job, split, outcomes, &state.baseline).interval();
    let generation = search.optimizer.generation();
    if Findings::of(&*job.problem, split, outcomes).feasibility() == Feasibility::Feasible {
        state.gain = Some(Gain { interval: difference, evidence: Evidence::Validation });
        // At the end of the search, the mean is a finalist anyway.
        if job.problem.is_constrained() && !state.ended {
            let values = job.space.rounded(search.optimizer.mean());
            state.validation.incumbent = Some(Finalist { kind: FinalistKind::Mean, generation, values, matter: None });
        }
    }
    state.validation.searched = state.search_trials();
    let (kind, trials) = (FinalistKind::Mean, state.trials());
    let row = ValidationRow::of(Stage::Validation, kind, generation, trials, outcomes, units, difference);
    state.stage = if state.ended { Stage::Selection } else { Stage::Search };
    vec![Record::Validation(row)]
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
    let each = units.cases as f64 / units.count as f64;
    Some((observations * each).ceil().max(LEAST_SAMPLE as f64) as usize)
}
