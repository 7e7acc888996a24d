//! The values of placeholders in one trial.

use crate::instances::Draw;
use crate::parameters::json;
use crate::scenarios::Scenario;
use crate::session::ProgramSession;
use crate::stop::Stop;
use crate::template::{BuiltIn, Placeholder, Shown, Template, Unit};
use serde_json::{Map, Value};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The name of the file with a program's output, for its scorer.
pub const OUTPUT: &str = "output";
/// The name of the file with the parameters.
pub const PARAMS: &str = "params.json";

/// The values of placeholders in one trial.
#[derive(Clone, Copy)]
pub struct Scope<'a> {
    pub program: &'a ProgramSession,
    pub values: &'a [f64],
    pub draw: &'a Draw,
    pub scenario: &'a Scenario,
    /// The limits or the cap that stop the trial.
    pub stop: Stop,
    /// The time limit that the program receives.
    pub limit: Option<Duration>,
    /// The folder of the trial.
    pub dir: &'a Path,
}

impl Scope<'_> {
    /// Returns the value of a placeholder.
    pub fn shown(&self, placeholder: &Placeholder) -> Option<Shown> {
        let (draw, declared) = (self.draw, &self.program.declared);
        let Some(built_in) = placeholder.built_in else {
            let scenario = declared.scenarios.shown(&placeholder.name, self.scenario);
            return scenario.or_else(|| declared.parameters.shown(&placeholder.name, self.values));
        };
        Some(match built_in {
            BuiltIn::Seed | BuiltIn::Instance => draw.instance.shown(built_in)?,
            BuiltIn::Input => path(&self.input()?),
            BuiltIn::Output => path(&self.dir.join(OUTPUT)),
            BuiltIn::Random => Shown::Int(draw.random as i64),
            BuiltIn::Cap => self.stop.shown(declared),
            BuiltIn::Limit(unit) => unit.shown(self.limit?),
            BuiltIn::Dir => path(self.dir),
            BuiltIn::Params => path(&self.dir.join(PARAMS)),
            // It stands for several words.
            BuiltIn::Args => return None,
        })
    }

    /// Returns the input of the instance, if it has one.
    pub fn input(&self) -> Option<PathBuf> {
        self.draw.instance.file.clone().or_else(|| self.stdin())
    }

    /// Returns the file that the program reads as standard input: `stdin`, or else the input if
    /// nothing else reads it.
    pub fn standard_input(&self) -> Option<PathBuf> {
        let reads_input = !self.program.declared.keys.command.mentions(BuiltIn::Input);
        self.stdin().or_else(|| self.input().filter(|_| reads_input))
    }

    fn stdin(&self) -> Option<PathBuf> {
        let template = self.program.declared.keys.stdin.as_ref()?;
        // `stdin = "{input}"` must not refer to itself.
        let shown = |placeholder: &Placeholder| match placeholder.built_in {
            Some(BuiltIn::Input) => self.draw.instance.file.as_deref().map(path),
            _ => self.shown(placeholder),
        };
        Some(PathBuf::from(template.render(&shown)))
    }

    pub fn words(&self, command: &crate::command::Command) -> Vec<String> {
        command.render(&|placeholder| self.shown(placeholder), &|| self.program.declared.parameters.args(self.values))
    }

    /// Returns the environment variables; none of inactive parameters has a value.
    pub fn environment(&self) -> Vec<(String, Option<String>)> {
        let is_inactive = |template: &Template| {
            template.sole().is_some_and(|sole| matches!(self.shown(sole), Some(Shown::Inactive(_))))
        };
        let value = |template: &Template| template.render(&|placeholder| self.shown(placeholder));
        let variables = self.program.declared.keys.env.iter();
        variables.map(|(name, template)| (name.clone(), (!is_inactive(template)).then(|| value(template)))).collect()
    }

    /// Writes the file of the parameters, if a command uses it.
    pub fn write_params(&self) -> io::Result<()> {
        let declared = &self.program.declared;
        if declared.keys.mentions(BuiltIn::Params) {
            let text = Value::Object(declared.parameters.json(self.values)).to_string();
            fs::write(self.dir.join(PARAMS), text)?;
        }
        Ok(())
    }

    /// Returns the object that a worker reads.
    pub fn question(&self) -> Map<String, Value> {
        let mut question = Map::new();
        let mut put = |name: &str, value: Option<Value>| {
            if let Some(value) = value {
                question.insert(name.to_string(), value);
            }
        };
        let declared = &self.program.declared;
        put(BuiltIn::Instance.name(), Some(Value::from(self.draw.instance.name.as_str())));
        put(BuiltIn::Seed.name(), self.draw.instance.seed.map(Value::from));
        put(BuiltIn::Random.name(), Some(Value::from(self.draw.random)));
        put(BuiltIn::Cap.name(), self.stop.score().map(Value::from));
        for unit in Unit::ALL {
            put(BuiltIn::Limit(unit).name(), self.limit.map(|limit| json(&unit.shown(limit))));
        }
        put(BuiltIn::Input.name(), self.input().map(|path| Value::from(path.to_string_lossy().into_owned())));
        let variables = declared.scenarios.variables();
        if !variables.is_empty() {
            let values = variables.iter().cloned().zip(self.scenario.values.iter().map(json));
            put("scenario", Some(Value::Object(values.collect())));
        }
        put(BuiltIn::Params.name(), Some(Value::Object(declared.parameters.json(self.values))));
        question
    }
}

fn path(path: &Path) -> Shown {
    Shown::Text(path.to_string_lossy().into_owned())
}
