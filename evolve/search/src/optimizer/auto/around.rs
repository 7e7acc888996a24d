//! The bounds of the explored part of a small space: ten units around the start and, if there is a
//! prior, three standard deviations around its mean.

use crate::model::parameter::Prior;
use crate::model::space::Coordinate;

/// The largest distance from the start, in each coordinate's unit.
const AROUND: f64 = 10.0;
/// The distance around the mean of a prior that is always included, in standard deviations.
const AROUND_PRIOR: f64 = 3.0;

/// Returns the explored range of a coordinate.
pub fn around(coordinate: &Coordinate) -> (f64, f64) {
    let Coordinate { start, unit, min, max, prior, .. } = *coordinate;
    let (low, high) = (start - AROUND * unit, start + AROUND * unit);
    let (low, high) = match prior {
        None => (low, high),
        Some(Prior { mean, deviation }) => {
            (low.min(mean - AROUND_PRIOR * deviation), high.max(mean + AROUND_PRIOR * deviation))
        }
    };
    (low.max(min), high.min(max))
}

/// Returns the standard deviation in each coordinate of candidates that cover the explored range
/// evenly.
pub fn deviations(space: &[Coordinate]) -> Vec<f64> {
    let even = |coordinate: &Coordinate| {
        let (low, high) = around(coordinate);
        (high - low) / 12.0_f64.sqrt()
    };
    space.iter().map(even).collect()
}
