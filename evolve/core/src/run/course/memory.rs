//! The outcomes of trials that would only repeat: the same values on the same instance are not
//! played again.
//!
//! Only trials that are expensive and deterministic are kept, see
//! [`Behaviour::repeats`](evolve_search::model::behaviour::Behaviour::repeats). The log has each of
//! them, so that a resumed run knows the same outcomes.

use super::record::TrialRecord;
use crate::job::{Job, Stage};
use crate::judgement::measured::{Measured, Measuring};
use crate::judgement::outlook::SHARED;
use crate::run::instances::Instances;
use evolve_search::document::is_default;
use evolve_search::model::behaviour::Variation;
use evolve_search::model::rating::Rating;
use evolve_search::model::seed::Split;
use evolve_search::model::trial::{Case, Outcome};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;

/// What the outcome of a trial depends on.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Key {
    /// The values of the tuned parameters, as the program receives them.
    values: Vec<String>,
    /// The instance, if the job lists instances.
    instance: String,
    /// The seed of the case, if cases of an instance differ, or instances are not listed.
    seed: Option<u64>,
    /// Whether the objective is 1 plus the gain over the baseline, as only in the search.
    is_gain: bool,
}

/// Two outcomes of one trial that differ: its problem is not deterministic.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Differing {
    /// The instance; empty if the job lists none.
    pub instance: String,
    /// The score of each outcome.
    pub scores: [f64; 2],
    /// The trials of the search until then, which counted as deterministic.
    pub searched: u64,
    /// Whether the first outcome is that of a trial beside others, and the second one repeats
    /// alone.
    #[serde(default, skip_serializing_if = "is_default")]
    pub is_shared: bool,
}

impl fmt::Display for Differing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Differing { instance, scores: [first, again], is_shared, .. } = self;
        let at = if instance.is_empty() { String::new() } else { format!(" on instance {instance}") };
        match (is_shared, first == again) {
            (true, true) => {
                write!(f, "a trial{at} beside others gave other numbers than alone, beside the score {first}")
            }
            (true, false) => write!(f, "a trial{at} gave score {first} beside others and {again} alone"),
            (false, true) => write!(f, "repeating a trial{at} gave other numbers beside the score {first}"),
            (false, false) => write!(f, "repeating a trial{at} gave score {first}, then {again}"),
        }?;
        match is_shared {
            true => write!(f, ": {SHARED}. The run continued as with `deterministic = false`"),
            false => write!(
                f,
                ": trials are not deterministic. The run continued as with `deterministic = false`; set it, or seed the \
                 random numbers"
            ),
        }
    }
}

/// The known outcomes of a run.
pub struct Memory {
    variation: Variation,
    rating: Rating,
    is_active: bool,
    instances: Instances,
    known: BTreeMap<Key, Measured>,
    measuring: Measuring,
}

impl Memory {
    /// Creates a memory without outcomes.
    pub fn new(job: &Job) -> Self {
        let behaviour = job.problem.behaviour();
        Memory {
            variation: behaviour.variation,
            rating: job.problem.rating(),
            is_active: behaviour.repeats(),
            instances: Instances::default(),
            known: BTreeMap::new(),
            measuring: Measuring::new(&*job.problem, true),
        }
    }

    /// Returns what the outcome of a trial depends on; `None` if outcomes are not kept.
    pub fn key(&mut self, job: &Job, candidate: &[f64], case: &Case) -> Option<Key> {
        if !self.is_active {
            return None;
        }
        let instance = case.instance(self.instances.of(job, case.split));
        let values = job.space.shown(candidate).collect();
        Some(self.key_of(values, instance, case.seed, case.split == Split::Search))
    }

    fn key_of(&self, values: Vec<String>, instance: String, seed: u64, is_searched: bool) -> Key {
        let seed = match self.variation {
            Variation::OneCase => None,
            Variation::Instances if !instance.is_empty() => None,
            Variation::Instances | Variation::Cases | Variation::Chance => Some(seed),
        };
        Key { values, instance, seed, is_gain: is_searched && self.rating.is_ratio() }
    }

    /// Returns the known outcome of a trial.
    pub fn get(&self, key: &Key) -> Option<&Measured> {
        self.known.get(key)
    }

    /// Keeps the outcome of a trial. Returns how it differs from an earlier one, which stays.
    pub fn add(&mut self, key: Key, measured: &Measured) -> Option<Differing> {
        let instance = key.instance.clone();
        let earlier = self.known.entry(key).or_insert_with(|| measured.clone());
        let scores = [earlier.score, measured.score];
        (earlier != measured).then_some(Differing { instance, scores, searched: 0, is_shared: false })
    }

    /// Keeps the outcome of a trial that the log recorded.
    pub fn recall(&mut self, TrialRecord { row, values, scenarios, .. }: &TrialRecord) {
        if self.is_active {
            let outcome = Outcome { scenarios: scenarios.clone(), ..row.outcome() };
            let key = self.key_of(values.clone(), row.instance.clone(), row.seed, row.stage == Stage::Search);
            let measured = self.measuring.of(&outcome);
            self.add(key, &measured);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::job;

    fn memory(variation: Variation, rating: Rating) -> Memory {
        Memory { variation, rating, is_active: true, ..Memory::new(&job(&[])) }
    }

    #[test]
    fn a_trial_is_its_values_and_its_instance() {
        let values = || vec!["7".to_string()];
        let key = |memory: &Memory, instance: &str, seed, is_searched| {
            memory.key_of(values(), instance.into(), seed, is_searched)
        };
        let listed = memory(Variation::Instances, Rating::Objective);
        assert_eq!(key(&listed, "a", 1, true), key(&listed, "a", 2, false));
        assert_ne!(key(&listed, "a", 1, true), key(&listed, "b", 1, true));
        // Without a list, each seed is an instance.
        assert_ne!(key(&listed, "", 1, true), key(&listed, "", 2, true));
        let ratios = memory(Variation::Instances, Rating::Ratio);
        assert_ne!(key(&ratios, "a", 1, true), key(&ratios, "a", 2, false));
        let cases = memory(Variation::Cases, Rating::Objective);
        assert_ne!(key(&cases, "a", 1, true), key(&cases, "a", 2, true));
        let one = memory(Variation::OneCase, Rating::Objective);
        assert_eq!(key(&one, "", 1, true), key(&one, "", 2, false));
    }

    #[test]
    fn outcomes_that_differ_are_found_and_the_first_one_stays() {
        let mut memory = memory(Variation::Instances, Rating::Objective);
        let key = memory.key_of(vec!["7".to_string()], "a".to_string(), 1, true);
        let measured = |score: f64| Measured { score, objective: -score, ..Measured::default() };
        assert_eq!(memory.add(key.clone(), &measured(2.0)), None);
        assert_eq!(memory.add(key.clone(), &measured(2.0)), None);
        let differing = memory.add(key.clone(), &measured(3.0)).unwrap();
        assert!(differing.to_string().starts_with("repeating a trial on instance a gave score 2, then 3: "));
        assert_eq!(memory.get(&key), Some(&measured(2.0)));
    }
}
