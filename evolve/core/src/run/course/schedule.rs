//! The trials that a stage requests at once, and their order of play in batches.

use crate::judgement::measured::Measured;
use evolve_search::evaluator::{Trial, Values};
use evolve_search::model::trial::{Case, order};
use std::ops::Range;

/// Candidates and their trials, in the order of play.
pub struct Schedule {
    pub candidates: Vec<Values>,
    pub trials: Vec<Planned>,
    /// The number of leading trials, which are played before the others. On each case, the leading
    /// trial is the rival of the others.
    pub lead: usize,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Planned {
    /// The index of the candidate.
    pub candidate: usize,
    pub case: Case,
    /// The objective of a [rival](Trial::rival) that is known beforehand.
    pub rival: Option<f64>,
}

impl Schedule {
    /// Schedules every candidate on every case, case by case, in the [order] of each case. `before`
    /// is the number of cases that the candidates have already played in this stage.
    pub fn all(candidates: Vec<Values>, cases: &[Case], before: usize) -> Self {
        let count = candidates.len();
        let of_case = |(place, &case): (usize, &Case)| {
            order(place, count).map(move |candidate| Planned { candidate, case, rival: None })
        };
        Schedule { trials: (before..).zip(cases).flat_map(of_case).collect(), candidates, lead: 0 }
    }

    /// Returns the number of trials of the schedule that can be played, including the first
    /// `played`, which have outcomes.
    pub fn ready(&self, played: usize) -> usize {
        if played < self.lead { self.lead } else { self.trials.len() }
    }

    /// Returns trials, which must be [ready](Self::ready) after these outcomes, with their rivals.
    pub fn coming(&self, trials: Range<usize>, outcomes: &[Measured]) -> impl Iterator<Item = Trial> {
        self.trials[trials].iter().map(move |&Planned { candidate, case, rival }| {
            let mut leaders = self.trials[..self.lead].iter().zip(outcomes).filter(|_| outcomes.len() >= self.lead);
            let leader = leaders.find(|(leader, _)| leader.case == case).map(|(_, outcome)| outcome.objective);
            Trial { rival: leader.or(rival), ..Trial::new(&self.candidates[candidate], case) }
        })
    }

    /// Returns the number of trials in the next batch of about `size`, after the first `played`.
    /// Divides the rest of the schedule evenly, so that the last batch is large enough to keep all
    /// threads busy.
    pub fn batch(&self, played: usize, size: usize) -> usize {
        let left = self.ready(played) - played;
        let batches = (left.saturating_add(size / 2) / size.max(1)).max(1);
        left.div_ceil(batches)
    }

    /// Groups outcomes by candidate, in the order of play.
    pub fn by_candidate(&self, outcomes: &[Measured]) -> Vec<Vec<Measured>> {
        let mut rows = vec![Vec::new(); self.candidates.len()];
        for (trial, outcome) in self.trials.iter().zip(outcomes) {
            rows[trial.candidate].push(outcome.clone());
        }
        rows
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use evolve_search::model::seed::Split;

    fn candidates(count: u32) -> Vec<Values> {
        (0..count).map(|number| Values::from([f64::from(number)])).collect()
    }

    #[test]
    fn two_candidates_alternate_across_batches() {
        let cases = Case::first(1, Split::Test, 100);
        let [schedule, rest] =
            [(0..100, 0), (33..100, 33)].map(|(of, before)| Schedule::all(candidates(2), &cases[of.clone()], before));
        assert_eq!(rest.trials, schedule.trials[66..]);
        // Each follows itself as often as the other one.
        let follows = |one: usize, other: usize| {
            schedule.trials.windows(2).filter(|pair| (pair[0].candidate, pair[1].candidate) == (other, one)).count()
        };
        assert_eq!([follows(0, 0), follows(0, 1), follows(1, 0), follows(1, 1)], [49, 50, 50, 50]);
        assert!(schedule.trials.chunks(2).all(|pair| pair[0].case == pair[1].case));
        let outcomes = schedule.trials.iter().map(|trial| {
            let score = (trial.case.number * 2) as f64 + trial.candidate as f64;
            Measured { objective: score, score, ..Measured::default() }
        });
        let rows = schedule.by_candidate(&outcomes.collect::<Vec<_>>());
        let expected = |candidate: f64| (0..100).map(|number| 2.0 * f64::from(number) + candidate).collect::<Vec<_>>();
        let scores = |row: &[Measured]| row.iter().map(|measured| measured.score).collect::<Vec<_>>();
        assert_eq!((scores(&rows[0]), scores(&rows[1])), (expected(0.0), expected(1.0)));
    }

    #[test]
    fn each_candidate_is_equally_often_first_and_before_another() {
        let schedule = Schedule::all(candidates(4), &Case::first(1, Split::Measurement, 2000), 0);
        let orders: Vec<Vec<usize>> =
            schedule.trials.chunks(4).map(|case| case.iter().map(|trial| trial.candidate).collect()).collect();
        for one in 0..4 {
            let first = orders.iter().filter(|order| order[0] == one).count();
            assert_eq!(first, 500, "{one}");
            for other in (0..4).filter(|&other| other != one) {
                let place = |order: &[usize], who| order.iter().position(|&candidate| candidate == who);
                let before = orders.iter().filter(|order| place(order, one) < place(order, other)).count();
                assert_eq!(before, 1000, "{one} {other}");
            }
        }
    }

    #[test]
    fn batches_cover_a_schedule() {
        let schedule = Schedule::all(candidates(7), &Case::first(1, Split::Validation, 31), 0);
        for size in [1, 5, 36, 150, 1000] {
            let mut played = 0;
            while played < schedule.trials.len() {
                let batch = schedule.batch(played, size);
                assert!(batch > 0 && batch <= 2 * size, "{batch} of {size}");
                played += batch;
            }
            assert_eq!(played, schedule.trials.len());
        }
    }

    #[test]
    fn leading_trials_are_played_first_and_are_rivals_of_the_others() {
        let cases = Case::first(1, Split::Search, 3);
        let of = |candidate: usize| cases.iter().map(move |&case| Planned { candidate, case, rival: None });
        let trials: Vec<Planned> = of(0).chain(of(1)).chain(of(2)).collect();
        let schedule = Schedule { candidates: candidates(3), trials, lead: 3 };
        for size in [1, 2, 100] {
            let mut played: Vec<Measured> = Vec::new();
            while played.len() < 9 {
                let batch = played.len()..played.len() + schedule.batch(played.len(), size);
                let trials: Vec<Trial> = schedule.coming(batch.clone(), &played).collect();
                for (trial, place) in trials.iter().zip(batch) {
                    let rival = (place >= 3).then_some(10.0 * (place % 3) as f64);
                    assert_eq!((trial.candidate[0], trial.rival), ((place / 3) as f64, rival));
                }
                let outcome = |trial: &Trial| Measured {
                    objective: if trial.candidate[0] == 0.0 { 10.0 * trial.case.number as f64 } else { 0.5 },
                    ..Measured::default()
                };
                played.extend(trials.iter().map(outcome));
            }
        }
    }
}
