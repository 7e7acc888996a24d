//! The trials of a round: which are handed out, and what came of which. It knows no network and no clock.

use crate::pace::Pace;
use crate::wire::{LARGEST, Played, Unit};
use evolve_core::evaluator::Trial;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How often what may only be late is handed out again while threads idle.
const COPIES: u32 = 3;
/// How much longer than forecast a unit may take before it is late.
const LATE: u32 = 2;
const LATE_ANYWAY: Duration = Duration::from_secs(2);

/// The trials of a round and their outcomes.
pub struct Board {
    round: u64,
    candidates: Arc<Vec<Vec<f64>>>,
    trials: Vec<Trial>,
    slots: Vec<Option<Played>>,
    /// How many were handed out at least once.
    given: usize,
    /// How many were taken by the run.
    taken: usize,
    /// What is handed out and not complete, by its first trial.
    out: BTreeMap<usize, Out>,
    /// What is to be handed out again before anything else.
    again: Vec<(Range<usize>, u32)>,
    /// Whether anything was handed out twice, so that some of it may still lie at the server.
    has_copies: bool,
}

/// Trials handed out together.
#[derive(Clone, Copy, Debug)]
struct Out {
    end: usize,
    since: Instant,
    copies: u32,
}

impl Board {
    /// A round of these candidates, without trials yet.
    pub fn new(round: u64, candidates: Vec<Vec<f64>>) -> Self {
        Board {
            round,
            candidates: Arc::new(candidates),
            trials: Vec::new(),
            slots: Vec::new(),
            given: 0,
            taken: 0,
            out: BTreeMap::new(),
            again: Vec::new(),
            has_copies: false,
        }
    }

    /// The number of the round.
    pub fn round(&self) -> u64 {
        self.round
    }

    /// Adds trials at the end.
    pub fn add(&mut self, trials: &[Trial]) {
        self.trials.extend_from_slice(trials);
        self.slots.resize(self.trials.len(), None);
    }

    /// Whether the run asks for what the board has next; at its end everything fits.
    pub fn has_next(&self, trials: &[Trial]) -> bool {
        let next = &self.trials[self.taken..];
        next.starts_with(trials) || (next.is_empty() && self.out.is_empty())
    }

    /// Trials that were not yet taken by the run.
    pub fn left(&self) -> usize {
        self.trials.len() - self.taken
    }

    /// Trials without an outcome.
    pub fn open(&self) -> usize {
        self.slots[self.taken..].iter().filter(|slot| slot.is_none()).count()
    }

    /// Whether something of it may still lie at the server that nobody needs.
    pub fn leaves_work(&self) -> bool {
        self.has_copies || !self.out.is_empty()
    }

    /// The next unit to hand out; `None` if enough is out for so many threads, or nothing is left.
    pub fn next_unit(&mut self, pace: &Pace, threads: usize, now: Instant) -> Option<Unit> {
        if let Some((range, copies)) = self.again.pop() {
            return Some(self.hand_out(range, copies, now));
        }
        if self.out.len() >= Pace::window(threads) {
            return None;
        }
        let left = self.trials.len() - self.given;
        if left > 0 {
            let range = self.given..self.given + pace.unit(left, threads);
            let unit = self.hand_out(range, 1, now);
            self.given += unit.trials.len();
            return Some(unit);
        }
        // Threads idle at the end of a round: what is late is played once more.
        let late = |first: usize, out: &Out| LATE * pace.forecast(out.end - first) + LATE_ANYWAY;
        let is_late = |first: usize, out: &Out| out.copies < COPIES && now - out.since > late(first, out);
        let idle = threads > self.out.len();
        let (&first, &out) = self.out.iter().find(|&(&first, out)| idle && is_late(first, out))?;
        self.again_in_pieces(first, out, threads);
        self.again.pop().map(|(range, copies)| self.hand_out(range, copies, now))
    }

