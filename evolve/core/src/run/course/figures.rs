//! The progress of a run in figures, and an estimate of the trials that are left. The results of a
//! run do not depend on them.

use super::counters::Ends;
use super::state::{Evidence, Gain, State};
use crate::job::{ByStage, FINALISTS, Job, SoFar, Stage};
use evolve_search::statistics::Interval;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// The progress of a run as programs read it. Before the first checkpoint, most of it is unknown.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Figures {
    /// The phase: `baseline`, `search`, `validation`, `selection`, `effects`, `test` or `done`.
    pub phase: Option<Cow<'static, str>>,
    /// The completed share of the run by time, from 0 to 1, including the stages after the search.
    pub share: f64,
    pub generation: Option<u64>,
    /// The total number of generations, if the job limits it.
    pub generations: Option<u64>,
    /// The number of trials so far.
    pub trials: Option<u64>,
    /// The trials that ended without a score of their own.
    #[serde(flatten)]
    pub ends: Ends,
    /// The seconds spent.
    pub seconds: Option<f64>,
    /// The estimated seconds until the end of the test; `None` before the first trial and after the
    /// last one.
    pub seconds_left: Option<f64>,
    /// The mean difference of the incumbent from the baseline, with its 95 % confidence interval.
    pub difference: Option<Interval>,
    /// The source of the difference.
    pub evidence: Option<Evidence>,
    /// The difference in words, with its scale.
    pub gain: Option<String>,
}

impl Figures {
    /// Returns the figures of a run; `state` is `None` before its first checkpoint.
    pub fn of(job: &Job, state: Option<&State>) -> Self {
        let generations = job.limits.generations;
        let Some(state) = state else { return Figures { generations, ..Figures::default() } };
        let (seconds, left, gain) = (state.counters.seconds, state.seconds_left(job), state.gain());
        Figures {
            phase: Some(state.verdict().map_or(state.stage.name(), |_| "done").into()),
            share: match left {
                _ if state.verdict().is_some() => 1.0,
                Some(left) if left > 0.0 => seconds / (seconds + left),
                _ => 0.0,
            },
            generation: Some(state.search.generations),
            generations,
            trials: Some(state.trials()),
            ends: Ends::of(&state.counters),
            seconds: Some(seconds),
            seconds_left: left,
            ..Figures::default()
        }
        .with(gain, job)
    }

    /// Returns the figures of a complete run without its checkpoint, by the gain of its test.
    pub fn without_checkpoint(job: &Job, gain: Option<Interval>) -> Self {
        let gain = gain.map(|interval| Gain { interval, evidence: Evidence::Test });
        Figures { phase: Some("done".into()), share: 1.0, ..Figures::of(job, None) }.with(gain, job)
    }

    fn with(self, gain: Option<Gain>, job: &Job) -> Self {
        Figures {
            difference: gain.map(|Gain { interval, .. }| interval),
            evidence: gain.map(|Gain { evidence, .. }| evidence),
            gain: gain.map(|gain| gain.text(&*job.problem)),
            ..self
        }
    }
}

impl State {
    fn seconds_left(&self, job: &Job) -> Option<f64> {
        let pace = self.pace(job);
        let is_under_way = self.trials() > 0 && pace > 0.0 && self.verdict().is_none();
        is_under_way.then(|| job.work(self.remaining(job)) * pace)
    }

