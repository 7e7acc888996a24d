//! What a job says of a program, checked as a whole before the first run.

use crate::command::{ARGS, Command};
use crate::instances::Instances;
use crate::parameters::Parameters;
use crate::program::Declaration;
use crate::scale::Scale;
use crate::template::{Placeholder, Shown, Template};
use crate::watched::{find, missing};
use evolve_core::document::{Section, nearest};
use evolve_core::problem::Reading;

/// Reports all that does not fit together.
pub fn check(declared: &Declaration, section: &Section<'_>, table: &Section<'_>, reading: Reading) {
    let report = |line: Option<usize>, message: String| section.report(line, message);
    let known = Known::new(declared);
    let trial: &[&str] = match declared.keys.worker {
        true => &["dir"],
        false => &["seed", "instance", "input", "output", "random", "dir", "params", ARGS, "*"],
    };
    let fixed: &[&str] = &[];
    let commands: [(&str, Option<&Command>, &[&str]); 3] = [
        ("command", Some(&declared.command), trial),
        ("scorer", declared.scorer.as_ref(), trial),
        ("build", declared.build.as_ref(), fixed),
    ];
    for (name, command, allowed) in commands {
        let Some(command) = command else { continue };
        for template in command.templates() {
            for message in known.faults(template, allowed) {
                report(Some(command.line()), format!("`{name}`: {message}"));
            }
        }
        let program = command.templates()[0].literal();
        // What the build makes need not be there yet.
        let is_made = declared.build.is_some() && name != "build";
        let has_to_be = reading == Reading::ToPlay && !is_made;
        if let Some(program) = program.filter(|program| has_to_be && find(program).is_none()) {
            report(Some(command.line()), format!("`{name}`: {}", missing(program)));
        }
    }
    if let Some(stdin) = &declared.stdin {
        for message in known.faults(stdin, &["seed", "instance", "input", "dir", "*"]) {
            report(section.line_of("stdin"), format!("`stdin`: {message}"));
        }
    }
    for (name, template) in &declared.environment {
        for message in known.faults(template, trial) {
            report(section.line_of("env"), format!("`env.{name}`: {message}"));
        }
    }
    if declared.keys.worker && (declared.scorer.is_some() || declared.stdin.is_some()) {
        let line = section.line_of("worker");
        report(line, "a worker reads trials on standard input and answers scores: no `scorer`, no `stdin`".to_string());
    }
    if declared.parameters.all().is_empty() {
        report(None, "there are no parameters: write a section [parameters]".to_string());
    }
    reach(declared, section, table);
    // What the build makes need not be there yet.
    if declared.build.is_none()
        && reading == Reading::ToPlay
        && let Some(message) = declared.missing_inputs()
    {
        report(section.line_of("stdin"), message);
    }
    let message = match (&declared.scale, &declared.instances) {
        (Scale::Best { .. }, Instances::Endless) => {
            Some("a table of best scores goes with a list of instances".to_string())
        }
        _ => declared.missing_best().filter(|_| reading == Reading::ToPlay),
    };
    if let Some(message) = message {
        report(section.line_of("scale"), message);
    }
}

/// What placeholders there are.
struct Known<'d> {
    declared: &'d Declaration,
    has_seed: bool,
    has_input: bool,
}

impl<'d> Known<'d> {
    fn new(declared: &'d Declaration) -> Self {
        let has_seed = declared.instances.all().iter().all(|instance| instance.seed.is_some());
        let has_file = declared.instances.all().first().is_some_and(|instance| instance.file.is_some());
        Known { declared, has_seed, has_input: has_file || declared.stdin.is_some() }
    }

    /// What is wrong with the placeholders of a template, in which the `allowed` ones can stand; `*` stands for parameters
    /// and scenario variables.
    fn faults(&self, template: &Template, allowed: &[&str]) -> Vec<String> {
        template.placeholders().filter_map(|placeholder| self.fault(placeholder, allowed)).collect()
    }

    fn fault(&self, placeholder: &Placeholder, allowed: &[&str]) -> Option<String> {
        let Placeholder { name, format } = placeholder;
        let Declaration { parameters, scenarios, .. } = self.declared;
        let own = || parameters.names().chain(scenarios.variables().iter().map(String::as_str));
        let sample = match name.as_str() {
            "seed" if !self.has_seed => {
                return Some("not all instances have a `{seed}`; `{instance}` is their name".into());
            }
            "input" if !self.has_input => {
                return Some("`{input}` needs instances that are files: `files` or `stdin`".into());
            }
            "seed" | "random" if allowed.contains(&name.as_str()) => Shown::Int(0),
            _ if allowed.contains(&name.as_str()) => Shown::Text(String::new()),
            _ if allowed.contains(&"*") => {
                let start: Vec<f64> = parameters.all().iter().map(|parameter| parameter.start).collect();
                let shown = parameters.shown(name, &start);
                match shown.or_else(|| scenarios.shown(name, &scenarios.rows()[0])) {
                    Some(shown) => shown,
                    None => {
                        let near = nearest(name, allowed.iter().copied().chain(own()));
                        let hint = near.map(|near| format!("; did you mean `{{{near}}}`?")).unwrap_or_default();
                        return Some(format!("there is nothing for `{{{name}}}` to stand for{hint}"));
                    }
                }
            }
            _ => {
                let allowed: Vec<_> = allowed.iter().map(|name| format!("`{{{name}}}`")).collect();
                let hint = if allowed.is_empty() { "nothing".to_string() } else { allowed.join(", ") };
                return Some(format!("`{{{name}}}` cannot stand here; {hint} can"));
            }
        };
        (!sample.takes(format)).then(|| format!("`{{{name}}}` cannot be written in this format"))
    }
}

/// Every parameter must reach the program.
fn reach(declared: &Declaration, section: &Section<'_>, table: &Section<'_>) {
    if declared.keys.worker || declared.mentions("params") || declared.mentions(ARGS) {
        return;
    }
    let parameters = &declared.parameters;
    let mut reaches = vec![false; parameters.all().len()];
    for placeholder in declared.templates().flat_map(Template::placeholders) {
        reaches[parameters.places(&placeholder.name)].fill(true);
    }
    for (name, line) in unreached(parameters, &reaches, table) {
        section.report(
            line,
            format!(
                "the parameter `{name}` does not reach the program: write `{{{name}}}` in `command` or `env`, or use \
                 `{{args}}` or `{{params}}` in `command`"
            ),
        );
    }
}

/// Parameters that do not reach the program, an array once, and where they are declared.
fn unreached<'p>(parameters: &'p Parameters, reaches: &[bool], table: &Section<'_>) -> Vec<(&'p str, Option<usize>)> {
    let start: Vec<f64> = parameters.all().iter().map(|parameter| parameter.start).collect();
    let items = parameters.items(&start).into_iter().map(|(name, _)| name);
    let missing = items.filter(|name| !reaches[parameters.places(name)].iter().all(|reaches| *reaches));
    missing.map(|name| (name, table.line_of(name))).collect()
}
