//! A program that can be tuned.

use crate::command::Command;
use crate::failure::{OnFailure, Trouble};
use crate::instances::Instances;
use crate::keys::ProgramKeys;
use crate::parameters::Parameters;
use crate::scale::Scale;
use crate::scenarios::Scenarios;
use crate::score::{Measured, Score};
use crate::slot::Slots;
use crate::starts::Starts;
use crate::template::Template;
use evolve_core::key::quoted;
use evolve_core::problem::Surroundings;
use regex::Regex;
use std::collections::{BTreeSet, HashMap};
use std::fmt::Write;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// A program that a job declares.
pub struct Program {
    pub(crate) declared: Declaration,
    pub(crate) text: String,
    /// What it starts at.
    pub(crate) start: Vec<f64>,
    /// Whether it was built, so that it is built once.
    pub(crate) built: Mutex<bool>,
    pub(crate) surroundings: Mutex<Surroundings>,
    pub(crate) slots: Slots,
    /// Failures that are kept, by kind and name.
    pub(crate) kept: Mutex<BTreeSet<(&'static str, u32)>>,
    /// Generated inputs by the names of their instances.
    pub(crate) generated: Mutex<HashMap<String, PathBuf>>,
    /// What the start did, for ratios.
    pub(crate) starts: Starts<Attempt>,
}

/// What came of playing a candidate in one scenario.
#[derive(Clone, Debug)]
pub(crate) struct Attempt {
    pub result: Result<Measured, Trouble>,
    pub time: Duration,
}

/// What a job says of a program.
pub(crate) struct Declaration {
    pub name: String,
    pub keys: ProgramKeys,
    pub command: Command,
    pub build: Option<Command>,
    pub scorer: Option<Command>,
    pub generator: Option<Command>,
    pub environment: Environment,
    pub stdin: Option<Template>,
    pub templates: Vec<TemplateFile>,
    pub parameters: Parameters,
    pub instances: Instances,
    pub groups: Option<Regex>,
    pub groups_by: Vec<String>,
    pub scenarios: Scenarios,
    pub score: Score,
    pub wrong: regex::bytes::Regex,
    pub scale: Scale,
    pub on_failure: OnFailure,
}

/// Variables of the environment.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Environment {
    /// Whether all parameters are there.
    pub parameters: bool,
    /// Others, with placeholders.
    pub variables: Vec<(String, String, Template)>,
}

/// A file in which parameters are replaced.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct TemplateFile {
    /// Its name in the folder of a slot.
    pub name: String,
    /// Its text.
    pub template: Template,
}

impl Program {
    pub(crate) fn new(declared: Declaration) -> Self {
        let start = declared.parameters.all().iter().map(|parameter| parameter.start).collect();
        let text = declared.toml(declared.build.as_ref());
        Program {
            declared,
            text,
            start,
            built: Mutex::default(),
            surroundings: Mutex::default(),
            slots: Slots::default(),
            kept: Mutex::default(),
            generated: Mutex::default(),
            starts: Starts::default(),
        }
    }

    /// The parameters, with their arrays.
    pub fn declared_parameters(&self) -> &Parameters {
        &self.declared.parameters
    }

    /// Sections of TOML that declare the same program.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether another repetition of an instance is another trial: the program gets `{random}`, or does not reproduce.
    pub fn repetitions_differ(&self) -> bool {
        let Declaration { keys, .. } = &self.declared;
        keys.worker || !keys.reproduces || self.declared.mentions("random")
    }

    pub(crate) fn stop(&self) -> Option<Arc<AtomicBool>> {
        self.surroundings.lock().unwrap_or_else(PoisonError::into_inner).stop.clone()
    }
}

impl Declaration {
    /// All templates but those of files.
    pub(crate) fn mentions(&self, name: &str) -> bool {
        let commands = [Some(&self.command), self.scorer.as_ref()];
        let in_commands = commands.into_iter().flatten().any(|command| command.mentions(name));
        let others = self.environment.variables.iter().map(|(_, _, template)| template).chain(&self.stdin);
        in_commands || others.flat_map(Template::placeholders).any(|placeholder| placeholder.name == name)
    }

    /// Sections of TOML that declare the same program, with this command that builds it.
    pub(crate) fn toml(&self, build: Option<&Command>) -> String {
        let mut text = "[program]\n".to_string();
        let mut line = |name: &str, value: Option<String>| {
            if let Some(value) = value {
                writeln!(text, "{name} = {value}").expect("writing to a string does not fail");
            }
        };
        line("build", build.map(Command::toml));
        line("command", Some(self.command.toml()));
        line("scorer", self.scorer.as_ref().map(Command::toml));
        line("generator", self.generator.as_ref().map(Command::toml));
        line("env", self.environment.toml());
        if let Instances::Listed { written: Some((name, value)), .. } = &self.instances {
            line(name, Some(value.clone()));
        }
        line("score", Some(quoted(self.score.written())));
        line("scale", Some(self.scale.toml()));
        line("on_failure", Some(self.on_failure.toml()));
        if !self.groups_by.is_empty() {
            let metrics: Vec<_> = self.groups_by.iter().map(|metric| quoted(metric)).collect();
            line("groups_by", Some(format!("[{}]", metrics.join(", "))));
        }
        for (name, value) in self.keys.write() {
            // What sources declare stands among the parameters below.
            if name != "source" {
                line(name, Some(value));
            }
        }
        let scenarios = self.scenarios.toml();
        let gap = if scenarios.is_empty() { "" } else { "\n" };
        format!("{text}\n{}{gap}{scenarios}", self.parameters.toml())
    }
}

impl Environment {
    fn toml(&self) -> Option<String> {
        match &self.variables[..] {
            [] => self.parameters.then(|| "true".to_string()),
            variables => {
                let one = |(name, text, _): &(String, String, _)| format!("{} = {}", quoted(name), quoted(text));
                Some(format!("{{ {} }}", variables.iter().map(one).collect::<Vec<_>>().join(", ")))
            }
        }
    }
}
