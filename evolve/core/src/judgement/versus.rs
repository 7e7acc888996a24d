//! Two candidates on the same cases.

use super::comparison::{Difference, Units};
use super::groups::{Group, groups};
use super::measured::{Measured, are_scores, differences, differences_of_scores};
use evolve_search::model::problem::Problem;

/// The outcomes of a candidate and of the one that it is compared with, ordered unit by unit.
#[derive(Clone, Copy)]
pub struct Versus<'a> {
    pub problem: &'a dyn Problem,
    /// The independent units of the trials.
    pub units: Units,
    /// The outcomes of the candidate to compare with.
    pub baseline: &'a [Measured],
    pub candidate: &'a [Measured],
}

impl Versus<'_> {
    /// How much better the candidate's objective is in each unit.
    pub fn objectives(&self) -> Vec<Difference> {
        self.units.observations(0, &differences(self.problem, self.candidate, self.baseline))
    }

    /// How much larger the candidate's score is in each unit.
    pub fn scores(&self) -> Vec<Difference> {
        self.units.observations(0, &differences_of_scores(self.candidate, self.baseline))
    }

    /// Whether objectives are scores, so that one of both is enough.
    pub fn are_scores(&self) -> bool {
        are_scores(self.problem, 1.0, self.baseline.iter().chain(self.candidate))
    }

    /// Whether objectives are negated scores, because smaller ones are better.
    pub fn are_negated_scores(&self) -> bool {
        are_scores(self.problem, -1.0, self.baseline.iter().chain(self.candidate))
    }

    /// The scores by group of instances. An exact comparison has exact groups.
    pub fn groups(&self, is_exact: bool) -> Vec<Group> {
        groups(&self.problem.metrics().groups, self.units, [self.baseline, self.candidate], is_exact)
    }
}
