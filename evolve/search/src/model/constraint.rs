//! Constraints: limits on quantities beside the objective.

use crate::model::limit::Limit;
use std::fmt;

/// A limit on one number of a problem's outcomes.
#[derive(Clone, Debug, PartialEq)]
pub struct Constraint {
    /// The quantity, one of the problem's metrics,
    /// [`Metrics::names`](crate::model::trial::Metrics::names).
    pub name: String,
    /// The index of the quantity among these metrics.
    pub metric: usize,
    /// The unit of the quantity; empty if unknown.
    pub unit: &'static str,
    pub limit: Limit,
}

impl fmt::Display for Constraint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.name, self.limit)
    }
}
