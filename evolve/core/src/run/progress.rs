//! Where a run stands, for whoever watches it.

use super::Run;
use super::round::Round;
use super::state::Phase;
use super::watch::Progress;
use std::time::Duration;

impl Run<'_> {
    pub(super) fn progress(&self, round: &Round) -> Progress {
        let state = &self.state;
        Progress {
            phase: state.phase,
            generation: self.generation(),
            generations: self.job.limits.generations,
            games: state.games,
            games_per_second: self.rate,
            latest: state.latest,
            difference: state.difference,
            failures: state.failures,
            left: self.time_left(round.trials.len() - state.partial.len()),
            share: self.share(round),
        }
    }

    /// The time left, from the time that the search took so far; `None` before its first generation is over.
    fn time_left(&self, trials_left: usize) -> Option<Duration> {
        let (job, state) = (&self.job, &self.state);
        let speed = if state.seconds > 0.0 { state.games as f64 / state.seconds } else { return None };
        let verdict = 2.0 * job.finals.verdict as f64 / speed;
        let seconds = match state.phase {
            Phase::Verdict | Phase::Done => (verdict - self.state.judged[0].len() as f64 * 2.0 / speed).max(0.0),
            Phase::Finalists => trials_left as f64 / speed + verdict,
            _ => {
                let finalists = job.finals.leaders + 1 + self.search.optimizer.recommended().len();
                self.search_left()? + (finalists * job.finals.games) as f64 / speed + verdict
            }
        };
        Duration::try_from_secs_f64(seconds).ok()
    }

    /// Seconds until the search ends, checks included.
    fn search_left(&self) -> Option<f64> {
        let (limits, state) = (self.job.limits, &self.state);
        let by_time = limits.time.map(|time| (time.as_secs_f64() - state.searching_seconds).max(0.0));
        let done = self.generation();
        let by_generations = match limits.generations {
            Some(all) if done > 0 => Some(state.seconds / done as f64 * all.saturating_sub(done) as f64),
            _ => None,
        };
        let by_budget = match limits.budget {
            Some(budget) if state.searched > 0 => {
                Some(state.seconds / state.searched as f64 * budget.saturating_sub(state.searched) as f64)
            }
            _ => None,
        };
        [by_time, by_generations, by_budget].into_iter().flatten().reduce(f64::min)
    }

    /// How much of the present phase is done, 0 to 1.
    fn share(&self, round: &Round) -> f64 {
        let within = self.state.partial.len() as f64 / round.trials.len().max(1) as f64;
        match self.state.phase {
            Phase::Search | Phase::Check => {
                let is_search = self.state.phase == Phase::Search;
                let done = self.state.share(&self.job, self.generation());
                let next = match self.job.limits.generations {
                    Some(all) if is_search => (self.generation() as f64 + within) / all as f64,
                    _ => 0.0,
                };
                f64::max(done, next).min(1.0)
            }
            Phase::Verdict => {
                let played = 2 * self.state.judged[0].len() + self.state.partial.len();
                (played as f64 / (2 * self.job.finals.verdict).max(1) as f64).min(1.0)
            }
            _ => within,
        }
    }
}
