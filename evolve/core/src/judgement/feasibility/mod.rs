//! The feasibility of candidates: whether they satisfy the constraints of their problem.
//!
//! Everything that needs to know asks here: [`Findings`] decides for a candidate from its trials,
//! [`ConstraintResults`] for the finalist of a run and its baseline, and [`Penalty`] for the
//! candidates of a search that only ranks them. A search with a model receives the limited
//! quantities themselves, see [`quantities`].

mod findings;
mod penalty;
mod results;

pub use findings::{Feasibility, Findings};
pub use penalty::Penalty;
pub use results::{ConstraintResult, ConstraintResults, error_of_score};

use crate::judgement::measured::Measured;
use evolve_search::model::constraint::Constraint;
use evolve_search::model::problem::Problem;
use evolve_search::optimizer::{Ask, Quantity};

/// Returns what optimizers learn of the constraints of a problem from the trials of a generation:
/// the objectives with penalties, and the limited [`quantities`].
pub fn limited(
    problem: &dyn Problem,
    penalty: &mut Penalty,
    test: usize,
    ask: &Ask,
    outcomes: &[Measured],
    baseline: &[Measured],
) -> (Vec<f64>, Vec<Quantity>) {
    let constraints = problem.constraints();
    (penalty.penalized(&constraints, test, ask, outcomes), quantities(&constraints, test, outcomes, baseline))
}

/// Returns, for each constraint, its quantity in the trials of a generation and of the baseline.
/// `test` is the size of the test.
pub fn quantities(
    constraints: &[Constraint],
    test: usize,
    outcomes: &[Measured],
    baseline: &[Measured],
) -> Vec<Quantity> {
    let of = |(place, constraint): (usize, &Constraint)| {
        let value = |one: &Measured| one.quantities.get(place).copied();
        let values = outcomes.iter().map(value).collect();
        Quantity { limit: constraint.limit, test, values, start: baseline.iter().filter_map(value).collect() }
    };
    constraints.iter().enumerate().map(of).collect()
}
