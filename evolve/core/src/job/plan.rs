//! The plan of a run: the shares of its trials for validation, selection and test. The search gets
//! the rest.

use crate::job::{ByStage, Job, Stage};
use evolve_search::document::{Complaint, Time};
use evolve_search::model::problem::Problem;
use evolve_search::model::seed::Split;
use evolve_search::statistics::{LEAST_CLAIM, LEAST_SAMPLE};
use serde::{Deserialize, Serialize};

/// The number of trials of each candidate, for each stage other than the search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Plan {
    /// The trials of each validation; 0 for no validation.
    pub validation: usize,
    /// The trials of the selection; 0 sends the optimizer's recommendation directly to the test.
    pub selection: usize,
    /// The trials of the held-out test, at most; 0 for no test.
    pub test: usize,
    /// The budget of the run, see [`Job::budget`].
    pub budget: u64,
}

/// The sizes that a job sets: trials of each candidate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sizes {
    pub validation: Option<usize>,
    pub selection: Option<usize>,
    pub test: Option<usize>,
}

impl Sizes {
    /// Checks that validation and test have either no trials, or enough to find an improvement, and
    /// that there is a test if constraints need one.
    ///
    /// # Errors
    /// The first size that does not fit.
    pub(super) fn check(&self, problem: &dyn Problem) -> Result<(), Complaint> {
        for (key, size) in [("validation", self.validation), ("test", self.test)] {
            if let Some(size) = size.filter(|size| (1..LEAST_CLAIM).contains(size)) {
                let message = format!("`search.{key}` is 0, or at least {LEAST_CLAIM}, not {size}");
                return Err(Complaint::new(&[key], message));
            }
        }
        if self.test == Some(0) && problem.is_constrained() {
            let message = "`search.test` is 0, but constraints are judged in the test: remove it, or [constraints]";
            return Err(Complaint::new(&["test"], message));
        }
        Ok(())
    }

    /// Returns the first size that differs from the plan: its key, the planned size and the size
    /// set here.
    pub fn other(&self, plan: &Plan) -> Option<(&'static str, usize, usize)> {
        let Plan { validation, selection, test, .. } = *plan;
        let sizes = [
            ("search.validation", validation, self.validation),
            ("search.selection", selection, self.selection),
            ("search.test", test, self.test),
        ];
        sizes.into_iter().find_map(|(key, then, now)| Some((key, then, now.filter(|&now| now != then)?)))
    }
}

impl From<Plan> for Sizes {
    fn from(Plan { validation, selection, test, .. }: Plan) -> Self {
        Sizes { validation: Some(validation), selection: Some(selection), test: Some(test) }
    }
}

/// The limits of a run. The search ends early enough for the later stages to stay within `budget`
/// and `time`. At least one is set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    pub budget: Option<u64>,
    pub generations: Option<u64>,
    pub time: Option<Time>,
}

/// The smallest and the largest budget.
pub(super) const LEAST_BUDGET: u64 = 20;
pub(super) const LARGEST_BUDGET: u64 = 1_152_921_504_606_846_975;
/// The number of trials below which a run can afford only the search and the test.
const SMALL: f64 = 2000.0;
/// In each validation, each candidate plays a `VALIDATION`th of the run's trials; in the selection,
/// a `SELECTION`th.
const VALIDATION: f64 = 200.0;
const SELECTION: f64 = 100.0;
/// The test takes one in six trials for each of two candidates, a third in total, but at least as
/// many as a claim needs.
const TEST: f64 = 6.0;
/// The largest number of trials of a candidate in any stage.
pub const MOST_TRIALS: f64 = 10_000.0;
/// The largest number of replicates by default: further replicates of an instance say little about
/// other instances.
const MOST_REPLICATES: usize = 5;
/// The share of all trials that the search is assumed to take if the run is limited by its number
/// of generations.
const SEARCH: f64 = 0.6;
/// The number of search trials for each validation trial.
const BETWEEN: u64 = 10;
/// Finding the parameters without effect takes at most one trial for every `EFFECTS` trials of the
/// optimizer's search.
const EFFECTS: u64 = 20;

