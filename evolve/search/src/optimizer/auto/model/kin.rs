//! How alike instances are, by their features.
//!
//! Instances differ in kind: the effect of a candidate is similar on instances with similar
//! features, by the same kernel that compares candidates. The aim of a search is the mean over all
//! its instances, played or not.

use super::kernel::{Kernel, matern};
use crate::model::features::{Features, Values};
use serde::{Deserialize, Serialize};

/// The number of instances that stand for all of them. Lists are shuffled.
const TYPICAL: usize = 128;

/// The features of the instances of a search, encoded; empty without features.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Instances {
    rows: Vec<Vec<f64>>,
    is_word: Vec<bool>,
}

impl Instances {
    /// Instances of which nothing is known.
    pub const NONE: Instances = Instances { rows: Vec::new(), is_word: Vec::new() };

    pub fn of(features: &Features) -> Self {
        let is_word = |values: &Values| matches!(values, Values::Words(_));
        Instances {
            rows: features.encoded(),
            is_word: features.columns().iter().map(|feature| is_word(&feature.values)).collect(),
        }
    }

    /// Returns the number of features.
    pub fn features(&self) -> usize {
        self.is_word.len()
    }

    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Returns whether data read from a file is complete.
    pub fn fits(&self) -> bool {
        let is_row = |row: &Vec<f64>| row.len() == self.is_word.len() && row.iter().all(|value| value.is_finite());
        self.rows.iter().all(is_row)
    }

    /// Returns the instance of the case with this number; `None` without features.
    pub fn of_case(&self, number: u64) -> Option<usize> {
        number.checked_rem(self.rows.len() as u64).map(|place| place as usize)
    }

    /// Returns the squared distance of two instances in each feature: for words 0 or 1.
    pub fn squares(&self, a: usize, b: usize) -> impl Iterator<Item = f64> {
        self.is_word.iter().zip(&self.rows[a]).zip(&self.rows[b]).map(|((is_word, a), b)| match is_word {
            true => f64::from(u8::from(a != b)),
            false => (a - b) * (a - b),
        })
    }
}

/// The instances of some cases in the eyes of a kernel.
#[derive(Clone, Debug)]
pub struct Kin<'a> {
    instances: &'a Instances,
    kernel: &'a Kernel,
    /// The instances of the cases, each once, and their similarity to those before them.
    known: Vec<(usize, Vec<f64>)>,
    /// The instance of each case, as an index of `known`.
    cases: Vec<usize>,
    /// The mean similarity of each known instance to all instances.
    typical: Vec<f64>,
    /// The mean similarity of two instances.
    mean: f64,
}

impl<'a> Kin<'a> {
    /// Compares the instances of cases with these numbers.
    pub fn new(instances: &'a Instances, kernel: &'a Kernel, numbers: impl Iterator<Item = u64>) -> Self {
        let mut kin = Kin { instances, kernel, known: Vec::new(), cases: Vec::new(), typical: Vec::new(), mean: 0.0 };
        if kernel.features.is_some() {
            let of_all: f64 = (0..kin.sampled()).map(|place| kin.typical_of(place)).sum();
            kin.mean = of_all / kin.sampled() as f64;
        }
        numbers.for_each(|number| kin.add(number));
        kin
    }

    /// Adds a case.
    pub fn add(&mut self, number: u64) {
        let Some(instance) = self.instances.of_case(number).filter(|_| self.kernel.features.is_some()) else { return };
        let known = self.known.iter().position(|known| known.0 == instance);
        let place = known.unwrap_or_else(|| {
            let alike = self.known.iter().map(|&(other, _)| self.of_instances(instance, other));
            let alike: Vec<f64> = alike.chain([1.0]).collect();
            self.typical.push(self.typical_of(instance));
            self.known.push((instance, alike));
            self.known.len() - 1
        });
        self.cases.push(place);
    }

    fn sampled(&self) -> usize {
        self.instances.rows.len().min(TYPICAL)
    }

    fn typical_of(&self, instance: usize) -> f64 {
        let count = self.sampled();
        (0..count).map(|other| self.of_instances(instance, other)).sum::<f64>() / count as f64
    }

    /// Returns the similarity of two instances.
    pub fn of_instances(&self, a: usize, b: usize) -> f64 {
        let lengths = self.kernel.features.iter().flat_map(|features| &features.lengths);
        matern(self.instances.squares(a, b).zip(lengths).map(|(square, length)| square / (length * length)).sum()).0
    }

    /// Returns the similarity of the instances of two cases of this run, from 0 to 1; 0 without
    /// features.
    pub fn between(&self, a: usize, b: usize) -> f64 {
        match (self.cases.get(a), self.cases.get(b)) {
            (Some(&a), Some(&b)) => self.known[a.max(b)].1[a.min(b)],
            _ => 0.0,
        }
    }

    /// Returns the number of cases with features.
    pub fn cases(&self) -> usize {
        self.cases.len()
    }

    /// Returns the instance of a case, if its features are known.
    pub fn instance(&self, case: usize) -> Option<usize> {
        self.cases.get(case).map(|&place| self.known[place].0)
    }

    /// Returns the similarity of the instance of a case to another instance.
    pub fn to_instance(&self, case: usize, instance: usize) -> f64 {
        self.instance(case).map_or(0.0, |own| self.of_instances(own, instance))
    }

    /// Returns the mean similarity of the instance of a case to all instances.
    pub fn typical(&self, case: usize) -> f64 {
        self.cases.get(case).map_or(0.0, |&place| self.typical[place])
    }

    /// Returns the mean similarity of two instances.
    pub fn mean(&self) -> f64 {
        self.mean
    }
}
