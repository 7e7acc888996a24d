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
    pub fn of(values: &[f64]) -> Self {
        Heights { plain: Axis::around_most([], values, 5), log: Axis::of_ratios(values, 5) }
    }
}
