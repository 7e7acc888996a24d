//! The trials in play: those of the current round, and of later ones that are known before its
//! outcomes.

use super::course::Course;
use super::course::memory::{Key, Memory};
use super::course::schedule::Schedule;
use crate::evaluator::{Evaluator, Queue, Trial};
use crate::model::trial::{Outcome, PlayError};
use std::collections::{BTreeSet, VecDeque};

/// The trials in play. Those that would only repeat an outcome are not played.
pub struct InPlay<'a> {
    queue: Box<dyn Queue + 'a>,
    /// Whether each trial is in the queue, the oldest first. The outcomes of the others are known,
    /// or will be.
    are_queued: VecDeque<bool>,
    /// The number of trials of the current round that were in play or have outcomes.
    begun: usize,
    /// The rounds in play after the current one, by their numbers of trials in play.
    later: VecDeque<usize>,
    /// Whether the course was asked for later rounds.
    has_looked: bool,
    /// The queued trials whose outcomes are [kept](Memory): equal ones after them are not queued.
    coming: BTreeSet<Key>,
}

impl<'a> InPlay<'a> {
    /// Starts without trials.
    pub fn new(evaluator: &'a dyn Evaluator) -> Self {
        InPlay {
            queue: evaluator.queue(),
            are_queued: VecDeque::new(),
            begun: 0,
            later: VecDeque::new(),
            has_looked: false,
            coming: BTreeSet::new(),
        }
    }

    /// Adds the trials of the current round that can be played, and then those of the rounds after
    /// it.
    pub fn feed(&mut self, course: &Course, memory: &mut Memory, round: &Schedule) {
        let played = course.state.partial.len();
        let trials = self.begun.max(played)..round.ready(played);
        self.begun = trials.end;
        self.push(course, memory, round.coming(trials, &course.state.partial));
        if self.begun < round.trials.len() || std::mem::replace(&mut self.has_looked, true) {
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
            let key = if course.plays_again() { None } else { memory.key(&course.job, &trial.candidate, &trial.deal) };
            let is_new = key.is_none_or(|key| memory.get(&key).is_none() && self.coming.insert(key));
            self.are_queued.push_back(is_new);
            queued.extend(is_new.then_some(trial));
        }
        self.queue.push(queued);
    }

    /// Waits for the outcomes of the next `count` trials. Returns `None` for trials whose outcomes
    /// are known.
    ///
    /// # Errors
    /// As for [`Queue::pop`].
    pub fn pop(&mut self, count: usize) -> Result<Vec<Option<Outcome>>, PlayError> {
        let are_queued: Vec<bool> = self.are_queued.drain(..count).collect();
        let mut outcomes = match are_queued.iter().filter(|is_queued| **is_queued).count() {
            0 => Vec::new().into_iter(),
            queued => self.queue.pop(queued)?.into_iter(),
        };
        Ok(are_queued.into_iter().map(|is_queued| if is_queued { outcomes.next() } else { None }).collect())
    }

    /// Stops. Returns the outcomes of the next trials, as far as they are known, at most `most`.
    pub fn stop(&mut self, most: usize) -> Vec<Option<Outcome>> {
        let are_queued = self.are_queued.iter().take(most);
        let mut outcomes = self.queue.stop(are_queued.clone().filter(|is_queued| **is_queued).count()).into_iter();
        let known = are_queued.map_while(|is_queued| if *is_queued { outcomes.next().map(Some) } else { Some(None) });
        let known: Vec<_> = known.collect();
        self.are_queued.drain(..known.len());
        known
    }

    /// Makes the next round the current one, once the current one is complete; `None` if it is not
    /// in play.
    pub fn next(mut self) -> Option<Self> {
        self.begun = self.later.pop_front()?;
        self.has_looked = false;
        Some(self)
    }
}
