//! Failures late in a long search, when the candidates resemble the recommendation: it may fail as
//! well.

use crate::judgement::comparison::Near;
use crate::judgement::measured::Measured;
use crate::run::course::schedule::Schedule;
use evolve_search::model::rating::Rating;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Failures in the current and the previous part of the search, which together are its last quarter
/// to half.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Late([Part; 2]);

#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Part {
    trials: u64,
    failures: u64,
    /// The largest cost of a failure, as a negative difference from the other candidates on the
    /// same case.
    worst: f64,
}

/// A part of the search ends when it makes up one in `PARTS` of all search trials so far.
const PARTS: u64 = 4;

impl Late {
    /// Adds the outcomes of a generation, after which the search has played `searched` trials.
    pub fn add(&mut self, schedule: &Schedule, outcomes: &[Measured], rating: Rating, searched: u64) {
        let Late([over, part]) = self;
        part.trials += outcomes.len() as u64;
        part.failures += outcomes.iter().filter(|outcome| outcome.failed).count() as u64;
        part.worst = part.worst.min(worst(schedule, outcomes, rating));
        if part.trials >= searched / PARTS {
            *over = std::mem::take(part);
        }
    }

    /// Returns the failures of recent candidates, which are near the recommendation; `None` if none
    /// failed.
    pub fn near(&self) -> Option<Near> {
        let Late(parts) = self;
        let sum = |of: fn(&Part) -> u64| parts.iter().map(of).sum::<u64>() as f64;
        let (trials, failures) = (sum(|part| part.trials), sum(|part| part.failures));
        (failures > 0.0).then(|| Near { share: failures / trials, worst: parts[0].worst.min(parts[1].worst) })
    }
}

/// Returns the largest cost of a failure, as a negative difference from the mean of the candidates
/// that did not fail on the same case. If all failed on that case, the trials of the generation
/// that did not fail take their place. Returns 0 if no failure is known to have a cost.
fn worst(schedule: &Schedule, outcomes: &[Measured], rating: Rating) -> f64 {
    if outcomes.iter().all(|outcome| !outcome.failed) {
        return 0.0;
    }
    let mut cases: BTreeMap<u64, Vec<&Measured>> = BTreeMap::new();
    for (trial, outcome) in schedule.trials.iter().zip(outcomes) {
        cases.entry(trial.case.number).or_default().push(outcome);
    }
    let sound: Vec<&Measured> = outcomes.iter().filter(|outcome| !outcome.failed).collect();
    for played in cases.values_mut().filter(|played| played.iter().all(|outcome| outcome.failed)) {
        played.extend(&sound);
    }
    let cost = |outcomes: &Vec<&Measured>| {
        let rates = rating.rates(&outcomes.iter().map(|outcome| outcome.objective).collect::<Vec<_>>());
        let rated = || rates.iter().zip(outcomes);
        let failed = rated().filter(|(_, outcome)| outcome.failed).map(|(rate, _)| *rate).reduce(f64::min)?;
        let others: Vec<f64> = rated().filter(|(_, outcome)| !outcome.failed).map(|(rate, _)| *rate).collect();
        (!others.is_empty()).then(|| failed - evolve_search::statistics::mean(&others))
    };
    cases.values().filter_map(cost).fold(0.0, f64::min)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::course::schedule::Planned;
    use evolve_search::evaluator::Values;
    use evolve_search::model::seed::Split;
    use evolve_search::model::trial::Case;

    /// Plays two candidates on ten cases; the second candidate fails on the first `failing` cases.
    fn generation(failing: usize) -> (Schedule, Vec<Measured>) {
        let schedule = Schedule::all(vec![Values::from([]), Values::from([])], &Case::first(1, Split::Search, 10), 0);
        let outcome = |trial: &Planned| {
            let failed = trial.candidate == 1 && (trial.case.number as usize) < failing;
            let score = if failed { 0.0 } else { 5.0 };
            Measured { objective: score, score, failed, ..Measured::default() }
        };
        let outcomes = schedule.trials.iter().map(outcome).collect();
        (schedule, outcomes)
    }

    #[test]
    fn only_late_failures_are_evidence() {
        let mut late = Late::default();
        let mut add = |generation: u64| {
            let (schedule, outcomes) =
                self::generation(if generation < 10 { 8 } else { usize::from(generation == 35) });
            late.add(&schedule, &outcomes, Rating::Objective, 20 * (generation + 1));
            late.near()
        };
        let found: Vec<Option<Near>> = (0..40).map(&mut add).collect();
        assert_eq!(found[9].unwrap().share, 0.4);
        assert_eq!(found[34], None, "failures long ago do not count");
        let near = found[39].unwrap();
        assert!(near.worst == -5.0 && near.share > 0.002 && near.share < 0.008, "{near:?}");
    }

    #[test]
    fn a_failure_costs_one_where_objectives_are_ratios() {
        let (schedule, outcomes) = generation(1);
        assert_eq!(worst(&schedule, &outcomes, Rating::Ratio), -1.0);
        // The failed trial is alone on its case.
        let Schedule { candidates, mut trials, lead } = schedule;
        trials.remove(0);
        let outcomes = [&outcomes[1..]].concat();
        assert_eq!(worst(&Schedule { candidates, trials, lead }, &outcomes, Rating::Ratio), -1.0);
    }
}
