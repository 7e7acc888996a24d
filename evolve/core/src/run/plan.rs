//! The plan of a verdict: batches of fixed sizes, and the comparison after each.

use super::measured::Measured;
use crate::comparison::{Comparison, Units};
use crate::config::Job;
use crate::seed::Purpose;

/// The share of verdicts that may be wrong, to both sides together.
const ERROR: f64 = 0.05;

/// What the verdict plays, and when it looks.
pub struct Plan {
    /// What counts as one observation.
    pub units: Units,
    /// Whether it may end early.
    early: bool,
}

impl Plan {
    /// The plan of a verdict of so many games at most, that may end early or not.
    pub fn of(job: &Job, games: usize, early: bool) -> Self {
        Plan { units: Units::of(job.source.problem, Purpose::Verdict, games), early }
    }

    /// How many games it has at most.
    pub fn deals(&self) -> usize {
        self.units.deals
    }

    /// How many units the first so many games have; `None` if they are not those of whole batches.
    pub fn units_of(&self, games: usize) -> Option<usize> {
        let mut units = 0;
        while self.units.deals_before(units) < games {
            units += self.next(units);
        }
        (self.units.deals_before(units) == games).then_some(units)
    }

    /// How many units come after so many.
    pub fn next(&self, units: usize) -> usize {
        if self.early { self.units.next_batch(units) } else { self.units.count - units }
    }

    /// The comparison of all units so far by one of their numbers.
    pub fn compare(&self, judged: &[Vec<Measured>; 2], number: fn(&Measured) -> f64) -> Comparison {
        let differences: Vec<f64> = judged[1].iter().zip(&judged[0]).map(|(a, b)| number(a) - number(b)).collect();
        let mut comparison = match self.early {
            true => self.units.comparison(ERROR, 0.0),
            false => Comparison::once(ERROR, 0.0),
        };
        self.units.means(0, &differences).into_iter().for_each(|difference| comparison.add(difference));
        comparison
    }
}
