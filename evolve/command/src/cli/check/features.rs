//! The features of instances, and how much of the differences between the baseline's scores they
//! explain.

use super::measure::Sample;
use evolve_core::job::Job;
use evolve_search::model::features::Feature;
use evolve_search::model::seed::{Split, seed};
use evolve_search::statistics::{correlation, mean};
use std::collections::BTreeMap;

/// The smallest number of instances for a statement.
const LEAST: usize = 12;
/// A feature explains scores if it explains more of them than in all of this many orders at random.
const ORDERS: u64 = 200;

/// Describes each feature; `None` if nothing is known of instances.
pub fn described(job: &Job, sample: &Sample) -> Option<String> {
    let features = job.problem.features();
    if features.is_empty() {
        return None;
    }
    let instances = (0..features.instances()).cycle();
    let scores = sample.paired.base().take(sample.cases).map(|outcome| outcome.score);
    let by_instance = grouped(instances.zip(scores));
    let places: Vec<usize> = by_instance.keys().copied().collect();
    let scores: Vec<f64> = by_instance.values().map(|scores| mean(scores)).collect();
    let text = |feature: &Feature| match scores.len() {
        0..LEAST => feature.to_string(),
        _ => match share(&feature.at(&places), &scores, job.seed) {
            Some(share) => format!("{feature}: explains {:.0} % of the differences between scores", 100.0 * share),
            None => format!("{feature}: no visible relation to scores"),
        },
    };
    Some(features.columns().iter().map(text).collect::<Vec<_>>().join("\n"))
}

fn grouped<K: Ord>(scores: impl Iterator<Item = (K, f64)>) -> BTreeMap<K, Vec<f64>> {
    let mut groups: BTreeMap<K, Vec<f64>> = BTreeMap::new();
    scores.for_each(|(group, score)| groups.entry(group).or_default().push(score));
    groups
}

/// Returns the share of the variance of scores that a feature explains; `None` if it may be chance
/// (a permutation test).
fn share(feature: &Feature, scores: &[f64], of_job: u64) -> Option<f64> {
    let (numbers, groups) = (feature.on_scale(), feature.groups());
    let explains = |scores: &[f64]| {
        let by_number = numbers.as_ref().map_or(0.0, |numbers| correlation(numbers, scores).powi(2));
        by_number.max(between(&groups, scores))
    };
    let share = explains(scores);
    let shuffled = |order: u64| {
        let mut places: Vec<usize> = (0..scores.len()).collect();
        places.sort_by_key(|&place| seed(of_job, Split::Variation, order, place as u64));
        places.into_iter().map(|place| scores[place]).collect::<Vec<_>>()
    };
    (0..ORDERS).all(|order| explains(&shuffled(order)) < share).then_some(share)
}

/// Returns the share of the variance that lies between groups.
fn between(groups: &[String], scores: &[f64]) -> f64 {
    let all = mean(scores);
    let square = |x: f64| (x - all) * (x - all);
    let total: f64 = scores.iter().map(|&score| square(score)).sum();
    let groups = grouped(groups.iter().zip(scores.iter().copied()));
    let of_groups: f64 = groups.values().map(|of| of.len() as f64 * square(mean(of))).sum();
    if total > 0.0 { of_groups / total } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use evolve_search::model::features::Values;

    #[test]
    fn features_that_explain_scores_are_told_from_others() {
        let of = |values| Feature { name: "f".to_string(), values };
        let numbers = of(Values::Numbers((0..40).map(f64::from).collect()));
        let words = of(Values::Words((0..40).map(|i| ["tree", "grid"][i % 2].to_string()).collect()));
        let by_number: Vec<f64> = (0..40).map(|i| 3.0 * f64::from(i) + f64::from(i * 7 % 5)).collect();
        assert!(share(&numbers, &by_number, 1).unwrap() > 0.98);
        assert_eq!(share(&words, &by_number, 1), None);
        let by_word: Vec<f64> = (0..40).map(|i| f64::from(i % 2 * 10 + i * 7 % 5)).collect();
        assert!(share(&words, &by_word, 1).unwrap() > 0.8);
        assert_eq!(share(&words, &[4.0; 40], 1), None);
    }
}