impl Plan {
    /// Returns the split of a stage. In a small run without validations and selection, their
    /// instances serve the test.
    pub fn split(&self, stage: Stage) -> Split {
        let is_small = (self.budget as f64) < SMALL && self.validation == 0 && self.selection == 0;
        match stage {
            Stage::Search => Split::Search,
            Stage::Baseline | Stage::Validation => Split::Validation,
            Stage::Selection | Stage::Effects => Split::Selection,
            Stage::Test if is_small => Split::HeldOut,
            Stage::Test => Split::Test,
        }
    }

    /// Returns the number of search trials between two validations; `None` without validations.
    pub fn trials_between(&self) -> Option<u64> {
        (self.validation > 0).then_some(BETWEEN * self.validation as u64)
    }

    /// Returns the number of validation trials for each search trial.
    pub fn validations(&self) -> f64 {
        self.trials_between().map_or(0.0, |between| self.validation as f64 / between as f64)
    }

    /// Returns the largest number of trials of each stage after the search. The search had
    /// `searched` trials and ended with `finalists` candidates, including the baseline. The test
    /// takes `test` trials of each candidate, and one more if the comparison is exact, because an
    /// exact result is one that repeats.
    pub fn rest(&self, job: &Job, searched: u64, finalists: usize, test: usize) -> ByStage<u64> {
        ByStage::of(|stage| match stage {
            Stage::Baseline | Stage::Search => 0,
            Stage::Validation => self.validation as u64,
            Stage::Selection => (finalists * self.selection) as u64,
            Stage::Effects => self.effects(job, searched),
            Stage::Test => 2 * (test + usize::from(job.problem.is_exact(test))) as u64,
        })
    }

    /// Returns the largest number of trials of the search for parameters without effect.
    pub fn effects(&self, job: &Job, searched: u64) -> u64 {
        let is_possible = self.selection >= LEAST_CLAIM && job.problem.behaviour().reproduces();
        if is_possible { searched / EFFECTS } else { 0 }
    }

    /// Returns the largest number of trials for parameters without effect, as a share of the
    /// search's trials.
    pub fn effects_share(&self, job: &Job) -> f64 {
        self.effects(job, EFFECTS) as f64 / EFFECTS as f64
    }
}

impl Job {
    /// Returns the split of the test that a run of the job plans.
    pub fn test_split(&self) -> Split {
        self.plan(self.trials(None)).split(Stage::Test)
    }

    /// Returns the plan for a run of `trials` trials in total. Pass `None` if their number is
    /// unknown.
    pub fn plan(&self, trials: Option<f64>) -> Plan {
        let Sizes { validation, selection, test } = self.sizes;
        let problem = &*self.problem;
        if problem.behaviour().is_one_case() {
            return Plan { validation: 0, selection: 0, test: test.unwrap_or(1), budget: self.budget() };
        }
        let share = |one_in: f64| match trials {
            Some(trials) if trials >= SMALL => (trials / one_in).clamp(LEAST_SAMPLE as f64, MOST_TRIALS) as usize,
            _ => 0,
        };
        let untested = |split| self.test_instances(split).map_or(0, |names| names.len());
        let validation = validation.unwrap_or_else(|| problem.worth_playing(Split::Validation, share(VALIDATION)));
        let selection = selection.unwrap_or_else(|| problem.worth_playing(Split::Selection, share(SELECTION)));
        let plan = Plan { validation, selection, test: 0, budget: self.budget() };
        // By time, the test takes a third as well, but not fewer trials than a sample needs.
        let third = trials.unwrap_or(0.0) / TEST;
        let of_test = (trials.unwrap_or(0.0) / self.each_of_test()).max(third.min(LEAST_SAMPLE as f64));
        let of_test = of_test.clamp(LEAST_CLAIM as f64, MOST_TRIALS) as usize;
        let of_test = match untested(plan.split(Stage::Test)) {
            // Every instance is played equally often.
            count if (1..=of_test).contains(&count) => count * (of_test / count).min(MOST_REPLICATES),
            _ => of_test,
        };
        let split = plan.split(Stage::Test);
        let worth = problem.worth_playing(split, of_test);
        // Without replicates, an instance that an earlier test used would repeat.
        let worth = match untested(split) {
            count if self.test_skips > 0 && !problem.behaviour().has_replicates() => worth.min(count),
            _ => worth,
        };
        Plan { test: test.unwrap_or(worth), ..plan }
    }

