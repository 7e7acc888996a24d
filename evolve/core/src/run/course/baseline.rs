//! Plays the baseline on the held-out instances, before the search.

use super::Course;
use super::record::Record;
use super::rows::ValidationRow;
use super::schedule::Schedule;
use crate::job::Stage;
use crate::judgement::comparison::Units;
use crate::judgement::measured::Measured;
use evolve_search::optimizer::FinalistKind;
use evolve_search::statistics::Interval;

pub(super) fn schedule(course: &Course) -> Schedule {
    let start = course.job.space.start().into();
    Schedule::all(vec![start], &course.cases(course.state.plan.validation), 0)
}

pub(super) fn complete(course: &mut Course, outcomes: Vec<Measured>) -> Vec<Record> {
    // The table shows the validations beside the baseline.
    let (kind, trials) = (FinalistKind::Baseline, course.state.trials());
    let units = Units::of(course.problem(), course.split(), outcomes.len());
    let row = ValidationRow::of(Stage::Validation, kind, 0, trials, &outcomes, units, Interval::default());
    let records = if outcomes.is_empty() { Vec::new() } else { vec![Record::Validation(row)] };
    (course.state.baseline, course.state.stage) = (outcomes, Stage::Search);
    records
}
