//! The estimate of the trials that a run has left.

use super::{ByStage, Job, Limits, Plan, Stage};

/// A run before or during its search. The default is a run before its first trial.
#[derive(Clone, Copy, Debug, Default)]
pub struct SoFar {
    pub trials: ByStage<u64>,
    /// The seconds spent.
    pub seconds: f64,
    /// The seconds from one trial of the search to the next, if known.
    pub pace: Option<f64>,
}

/// The approximate number of candidates in a selection: the baseline and two points of the
/// optimizer.
pub const FINALISTS: usize = 3;

impl Job {
    /// Estimates the trials that are left during the search, if a generation has `each` trials and
    /// the test `test` trials of each candidate. The search is infinite if the job limits its time
    /// and the pace is unknown.
    pub fn remaining(&self, plan: &Plan, so_far: &SoFar, each: f64, test: usize) -> ByStage<f64> {
        let (Limits { budget, generations, time }, SoFar { trials, seconds, pace }) = (self.limits, *so_far);
        let by_budget = budget.map(|budget| budget.saturating_sub(trials.total()) as f64);
        let by_time = time
            .map(|time| pace.map_or(f64::INFINITY, |pace| (time.as_secs_f64() - seconds).max(0.0) / pace.max(1e-9)));
        let searched = trials[Stage::Search] as f64;
        let baseline = (plan.validation as u64).saturating_sub(trials[Stage::Baseline]) as f64;
        let rest = plan.rest(self, trials[Stage::Search], FINALISTS, test).map(|trials| trials as f64);
        let [validations, effects] = [plan.validations(), plan.effects_share(self)];
        let left = |all: f64, rest: f64| (all - baseline - rest) / (1.0 + validations + effects);
        let by_all = match (time, pace) {
            (Some(_), None) => f64::INFINITY,
            _ => {
                let by_budget = by_budget.map(|all| left(all, rest.total()));
                let by_time = by_time.map(|all| left(all, self.work(rest)));
                [by_budget, by_time].into_iter().flatten().fold(f64::INFINITY, f64::min)
            }
        };
        let by_generations = generations.map_or(f64::INFINITY, |generations| generations as f64 * each - searched);
        // The first generation is always played to its end.
        let search = by_all.min(by_generations).max(each - searched).max(0.0);
        let with_search = |share: f64| if share > 0.0 { share * search } else { 0.0 };
        ByStage::of(|stage| match stage {
            Stage::Baseline => baseline,
            Stage::Search => search,
            Stage::Validation => rest[stage] + with_search(validations),
            Stage::Effects => rest[stage] + with_search(effects),
            Stage::Selection | Stage::Test => rest[stage],
        })
    }
}
