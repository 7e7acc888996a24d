//! The penalty of candidates that break a constraint, for methods that only rank candidates. They
//! receive objectives minus the penalty, so that these candidates are worse than every candidate
//! that holds all constraints.
//!
//! All trials of a candidate so far decide whether it breaks a constraint: their mean or, if the
//! limit applies to each trial, the one farthest beyond it. Only the latest candidates are
//! remembered from one generation to the next. The penalty is the same on every case and is
//! subtracted from all objectives of the candidate. It follows Deb, "An efficient constraint
//! handling method for genetic algorithms", 2000: candidates rank first by whether they break
//! constraints, then by how far. Its unit is the largest difference between outcomes on one case so
//! far. On every case, the best candidate that breaks a constraint therefore ranks below the worst
//! one that holds all, and the objective rises towards the limit.
//!
//! From a limit on a mean, the search keeps a [margin](MARGIN).

use crate::judgement::measured::{Measured, objectives};
use evolve_search::model::constraint::Constraint;
use evolve_search::model::limit::MARGIN;
use evolve_search::optimizer::Ask;
use evolve_search::statistics::mean;
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

/// Extra penalty, in units, of the candidate farthest beyond a limit: more than the objective may
/// gain on the way there.
const STEEPNESS: f64 = 2.0;

/// The scales of penalties, measured in the search so far.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Penalty {
    /// The largest difference between two objectives on one case of a generation.
    spread: f64,
    /// The largest distance of a candidate beyond each limit.
    excess: Vec<f64>,
    /// Variation of each constraint's value between trials of one candidate: the sum of squares and
    /// its degrees of freedom.
    scatter: Vec<(f64, u64)>,
    /// The latest candidates, the oldest first.
    #[serde(default, skip_serializing_if = "VecDeque::is_empty")]
    latest: VecDeque<Latest>,
}

/// A candidate with the value of each constraint in each of its trials.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Latest {
    point: Vec<f64>,
    values: Vec<Vec<f64>>,
}

/// The largest number of trials whose values are remembered.
const REMEMBERED: usize = 400;

/// Returns the sum of squared differences from the mean, and its degrees of freedom.
fn squares(values: &[f64]) -> (f64, u64) {
    let mean = mean(values);
    let squares = values.iter().map(|value| (value - mean) * (value - mean)).sum();
    (squares, values.len().saturating_sub(1) as u64)
}

impl Penalty {
    /// Returns the objectives of a generation with penalties, in the order of the trials requested.
    /// `trials` is the size of the test.
    pub fn penalized(&mut self, constraints: &[Constraint], test: usize, ask: &Ask, outcomes: &[Measured]) -> Vec<f64> {
        let mut penalized = objectives(outcomes);
        if constraints.is_empty() {
            return penalized;
        }
        self.excess.resize(constraints.len(), 0.0);
        self.scatter.resize(constraints.len(), (0.0, 0));
        self.spread = self.spread.max(ask.spread(&penalized));
        let mut values = vec![vec![Vec::new(); constraints.len()]; ask.points.len()];
        for (&(point, _), outcome) in ask.trials.iter().zip(outcomes) {
            values[point].iter_mut().zip(&outcome.quantities).for_each(|(values, value)| values.push(*value));
        }
        for (point, values) in ask.points.iter().zip(&mut values) {
            self.remember(point, values);
        }
        let margin = |&(squares, freedom): &(f64, u64)| {
            MARGIN * (squares / freedom.max(1) as f64).sqrt() / (test.max(1) as f64).sqrt()
        };
        let margins: Vec<f64> = self.scatter.iter().map(margin).collect();
        let excesses = |of: &Vec<Vec<f64>>| -> Vec<f64> {
            let all = constraints.iter().zip(of).zip(&margins);
            all.map(|((constraint, values), &margin)| constraint.limit.excess(values, margin)).collect()
        };
        let excesses: Vec<Vec<f64>> = values.iter().map(excesses).collect();
        for (place, most) in self.excess.iter_mut().enumerate() {
            *most = excesses.iter().map(|of| of[place]).fold(*most, f64::max);
        }
        let penalties: Vec<f64> = excesses.iter().map(|of| self.of(of)).collect();
        penalized.iter_mut().zip(&ask.trials).for_each(|(objective, &(point, _))| *objective -= penalties[point]);
        penalized
    }

