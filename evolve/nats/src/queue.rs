//! A queue of trials: sends them to workers in units, and receives their outcomes in any order.

use crate::coordinator::{Begun, Nats};
use crate::play::play_unit;
use crate::units::Packed;
use crate::wire::{self, LARGEST, Outcomes, Share, Unit};
use crate::{REST, SILENT};
use evolve_search::evaluator::{Evaluator, Queue, Trial};
use evolve_search::lock;
use evolve_search::model::problem::Input;
use evolve_search::model::seed::Split;
use evolve_search::model::trial::{Case, Failure, Outcome, PlayError};
use std::ops::Range;
use std::sync::atomic::Ordering;
use std::thread::sleep;
use std::time::{Duration, Instant};

/// A unit has this fraction of the rest of a round, divided by the number of threads. The last
/// units are small, so that all threads finish at about the same time.
const PORTIONS: usize = 3;
/// The largest number of trials in a unit, which is also limited to one second of play: units
/// finish soon, and little is lost with a worker.
const MOST: usize = 64;

/// The longest interval between checks of the stop flag.
const LOOK: Duration = Duration::from_millis(100);
/// The time without a worker, or without a server that accepts work, after which the user is
/// notified.
const PATIENCE: Duration = Duration::from_secs(3);

impl Evaluator for Nats {
    fn queue(&self) -> Box<dyn Queue + '_> {
        Box::new(NatsQueue::new(self, self.begun.get().expect("a run plays after it has begun")))
    }

    fn inputs(&self) -> &[Input] {
        self.opened.inputs()
    }

    fn plays_ahead(&self) -> bool {
        true
    }

    fn parallelism(&self) -> usize {
        self.begun.get().map_or(1, |begun| begun.session.members().threads()).max(1)
    }
}

/// A queue whose trials are played by workers.
pub struct NatsQueue<'a> {
    nats: &'a Nats,
    begun: &'a Begun,
    number: u64,
    trials: Vec<Trial>,
    outcomes: Vec<Option<Outcome>>,
    /// The number of outcomes that the run has received.
    taken: usize,
    /// The units that the server has not accepted yet.
    unsent: Vec<Range<usize>>,
    since: Instant,
    /// The time of the last outcome or check of the queue.
    heard: Instant,
    /// Whether the user was notified that there is no worker.
    has_warned: bool,
    /// After the run was stopped: the number of trials whose outcomes it still takes.
    last: Option<usize>,
}

impl<'a> NatsQueue<'a> {
    /// Creates an empty queue.
    pub fn new(nats: &'a Nats, begun: &'a Begun) -> Self {
        let now = Instant::now();
        NatsQueue {
            nats,
            begun,
            number: begun.rounds.fetch_add(1, Ordering::Relaxed),
            trials: Vec::new(),
            outcomes: Vec::new(),
            taken: 0,
            unsent: Vec::new(),
            since: now,
            heard: now,
            has_warned: false,
            last: None,
        }
    }

    /// Adds trials, cut into units. Where order matters, the candidates compared on a case stay in
    /// one unit, so that one machine plays them in a row.
    fn enqueue(&mut self, trials: Vec<Trial>) {
        let start = self.trials.len();
        self.trials.extend(trials);
        self.outcomes.resize(self.trials.len(), None);
        // Assume that each trial has a different candidate.
        let bytes = self.trials[start..].iter().map(|trial| 8 * trial.candidate.len() + 64);
        let fit = LARGEST / bytes.max().unwrap_or(LARGEST);
        let a_second = usize::try_from(self.begun.rate.load(Ordering::Relaxed)).unwrap_or(MOST);
        let longest = a_second.min(fit).clamp(1, MOST);
        let threads = self.begun.session.members().threads().max(1);
        let units = cut(&self.trials[start..], threads, longest, self.keeps_order());
        self.unsent.extend(units.into_iter().map(|unit| start + unit.start..start + unit.end));
    }

    fn keeps_order(&self) -> bool {
        self.nats.job.problem.behaviour().is_external
    }

    fn pack(&self, range: &Range<usize>) -> Packed {
        let mut places: Vec<usize> = range.clone().collect();
        if !self.keeps_order() {
            // Trials of the same candidate are adjacent, so that a player plays several in a row.
            places.sort_by_key(|&place| self.trials[place].candidate.as_ptr());
        }
        let share = |places: &[usize]| Share {
            values: self.trials[places[0]].candidate.to_vec(),
            trials: places.iter().map(|&place| self.sent(place)).collect(),
        };
        let of_candidates = places.chunk_by(|&a, &b| self.trials[a].is_of_same(&self.trials[b]));
        let unit = Unit { round: self.number, shares: of_candidates.map(share).collect() };
        Packed { id: format!("{}-{}", self.number, range.start), bytes: wire::bytes(&unit) }
    }

