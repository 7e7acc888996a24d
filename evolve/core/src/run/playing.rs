//! The rounds in play: the current one, and later ones whose trials are known before its outcomes.

use super::schedule::Schedule;
use crate::evaluator::{Evaluator, Round, Trial};
use crate::judgement::measured::Measured;
use crate::model::trial::{Outcome, PlayError};
use std::collections::VecDeque;
use std::time::Duration;

/// The rounds in play. Each round numbers its candidates from 0; the evaluator numbers the candidates of all rounds
/// consecutively.
pub struct Playing<'a> {
    round: Box<dyn Round + 'a>,
    /// The number of candidates of earlier rounds.
    earlier: usize,
    /// The number of candidates of the current round.
    candidates: usize,
    /// The number of announced trials of the current round.
    announced: usize,
    /// The announced rounds after the current one: their numbers of candidates and trials.
    ahead: VecDeque<(usize, usize)>,
    /// Whether the following rounds have been requested.
    has_looked: bool,
}

impl<'a> Playing<'a> {
    /// Starts to play a round.
    pub fn new(evaluator: &'a dyn Evaluator, first: &Schedule) -> Self {
        Playing {
            round: evaluator.round(&first.candidates),
            earlier: 0,
            candidates: first.candidates.len(),
            announced: 0,
            ahead: VecDeque::new(),
            has_looked: false,
        }
    }

    /// Announces the trials of the current round that can be played once these outcomes are known. When all of its
    /// trials are announced, announces the trials of the following rounds.
    pub fn announce(&mut self, current: &Schedule, outcomes: &[Measured], ahead: impl FnOnce() -> Vec<Schedule>) {
        let (played, ready) = (outcomes.len(), current.ready(outcomes.len()));
        self.announced = self.announced.max(played);
        if ready > self.announced {
            let next = current.next(outcomes, ready - played);
            self.round.expect(&numbered(&next[self.announced - played..], self.earlier));
            self.announced = ready;
        }
        if self.announced < current.trials.len() || std::mem::replace(&mut self.has_looked, true) {
            return;
        }
        for schedule in ahead().into_iter().skip(self.ahead.len()) {
            let earlier =
                self.earlier + self.candidates + self.ahead.iter().map(|(candidates, _)| candidates).sum::<usize>();
            self.round.add(&schedule.candidates);
            self.round.expect(&numbered(&schedule.trials, earlier));
            self.ahead.push_back((schedule.candidates.len(), schedule.trials.len()));
        }
    }

    /// Plays a batch of the current round.
    ///
    /// # Errors
    /// As for [`Round::evaluate`].
    pub fn evaluate(&mut self, batch: &[Trial]) -> Result<Vec<Outcome>, PlayError> {
        self.round.evaluate(&numbered(batch, self.earlier))
    }

    /// Stops playing. Returns the known outcomes of the next trials, at most `most`.
    pub fn finish(&mut self, most: usize) -> Vec<Outcome> {
        self.round.finish(most)
    }

    /// Makes the next round the current one, once the current one is complete; `None` if it was not announced.
    pub fn next(self) -> Option<Self> {
        let mut ahead = self.ahead;
        let (candidates, announced) = ahead.pop_front()?;
        let earlier = self.earlier + self.candidates;
        Some(Playing { round: self.round, earlier, candidates, announced, ahead, has_looked: false })
    }
}

/// Renumbers the candidates of these trials so that they follow the `earlier` candidates of previous rounds.
fn numbered(trials: &[Trial], earlier: usize) -> Vec<Trial> {
    trials.iter().map(|trial| Trial { candidate: earlier + trial.candidate, ..*trial }).collect()
}

/// The largest factor by which a measured rate may grow at once. Cached outcomes arrive immediately, and would
/// otherwise inflate it.
const FASTER: f64 = 4.0;

/// The recent number of trials per second.
#[derive(Default)]
pub struct Rate {
    /// The rate; 0 before the first measurement.
    pub value: f64,
    trials: usize,
    time: Duration,
}

impl Rate {
    /// Adds trials that took `elapsed`. Measures the rate over `least` or longer.
    pub fn add(&mut self, trials: usize, elapsed: Duration, least: Duration) {
        self.trials += trials;
        self.time += elapsed;
        if self.time >= least {
            let rate = self.trials as f64 / self.time.as_secs_f64().max(1e-6);
            *self =
                Rate { value: if self.value > 0.0 { rate.min(FASTER * self.value) } else { rate }, ..Rate::default() };
        }
    }
}
