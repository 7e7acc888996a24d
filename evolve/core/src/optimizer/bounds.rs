//! Ranges: what would leave them stops at their ends.

use crate::space::Coordinate;

/// Moves every coordinate into its range.
pub fn clamp(point: &mut [f64], space: &[Coordinate]) {
    for (value, coordinate) in point.iter_mut().zip(space) {
        *value = coordinate.clamp(*value);
    }
}
