//! The resolved job: every key with its value, which run again gives the same run.

use super::Job;
use super::keys;
use crate::key::quoted_key;
use crate::parameter::Parameter;
use crate::policy_file::write_parameters;
use crate::source::write_player;
use std::fmt::Write;

type Lines = Vec<(&'static str, String)>;

impl Job {
    /// The job as a TOML file that stands alone: the starting weights are in it.
    pub fn to_toml(&self) -> String {
        self.to_toml_of(crate::VERSION)
    }

    /// The same for a run that was begun by this version of players and search.
    pub(crate) fn to_toml_of(&self, version: u64) -> String {
        let mut text = String::new();
        let version = Some(version);
        put(&mut text, keys::Top { name: self.name.clone(), seed: self.seed, version }.write());
        text.push('\n');
        text.push_str(&self.source.write());
        write_player(&mut text, "submission", &self.submission);
        self.write_weights(&mut text);
        text.push_str("\n[evolution]\n");
        let limits = self.limits;
        let search = keys::Search {
            optimizer: self.optimizer.method().name.to_string(),
            budget: limits.budget,
            generations: limits.generations,
            time: limits.time,
        };
        put(&mut text, search.write());
        put(&mut text, self.optimizer.write());
        text.push_str("\n[validation]\n");
        put(&mut text, keys::Validation { games: Some(self.validation.games) }.write());
        text.push_str("\n[final]\n");
        let finals = keys::Final { games: Some(self.finals.games), verdict: Some(self.finals.verdict) };
        put(&mut text, finals.write());
        text
    }

    fn write_weights(&self, text: &mut String) {
        let space = &self.space;
        text.push_str("\n[weights]\n");
        let evolve = space.evolving().map(|parameter| parameter.name.clone()).collect();
        put(text, keys::Weights { start: "defaults".to_string(), evolve, fixed: Vec::new() }.write());
        text.push_str("\n[weights.values]\n");
        write_parameters(text, space.parameters(), space.start());
        let declared = self.source.problem.parameters();
        let narrowed: Vec<&Parameter> = space
            .parameters()
            .iter()
            .zip(&declared)
            .filter(|(parameter, declared)| parameter.range() != declared.range())
            .map(|(parameter, _)| parameter)
            .collect();
        if !narrowed.is_empty() {
            text.push_str("\n[weights.ranges]\n");
        }
        for parameter in narrowed {
            let (min, max) = parameter.range();
            let name = quoted_key(&parameter.name);
            writeln!(text, "{name} = [{}, {}]", parameter.show(min), parameter.show(max))
                .expect("writing to a string does not fail");
        }
    }
}

fn put(text: &mut String, lines: Lines) {
    for (name, value) in lines {
        writeln!(text, "{name} = {value}").expect("writing to a string does not fail");
    }
}
