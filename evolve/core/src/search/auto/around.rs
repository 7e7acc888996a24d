//! Bounds of the explored part of a small space: ten scales around the start, and three deviations around the mean of a
//! prior.

use crate::model::parameter::Prior;
use crate::model::space::Coordinate;

/// How far from the start points lie at most, in units of each coordinate's scale.
const AROUND: f64 = 10.0;
/// How far from the mean of a prior they lie at least, in deviations.
const AROUND_PRIOR: f64 = 3.0;

/// Between which values of a coordinate points lie.
pub fn around(coordinate: &Coordinate) -> (f64, f64) {
    let Coordinate { start, scale, min, max, prior, .. } = *coordinate;
    let (low, high) = (start - AROUND * scale, start + AROUND * scale);
    let (low, high) = match prior {
        None => (low, high),
        Some(Prior { mean, deviation }) => {
            (low.min(mean - AROUND_PRIOR * deviation), high.max(mean + AROUND_PRIOR * deviation))
        }
    };
    (low.max(min), high.min(max))
}
