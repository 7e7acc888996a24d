//! Bounds of the explored part of a small space: ten scales around the start.

use crate::model::space::Coordinate;

/// How far from the start points lie at most, in units of each coordinate's scale.
const AROUND: f64 = 10.0;

/// Between which values of a coordinate points lie.
pub fn around(coordinate: &Coordinate) -> (f64, f64) {
    let Coordinate { start, scale, min, max, .. } = *coordinate;
    ((start - AROUND * scale).max(min), (start + AROUND * scale).min(max))
}
