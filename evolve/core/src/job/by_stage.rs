//! Numbers by stage of a run.

use crate::statistics::grouped;
use serde::{Deserialize, Serialize};
use std::fmt;

/// A number for each stage of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ByStage<T> {
    /// The baseline on held-out instances, before the search.
    pub baseline: T,
    /// The search.
    pub search: T,
    /// The validations of the search's mean.
    pub validation: T,
    /// The selection.
    pub selection: T,
    /// The search for parameters without effect.
    pub effects: T,
    /// The held-out test.
    pub test: T,
}

impl<T> ByStage<T> {
    /// Returns the numbers in the order of the stages.
    pub fn numbers(self) -> [T; 6] {
        let ByStage { baseline, search, validation, selection, effects, test } = self;
        [baseline, search, validation, selection, effects, test]
    }

    /// Converts each number.
    pub fn map<U>(self, of: impl Fn(T) -> U) -> ByStage<U> {
        let [baseline, search, validation, selection, effects, test] = self.numbers().map(of);
        ByStage { baseline, search, validation, selection, effects, test }
    }
}

impl ByStage<u64> {
    /// Returns the numbers with the names of their stages.
    pub fn by_name(self) -> [(u64, &'static str); 6] {
        [
            (self.search, "search"),
            (self.baseline, "baseline"),
            (self.validation, "validation"),
            (self.selection, "selection"),
            (self.effects, "parameters without effect"),
            (self.test, "test"),
        ]
    }

    /// Returns the sum of all stages.
    pub fn total(self) -> u64 {
        self.numbers().into_iter().fold(0, u64::saturating_add)
    }
}

impl ByStage<f64> {
    /// Returns the sum of all stages.
    pub fn total(self) -> f64 {
        self.numbers().into_iter().sum()
    }
}

/// The trials of every stage that has any, as in `search 134, test 66`.
impl fmt::Display for ByStage<u64> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = self.by_name().into_iter().filter(|(trials, _)| *trials > 0);
        let parts: Vec<String> = parts.map(|(trials, stage)| format!("{stage} {}", grouped(trials))).collect();
        f.write_str(&parts.join(", "))
    }
}
