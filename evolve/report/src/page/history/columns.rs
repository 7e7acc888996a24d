//! Numbers and words beside scores and values: the metrics of trials, and the features and groups
//! of their instances.

use super::names::Names;
use crate::draw::{Axis, column_decimals};
use crate::page::thin::short;
use evolve_core::job::Job;
use evolve_core::run::rows::TrialRow;
use evolve_core::run::trials::PastTrial;
use evolve_search::model::features::{Features, Values};
use evolve_search::model::seed::Split;
use serde::Serialize;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The largest number of columns on a page.
const MOST: usize = 12;

/// A metric, feature or group of each trial.
#[derive(Serialize)]
pub struct Column {
    name: String,
    axis: Axis,
    /// With equal distances of equal ratios, if all numbers are positive.
    log: Option<Axis>,
    digits: usize,
    /// The words, to which the values refer by index, if they are not numbers.
    #[serde(skip_serializing_if = "Option::is_none")]
    names: Option<Vec<String>>,
    values: Vec<Option<f64>>,
}

/// Where a column is read.
#[derive(Clone, Copy, PartialEq)]
enum Source {
    Metric,
    /// The index of the feature.
    Feature(usize),
    Group,
}

/// The columns of a run.
pub struct Columns {
    features: Arc<Features>,
    /// The index of each instance of the search.
    instances: BTreeMap<String, usize>,
    found: Vec<(String, Source)>,
}

impl Columns {
    /// Finds the columns of a run. Where a metric, feature and group have the same name, the first
    /// of these counts: groups are ranges.
    pub fn of(played: &[PastTrial], job: &Job) -> Self {
        let mut found: Vec<(String, Source)> = Vec::new();
        let mut add = |name: &str, source| {
            if found.len() < MOST && !found.iter().any(|(known, _)| known == name) {
                found.push((name.to_string(), source));
            }
        };
        // The trials of a run have the same metrics and groups, unless they fail.
        let first = |has: fn(&PastTrial) -> bool| played.iter().find(|of| has(of));
        if let Some(of) = first(|of| !of.row.metrics.0.is_empty()) {
            of.row.metrics.0.iter().for_each(|(name, _)| add(name, Source::Metric));
        }
        let features = job.problem.features();
        features.columns().iter().enumerate().for_each(|(i, feature)| add(&feature.name, Source::Feature(i)));
        if let Some(of) = first(|of| !of.row.groups.is_empty()) {
            groups(of).iter().for_each(|(name, _)| add(name, Source::Group));
        }
        let instances = job.problem.instances(Split::Search).unwrap_or_default().into_iter().zip(0..).collect();
        Columns { features, instances, found }
    }

    pub fn count(&self) -> usize {
        self.found.len()
    }

    /// Returns the columns of some trials, without those that are the same in all.
    pub fn read<'p>(&self, rows: impl Iterator<Item = &'p PastTrial> + Clone) -> Vec<Column> {
        let column = |(name, source): &(String, Source)| {
            let texts: Vec<Option<String>> = rows.clone().map(|of| self.cell(of, name, *source)).collect();
            column(name, &texts)
        };
        self.found.iter().filter_map(column).collect()
    }

    fn cell(&self, of: &PastTrial, name: &str, source: Source) -> Option<String> {
        match source {
            // A failed trial has at most the scores with which its scenarios count.
            Source::Metric if !of.row.failure.is_empty() => None,
            Source::Metric => {
                let metric = of.row.metrics.0.iter().find(|(other, _)| other == name)?;
                Some(metric.1.to_string())
            }
            Source::Group => Some(groups(of).into_iter().find(|(other, _)| *other == name)?.1),
            Source::Feature(i) => {
                let &place = self.instances.get(of.row.instance.as_str())?;
                Some(match &self.features.columns()[i].values {
                    Values::Numbers(numbers) => numbers[place].to_string(),
                    Values::Words(words) => words[place].clone(),
                })
            }
        }
    }
}

/// Returns the groups of a trial, with their values.
fn groups(of: &PastTrial) -> Vec<(String, String)> {
    TrialRow::groups(&of.row.groups)
}

/// Returns a column of numbers if all cells are numbers, otherwise of words; `None` if they are all
/// the same.
fn column(name: &str, texts: &[Option<String>]) -> Option<Column> {
    let first = texts.iter().flatten().next()?;
    if texts.iter().flatten().all(|text| text == first) {
        return None;
    }
    let number = |text: &String| text.parse().ok().filter(|number: &f64| number.is_finite()).map(short);
    let numbers: Vec<f64> = texts.iter().flatten().filter_map(number).collect();
    if numbers.len() == texts.iter().flatten().count() {
        return Some(Column {
            name: name.to_string(),
            axis: Axis::around(numbers.iter().copied(), 5),
            log: Axis::of_ratios(&numbers, 5),
            digits: column_decimals(numbers),
            names: None,
            values: texts.iter().map(|text| text.as_ref().and_then(number)).collect(),
        });
    }
    let mut sorted: Vec<&String> = texts.iter().flatten().collect();
    sorted.sort_unstable();
    sorted.dedup();
    let mut names = Names::default();
    sorted.into_iter().for_each(|name| _ = names.place(name));
    let values = texts.iter().map(|text| text.as_ref().map(|text| names.place(text) as f64)).collect();
    let names = names.names;
    Some(Column {
        name: name.to_string(),
        axis: Axis::of_names(&names),
        log: None,
        digits: 0,
        names: Some(names),
        values,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use evolve_core::run::rows::Numbers;

    #[test]
    fn a_failed_trial_has_no_numbers() {
        let metrics = || Numbers(vec![("n".to_string(), 0.0)]);
        let row = |failure: &str| TrialRow { failure: failure.to_string(), metrics: metrics(), ..TrialRow::default() };
        let of = |failure| PastTrial { row: row(failure), values: Vec::new() };
        let columns = Columns { features: Arc::default(), instances: BTreeMap::new(), found: Vec::new() };
        assert_eq!(columns.cell(&of(""), "n", Source::Metric), Some("0".to_string()));
        assert_eq!(columns.cell(&of("exit code"), "n", Source::Metric), None);
    }

    #[test]
    fn columns_are_numbers_or_words_that_differ() {
        let of = |texts: &[&str]| {
            let cell = |text: &&str| (!text.is_empty()).then(|| text.to_string());
            column("n", &texts.iter().map(cell).collect::<Vec<_>>())
        };
        let numbers = of(&["10", "", "1000"]).unwrap();
        assert_eq!((numbers.values, numbers.names), (vec![Some(10.0), None, Some(1000.0)], None));
        assert!(numbers.log.is_some());
        let words = of(&["tree", "grid", "tree"]).unwrap();
        assert_eq!(words.values, [Some(1.0), Some(0.0), Some(1.0)]);
        assert_eq!(words.names.unwrap(), ["grid", "tree"]);
        assert!(of(&["7", "7"]).is_none() && of(&["", ""]).is_none());
    }
}
