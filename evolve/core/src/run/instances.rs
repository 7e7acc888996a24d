//! The names of a job's instances.

use crate::job::Job;
use evolve_search::model::seed::Split;
use std::collections::BTreeMap;

/// The instances of each requested split, kept because a problem builds the list on every call.
#[derive(Default)]
pub struct Instances(BTreeMap<Split, Vec<String>>);

impl Instances {
    /// Returns the instances of a split; none if they are not listed.
    pub fn of(&mut self, job: &Job, split: Split) -> &[String] {
        self.0.entry(split).or_insert_with(|| job.problem.instances(split).unwrap_or_default())
    }
}
