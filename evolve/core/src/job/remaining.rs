//! The trials of a run by stage, and the estimate of those that are left.

use super::{Job, Limits, Plan};
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
        let parts = [
            (self.search, "search"),
            (self.baseline, "baseline"),
            (self.validation, "validation"),
            (self.selection, "selection"),
            (self.effects, "parameters without effect"),
            (self.test, "test"),
        ];
        let parts = parts.into_iter().filter(|(trials, _)| *trials > 0);
        let parts: Vec<String> = parts.map(|(trials, stage)| format!("{stage} {}", grouped(trials))).collect();
        f.write_str(&parts.join(", "))
    }
}

/// A run before or during its search. The default is a run before its first trial.
#[derive(Clone, Copy, Debug, Default)]
pub struct SoFar {
    /// The trials played.
    pub trials: ByStage<u64>,
    /// The seconds spent.
    pub seconds: f64,
    /// The seconds from one trial to the next, if known.
    pub pace: Option<f64>,
}

/// The approximate number of candidates in a selection: the baseline and two points of the optimizer.
pub const FINALISTS: usize = 3;

impl Job {
    /// Estimates the trials that are left during the search, if a generation has `each` trials and the test `test` trials
    /// of each candidate. The search is infinite if the job limits its time and the pace is unknown.
    pub fn remaining(&self, plan: &Plan, so_far: &SoFar, each: f64, test: usize) -> ByStage<f64> {
        let (Limits { budget, generations, time }, SoFar { trials, seconds, pace }) = (self.limits, *so_far);
        let by_budget = budget.map(|budget| budget.saturating_sub(trials.total()) as f64);
        let by_time = time
            .map(|time| pace.map_or(f64::INFINITY, |pace| (time.as_secs_f64() - seconds).max(0.0) / pace.max(1e-9)));
        let all = match (time, pace) {
            (Some(_), None) => f64::INFINITY,
            _ => [by_budget, by_time].into_iter().flatten().fold(f64::INFINITY, f64::min),
        };
        let searched = trials.search as f64;
        let baseline = (plan.validation as u64).saturating_sub(trials.baseline) as f64;
        let rest = plan.rest(self, trials.search, FINALISTS, test).map(|trials| trials as f64);
        let [validations, effects] = [plan.validations(), plan.effects_share(self)];
        let by_all = (all - baseline - rest.total()) / (1.0 + validations + effects);
        let by_generations = generations.map_or(f64::INFINITY, |generations| generations as f64 * each - searched);
        // The first generation is always played to its end.
        let search = by_all.min(by_generations).max(each - searched).max(0.0);
        let with_search = |share: f64| if share > 0.0 { share * search } else { 0.0 };
        ByStage {
            baseline,
            search,
            validation: rest.validation + with_search(validations),
            effects: rest.effects + with_search(effects),
            ..rest
        }
    }
}
