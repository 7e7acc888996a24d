//! The rounds in play: the current one, and later ones whose trials are known before its outcomes.

use super::course::memory::{Key, Memory};
use super::course::schedule::Schedule;
use crate::evaluator::{Evaluator, Round, Trial};
use crate::job::Job;
use crate::judgement::measured::Measured;
use crate::model::trial::{Outcome, PlayError};
use std::collections::{BTreeSet, VecDeque};

/// The rounds in play. Each round numbers its candidates from 0; the evaluator numbers the
/// candidates of all rounds consecutively.
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
    /// The announced trials whose outcomes are [kept](Memory): equal ones after them are not
    /// played.
    coming: BTreeSet<Key>,
}

/// A schedule with the known outcomes, of which it plays none again.
pub struct Part<'p> {
    pub job: &'p Job,
    pub schedule: &'p Schedule,
    /// `None` if every trial is played.
    pub memory: Option<&'p mut Memory>,
}

impl Part<'_> {
    fn key(&mut self, trial: &Trial) -> Option<Key> {
        self.memory.as_mut()?.key(self.job, &self.schedule.candidates[trial.candidate], &trial.deal)
    }

    /// Returns whether each trial is played, rather than known or equal to an earlier one in
    /// `coming`.
    fn are_new(&mut self, trials: &[Trial], coming: &mut BTreeSet<Key>) -> Vec<bool> {
        let is_new = |trial: &Trial| match self.key(trial) {
            None => true,
            Some(key) => {
                let is_known = self.memory.as_ref().is_some_and(|memory| memory.get(&key).is_some());
                !is_known && coming.insert(key)
            }
        };
        trials.iter().map(is_new).collect()
    }
}

fn new(trials: &[Trial], are_new: &[bool]) -> Vec<Trial> {
    trials.iter().zip(are_new).filter(|(_, is_new)| **is_new).map(|(trial, _)| *trial).collect()
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
            coming: BTreeSet::new(),
        }
    }

    /// Announces the trials of the current round that can be played once these outcomes are known.
    /// When all of its trials are announced, announces the trials of the following rounds.
    pub fn announce(&mut self, part: &mut Part<'_>, outcomes: &[Measured], ahead: impl FnOnce() -> Vec<Schedule>) {
        let current = part.schedule;
        let (played, ready) = (outcomes.len(), current.ready(outcomes.len()));
        self.announced = self.announced.max(played);
        if ready > self.announced {
            let next = current.next(outcomes, ready - played);
            self.expect(part, &next[self.announced - played..], self.earlier);
            self.announced = ready;
        }
        if self.announced < current.trials.len() || std::mem::replace(&mut self.has_looked, true) {
            return;
        }
        for schedule in ahead().into_iter().skip(self.ahead.len()) {
            let earlier =
                self.earlier + self.candidates + self.ahead.iter().map(|(candidates, _)| candidates).sum::<usize>();
            self.round.add(&schedule.candidates);
            let mut part = Part { job: part.job, schedule: &schedule, memory: part.memory.as_deref_mut() };
            self.expect(&mut part, &schedule.trials, earlier);
            self.ahead.push_back((schedule.candidates.len(), schedule.trials.len()));
        }
    }

    fn expect(&mut self, part: &mut Part<'_>, trials: &[Trial], earlier: usize) {
        let are_new = part.are_new(trials, &mut self.coming);
        self.round.expect(&numbered(&new(trials, &are_new), earlier));
    }

    /// Plays a batch of the current round. Returns `None` for trials whose outcomes are known.
    ///
    /// # Errors
    /// As for [`Round::evaluate`].
    pub fn evaluate(&mut self, part: &mut Part<'_>, batch: &[Trial]) -> Result<Vec<Option<Outcome>>, PlayError> {
        let are_new = part.are_new(batch, &mut BTreeSet::new());
        let mut outcomes = match are_new.contains(&true) {
            true => self.round.evaluate(&numbered(&new(batch, &are_new), self.earlier))?.into_iter(),
            false => Vec::new().into_iter(),
        };
        Ok(are_new.into_iter().map(|is_new| if is_new { outcomes.next() } else { None }).collect())
    }

    /// Stops playing. Returns the outcomes of the first of these next trials, as far as they are
    /// known.
    pub fn finish(&mut self, part: &mut Part<'_>, next: &[Trial]) -> Vec<Option<Outcome>> {
        let are_new = part.are_new(next, &mut BTreeSet::new());
        let mut outcomes = self.round.finish(new(next, &are_new).len()).into_iter().map(Some);
        are_new.into_iter().map_while(|is_new| if is_new { outcomes.next() } else { Some(None) }).collect()
    }

    /// Makes the next round the current one, once the current one is complete; `None` if it was not
    /// announced.
    pub fn next(self) -> Option<Self> {
        let mut ahead = self.ahead;
        let (candidates, announced) = ahead.pop_front()?;
        let earlier = self.earlier + self.candidates;
        Some(Playing { earlier, candidates, announced, ahead, has_looked: false, ..self })
    }
}

/// Renumbers the candidates of these trials so that they follow the `earlier` candidates of
/// previous rounds.
fn numbered(trials: &[Trial], earlier: usize) -> Vec<Trial> {
    trials.iter().map(|trial| Trial { candidate: earlier + trial.candidate, ..*trial }).collect()
}
