//! Candidates among whom the final round chooses.

use crate::search::FinalistKind;
use serde::{Deserialize, Serialize};

/// One of those among whom the final round chooses.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Finalist {
    /// Which point of the search it is.
    pub kind: FinalistKind,
    /// The generation that it is from.
    pub generation: u64,
    /// All values.
    pub weights: Vec<f64>,
    /// How many evolving parameters change outcomes, and so differ from the start; `None` if that is not known.
    #[serde(default)]
    pub matter: Option<usize>,
}
