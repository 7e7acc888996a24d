//! The goal of a problem.

use super::rating::Rating;
use crate::document::is_default;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Which scores are better.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Direction {
    /// Larger ones.
    #[default]
    Maximize,
    /// Smaller ones.
    Minimize,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct Goal {
    /// Which scores are better.
    pub direction: Direction,
    /// The optimized quantity in words, such as `the logarithm of the score`.
    pub of: String,
    /// How differences of it are rated.
    #[serde(default)]
    pub rating: Rating,
    /// Whether the objective is a logarithm, so that the unit of the score shifts it.
    #[serde(default, skip_serializing_if = "is_default")]
    pub logarithm: bool,
}

impl Goal {
    /// The quantity of a goal that is a score itself.
    pub const SCORE: &'static str = "the score";

    /// Returns the goal of a score itself.
    pub fn of_score(direction: Direction, rating: Rating) -> Self {
        Goal { direction, of: Self::SCORE.to_string(), rating, logarithm: false }
    }

    /// Returns whether the objective is the score.
    pub fn is_plain(&self) -> bool {
        self.direction == Direction::Maximize && self.of == Self::SCORE && !self.rating.is_ratio()
    }
}

impl fmt::Display for Direction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(f)
    }
}

impl fmt::Display for Goal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Goal { direction, of, rating, .. } = self;
        let divided = match rating {
            Rating::Objective => "",
            Rating::Ratio => "; on each instance, a difference is divided by the larger of the two scores",
        };
        write!(f, "{direction} {of}{divided}")
    }
}
