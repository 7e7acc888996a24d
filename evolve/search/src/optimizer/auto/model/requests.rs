//! The requests of the model: the next trials, and the cases that they play.

use super::encoding::Dimension;
use super::posterior::{Posterior, Seen};
use super::process::{Met, ModelTrial};
use super::propose::{self, Around};
use super::state::Request;
use super::{Model, State};
use crate::model::seed::{Split, generator, seed};
use crate::optimizer::{Again, Cases};
use std::collections::BTreeSet;
use std::ops::Range;

/// Number of trials in a request, and of requests in progress. Together they keep twelve threads
/// busy. When a trial is chosen, the outcomes of the eight to eleven trials before it are unknown.
const BATCH: usize = 4;
const AHEAD: usize = 3;
/// Priors count as their density to the power of this over the number of trials: piBO (Hvarfner et
/// al., ICLR 2022), whose authors take a tenth of all trials. A density counts as at least this
/// share of the largest one, so that priors exclude nothing.
const BELIEF: f64 = 30.0;
const LEAST_BELIEF: f64 = 1e-12;
/// A gain over the start of this many standard deviations is clear.
const CLEAR: f64 = 2.0;
/// A start that is clearly worse is played on one case for this many trials, up to this number of
/// cases. On a single case, its interaction would be unknown.
const TRIALS_A_START: usize = 20;
const MOST_STARTS: usize = 6;
/// The number of new instances that are compared for a trial, if their features are known.
const OFFERED: usize = 24;
/// The least number of different cases for each trial, between these numbers of trials. The worth
/// of a trial seldom favours an instance whose level is unknown; this costs nothing that families
/// of functions show, but only after the first trials.
const LEAST_CASES: f64 = 0.175;
const SPREADING: Range<usize> = 100..200;
/// Streams of random numbers, separate from the streams of batches.
pub const SOBOL: u64 = 1 << 32;

impl Model {
    /// Makes requests up to the number in progress, or until the model has all its trials.
    pub(super) fn look_ahead(&mut self) {
        let pending = |requests: &[Request]| requests.iter().map(|request| request.trials.len()).sum::<usize>();
        while self.state.requests.len() < AHEAD && self.trials() + pending(&self.state.requests) < self.most {
            let (trials, rivals, numbers) = self.batch();
            self.request(trials, rivals, &numbers);
        }
    }

    /// Adds a request, whose new cases have these numbers.
    pub(super) fn request(&mut self, trials: Vec<ModelTrial>, rivals: Vec<Option<f64>>, numbers: &[u64]) {
        let State { batches, cases, requests, .. } = &mut self.state;
        let request = Request { trials, known: cases.len(), rivals };
        let generation = *batches + requests.len() as u64;
        cases.extend(numbers.iter().zip(0..).map(|(&number, place)| Again { generation, place, number }));
        requests.push(request);
    }

    /// Returns the most informative trials, the rivals on the cases so far, and the numbers of the
    /// new cases. Each trial is chosen as if the others, and the trials of earlier requests, were
    /// in progress.
    fn batch(&self) -> (Vec<ModelTrial>, Vec<Option<f64>>, Vec<u64>) {
        let State { kernel, batches, requests, cases, .. } = &self.state;
        let offered = self.offered();
        let mut posterior = self.posterior(kernel.as_ref().expect("a model is fitted to the first batch"));
        offered.iter().for_each(|&number| posterior.process.add_case(number));
        requests.iter().flat_map(|request| &request.trials).for_each(|trial| posterior.expect(trial.clone()));
        let seen = posterior.ranked(self.played());
        let rivals = self.rivals(&seen);
        let number = batches + requests.len() as u64;
        let mut trials: Vec<ModelTrial> = Vec::new();
        let allowed = |values| self.allowed(values);
        let belief = |values: &[f64]| self.belief(values);
        let around = Around { dimensions: &self.dimensions, cases: self.cases, allowed: &allowed, belief: &belief };
        let all = cases.len() + offered.len();
        let before = self.trials() + requests.iter().map(|request| request.trials.len()).sum::<usize>();
        let offers = |trials: &[ModelTrial]| {
            let new: BTreeSet<usize> =
                trials.iter().map(|trial| trial.case).filter(|&case| case >= cases.len()).collect();
            let first = (cases.len()..all).find(|case| !new.contains(case)).unwrap_or(all);
            // Without features, all new cases are alike.
            let end = if self.state.instances.features() > 0 { all } else { (first + 1).min(all) };
            if first < end && self.lacks_cases(before + trials.len(), cases.len() + new.len()) {
                first..end
            } else {
                0..end
            }
        };
        let mut new = self.challenge(&posterior, &seen[0].met, offers(&[]));
        loop {
            for trial in new {
                posterior.expect(trial.clone());
                trials.push(trial);
            }
            if trials.len() >= BATCH {
                break;
            }
            let place = trials.len() as u64;
            let mut random = generator(seed(self.seed, Split::Variation, number, place));
            let share = self.shares(number * BATCH as u64 + place);
            let offers = offers(&trials);
            new = self
                .serving(&posterior, around, &seen[0].met, offers.end, &share, &mut random)
                .unwrap_or_else(|| propose::next(&posterior, around, &seen, offers, &share, &mut random));
        }
        let numbers = self.settled(&mut trials, &offered);
        (trials, rivals, numbers)
    }

