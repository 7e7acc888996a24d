//! The outcomes of the trials that an optimizer requested.

use crate::model::limit::Limit;

/// The outcomes of the trials of a request, in the order of the trials.
#[derive(Clone, Copy, Debug, Default)]
pub struct Told<'a> {
    /// The objectives. All are finite.
    pub objectives: &'a [f64],
    /// The objectives minus penalties, so that every candidate that breaks a constraint is worse
    /// than those that hold all. A method that only ranks candidates needs no more. Without
    /// constraints, these are the objectives.
    pub penalized: &'a [f64],
    /// The indices, in ascending order, of the objectives that are only upper bounds: these trials
    /// were stopped because a rival is clearly better. A method that only ranks candidates can use
    /// a bound as the objective. All stopped candidates on a case share the same bound, so none
    /// overtakes a better candidate.
    pub bounds: &'a [usize],
    /// The quantity of each constraint.
    pub quantities: &'a [Quantity],
}

#[derive(Clone, Debug, PartialEq)]
pub struct Quantity {
    pub limit: Limit,
    /// The number of trials of the test that decides whether a candidate is within the limit.
    pub test: usize,
    /// The quantity in each trial; `None` if it failed.
    pub values: Vec<Option<f64>>,
    /// The quantity of the start in held-out trials, before the search.
    pub start: Vec<f64>,
}
