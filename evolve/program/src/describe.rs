//! Tables of features: the lines that a command prints about each instance, or the metrics of one
//! trial on each. A job cannot name such a command: commands such as `evolve status` read features,
//! and must start nothing.

use crate::command::{Command, split};
use crate::file::ProgramKeys;
use crate::instances::Instance;
use crate::program::{Declaration, Program};
use crate::template::{BuiltIn, Placeholder, Shown, Template};
use crate::tool;
use evolve_process::Stdin;
use evolve_search::model::seed::Split;
use evolve_search::model::trial::{Case, INSTANCE};
use std::collections::BTreeMap;
use std::fs::File;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// A command that prints features of an instance: lines such as `density = 0.3`.
pub struct Describer<'a> {
    program: &'a Program,
    command: Command,
    timeout: Duration,
}

/// The placeholders that an instance alone determines.
const KNOWN: [BuiltIn; 3] = [BuiltIn::Input, BuiltIn::Instance, BuiltIn::Seed];

impl<'a> Describer<'a> {
    /// Prepares a command for the instances of a program, each with the program's time limit.
    ///
    /// # Errors
    /// If the line is not a command, or an instance does not determine a placeholder.
    pub fn new(program: &'a Program, line: &str) -> Result<Self, String> {
        let command = split(line).and_then(Command::new).map_err(|error| error.to_string())?;
        let is_known = |placeholder: &&Placeholder| placeholder.built_in.is_some_and(|own| KNOWN.contains(&own));
        let unknown = command.templates().iter().flat_map(Template::placeholders).find(|one| !is_known(one));
        match unknown.map(|placeholder| &placeholder.name) {
            Some(name) => {
                Err(format!("`{{{name}}}` has no value before a trial; use {{input}}, {{instance}} or {{seed}}"))
            }
            None => Ok(Describer { program, timeout: program.declared.keys.timeout.0, command }),
        }
    }

    /// Returns the features of an instance in the order of the lines. Standard input is the
    /// instance's input.
    ///
    /// # Errors
    /// If the command fails, or prints no feature.
    pub fn describe(&self, instance: &Instance, stop: Option<&AtomicBool>) -> Result<Vec<(String, String)>, String> {
        let input = self.program.declared.input_of(instance);
        let value = |placeholder: &Placeholder| match placeholder.built_in? {
            BuiltIn::Input => input.as_ref().map(|path| Shown::Text(path.to_string_lossy().into_owned())),
            built_in => instance.shown(built_in),
        };
        let words = self.command.render(&value, &Vec::new);
        let program = words[0].clone();
        let stdin = match &input {
            Some(path) => Stdin::File(File::open(path).map_err(|error| format!("{}: {error}", path.display()))?),
            None => Stdin::Empty,
        };
        let finished = tool::process(words, Some(self.timeout)).run(stdin, stop);
        let finished = finished.map_err(|error| format!("{program} cannot be started: {error}"))?;
        if !finished.success() {
            return Err(format!("{program} {}", tool::ending(&finished)));
        }
        let text = String::from_utf8_lossy(&finished.stdout.bytes()).into_owned();
        let mut features: Vec<(String, String)> = Vec::new();
        for (name, value) in text.lines().filter_map(feature) {
            match features.iter_mut().find(|known| known.0 == name) {
                Some(known) => known.1 = value,
                None => features.push((name, value)),
            }
        }
        match features.is_empty() {
            true => Err(format!("{program} printed no feature, such as `density = 0.3`, but `{:.40}`", text.trim())),
            false => Ok(features),
        }
    }
}

/// Reads `name = value`, `name=value` or `name: value`.
fn feature(line: &str) -> Option<(String, String)> {
    let (name, value) = line.split_once(['=', ':'])?;
    let is_word = |text: &str| !text.is_empty() && !text.contains(char::is_whitespace);
    let (name, value) = (name.trim(), value.trim());
    (is_word(name) && is_word(value)).then(|| (name.to_string(), value.to_string()))
}

