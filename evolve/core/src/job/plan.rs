//! The plan of a run: how its trials are divided among validation, selection and test. The search gets the rest.

use crate::job::Job;
use crate::judgement::comparison::LEAST_CLAIM;
use crate::model::seed::Split;
use crate::statistics::LEAST_SAMPLE;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// Trials of a candidate in each stage that follows the search or interrupts it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Plan {
    /// In each validation; 0: there is none.
    pub validation: usize,
    /// In the selection; 0: the optimizer's recommendation goes to the test.
    pub selection: usize,
    /// In the held-out test, at most; 0: there is none.
    pub test: usize,
}

/// The sizes that a job names.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sizes {
    /// Of each validation.
    pub validation: Option<usize>,
    /// Of the selection.
    pub selection: Option<usize>,
    /// Of the test.
    pub test: Option<usize>,
}

impl Sizes {
    /// The first size named that is another one in a plan: its key, its value there and its value here.
    pub fn other(&self, plan: &Plan) -> Option<(&'static str, usize, usize)> {
        let Plan { validation, selection, test } = *plan;
        let sizes = [
            ("evolution.validation", validation, self.validation),
            ("evolution.selection", selection, self.selection),
            ("evolution.test", test, self.test),
        ];
        sizes.into_iter().find_map(|(key, then, now)| Some((key, then, now.filter(|&now| now != then)?)))
    }
}

impl From<Plan> for Sizes {
    fn from(Plan { validation, selection, test }: Plan) -> Self {
        Sizes { validation: Some(validation), selection: Some(selection), test: Some(test) }
    }
}

/// When a run ends: at the first limit reached; one at least is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// Trials of the run.
    pub budget: Option<u64>,
    /// Generations of the search.
    pub generations: Option<u64>,
    /// Time of the run, interruptions not counted.
    pub time: Option<Duration>,
}

/// In runs of fewer trials, only the test is played beside the search: it is what such a run can afford.
const SMALL: f64 = 2000.0;
/// Of all trials, a validation takes one in so many for a candidate, and the selection.
const VALIDATION: f64 = 200.0;
const SELECTION: f64 = 100.0;
/// The test takes one in six for each of two candidates: a third.
const TEST: f64 = 6.0;
/// Nothing takes more.
const MOST: f64 = 10_000.0;
/// Replicates of an instance say ever less of the others.
const MOST_REPLICATES: usize = 5;
/// The search of a run that only generations limit is about so much of it.
const SEARCH: f64 = 0.6;
/// Validations add one part in so many to the search.
const BETWEEN: u64 = 10;
/// The search for parameters without effect takes one in so many of the search's trials.
const EFFECTS: u64 = 20;

impl Plan {
    /// Trials of the search from one validation to the next; `None` without validations.
    pub fn trials_between(&self) -> Option<u64> {
        (self.validation > 0).then_some(BETWEEN * self.validation as u64)
    }

    /// The trials of validations for each trial of the search.
    pub fn validations(&self) -> f64 {
        self.trials_between().map_or(0.0, |between| self.validation as f64 / between as f64)
    }

    /// The most trials after a search of `searched` trials that ends with so many `finalists`, the baseline included,
    /// with a test of `test` trials for a candidate.
    pub fn rest(&self, job: &Job, searched: u64, finalists: usize, test: usize) -> u64 {
        (self.validation + finalists * self.selection + 2 * test) as u64 + self.effects(job, searched)
    }

    /// The most trials for finding parameters without effect.
    pub fn effects(&self, job: &Job, searched: u64) -> u64 {
        let is_possible = self.selection >= LEAST_CLAIM && job.source.problem.reproduces();
        if is_possible { searched / EFFECTS } else { 0 }
    }
}

