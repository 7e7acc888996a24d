//! The vertical axes of a history.

use crate::draw::Axis;
use serde::Serialize;

/// The axes of positive or other numbers.
#[derive(Serialize)]
pub struct Heights {
    plain: Axis,
    /// With equal distances of equal ratios, if all numbers are positive.
    log: Option<Axis>,
}

impl Heights {
    /// Creates the axes of some numbers. The plain one shows `best`, and most of the others.
    pub fn of(best: Option<f64>, values: &[f64]) -> Self {
        Heights { plain: Axis::around_most(best, values, 5), log: Axis::of_ratios(values, 5) }
    }
}
