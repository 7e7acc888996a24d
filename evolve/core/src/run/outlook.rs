//! How much of a run is done, and how long the rest will take by the speed so far. Nothing in a run follows from it.

use super::state::{Phase, State};
use crate::job::Job;
use std::time::Duration;

/// A run, looked ahead of.
pub struct Outlook<'a> {
    /// Its job.
    pub job: &'a Job,
    /// Where it stands.
    pub state: &'a State,
    /// Trials that the next generation takes, where none is complete.
    pub trials: usize,
}

/// The optimizer's own points in the final round, about.
const RECOMMENDED: usize = 2;

impl Outlook<'_> {
    /// The time left until the verdict; `None` before anything was played.
    pub fn left(&self) -> Option<Duration> {
        Duration::try_from_secs_f64(self.seconds()?).ok()
    }

    /// How much of the whole is done, by time, what follows the search included: 0 to 1.
    pub fn share(&self) -> f64 {
        match self.seconds() {
            _ if self.state.verdict().is_some() => 1.0,
            Some(left) if left > 0.0 => self.state.seconds / (self.state.seconds + left),
            _ => 0.0,
        }
    }

    fn seconds(&self) -> Option<f64> {
        let (job, state) = (self.job, self.state);
        let speed = if state.seconds > 0.0 { state.games as f64 / state.seconds } else { return None };
        let finalists = (1 + RECOMMENDED) * job.finals.games;
        let verdict = 2 * job.finals.verdict;
        let rest = |trials: usize| trials.saturating_sub(state.partial.len());
        let trials = match &state.phase {
            Phase::Baseline | Phase::Validation => rest(job.validation.games) + finalists + verdict,
            Phase::Search => finalists + verdict,
            Phase::Selection => rest(finalists) + verdict,
            Phase::Effects(..) => verdict,
            Phase::Test(judging) => verdict.saturating_sub(2 * judging.judged[0].len() + state.partial.len()),
            Phase::Done { .. } => 0,
        };
        let search = if state.ended.is_some() { 0.0 } else { self.search(speed)? };
        Some(search + trials as f64 / speed)
    }

    /// Seconds until the search ends, checks included; `None` if it has no limit.
    fn search(&self, speed: f64) -> Option<f64> {
        let (limits, state) = (self.job.limits, self.state);
        let each = match state.generations {
            0 => self.trials as f64,
            done => state.searched as f64 / done as f64,
        };
        let under_way = if state.phase == Phase::Search { state.partial.len() as f64 } else { 0.0 };
        let validation = self.job.validation;
        let with_checks = 1.0 + validation.games as f64 / validation.trials_between() as f64;
        let seconds = |trials: f64| (trials - under_way).max(0.0) / speed * with_checks;
        let by_time = limits.time.map(|time| (time.as_secs_f64() - state.searching_seconds).max(0.0) * with_checks);
        let generations = limits.generations.map(|all| all.saturating_sub(state.generations));
        let by_generations = generations.map(|left| seconds(left as f64 * each));
        let by_budget = limits.budget.map(|budget| seconds(budget.saturating_sub(state.searched) as f64));
        [by_time, by_generations, by_budget].into_iter().flatten().reduce(f64::min)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::job;
    use crate::job::Limits;

    #[test]
    fn what_follows_the_search_counts() {
        let mut job = job(&[]);
        job.limits = Limits { budget: None, generations: Some(10), time: None };
        job.validation.games = 50;
        (job.finals.games, job.finals.verdict) = (20, 75);
        let mut state = State::default();
        let outlook = |state: &State| {
            let outlook = Outlook { job: &job, state, trials: 100 };
            (outlook.left().map(|left| left.as_secs_f64()), outlook.share())
        };
        assert_eq!(outlook(&state), (None, 0.0));
        // One trial a second: 1000 of the search and 100 of checks, 60 of finalists, 150 of the verdict.
        (state.games, state.seconds, state.phase) = (50, 50.0, Phase::Search);
        assert_eq!(outlook(&state).0, Some(1310.0));
        (state.games, state.seconds, state.searched, state.generations) = (600, 600.0, 500, 5);
        assert_eq!(outlook(&state).0, Some(760.0));
        assert_eq!(outlook(&state).1, 600.0 / 1360.0);
        state.ended = Some(crate::run::state::Ended { games: 1150, checked: 1000 });
        (state.games, state.seconds, state.phase) = (1250, 1250.0, Phase::Test(Default::default()));
        assert_eq!(outlook(&state), (Some(150.0), 1250.0 / 1400.0));
        state.phase = Phase::Done { chosen: Default::default(), verdict: Default::default() };
        assert_eq!(outlook(&state).1, 1.0);
    }
}