impl Job {
    /// The plan for a run of so many trials in all; `None` where only the time is known.
    pub fn plan(&self, trials: Option<f64>) -> Plan {
        let Sizes { validation, selection, test } = self.sizes;
        let problem = &*self.source.problem;
        if problem.is_one_deal() {
            return Plan { validation: 0, selection: 0, test: test.unwrap_or(1) };
        }
        let share = |one_in: f64| match trials {
            Some(trials) if trials >= SMALL => (trials / one_in).clamp(LEAST_SAMPLE as f64, MOST) as usize,
            _ => 0,
        };
        let of_test = (trials.unwrap_or(0.0) / TEST).clamp(LEAST_CLAIM as f64, MOST) as usize;
        let instances = |split| problem.instances(split).map_or(0, |names| names.len());
        let of_test = match instances(Split::Test) {
            // Each instance as often as the others.
            count if (1..=of_test).contains(&count) => count * (of_test / count).min(MOST_REPLICATES),
            _ => of_test,
        };
        let once = |split, trials: usize| match instances(split) {
            count if count > 0 && !problem.has_replicates() => trials.min(count),
            _ => trials,
        };
        Plan {
            validation: validation.unwrap_or_else(|| once(Split::Validation, share(VALIDATION))),
            selection: selection.unwrap_or_else(|| once(Split::Selection, share(SELECTION))),
            test: test.unwrap_or_else(|| once(Split::Test, of_test)),
        }
    }

    /// The budget and the least one that a run can keep to, if the budget is below it: one generation of the search, and
    /// all that follows it with the smallest test.
    pub fn small_budget(&self) -> Option<(u64, u64)> {
        let budget = self.limits.budget?;
        let plan = self.plan(self.trials(None));
        let search = self.start_search();
        let first = search.ask().trials.len() as u64;
        let test = self.sizes.test.unwrap_or(plan.test.min(LEAST_CLAIM));
        let least = plan.validation as u64 + first + plan.rest(self, first, 1 + search.recommended().len(), test);
        (budget < least).then_some((budget, least))
    }

    /// The trials of the run by its limits, `seconds` being the time from one trial to the next; `None` where they follow
    /// from an unknown speed.
    pub fn trials(&self, seconds: Option<f64>) -> Option<f64> {
        let Limits { budget, generations, time } = self.limits;
        let by_time = match (time, seconds) {
            (None, _) => None,
            (Some(time), Some(seconds)) => Some(time.as_secs_f64() / seconds.max(1e-9)),
            (Some(_), None) => return None,
        };
        let first = || self.start_search().ask().trials.len();
        let by_generations = generations.map(|generations| generations as f64 * first() as f64 / SEARCH);
        [budget.map(|budget| budget as f64), by_time, by_generations].into_iter().flatten().reduce(f64::min)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{TINY, parse};

    /// The tiny job without sizes of its own, with a budget.
    fn budget(trials: u64) -> Job {
        let text = TINY.replace("generations = 3", &format!("budget = {trials}"));
        let sizes = ["validation = 30\n", "selection = 8\n", "test = 30\n"];
        let text = sizes.iter().fold(text, |text, size| text.replace(size, ""));
        parse(&text).unwrap_or_else(|faults| panic!("{faults}"))
    }

    #[test]
    fn a_third_at_most_is_for_the_test_and_small_runs_have_nothing_else() {
        let plan = |trials: u64| {
            let job = budget(trials);
            let Plan { validation, selection, test } = job.plan(job.trials(None));
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
    fn without_a_speed_a_time_says_nothing_of_trials() {
        let mut job = budget(60_000);
        job.limits.time = Some(Duration::from_secs(100));
        assert_eq!(job.trials(None), None);
        assert_eq!(job.trials(Some(0.5)), Some(200.0));
        assert_eq!(job.plan(None), Plan { validation: 0, selection: 0, test: 6 });
        job.sizes.test = Some(0);
        assert_eq!(job.plan(Some(60_000.0)), Plan { validation: 300, selection: 600, test: 0 });
    }
}
