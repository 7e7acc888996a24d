//! Writes a resolved job: every key has a value, and running the job again gives the same results.

use super::Job;
use super::file::{File, Range, SearchKeys, Weights};
use crate::job::policy_file::{sections_of, values_of};
use evolve_search::document::Table;
use evolve_search::document::text::{table, to_toml};
use evolve_search::model::parameter::Parameter;
use serde_json::Value;

impl Job {
    /// Formats the job as a self-contained TOML file, which includes the starting weights.
    pub fn to_toml(&self) -> String {
        self.to_toml_of(crate::VERSION)
    }

    /// Formats the job of a run that was started with this version of players and search.
    pub(crate) fn to_toml_of(&self, version: u64) -> String {
        let mut file = table(&File {
            name: self.name.clone(),
            seed: self.seed,
            version: Some(version),
            weights: self.weights(),
            search: SearchKeys::new(self.optimizer.method().name, self.limits, self.sizes, self.test_skips),
        });
        let mut section = |name| match file.shift_remove(name) {
            Some(Value::Object(section)) => section,
            _ => Table::new(),
        };
        let (mut weights, mut search) = (section("weights"), section("search"));
        file.extend(sections_of(&*self.problem, &*self.submission));
        let inner = ["values", "ranges"].map(|inner| (inner, weights.shift_remove(inner)));
        file.insert("weights".to_string(), Value::Object(weights));
        file.extend(inner.into_iter().filter_map(|(inner, table)| Some((format!("weights.{inner}"), table?))));
        search.extend(self.optimizer.write());
        file.insert("search".to_string(), Value::Object(search));
        to_toml(&file)
    }

    fn weights(&self) -> Weights {
        let space = &self.space;
        let declared = self.problem.parameters();
        let pairs = space.parameters().iter().zip(&declared);
        let narrowed = pairs.filter(|(parameter, declared)| parameter.range() != declared.range());
        let range = |(parameter, _): (&Parameter, _)| {
            let (min, max) = parameter.range();
            (parameter.name.clone(), Range([parameter.number(min), parameter.number(max)]))
        };
        Weights {
            start: self.baseline.clone(),
            include: space.tuned().map(|parameter| parameter.name.clone()).collect(),
            exclude: Vec::new(),
            values: values_of(space.parameters(), space.start()),
            ranges: narrowed.map(range).collect(),
        }
    }
}
