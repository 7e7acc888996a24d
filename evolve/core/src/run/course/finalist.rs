//! The candidates that the selection chooses from.

use evolve_search::optimizer::FinalistKind;
use serde::{Deserialize, Serialize};

/// A candidate of the selection.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Finalist {
    /// Which point of the search the finalist is.
    pub kind: FinalistKind,
    /// The generation in which the search produced the finalist.
    pub generation: u64,
    /// The values of all parameters.
    pub values: Vec<f64>,
    /// The number of tuned parameters that change outcomes, and so differ from the start; `None` if
    /// unknown.
    pub matter: Option<usize>,
}
