//! The latest trials of the search, and what they say of a finalist: candidates near it that
//! failed, or lost far more than they usually do, are a warning that it does so as well. A long
//! search only counts its late failures ([`late`]).

mod late;

use super::schedule::Schedule;
use crate::judgement::comparison::{Near, large_loss};
use crate::judgement::measured::Measured;
use evolve_search::document::is_default;
use evolve_search::model::problem::Problem;
use evolve_search::model::rating::Rating;
use evolve_search::model::seed::Split;
use evolve_search::model::space::Space;
use evolve_search::optimizer::Ask;
use evolve_search::statistics::{mean, median};
use late::Late;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, VecDeque};

/// The latest trials, the oldest first.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Recent {
    trials: VecDeque<RecentTrial>,
    /// Whether older trials were dropped.
    is_cut: bool,
    /// The failures of late candidates, wherever they are.
    late: Late,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct RecentTrial {
    point: Vec<f64>,
    /// The number of the instance or, without a list of instances, of the case.
    unit: u64,
    objective: f64,
    #[serde(default, skip_serializing_if = "is_default")]
    failed: bool,
}

/// The largest number of trials, and of coordinates in all of them together.
const MOST: usize = 600;
const MOST_NUMBERS: usize = 6000;

/// What the latest trials say of a finalist.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Warnings {
    /// The failures of candidates near it or, if none is known to be near or the search had more
    /// trials, of late ones.
    pub failures: Option<Near>,
    /// Their large losses.
    pub losses: Option<Near>,
}

impl Recent {
    /// Adds the outcomes of a generation, after which the search has played `searched` trials.
    pub fn add(&mut self, problem: &dyn Problem, ask: &Ask, schedule: &Schedule, outcomes: &[Measured], searched: u64) {
        self.late.add(schedule, outcomes, problem.rating(), searched);
        let instances = problem.instances(Split::Search).map_or(0, |names| names.len() as u64);
        for (trial, outcome) in schedule.trials.iter().zip(outcomes).filter(|(_, outcome)| !outcome.is_bound()) {
            let number = trial.case.number;
            self.trials.push_back(RecentTrial {
                point: ask.points[trial.candidate].clone(),
                unit: number.checked_rem(instances).unwrap_or(number),
                objective: outcome.objective,
                failed: outcome.failed,
            });
        }
        let most = self.trials.front().map_or(MOST, |played| MOST.min(MOST_NUMBERS / played.point.len().max(1)));
        while self.trials.len() > most {
            self.trials.pop_front();
            self.is_cut = true;
        }
    }

    /// Returns what the trials say of the candidate with these values.
    pub fn warnings(&self, space: &Space, values: &[f64], rating: Rating) -> Warnings {
        let near: Vec<&RecentTrial> = self.near(space, values);
        let late = self.late.near();
        if near.is_empty() {
            return Warnings { failures: late, losses: None };
        }
        let references = self.references(rating);
        let value = |played: &RecentTrial| -> Option<f64> {
            let reference = references.get(&played.unit).and_then(|unit| unit.without(played))?;
            Some(played.objective - reference)
        };
        let failed = || near.iter().copied().filter(|played| played.failed);
        let anywhere = mean(&self.trials.iter().filter(|one| !one.failed).map(|one| one.objective).collect::<Vec<_>>());
        let cost = |played: &RecentTrial| {
            if rating.is_ratio() { -1.0 } else { value(played).unwrap_or(played.objective - anywhere) }
        };
        let share = |count: usize| count as f64 / near.len() as f64;
        let worst = failed().map(cost).fold(0.0, f64::min);
        let failures = (failed().count() > 0).then(|| Near { share: share(failed().count()), worst });
        let sound: Vec<f64> = near.iter().copied().filter(|played| !played.failed).filter_map(value).collect();
        Warnings { failures: if self.is_cut { late } else { failures }, losses: large_loss(&sound) }
    }

