//! Writes a resolved job: every key has a value, and running the job again gives the same results.

use super::Job;
use super::file::{File, Range, SearchKeys, Weights};
use crate::document::text::to_toml;
use crate::job::policy_file::values_of;
use crate::job::source::Choice;
use crate::model::parameter::Parameter;
use serde_json::{Map, Value};

impl Job {
    /// Formats the job as a self-contained TOML file, which includes the starting weights.
    pub fn to_toml(&self) -> String {
        self.to_toml_of(crate::VERSION)
    }

    /// Formats the job of a run that was started with this version of players and search.
    pub(crate) fn to_toml_of(&self, version: u64) -> String {
        let file = File {
            name: self.name.clone(),
            seed: self.seed,
            version: Some(version),
            game: None,
            player: None,
            submission: Choice::of_player(&self.submission),
            weights: self.weights(),
            search: SearchKeys {
                optimizer: self.optimizer.method().name.to_string(),
                limits: self.limits,
                sizes: self.sizes,
            },
        };
        let Ok(Value::Object(file)) = serde_json::to_value(file) else { unreachable!("a job is a table") };
        let mut sections = Map::new();
        for (name, section) in file {
            match (name.as_str(), section) {
                // The sections of the problem come before those of the search.
                ("game", _) => sections.extend(self.source.sections()),
                ("weights", Value::Object(mut weights)) => {
                    let inner = ["values", "ranges"].map(|inner| (inner, weights.shift_remove(inner)));
                    sections.insert(name, Value::Object(weights));
                    let inner =
                        inner.into_iter().filter_map(|(inner, table)| Some((format!("weights.{inner}"), table?)));
                    sections.extend(inner);
                }
                ("search", Value::Object(mut search)) => {
                    search.extend(self.optimizer.write());
                    sections.insert(name, Value::Object(search));
                }
                (_, Value::Null) => {}
                (_, section) => drop(sections.insert(name, section)),
            }
        }
        to_toml(&sections)
    }

    fn weights(&self) -> Weights {
        let space = &self.space;
        let declared = self.source.problem.parameters();
        let pairs = space.parameters().iter().zip(&declared);
        let narrowed = pairs.filter(|(parameter, declared)| parameter.range() != declared.range());
        let range = |(parameter, _): (&Parameter, _)| {
            let (min, max) = parameter.range();
            (parameter.name.clone(), Range([parameter.number(min), parameter.number(max)]))
        };
        Weights {
            start: "defaults".to_string(),
            include: space.evolving().map(|parameter| parameter.name.clone()).collect(),
            exclude: Vec::new(),
            values: values_of(space.parameters(), space.start()),
            ranges: narrowed.map(range).collect(),
        }
    }
}