    /// Returns whether the next trial should play a new case, after this number of trials on this
    /// number of cases.
    fn lacks_cases(&self, trials: usize, cases: usize) -> bool {
        SPREADING.contains(&trials) && (cases as f64) < LEAST_CASES * trials as f64
    }

    /// Returns the numbers of new cases on offer, if there are any. Lists of instances are
    /// shuffled, so the next ones are a random selection.
    fn offered(&self) -> Vec<u64> {
        let used: BTreeSet<u64> = self.state.cases.iter().map(|case| case.number).collect();
        let count = if self.state.instances.features() > 0 { OFFERED } else { BATCH + 1 };
        (0..self.cases.different()).filter(|number| !used.contains(number)).take(count).collect()
    }

    /// Renumbers new cases in the order of their first trials, and returns their numbers.
    fn settled(&self, trials: &mut [ModelTrial], offered: &[u64]) -> Vec<u64> {
        let known = self.state.cases.len();
        let mut taken: Vec<usize> = Vec::new();
        for trial in trials.iter_mut().filter(|trial| trial.case >= known) {
            let place = taken.iter().position(|&case| case == trial.case).unwrap_or_else(|| {
                taken.push(trial.case);
                taken.len() - 1
            });
            trial.case = known + place;
        }
        taken.iter().map(|case| offered[case - known]).collect()
    }

    /// Returns trials of the start, or of the start and the best candidate, that are most
    /// informative about their difference, unless that is clear and known from several cases. The
    /// recommendation depends on this difference, and so does the gain that is shown, but a start
    /// that seems worse would not be played again.
    fn challenge(&self, posterior: &Posterior<'_>, best: &Met, offers: Range<usize>) -> Vec<ModelTrial> {
        let start = self.start();
        if self.cases == Cases::One || best.values == start {
            return Vec::new();
        }
        let process = &posterior.process;
        let (best, start) = (process.assessed(best.clone()), process.assessed(process.met(start)));
        let is_clear = start.mean - best.mean >= CLEAR * process.variance_between(&best, &start).sqrt();
        let of_start = (0..offers.end).filter(|&case| process.has(&start.values, case)).count();
        if is_clear && of_start >= (self.trials() / TRIALS_A_START).min(MOST_STARTS) {
            return Vec::new();
        }
        propose::most_telling_trials(posterior, &start, &best, offers)
    }

    /// Returns, for each case, the objective of the best candidate that played it; `seen` lists all
    /// candidates, the best first.
    fn rivals(&self, seen: &[Seen]) -> Vec<Option<f64>> {
        let State { trials, outcomes, cases, .. } = &self.state;
        let mut best = vec![(usize::MAX, None); cases.len()];
        for (trial, outcome) in trials.iter().zip(outcomes.values()) {
            let rank = seen.iter().position(|seen| seen.met.values == trial.values).expect("it was played");
            if rank < best[trial.case].0 {
                best[trial.case] = (rank, Some(-outcome));
            }
        }
        best.into_iter().map(|(_, objective)| objective).collect()
    }

    /// Returns the weight of priors for a candidate, which shrinks as the number of trials grows.
    pub(super) fn belief(&self, values: &[f64]) -> f64 {
        let of = |(dimension, &value): (&Dimension, &f64)| dimension.belief(value);
        let logarithm: f64 = self.dimensions.iter().zip(values).map(of).sum();
        libm::exp(BELIEF / self.state.trials.len() as f64 * logarithm.max(libm::log(LEAST_BELIEF)))
    }

    /// Returns numbers between 0 and 1 that cover a cube evenly: Owen-scrambled Sobol points.
    pub(super) fn shares(&self, stream: u64) -> impl Fn(u32, u32) -> f64 {
        let scramble = seed(self.seed, Split::Variation, stream, SOBOL) as u32;
        move |index, dimension| f64::from(sobol_burley::sample(index, dimension, scramble))
    }
}