    /// Returns a trial as workers receive it.
    fn sent(&self, place: usize) -> (u64, Case, Option<f64>) {
        let Trial { case, rival, .. } = &self.trials[place];
        (place as u64, *case, *rival)
    }

    /// Puts units into the queue until the server has accepted all of them.
    fn hand_out(&mut self) -> Result<(), PlayError> {
        let (mut since, mut has_warned) = (Instant::now(), false);
        while !self.unsent.is_empty() {
            let units: Vec<Packed> = self.unsent.iter().map(|range| self.pack(range)).collect();
            let Err(error) = self.nats.runtime.block_on(self.begun.units.put(&units)) else {
                self.unsent.clear();
                break;
            };
            if self.stops() {
                return Err(PlayError::Stopped);
            }
            if !self.begun.session.connection.is_up() {
                since = Instant::now();
            } else if since.elapsed() > PATIENCE && !has_warned {
                has_warned = true;
                self.begun.session.note(&format!(
                    "the server accepts no more work ({error}); it may be out of space. Trials wait and nothing is \
                        lost; trying again. See the server's log"
                ));
            }
            sleep(REST);
            self.look_after_queue();
        }
        Ok(())
    }

    /// Processes outcomes from a worker. Ignores known outcomes, and outcomes of another round.
    fn take_in(&mut self, worker: &str, outcomes: Outcomes) -> Result<(), PlayError> {
        if outcomes.round != self.number {
            return Ok(());
        }
        for (place, played) in outcomes.played {
            let Some(place) =
                usize::try_from(place).ok().filter(|place| (self.taken..self.trials.len()).contains(place))
            else {
                continue;
            };
            if self.outcomes[place].is_none() {
                self.outcomes[place] = Some(played.or_else(|failure| self.play_again(place, worker, &failure))?);
            }
        }
        Ok(())
    }

    /// Replays a failure that would end the run on this machine: it counts only if it repeats, so
    /// that no single machine can end a run. The worker has already left.
    fn play_again(&self, place: usize, worker: &str, reason: &Failure) -> Result<Outcome, PlayError> {
        let unit = Unit {
            round: self.number,
            shares: vec![Share { values: self.trials[place].candidate.to_vec(), trials: vec![self.sent(place)] }],
        };
        let again = play_unit(&self.nats.opened, &unit, || false).pop();
        let outcome = again.map_or(Err(PlayError::Stopped), |(_, played)| Ok(played?))?;
        self.begun.session.note(&format!("a trial failed on worker {worker} ({reason}) that does not fail here"));
        Ok(outcome)
    }

    /// Handles a period without outcomes.
    fn wait(&mut self) -> Result<(), PlayError> {
        let (count, any) = {
            let members = self.begun.session.members();
            (members.count(), members.any)
        };
        // After a stop, workers finish their current trials, which may be expensive.
        if self.stops() && (count == 0 || !self.begun.session.connection.is_up()) {
            return Err(PlayError::Stopped);
        }
        if count > 0 {
            self.has_warned = false;
        } else if !self.has_warned && self.heard.elapsed() > PATIENCE {
            self.has_warned = true;
            let open = self.outcomes[self.taken..].iter().filter(|outcome| outcome.is_none()).count();
            let who = if any { "no worker is left" } else { "no worker has joined yet" };
            let url = self.nats.options.server.shown();
            let programs = if self.nats.offer.is_program { " --allow-programs" } else { "" };
            self.begun.session.note(&format!(
                "{who}, and {open} trials wait; start one with: evolve worker --server \
                    {url}{programs}"
            ));
        }
        if self.heard.elapsed() > SILENT {
            self.heard = Instant::now();
            self.look_after_queue();
        }
        Ok(())
    }

    /// Publishes open units again if the server has lost its files.
    fn look_after_queue(&mut self) {
        let Begun { units, session, .. } = self.begun;
        let make_anew = async { units.is_lost().await && units.make().await.is_ok() };
        if session.connection.is_up() && self.nats.runtime.block_on(make_anew) {
            let open: Vec<usize> =
                (self.taken..self.trials.len()).filter(|&place| self.outcomes[place].is_none()).collect();
            let stay = |&a: &usize, &b: &usize| {
                self.keeps_order() && b == a + 1 && is_compared(&self.trials[a], &self.trials[b])
            };
            self.unsent = open.chunk_by(stay).map(|places| places[0]..places[places.len() - 1] + 1).collect();
        }
    }

    fn stops(&self) -> bool {
        self.nats.options.stop.load(Ordering::Relaxed)
    }
}