    /// Estimates the trials until the end of the test.
    fn remaining(&self, job: &Job) -> ByStage<f64> {
        let (played, most, under_way) = (self.counters.trials, self.reserved_test(job), self.partial.len() as u64);
        let rest = self.plan.rest(job, self.search_trials(), FINALISTS, most);
        if self.verdict().is_some() {
            return ByStage::default();
        }
        if self.ended {
            return ByStage::of(|stage| match stage {
                stage if stage < self.stage => 0.0,
                Stage::Validation => rest[stage].saturating_sub(under_way) as f64,
                stage => rest[stage].saturating_sub(played[stage]) as f64,
            });
        }
        let each = match self.search.generations {
            0 => job.first_generation() as f64,
            done => self.search_trials() as f64 / done as f64,
        };
        let so_far = SoFar { trials: played, seconds: self.counters.seconds, pace: Some(self.pace(job)) };
        job.remaining(&self.plan, &so_far, each, most)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::job;
    use crate::job::{Limits, Plan};
    use crate::judgement::feasibility::Findings;
    use crate::run::course::Course;
    use crate::run::course::counters::Counters;
    use crate::run::course::state::Searched;
    use crate::run::course::verdict::Verdict;
    use evolve_search::document::Time;
    use std::time::Duration;

    /// One trial a second.
    fn counters(baseline: u64, search: u64, validation: u64) -> Counters {
        let trials = ByStage::of(|stage| match stage {
            Stage::Baseline => baseline,
            Stage::Search => search,
            Stage::Validation => validation,
            Stage::Selection | Stage::Effects | Stage::Test => 0,
        });
        Counters { trials, seconds: trials.total() as f64, ..Counters::default() }
    }

    fn figures(job: &Job, state: &State) -> (Option<f64>, f64) {
        let Figures { seconds_left, share, .. } = Figures::of(job, Some(state));
        (seconds_left, share)
    }

    #[test]
    fn stages_after_the_search_count() {
        let mut job = job(&[]);
        job.limits = Limits { budget: None, generations: Some(10), time: None };
        let plan = Plan { validation: 50, selection: 20, test: 75, ..Plan::default() };
        let mut state = State { plan, ..State::default() };
        assert_eq!(figures(&job, &state), (None, 0.0));
        // 150 trials of the search, 65 of validations, 60 of the selection, 7.5 for parameters
        // without effect and 150 of the test.
        (state.counters, state.stage) = (counters(50, 0, 0), Stage::Search);
        assert_eq!(figures(&job, &state).0, Some(432.5));
        (state.counters, state.search.generations) = (counters(50, 500, 50), 5);
        assert_eq!(figures(&job, &state), (Some(860.0), 600.0 / 1460.0));
        (state.counters, state.stage) = (counters(50, 500, 700), Stage::Test);
        state.ended = true;
        assert_eq!(figures(&job, &state), (Some(150.0), 1250.0 / 1400.0));
        state.verdict = Some(Verdict::kept(&job, &[], &Findings::default()));
        assert_eq!(figures(&job, &state), (None, 1.0));
    }

    /// The first generation played an easy instance: 0.1 s a trial, and 2 s later on.
    #[test]
    fn the_pace_is_that_of_the_later_trials_if_they_take_longer() {
        let mut job = job(&[("validation = 30\nselection = 8\ntest = 30\n", "")]);
        job.limits = Limits { budget: None, generations: None, time: Some(Time(Duration::from_secs(120))) };
        let at = |trials: u64, seconds: f64| {
            let counters = Counters { seconds, ..counters(0, trials, 0) };
            let search = Searched { generations: 2, first: Some((20, 2.0)), ..Searched::default() };
            let state = State { counters, search, stage: Stage::Search, ..State::default() };
            Course { state, ..Course::new(job.clone()) }
        };
        assert_eq!(at(20, 2.0).state.pace(&job), 0.1);
        assert_eq!(at(30, 22.0).state.pace(&job), 2.0);
        // The test shrinks with the trials that the time allows: 1,200 at first, then 60.
        assert_eq!([at(20, 2.0), at(30, 22.0)].map(|course| course.planned().test), [200, 10]);
        // 98 s are left for 49 trials.
        let has_time =
            |trials| at(30, 22.0).has_time(ByStage::of(|stage| if stage == Stage::Search { trials } else { 0 }));
        assert!(has_time(49) && !has_time(50));
        // Later trials that are faster do not make the first ones unseen.
        assert_eq!(at(40, 2.2).state.pace(&job), 2.2 / 40.0);
        // The trials before the first one count as well: four of 1.5 s.
        let mut before = Course::new(job.clone());
        (before.state.check, before.state.counters.seconds) = (Some(4), 6.0);
        assert_eq!(before.state.pace(&job), 1.5);
        // One generation of 15 trials and twice six of the test.
        assert_eq!(before.least_seconds(), (27, 6.0 + 27.0 * 1.5));
    }

    #[test]
    fn budget_and_time_limit_the_whole_run() {
        let mut job = job(&[]);
        let time = Some(Time(Duration::from_secs(500)));
        job.limits = Limits { budget: Some(1000), generations: None, time };
        let counters = Counters { seconds: 50.0, ..counters(0, 0, 100) };
        let state = State { counters, stage: Stage::Search, ..State::default() };
        assert_eq!(figures(&job, &state), (Some(450.0), 0.1));
        job.limits.time = None;
        assert_eq!(figures(&job, &state), (Some(450.0), 0.1));
    }
}
