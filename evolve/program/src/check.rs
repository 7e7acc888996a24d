//! Checks the consistency of a job's program before the first run.

use crate::command::Command;
use crate::instances::Instances;
use crate::parameters::Parameters;
use crate::program::Declaration;
use crate::scale::Scale;
use crate::template::{BuiltIn, Placeholder, Shown, Template, ValueFormat};
use crate::watched::{InputError, find};
use evolve_core::job::Reading;
use evolve_search::document::text::nearest;
use evolve_search::document::{Fault, Section};
use evolve_search::model::parameter::lost_end;
use std::time::Duration;

/// Checks that the keys of a program are consistent.
///
/// # Errors
/// The first inconsistency.
pub fn check(
    declared: &Declaration,
    section: &Section<'_>,
    table: &Section<'_>,
    reading: Reading,
) -> Result<(), Fault> {
    let known = Placeholders::new(declared);
    let keys = &declared.keys;
    let trial = match keys.worker {
        true => Allowed { built_in: &[BuiltIn::Dir], values: false },
        false => Allowed { built_in: &BuiltIn::ALL, values: true },
    };
    let input = &[BuiltIn::Seed, BuiltIn::Instance, BuiltIn::Input, BuiltIn::Dir];
    let fits = |names: &[&str], templates: &[Template], allowed: Allowed<'_>| {
        let fault = templates.iter().find_map(|template| known.fault_of(template, allowed));
        fault.map_or(Ok(()), |message| Err(section.fault(names, format!("`{}`: {message}", names.join(".")))))
    };
    if declared.parameters.all().is_empty() {
        return Err(section.fault(&[], "no parameters: add a section [parameters]"));
    }
    let commands: [(&str, Option<&Command>, Allowed<'_>); 3] = [
        ("command", Some(&keys.command), trial),
        ("scorer", keys.scorer.as_ref(), trial),
        ("build", keys.build.as_ref(), Allowed { built_in: &[], values: false }),
    ];
    for (name, command, allowed) in commands {
        let Some(command) = command else { continue };
        fits(&[name], command.templates(), allowed)?;
        let program = command.templates()[0].literal();
        // The build may create the program later.
        let is_made = keys.build.is_some() && name != "build";
        let has_to_be = reading == Reading::ToPlay && !is_made;
        if let Some(program) = program.filter(|program| has_to_be && find(program).is_none()) {
            return Err(section.fault(&[name], format!("`{name}`: {}", InputError::missing(program))));
        }
    }
    fits(&["stdin"], keys.stdin.as_slice(), Allowed { built_in: input, values: true })?;
    for (name, template) in &keys.env {
        fits(&["env", name], std::slice::from_ref(template), trial)?;
    }
    if keys.worker && (keys.scorer.is_some() || keys.stdin.is_some()) {
        let message = "a worker reads trials on standard input and answers scores: no `scorer`, no `stdin`";
        return Err(section.fault(&["worker"], message));
    }
    reach(declared, table)?;
    // The build may create the inputs later.
    if keys.build.is_none()
        && reading == Reading::ToPlay
        && let Some(message) = declared.missing_inputs()
    {
        return Err(section.fault(&["stdin"], message));
    }
    if !keys.features.is_empty() && matches!(declared.instances, Instances::Endless) {
        let message = "`features` describes listed instances: set `seeds` or `files`";
        return Err(section.fault(&["features"], message));
    }
    let message = match (&keys.scale, &declared.instances) {
        (Scale::Best(_), Instances::Endless) => Some("a table of best scores needs a list of instances".to_string()),
        _ => declared.missing_best().filter(|_| reading == Reading::ToPlay),
    };
    message.map_or(Ok(()), |message| Err(section.fault(&["scale"], message)))
}

/// The placeholders that may occur in a template.
#[derive(Clone, Copy)]
struct Allowed<'a> {
    built_in: &'a [BuiltIn],
    /// Whether placeholders of parameters and scenario variables may occur.
    values: bool,
}

impl<'a> Allowed<'a> {
    fn names(self) -> impl Iterator<Item = &'a str> {
        self.built_in.iter().map(|built_in| built_in.name())
    }
}

/// The placeholders that have values.
struct Placeholders<'d> {
    declared: &'d Declaration,
    has_seed: bool,
    has_input: bool,
}

impl<'d> Placeholders<'d> {
    fn new(declared: &'d Declaration) -> Self {
        let has_seed = declared.instances.all().iter().all(|instance| instance.seed.is_some());
        let has_file = declared.instances.all().first().is_some_and(|instance| instance.file.is_some());
        Placeholders { declared, has_seed, has_input: has_file || declared.keys.stdin.is_some() }
    }

