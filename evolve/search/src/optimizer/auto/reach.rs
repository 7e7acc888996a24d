//! Measures how far each coordinate must move alone until outcomes change.
//!
//! The centre of the search and its neighbours play the same case; each neighbour has moved in one
//! coordinate. If it has the same score, its coordinate may move further; if it has another score,
//! it has moved far enough. A changed outcome shows in a few trials, while a difference in strength
//! takes thousands.

use crate::model::space::Coordinate;
use crate::optimizer::is_count;
use crate::statistics::standard_deviation;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Reach {
    /// The natural logarithm of each coordinate's reach, in its unit.
    logs: Vec<f64>,
    /// The number of rounds played to measure the reaches.
    rounds: u64,
}

/// The share of trials whose outcome a move by the reach changes.
const CHANGED: f64 = 0.3;
/// The change of a score, in standard deviations of a trial, that counts as a full change. Smooth
/// scores always change a little.
const WHOLE: f64 = 0.1;
/// The initial and final amounts by which a round changes the logarithm of a reach.
const FIRST: f64 = 2.0;
const LAST: f64 = 0.3;
/// The largest absolute logarithm of a reach.
const MOST: f64 = 4.0;
/// The number of rounds, one in each generation, until reaches can be trusted; and the generations
/// between later rounds.
const ROUNDS: u64 = 6;
const EVERY: u64 = 16;

impl Reach {
    /// Starts with reaches equal to the declared units.
    pub fn new(coordinates: usize) -> Self {
        Reach { logs: vec![0.0; coordinates], rounds: 0 }
    }

    /// Returns whether this generation plays a round.
    pub fn is_due(&self, generation: u64) -> bool {
        self.rounds < ROUNDS || (generation + 1).is_multiple_of(EVERY)
    }

    /// Returns the points that play a case together: the centre twice, then a neighbour for each
    /// coordinate. All are within the range if the centre is.
    pub fn round(&self, centre: &[f64], space: &[Coordinate]) -> Vec<Vec<f64>> {
        let mut points = vec![centre.to_vec(), centre.to_vec()];
        for (j, coordinate) in space.iter().enumerate() {
            let way = libm::exp(self.logs[j]) * coordinate.unit;
            let way = if (self.rounds + j as u64).is_multiple_of(2) { way } else { -way };
            let mut point = centre.to_vec();
            let there = point[j] + way;
            // Move the other way if this one leaves the range.
            let there = if (coordinate.min..=coordinate.max).contains(&there) { there } else { point[j] - way };
            point[j] = coordinate.clamp(there);
            points.push(point);
        }
        points
    }

    /// Updates the reaches from the objectives of a [`round`](Self::round). The objectives in
    /// `sample` show the spread of trials.
    pub fn learn(&mut self, objectives: &[f64], sample: &[f64]) {
        let rate = LAST.max(FIRST / (1.0 + 0.5 * self.rounds as f64));
        self.rounds += 1;
        let whole = WHOLE * standard_deviation(sample);
        let (centre, again) = (objectives[0], objectives[1]);
        // If the same candidate scores differently on the same case, a change means nothing.
        if whole <= 0.0 || (centre - again).abs() > 1e-3 * whole {
            return;
        }
        for (log, objective) in self.logs.iter_mut().zip(&objectives[2..]) {
            let changed = ((objective - centre).abs() / whole).min(1.0);
            *log = (*log + rate * (CHANGED - changed)).clamp(-MOST, MOST);
        }
    }

    /// Returns the reach of each coordinate, in its unit.
    pub fn lengths(&self) -> impl Iterator<Item = f64> {
        self.logs.iter().map(|&log| libm::exp(log))
    }

    /// Returns whether a deserialized state fits `n` coordinates.
    pub fn fits(&self, n: usize) -> bool {
        is_count(self.rounds) && self.logs.len() == n && self.logs.iter().all(|log| (-MOST..=MOST).contains(log))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::seed::generator;
    use crate::optimizer::sampling::normal;

    #[test]
    fn coordinates_that_change_few_outcomes_reach_far() {
        // A coordinate changes an outcome if it crosses a threshold that the case draws. The
        // thresholds of the second coordinate are ten times as far apart; the third has no effect.
        let space = vec![Coordinate::float(0.0, 1.0, -500.0, 500.0); 3];
        let mut reach = Reach::new(3);
        let mut random = generator(4);
        let mut logs = [0.0; 3];
        for round in 0..200 {
            let thresholds = [normal(&mut random), 10.0 * normal(&mut random), 1e9];
            let score = |point: &Vec<f64>| {
                let past = |(x, threshold): (&f64, &f64)| f64::from(u8::from(x > threshold));
                point.iter().zip(&thresholds).map(past).sum::<f64>()
            };
            let objectives: Vec<f64> = reach.round(&[0.0; 3], &space).iter().map(score).collect();
            reach.learn(&objectives, &[0.0, 1.0, 2.0]);
            if round >= 100 {
                logs.iter_mut().zip(&reach.logs).for_each(|(mean, log)| *mean += log / 100.0);
            }
        }
        let lengths = logs.map(libm::exp);
        assert!((0.4..2.0).contains(&lengths[0]), "{lengths:?}");
        assert!((5.0..20.0).contains(&(lengths[1] / lengths[0])), "{lengths:?}");
        assert!(lengths[2] > 40.0, "{lengths:?}");
    }

    #[test]
    fn noise_does_not_change_reaches() {
        let space = vec![Coordinate::float(0.0, 1.0, -5.0, 5.0); 2];
        let mut reach = Reach::new(2);
        let mut random = generator(4);
        for _ in 0..50 {
            let objectives: Vec<f64> = reach.round(&[0.0; 2], &space).iter().map(|_| normal(&mut random)).collect();
            reach.learn(&objectives, &[0.0, 1.0, 2.0]);
        }
        assert!(reach.lengths().all(|length| length == 1.0));
    }
}
