//! Outcomes that are much worse than most are reduced, because the degree of failure does not
//! matter.

use crate::statistics::{mean, median};

/// The standard deviation of normal outcomes, over the median of their distances from the middle;
/// and half as much again, because most of a search is better than the space.
const SPREAD: f64 = 1.5 * 1.4826;

/// Returns the outcomes, with those much worse than most reduced.
pub fn squashed(outcomes: &[f64]) -> Vec<f64> {
    reduced(outcomes, f64::NEG_INFINITY, 0.0)
}

/// Returns the outcomes, with those reduced that are much worse than most and than `least`. The
/// spread of most is at least `floor`; if it is 0, no outcome is reduced.
pub fn reduced(outcomes: &[f64], least: f64, floor: f64) -> Vec<f64> {
    const BAD: f64 = 1.5;
    let middle = median(outcomes);
    let spread = (SPREAD * median(&below(outcomes, middle))).max(floor);
    let border = middle.max(least) + BAD * spread;
    let squash =
        |&y: &f64| if spread > 0.0 && y > border { border + spread * libm::log1p((y - border) / spread) } else { y };
    outcomes.iter().map(squash).collect()
}

/// Returns the spread of the better half of outcomes, which is 0 only if none is better than most.
pub fn spread_of_better(outcomes: &[f64]) -> f64 {
    SPREAD * mean(&below(outcomes, median(outcomes)))
}

/// Returns how far the better half of outcomes is below the middle.
fn below(outcomes: &[f64], middle: f64) -> Vec<f64> {
    outcomes.iter().filter(|&&y| y <= middle).map(|y| middle - y).collect()
}