    /// Puts the values of a candidate's earlier trials before its new ones, and adds the new ones
    /// to the scatter.
    fn remember(&mut self, point: &[f64], values: &mut [Vec<f64>]) {
        let known = self.latest.iter().position(|latest| latest.point == point);
        let earlier = known.and_then(|place| self.latest.remove(place)).map_or_else(Vec::new, |latest| latest.values);
        for (place, (values, scatter)) in values.iter_mut().zip(&mut self.scatter).enumerate() {
            let before = earlier.get(place).map_or((0.0, 0), |earlier| squares(earlier));
            values.splice(0..0, earlier.get(place).into_iter().flatten().copied());
            let now = squares(values);
            *scatter = ((scatter.0 + now.0 - before.0).max(0.0), scatter.1 + now.1 - before.1);
        }
        self.latest.push_back(Latest { point: point.to_vec(), values: values.to_vec() });
        let trials = |latest: &Latest| latest.values.first().map_or(0, Vec::len);
        while self.latest.len() > 1 && self.latest.iter().map(trials).sum::<usize>() > REMEMBERED {
            self.latest.pop_front();
        }
    }

    /// Returns the penalty of a candidate at these distances beyond each limit.
    fn of(&self, excesses: &[f64]) -> f64 {
        if excesses.iter().all(|&excess| excess == 0.0) {
            return 0.0;
        }
        // If all objectives are equal, any penalty separates candidates.
        let unit = if self.spread > 0.0 { self.spread } else { 1.0 };
        let shares = excesses.iter().zip(&self.excess).filter(|(_, most)| **most > 0.0);
        let share: f64 = shares.map(|(excess, most)| excess / most).sum();
        unit * (1.0 + STEEPNESS * share / excesses.len() as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn constraint(limit: &str) -> Vec<Constraint> {
        vec![Constraint { name: "memory".into(), metric: 0, unit: "", limit: limit.parse().unwrap() }]
    }

    /// Returns the penalized objectives of candidates with these values and objectives on each of
    /// two cases.
    fn penalized(limit: &str, candidates: &[[(f64, f64); 2]]) -> Vec<f64> {
        penalized_before(1_000_000, limit, candidates)
    }

    /// Returns the same before a test with this many trials.
    fn penalized_before(test: usize, limit: &str, candidates: &[[(f64, f64); 2]]) -> Vec<f64> {
        let ask = Ask::all((0..candidates.len()).map(|number| vec![number as f64]).collect(), 2);
        let outcome = |&(point, case): &(usize, usize)| {
            let (value, objective) = candidates[point][case];
            Measured { objective, quantities: vec![value], ..Measured::default() }
        };
        let outcomes: Vec<Measured> = ask.trials.iter().map(outcome).collect();
        Penalty::default().penalized(&constraint(limit), test, &ask, &outcomes)
    }

    #[test]
    fn who_breaks_a_limit_is_below_the_worst_that_holds_it_on_every_case() {
        let candidates = [
            [(5.0, 1.0), (8.0, 101.0)],
            [(9.0, 4.0), (13.0, 104.0)],
            [(20.0, 9.0), (22.0, 109.0)],
            [(1.0, 2.0), (2.0, 99.0)],
        ];
        // The mean of the second is 11, though one of its trials is within the limit.
        let of = penalized("<= 10", &candidates);
        assert_eq!([of[0], of[3], of[4], of[7]], [1.0, 2.0, 101.0, 99.0]);
        assert!(
            [of[1], of[2]].iter().all(|&objective| objective < 1.0)
                && [of[5], of[6]].iter().all(|&objective| objective < 99.0),
            "{of:?}"
        );
        assert!(of[2] < of[1] && of[6] < of[5], "the farther beyond, the worse: {of:?}");
        // One trial of the first is beyond 7.
        assert!(penalized("each <= 7", &candidates)[0] < 1.0 && penalized("<= 7", &candidates)[0] == 1.0);
        assert!(penalized(">= 2", &candidates)[3] < 1.0);
    }

    #[test]
    fn a_mean_keeps_away_from_its_limit_as_far_as_the_test_needs() {
        // The standard deviation of a trial is the root of 2, so that 2 standard errors of 8 trials
        // are 1.
        let candidates = [[(7.8, 0.0), (9.8, 0.0)], [(8.3, 0.0), (10.3, 0.0)]];
        assert_eq!(
            penalized_before(8, "<= 10", &candidates).iter().map(|&objective| objective < 0.0).collect::<Vec<_>>(),
            [false, true, false, true]
        );
        assert_eq!(penalized_before(100, "<= 10", &candidates), [0.0; 4]);
    }

    #[test]
    fn equal_objectives_are_told_apart() {
        let of = penalized("<= 10", &[[(5.0, 0.0); 2], [(15.0, 0.0); 2]]);
        assert_eq!(of[0], 0.0);
        assert!(of[1] < 0.0);
    }
}