    /// Returns the trials of candidates that are nearer to these values than the baseline is.
    fn near(&self, space: &Space, values: &[f64]) -> Vec<&RecentTrial> {
        let point = space.point(values);
        let distance = |other: &[f64]| -> f64 {
            let all = point.iter().zip(other).zip(space.coordinates());
            all.map(|((a, b), coordinate)| (a - b) / coordinate.unit).map(|x| x * x).sum()
        };
        let farthest = distance(&space.origin());
        self.trials.iter().filter(|played| distance(&played.point) < farthest).collect()
    }

    /// Returns the sound outcomes of each unit. A ratio already refers to the baseline's score on
    /// the same case, which has the objective 1.
    fn references(&self, rating: Rating) -> BTreeMap<u64, Unit> {
        let mut units: BTreeMap<u64, Unit> = BTreeMap::new();
        for played in self.trials.iter().filter(|played| !played.failed) {
            let unit = units.entry(played.unit).or_default();
            unit.is_fixed = rating.is_ratio();
            unit.objectives.push(played.objective);
        }
        units
    }
}

/// The outcomes on a unit.
#[derive(Default)]
struct Unit {
    objectives: Vec<f64>,
    is_fixed: bool,
}

impl Unit {
    /// Returns the median of the other outcomes; `None` without others.
    fn without(&self, played: &RecentTrial) -> Option<f64> {
        if self.is_fixed {
            return Some(1.0);
        }
        let mut others = self.objectives.clone();
        if let Some(own) = others.iter().position(|&one| !played.failed && one == played.objective) {
            others.swap_remove(own);
        }
        (!others.is_empty()).then(|| median(&others))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use evolve_search::model::parameter::Parameter;

    fn space() -> Space {
        Space::new(vec![Parameter::float("x", -9.0, 9.0, 0.0).unit(1.0)], vec![0.0], vec![0])
    }

    /// Every tenth trial of candidates near 2 is `bad`; candidates beyond 5 are always bad. Units
    /// have different levels.
    fn recent(bad: (f64, bool), trials: u64) -> Recent {
        let played = |i: u64| {
            let (unit, x) = (i % 7, if i % 3 == 2 { 8.0 } else { 2.0 + 0.1 * (i % 4) as f64 });
            let is_bad = x > 5.0 || i.is_multiple_of(30);
            let sound = 1000.0 * unit as f64 + (i % 5) as f64;
            let objective = if is_bad { sound + bad.0 } else { sound };
            RecentTrial { point: vec![x], unit, objective, failed: is_bad && bad.1 }
        };
        Recent { trials: (0..trials).map(played).collect(), is_cut: false, late: Late::default() }
    }

    #[test]
    fn losses_and_failures_near_the_finalist_are_warnings() {
        let Warnings { failures, losses } = recent((-400.0, false), 150).warnings(&space(), &[2.2], Rating::Objective);
        let lost = losses.unwrap();
        assert!(failures.is_none() && lost.share > 0.04 && lost.share < 0.06, "{lost:?}");
        assert!((lost.worst + 400.0).abs() < 10.0, "{lost:?}");
        let Warnings { failures, losses } = recent((-400.0, true), 150).warnings(&space(), &[2.2], Rating::Objective);
        let failed = failures.unwrap();
        assert!(losses.is_none() && failed.share == 0.05 && (failed.worst + 400.0).abs() < 10.0, "{failed:?}");
    }

    #[test]
    fn candidates_as_far_away_as_the_baseline_are_no_warning() {
        // Only the candidates at 8 fail; the baseline is nearer to 2 than they are.
        let mut all = recent((-400.0, true), 150);
        all.trials.retain(|played| played.point[0] > 5.0 || !played.failed);
        assert_eq!(all.warnings(&space(), &[2.2], Rating::Objective), Warnings::default());
        assert_eq!(
            all.warnings(&space(), &[0.0], Rating::Objective),
            Warnings::default(),
            "nothing is nearer than the baseline"
        );
    }
}