    /// Has what is missing of a unit handed out again, in small pieces.
    fn again_in_pieces(&mut self, first: usize, out: Out, threads: usize) {
        self.out.remove(&first);
        self.has_copies = true;
        let missing: Vec<usize> = (first..out.end).filter(|&i| self.slots[i].is_none()).collect();
        let size = missing.len().div_ceil(threads.max(1)).max(1);
        let rows = missing.chunk_by(|a, b| a + 1 == *b).flat_map(|row| row.chunks(size));
        self.again.extend(rows.map(|row| (row[0]..row[row.len() - 1] + 1, out.copies + 1)));
    }

    /// Has everything that is out for so long handed out again: it is lost.
    pub fn lost(&mut self, longer: Duration, now: Instant) -> usize {
        let lost = self.out.iter().filter(|(_, out)| now - out.since > longer);
        let lost: Vec<(usize, Out)> = lost.map(|(&first, &out)| (first, out)).collect();
        for &(first, out) in &lost {
            self.again_in_pieces(first, Out { copies: 0, ..out }, 1);
        }
        lost.len()
    }

    /// Takes back a unit that could not be handed out.
    pub fn take_back(&mut self, unit: &Unit) {
        let first = unit.first as usize;
        if let Some(out) = self.out.remove(&first) {
            self.again.push((first..out.end, out.copies));
        }
    }

    fn hand_out(&mut self, range: Range<usize>, copies: u32, now: Instant) -> Unit {
        let mut unit = Unit { round: self.round, first: range.start as u64, candidates: vec![], trials: vec![] };
        let mut places = BTreeMap::new();
        let mut size = 0;
        for trial in &self.trials[range.clone()] {
            let values = &self.candidates[trial.candidate];
            size += if places.contains_key(&trial.candidate) { 24 } else { 40 + 8 * values.len() };
            if size > LARGEST && !unit.trials.is_empty() {
                break;
            }
            let place = *places.entry(trial.candidate).or_insert_with(|| {
                unit.candidates.push(values.clone());
                unit.candidates.len() as u32 - 1
            });
            unit.trials.push((place, trial.deal));
        }
        let end = range.start + unit.trials.len();
        self.out.insert(range.start, Out { end, since: now, copies });
        unit
    }

    /// Takes in outcomes; how many of them are new. Those of trials that were not handed out are none.
    pub fn fill(&mut self, first: u64, results: Vec<Played>) -> usize {
        let first = usize::try_from(first).unwrap_or(usize::MAX);
        let Some(end) = first.checked_add(results.len()).filter(|&end| end <= self.given) else { return 0 };
        let mut new = 0;
        for (slot, result) in self.slots[first..end].iter_mut().zip(results) {
            if slot.is_none() {
                *slot = Some(result);
                new += 1;
            }
        }
        // The unit itself, or what it was cut into, or what it was cut from.
        let touched: Vec<usize> =
            self.out.range(..end).rev().take_while(|(_, out)| out.end > first).map(|(&f, _)| f).collect();
        for start in touched {
            if self.slots[start..self.out[&start].end].iter().all(Option::is_some) {
                self.out.remove(&start);
            }
        }
        self.again.retain(|(range, _)| self.slots[range.clone()].iter().any(Option::is_none));
        new
    }

    /// The trial at a place, if it was handed out and its candidate's values.
    pub fn trial(&self, place: usize) -> Option<(&[f64], Trial)> {
        let trial = *self.trials.get(place).filter(|_| place < self.given)?;
        Some((&self.candidates[trial.candidate], trial))
    }

    /// The outcomes of the next trials, once all are there; of those before a failure that ends the run, that failure.
    pub fn take(&mut self, count: usize) -> Option<Vec<Played>> {
        let slots = &self.slots[self.taken..self.taken + count];
        let known = slots.iter().take_while(|slot| slot.is_some()).count();
        let failed = slots[..known].iter().position(|slot| matches!(slot, Some(Err(_))));
        let ready = failed.map_or(known, |place| place + 1);
        if ready < count && failed.is_none() {
            return None;
        }
        let taken = self.slots[self.taken..self.taken + ready].iter_mut().map(|slot| {
            // What was taken stays known, so that copies of it are told apart.
            slot.replace(Ok(Default::default())).expect("they are there")
        });
        let taken = taken.collect();
        self.taken += ready;
        Some(taken)
    }
}

#[cfg(test)]
mod tests;