    /// Returns the fault in a placeholder of a template.
    fn fault_of(&self, template: &Template, allowed: Allowed<'_>) -> Option<String> {
        template.placeholders().find_map(|placeholder| self.fault(placeholder, allowed))
    }

    fn fault(&self, placeholder: &Placeholder, allowed: Allowed<'_>) -> Option<String> {
        let Placeholder { name, built_in, format } = placeholder;
        let Declaration { parameters, scenarios, .. } = self.declared;
        let own = || parameters.names().chain(scenarios.variables().iter().map(String::as_str));
        let sample = match built_in {
            Some(BuiltIn::Seed) if !self.has_seed => {
                return Some("not all instances have a `{seed}`; `{instance}` is their name".into());
            }
            Some(BuiltIn::Input) if !self.has_input => {
                return Some("`{input}` needs instances that are files: `files` or `stdin`".into());
            }
            Some(built_in) if allowed.built_in.contains(built_in) => match built_in {
                BuiltIn::Limit(_) if self.declared.keys.limit.is_none() => {
                    return Some(format!(
                        "`{{{name}}}` is the time limit: set it, as in `limit = {{ full = \"2s\" }}`"
                    ));
                }
                BuiltIn::Limit(unit) => unit.shown(Duration::ZERO),
                BuiltIn::Seed | BuiltIn::Random => Shown::Int(0),
                BuiltIn::Cap => Shown::Float(0.0),
                BuiltIn::Instance
                | BuiltIn::Input
                | BuiltIn::Output
                | BuiltIn::Dir
                | BuiltIn::Params
                | BuiltIn::Args => Shown::Text(String::new()),
            },
            _ if allowed.values => {
                let start: Vec<f64> = parameters.all().iter().map(|parameter| parameter.start).collect();
                let shown = parameters.shown(name, &start);
                match shown.or_else(|| scenarios.shown(name, &scenarios.rows()[0])) {
                    Some(shown) => shown,
                    None => {
                        let near = nearest(name, allowed.names().chain(own()));
                        let hint = near.map(|near| format!("; did you mean `{{{near}}}`?"));
                        let hint = hint.unwrap_or_else(|| "; no parameter has this name".to_string());
                        return Some(format!("unknown placeholder `{{{name}}}`{hint}"));
                    }
                }
            }
            _ => {
                let allowed: Vec<_> = allowed.names().map(|name| format!("`{{{name}}}`")).collect();
                let hint = if allowed.is_empty() { "nothing".to_string() } else { allowed.join(", ") };
                return Some(format!("`{{{name}}}` is not allowed here; allowed: {hint}"));
            }
        };
        if !sample.takes(format) {
            return Some(format!("`{{{name}}}` cannot be written in this format"));
        }
        let ValueFormat::Decimals(decimals) = *format else { return None };
        // Rounded, an end of the range may lie outside of it.
        let parameter = parameters.all().iter().find(|parameter| parameter.name == *name)?;
        let end = lost_end(parameter.range(), decimals)?;
        Some(format!(
            "`{{{name}:.{decimals}}}` shows {end} as {end:.decimals$}, which is outside of the range: write more decimals, or \
             another range"
        ))
    }
}

/// Checks that every parameter reaches the program.
fn reach(declared: &Declaration, table: &Section<'_>) -> Result<(), Fault> {
    if declared.keys.passes_all() {
        return Ok(());
    }
    let parameters = &declared.parameters;
    let mut reaches = vec![false; parameters.all().len()];
    for placeholder in declared.keys.placeholders() {
        reaches[parameters.places(&placeholder.name)].fill(true);
    }
    match unreached(parameters, &reaches) {
        Some(name) => Err(table.fault(
            &[name],
            format!(
                "the parameter `{name}` does not reach the program: write `{{{name}}}` in `command` or `env`, or use \
                 `{{args}}` or `{{params}}` in `command`"
            ),
        )),
        None => Ok(()),
    }
}

/// Returns a parameter that does not reach the program, with an array under its own name.
fn unreached<'p>(parameters: &'p Parameters, reaches: &[bool]) -> Option<&'p str> {
    let start: Vec<f64> = parameters.all().iter().map(|parameter| parameter.start).collect();
    let items = parameters.items(&start).into_iter().map(|(name, _)| name);
    items.into_iter().find(|name| !reaches[parameters.places(name)].iter().all(|reaches| *reaches))
}