    /// Returns the number of trials of a run for each trial of one of the two candidates in the
    /// test: six if a trial of the test takes as long as one of the search.
    fn each_of_test(&self) -> f64 {
        (TEST - 2.0) * self.cost(Stage::Test) + 2.0
    }

    /// If the budget is too small, returns it and the smallest sufficient budget. The smallest
    /// sufficient budget covers one generation of the search and all later stages with the smallest
    /// test.
    pub fn small_budget(&self) -> Option<(u64, u64)> {
        let budget = self.limits.budget?;
        let least = self.least_trials().total();
        (budget < least).then_some((budget, least))
    }

    /// Returns the number of trials of the shortest run: one generation of the search and all later
    /// stages with the smallest test.
    pub fn least_trials(&self) -> ByStage<u64> {
        let plan = self.plan(self.trials(None));
        let search = self.start_search();
        let first = search.ask().trials.len() as u64;
        let test = self.sizes.test.unwrap_or(plan.test.min(LEAST_CLAIM));
        let mut least = plan.rest(self, first, 1 + search.recommended().len(), test);
        least[Stage::Baseline] = plan.validation as u64;
        least[Stage::Search] = first;
        least
    }

    /// Returns the number of trials of the first generation.
    pub fn first_generation(&self) -> usize {
        self.start_search().ask().trials.len()
    }

    /// Returns the number of trials that the limits allow, if a trial of the search starts every
    /// `seconds`; `None` if that number depends on the speed of trials and `seconds` is `None`.
    pub fn trials(&self, seconds: Option<f64>) -> Option<f64> {
        let Limits { budget, generations, time } = self.limits;
        let by_time = match (time, seconds) {
            (None, _) => None,
            (Some(time), Some(seconds)) => {
                // Two trials of every `each` are of the test.
                let (each, cost) = (self.each_of_test(), self.cost(Stage::Test));
                Some(time.as_secs_f64() / seconds.max(1e-9) * (each / (each - 2.0 + 2.0 * cost)))
            }
            (Some(_), None) => return None,
        };
        let by_generations =
            generations.map(|generations| generations as f64 * self.first_generation() as f64 / SEARCH);
        [budget.map(|budget| budget as f64), by_time, by_generations].into_iter().flatten().reduce(f64::min)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{TINY, parse};

    /// Returns the tiny job with a budget and without sizes.
    fn budget(trials: u64) -> Job {
        let text = TINY.replace("generations = 3", &format!("budget = {trials}"));
        let sizes = ["validation = 30\n", "selection = 8\n", "test = 30\n"];
        let text = sizes.iter().fold(text, |text, size| text.replace(size, ""));
        parse(&text).unwrap_or_else(|fault| panic!("{fault}"))
    }

    #[test]
    fn the_test_gets_a_third_within_its_bounds_and_small_runs_have_no_other_stage() {
        let plan = |trials: u64| {
            let job = budget(trials);
            let Plan { validation, selection, test, .. } = job.plan(job.trials(None));
            [validation, selection, test]
        };
        assert_eq!(plan(30), [0, 0, 6]);
        assert_eq!(plan(60), [0, 0, 10]);
        assert_eq!(plan(1999), [0, 0, 333]);
        assert_eq!(plan(2000), [30, 30, 333]);
        assert_eq!(plan(60_000), [300, 600, 10_000]);
        assert_eq!(plan(1 << 40), [10_000; 3]);
    }

    #[test]
    fn a_time_limit_without_a_speed_gives_no_number_of_trials() {
        let mut job = budget(60_000);
        job.limits.time = Some(Time(std::time::Duration::from_secs(100)));
        assert_eq!(job.trials(None), None);
        assert_eq!(job.trials(Some(0.5)), Some(200.0));
        let sizes = |validation, selection, test| Plan { validation, selection, test, budget: 60_000 };
        assert_eq!(job.plan(None), sizes(0, 0, 6));
        job.sizes.test = Some(0);
        assert_eq!(job.plan(Some(60_000.0)), sizes(300, 600, 0));
    }
}