/// Returns whether two successive trials are compared with each other and must stay together.
/// Trials of the search are compared too, but a whole generation in one unit would leave other
/// machines idle, and no claim depends on them.
fn is_compared(a: &Trial, b: &Trial) -> bool {
    a.case == b.case && a.case.split != Split::Search
}

/// Divides trials into units for `threads` threads.
fn cut(trials: &[Trial], threads: usize, longest: usize, keeps_order: bool) -> Vec<Range<usize>> {
    let mut units = Vec::new();
    let mut start = 0;
    while start < trials.len() {
        let mut end = start + unit_size(trials.len() - start, threads, longest);
        while keeps_order && end < trials.len() && is_compared(&trials[end - 1], &trials[end]) {
            end += 1;
        }
        units.push(start..end);
        start = end;
    }
    units
}

/// Returns the size of the next unit if `left` trials are left.
fn unit_size(left: usize, threads: usize, longest: usize) -> usize {
    (left / (PORTIONS * threads)).clamp(1, longest)
}

impl Drop for NatsQueue<'_> {
    fn drop(&mut self) {
        let threads = self.begun.session.members().threads().max(1) as f64;
        let rate = self.taken as f64 / self.since.elapsed().as_secs_f64().max(1e-6) / threads;
        self.begun.rate.store(rate as u64, Ordering::Relaxed);
    }
}

impl Queue for NatsQueue<'_> {
    fn push(&mut self, trials: Vec<Trial>) {
        self.enqueue(trials);
    }

    fn pop(&mut self, count: usize) -> Result<Vec<Outcome>, PlayError> {
        self.take(self.taken + count).inspect_err(|_| {
            self.taken = self.trials.len();
            self.unsent.clear();
        })
    }

    /// Workers finish the trials that they play; their number is taken from the front of the queue.
    fn stop(&mut self, most: usize) -> Vec<Outcome> {
        let threads = self.begun.session.members().threads();
        let last = *self.last.get_or_insert(self.trials.len().min(self.taken + threads));
        let end = last.min(self.taken + most);
        self.take(end).unwrap_or_default()
    }
}

impl NatsQueue<'_> {
    /// Waits for the outcomes of the trials up to `end` that were not taken before.
    fn take(&mut self, end: usize) -> Result<Vec<Outcome>, PlayError> {
        let begun = self.begun;
        let outcomes = lock(&begun.outcomes);
        while self.outcomes[self.taken..end].iter().any(Option::is_none) {
            self.hand_out()?;
            match outcomes.recv_timeout(LOOK) {
                Ok((worker, outcomes)) => {
                    self.heard = Instant::now();
                    self.take_in(&worker, outcomes)?;
                }
                Err(_) => self.wait()?,
            }
        }
        let known = self.outcomes[self.taken..end].iter_mut().map(|outcome| outcome.take().expect("all are known"));
        let known = known.collect();
        self.taken = end;
        Ok(known)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use evolve_search::evaluator::Values;

    fn trials(split: Split, candidates: usize, cases: usize) -> Vec<Trial> {
        let candidates: Vec<Values> = (0..candidates).map(|number| Values::from([number as f64])).collect();
        let on = |case: Case| candidates.iter().map(move |candidate| Trial::new(candidate, case));
        Case::first(1, split, cases).into_iter().flat_map(on).collect()
    }

    #[test]
    fn candidates_compared_on_a_case_are_in_one_unit() {
        for longest in [1, 4, 7, 50] {
            let trials = trials(Split::Test, 3, 100);
            let units = cut(&trials, 4, longest, true);
            let of_units: Vec<&[Trial]> = units.into_iter().map(|unit| &trials[unit]).collect();
            assert_eq!(of_units.concat(), trials);
            assert!(of_units.iter().all(|unit| unit.len() % 3 == 0 && unit[0].candidate[0] == 0.0), "{longest}");
        }
        let search = trials(Split::Search, 40, 1);
        assert_eq!(cut(&search, 8, 1, true).len(), 40, "slow trials of a generation go to all machines");
    }

    #[test]
    fn units_get_smaller_towards_the_end_of_a_round() {
        let cut = |left: usize, threads, longest| -> Vec<usize> {
            cut(&trials(Split::Test, 2, left / 2 + 1)[..left], threads, longest, false)
                .into_iter()
                .map(|unit| unit.len())
                .collect()
        };
        let sizes = cut(10_000, 8, 50);
        assert_eq!(sizes.iter().sum::<usize>(), 10_000);
        assert!(sizes[0] == 50 && sizes.is_sorted_by(|a, b| a >= b) && sizes.ends_with(&[1; 24]), "{sizes:?}");
        assert_eq!(cut(5, 8, 50), [1; 5]);
        assert_eq!(cut(500, 8, 1), [1; 500], "trials of a second or more go one by one");
    }
}
