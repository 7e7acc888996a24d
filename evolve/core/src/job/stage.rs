//! The stages of a run, and a value for each of them.

use evolve_search::statistics::grouped;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::iter::once;
use std::ops::{Index, IndexMut};

/// A stage of a run. Stages follow each other in this order; validations return to the search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stage {
    /// The baseline on held-out instances, before the search.
    #[default]
    Baseline,
    Search,
    /// A validation of the search's mean on held-out instances.
    Validation,
    /// The choice among the finalists.
    Selection,
    /// The search for parameters of the finalist that change no outcome.
    Effects,
    /// The held-out test.
    Test,
}

impl Stage {
    /// All stages, in order.
    pub const ALL: [Stage; 6] =
        [Stage::Baseline, Stage::Search, Stage::Validation, Stage::Selection, Stage::Effects, Stage::Test];

    /// Returns the name in files and protocols.
    pub fn name(self) -> &'static str {
        match self {
            Stage::Baseline => "baseline",
            Stage::Search => "search",
            Stage::Validation => "validation",
            Stage::Selection => "selection",
            Stage::Effects => "effects",
            Stage::Test => "test",
        }
    }
}

/// A value for each stage of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ByStage<T>([T; Stage::ALL.len()]);

impl<T> ByStage<T> {
    /// Computes the value of each stage.
    pub fn of(value: impl FnMut(Stage) -> T) -> Self {
        ByStage(Stage::ALL.map(value))
    }

    /// Converts each value.
    pub fn map<U>(self, of: impl FnMut(T) -> U) -> ByStage<U> {
        ByStage(self.0.map(of))
    }
}

impl<T> Index<Stage> for ByStage<T> {
    type Output = T;

    fn index(&self, stage: Stage) -> &T {
        &self.0[stage as usize]
    }
}

impl<T> IndexMut<Stage> for ByStage<T> {
    fn index_mut(&mut self, stage: Stage) -> &mut T {
        &mut self.0[stage as usize]
    }
}

impl ByStage<u64> {
    /// Returns the sum of all stages.
    pub fn total(self) -> u64 {
        self.0.into_iter().fold(0, u64::saturating_add)
    }

    /// Returns every stage that has any, in words, with its number: the search, of which users ask
    /// first, before the others.
    pub fn in_words(self) -> impl Iterator<Item = (Stage, &'static str, u64)> {
        let others = Stage::ALL.into_iter().filter(|&stage| stage != Stage::Search);
        once(Stage::Search).chain(others).filter(move |&stage| self[stage] > 0).map(move |stage| {
            let words = if stage == Stage::Effects { "parameters without effect" } else { stage.name() };
            (stage, words, self[stage])
        })
    }
}

impl ByStage<f64> {
    /// Returns the sum of all stages.
    pub fn total(self) -> f64 {
        self.0.into_iter().sum()
    }
}

/// The trials of every stage that has any, as in `search 134, test 66`.
impl fmt::Display for ByStage<u64> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts: Vec<String> =
            self.in_words().map(|(_, words, trials)| format!("{words} {}", grouped(trials))).collect();
        f.write_str(&parts.join(", "))
    }
}