/// Returns a CSV file of the features of instances, for `features` in a job.
///
/// # Errors
/// If an instance lacks a feature of another one.
pub fn table(rows: &[(String, Vec<(String, String)>)]) -> Result<String, String> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    if rows.iter().flat_map(|(_, own)| own).any(|(name, _)| name == INSTANCE) {
        return Err(format!("a feature cannot have the name `{INSTANCE}`"));
    }
    let names: Vec<&str> =
        rows.first().map_or_else(Vec::new, |(_, own)| own.iter().map(|one| one.0.as_str()).collect());
    if let Some(twice) = names.iter().enumerate().find_map(|(i, name)| names[..i].contains(name).then_some(name)) {
        return Err(format!("the feature `{twice}` is named twice"));
    }
    writer.write_record([&[INSTANCE], &names[..]].concat()).map_err(|error| error.to_string())?;
    for (instance, own) in rows {
        let value = |name: &&str| own.iter().find(|one| one.0 == *name).map(|one| one.1.as_str());
        let values: Option<Vec<&str>> = names.iter().map(value).collect();
        let values = values.filter(|values| values.len() == own.len());
        let own: Vec<&str> = own.iter().map(|one| one.0.as_str()).collect();
        let values = values.ok_or_else(|| {
            format!(
                "instance {instance} has the features {}, but {} has {}",
                own.join(", "),
                rows[0].0,
                names.join(", ")
            )
        })?;
        writer.write_record([&[instance.as_str()], &values[..]].concat()).map_err(|error| error.to_string())?;
    }
    let bytes = writer.into_inner().map_err(|error| error.to_string())?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

impl Program {
    /// Returns the same program, whose trials need these metrics, without features, whose table may
    /// be missing.
    #[must_use]
    pub fn measuring(&self, metrics: &[String]) -> Self {
        let keys = &self.declared.keys;
        let by_features: Vec<&str> = self.declared.grouping_features().collect();
        let group_by = keys.group_by.iter().filter(|name| !by_features.contains(&name.as_str())).cloned().collect();
        Program::new(Declaration {
            keys: ProgramKeys { features: Default::default(), group_by, ..keys.clone() },
            score: self.declared.score.clone().requiring(metrics.iter().cloned()),
            ..Declaration::clone(&self.declared)
        })
    }

    /// Returns the listed instances; empty if they are unlimited.
    pub fn listed(&self) -> &[Instance] {
        self.declared.instances.all()
    }

    /// Returns a case of each listed instance, in their order.
    pub fn one_case_each(&self, run: u64) -> Vec<Case> {
        let mut cases: BTreeMap<usize, Case> = BTreeMap::new();
        for split in [Split::Search, Split::Validation, Split::Selection, Split::Test] {
            for (number, place) in self.declared.instances.places(split).unwrap_or_default().into_iter().enumerate() {
                cases.entry(place).or_insert_with(|| Case::at(run, split, number as u64));
            }
        }
        cases.into_values().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_with_a_name_and_a_value_are_features() {
        let own = |name: &str, value: &str| Some((name.to_string(), value.to_string()));
        assert_eq!(feature(" density = 0.3\r"), own("density", "0.3"));
        assert_eq!(feature("kind: tree"), own("kind", "tree"));
        assert_eq!(feature("n=4"), own("n", "4"));
        for other in ["", "0.3", "= 4", "n =", "read 3 lines: done", "kind: a tree"] {
            assert_eq!(feature(other), None, "{other}");
        }
    }

    #[test]
    fn tables_are_in_the_order_of_the_first_instance() {
        let row = |instance: &str, own: &[(&str, &str)]| {
            (instance.to_string(), own.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect())
        };
        let first = row("a,b", &[("n", "4"), ("kind", "tree")]);
        let text = table(&[first.clone(), row("c", &[("kind", "grid"), ("n", "5")])]).unwrap();
        assert_eq!(text, "instance,n,kind\n\"a,b\",4,tree\nc,5,grid\n");
        for other in [&[("n", "5")][..], &[("n", "5"), ("kind", "a"), ("k", "1")]] {
            let message = table(&[first.clone(), row("c", other)]).unwrap_err();
            assert!(message.starts_with("instance c has the features n") && message.ends_with("a,b has n, kind"));
        }
    }
}
