//! The trials in play, of the current schedule and of later schedules that do not depend on its
//! outcomes.

use super::course::Course;
use super::course::memory::{Key, Memory};
use super::course::schedule::Schedule;
use evolve_search::evaluator::{Evaluator, Queue, Trial};
use evolve_search::model::trial::{Outcome, PlayError};
use std::collections::{BTreeSet, VecDeque};

/// The trials in play. Those that would only repeat an outcome are not played.
pub struct InPlay<'a> {
    queue: Box<dyn Queue + 'a>,
    /// The trials in play, the oldest first.
    trials: VecDeque<Awaited>,
    /// The number of trials of the current schedule that were in play or have outcomes.
    begun: usize,
    /// The schedules in play after the current one, by their numbers of trials in play.
    later: VecDeque<usize>,
    /// Whether the course was asked for later schedules.
    has_looked: bool,
    /// The queued trials whose outcomes are [kept](Memory): equal ones after them are not queued.
    coming: BTreeSet<Key>,
}

/// A trial in play.
struct Awaited {
    key: Option<Key>,
    /// Whether it is in the queue; otherwise its outcome is known, or will be.
    is_queued: bool,
}

/// A trial that has an outcome.
pub struct Settled {
    /// The key of the outcome, if outcomes are [kept](Memory).
    pub key: Option<Key>,
    /// `None` if the outcome is known.
    pub outcome: Option<Outcome>,
}

impl<'a> InPlay<'a> {
    /// Starts without trials.
    pub fn new(evaluator: &'a dyn Evaluator) -> Self {
        InPlay {
            queue: evaluator.queue(),
            trials: VecDeque::new(),
            begun: 0,
            later: VecDeque::new(),
            has_looked: false,
            coming: BTreeSet::new(),
        }
    }

    /// Adds the trials of the current schedule that can be played, and then the trials of the
    /// schedules after it.
    pub fn feed(&mut self, course: &Course, memory: &mut Memory, schedule: &Schedule) {
        let played = course.state().partial.len();
        let trials = self.begun.max(played)..schedule.ready(played);
        self.begun = trials.end;
        self.push(course, memory, schedule.coming(trials, &course.state().partial));
        if self.begun < schedule.trials.len() || std::mem::replace(&mut self.has_looked, true) {
            return;
        }
        for schedule in course.ahead().into_iter().skip(self.later.len()) {
            self.push(course, memory, schedule.coming(0..schedule.ready(0), &[]));
            self.later.push_back(schedule.ready(0));
        }
    }

    fn push(&mut self, course: &Course, memory: &mut Memory, trials: impl Iterator<Item = Trial>) {
        let mut queued = Vec::new();
        for trial in trials {
            let key = memory.key(course.job(), &trial.candidate, &trial.case);
            let is_new = |key: &Key| memory.get(key).is_none() && self.coming.insert(key.clone());
            let is_queued = course.plays_again() || key.as_ref().is_none_or(is_new);
            self.trials.push_back(Awaited { key, is_queued });
            queued.extend(is_queued.then_some(trial));
        }
        self.queue.push(queued);
    }

    /// Waits for the outcomes of the next `count` trials.
    ///
    /// # Errors
    /// As for [`Queue::pop`].
    pub fn pop(&mut self, count: usize) -> Result<Vec<Settled>, PlayError> {
        let trials: Vec<Awaited> = self.trials.drain(..count).collect();
        let mut outcomes = match trials.iter().filter(|trial| trial.is_queued).count() {
            0 => Vec::new().into_iter(),
            queued => self.queue.pop(queued)?.into_iter(),
        };
        let answer =
            |Awaited { key, is_queued }| Settled { key, outcome: if is_queued { outcomes.next() } else { None } };
        Ok(trials.into_iter().map(answer).collect())
    }

    /// Stops. Returns the outcomes of the next trials, as far as they are known, at most `most`.
    pub fn stop(&mut self, most: usize) -> Vec<Settled> {
        let queued = self.trials.iter().take(most).filter(|trial| trial.is_queued).count();
        let mut outcomes = self.queue.stop(queued).into_iter();
        let outcome = |trial: &Awaited| if trial.is_queued { outcomes.next().map(Some) } else { Some(None) };
        let known: Vec<Option<Outcome>> = self.trials.iter().take(most).map_while(outcome).collect();
        let trials = self.trials.drain(..known.len()).zip(known);
        trials.map(|(Awaited { key, .. }, outcome)| Settled { key, outcome }).collect()
    }

    /// Makes the next schedule the current one, once the current one is complete; `None` if it is
    /// not in play.
    pub fn next(mut self) -> Option<Self> {
        self.begun = self.later.pop_front()?;
        self.has_looked = false;
        Some(self)
    }
}
