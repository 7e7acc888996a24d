//! Reads a program out of a job.

use crate::check;
use crate::command::Command;
use crate::failure::OnFailure;
use crate::instances::Instances;
use crate::keys::{ProgramKeys, SECTIONS, names};
use crate::parameters::{Parameters, marker, read_table};
use crate::program::{Declaration, Program};
use crate::scale::Scale;
use crate::scenarios::Scenarios;
use crate::score::{self, Score};
use crate::template::Template;
use evolve_core::document::{Section, read_text};
use evolve_core::text::SectionKeys;
use evolve_core::problem::{Declares, Problem, Reading};
use std::path::Path;
use std::sync::Arc;

/// Reads programs out of jobs.
pub struct Programs;

/// What reads programs out of jobs.
pub static PROGRAM: Programs = Programs;

impl Declares for Programs {
    fn sections(&self) -> &'static [SectionKeys<'static>] {
        &SECTIONS
    }

    fn read(&self, top: &mut Section<'_>, reading: Reading) -> Option<Arc<dyn Problem>> {
        Some(Arc::new(read(top, reading)?))
    }
}

/// Reads the sections; `None` if there is no command, or something else without which nothing can be checked.
fn read(top: &mut Section<'_>, reading: Reading) -> Option<Program> {
    let mut section = top.section(SECTIONS[0].name);
    let mut table = top.section(SECTIONS[1].name);
    let mut scenarios = top.section(SECTIONS[2].name);
    let keys = ProgramKeys::read(&mut section);
    let has_command = section.has("command");
    let command = Command::take(&mut section, "command");
    if !has_command {
        section.report(None, "[program] needs `command`: the program and its arguments");
    }
    let build = Command::take(&mut section, "build");
    let scorer = Command::take(&mut section, "scorer");
    let environment = read_environment(&mut section);
    let instances = Instances::read(&section, &keys, reading);
    let score = read_score(&section, &keys);
    let scale = Scale::take(&mut section, reading);
    let on_failure = OnFailure::take(&mut section, &scale);
    let stdin = keys.stdin.as_deref().and_then(|text| {
        let template = Template::parse(text);
        template.map_err(|message| section.report(section.line_of("stdin"), format!("`stdin`: {message}"))).ok()
    });
    section.finish(&names());

    let mut parameters = Parameters::default();
    for file in &keys.source {
        read_source(&section, file, &mut parameters);
    }
    read_table(&mut table, &mut parameters);
    table.finish(&[]);
    let scenarios = Scenarios::read(&mut scenarios, &parameters);

    let command = command?;
    let declared = Declaration {
        name: name(&command),
        command,
        build,
        scorer,
        environment: environment?,
        stdin,
        parameters,
        instances: instances?,
        scenarios,
        score: score?,
        scale,
        on_failure,
        keys,
    };
    check::check(&declared, &section, &table, reading);
    Some(Program::new(declared))
}

/// What a program is called: the first word of its command that is a file here, without folder and ending, or else the
/// first word. Where the file may be gone, a word that could name a script is taken for one.
fn name(command: &Command) -> String {
    let words = || command.fixed_words();
    let is_file = |word: &&str| Path::new(word).is_file();
    let is_script = |word: &&str| {
        let ending = Path::new(word).extension().and_then(|ending| ending.to_str()).unwrap_or_default();
        ending.starts_with(|c: char| c.is_ascii_alphabetic())
    };
    let arguments = || words().skip(1).filter(|word| !word.starts_with('-'));
    let script = arguments().find(is_file).or_else(|| arguments().find(is_script));
    let program = words().next().unwrap_or("program");
    let named = if program.contains('/') { program } else { script.unwrap_or(program) };
    Path::new(named).file_stem().map_or_else(|| "program".to_string(), |stem| stem.to_string_lossy().into_owned())
}

/// Variables of the environment; `None` if nothing can be said of them.
fn read_environment(section: &mut Section<'_>) -> Option<Vec<(String, Template)>> {
    let Some(free) = section.take("env") else { return Some(Vec::new()) };
    let Some(mut table) = free.section(section) else {
        section.report(Some(free.line), "`env` takes a table of texts, such as { K = \"{k}\" }");
        return None;
    };
    let mut variables = Vec::new();
    for entry in table.rest() {
        let template = match entry.text() {
            _ if !is_variable(&entry.name) => Err("names are of letters, digits and `_`".to_string()),
            Some(text) => Template::parse(text),
            None => Err("it is a text".to_string()),
        };
        match template {
            Ok(template) => variables.push((entry.name, template)),
            Err(message) => section.report(Some(entry.line), format!("`env.{}`: {message}", entry.name)),
        }
    }
    Some(variables)
}

/// Whether a name can be that of a variable, also for a shell.
fn is_variable(name: &str) -> bool {
    name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') && !name.starts_with(|c: char| c.is_ascii_digit())
}

fn read_score(section: &Section<'_>, keys: &ProgramKeys) -> Option<Score> {
    let score = match keys.score.as_deref() {
        Some(score) if keys.worker && !score.starts_with("json:") => {
            Err("a worker answers a score itself, or JSON: only \"json:NAME\" can be said of it".to_string())
        }
        Some(score) => Score::parse(score, &keys.metrics),
        None => Score::parse(if keys.worker { "json:score" } else { score::DEFAULT }, &keys.metrics),
    };
    let score =
        score.map_err(|message| section.report(section.line_of("score"), format!("`score`: {message}"))).ok()?;
    if !keys.groups_by.iter().all(|metric| score.metrics().contains(metric)) {
        let message = "`groups_by` is a list of metrics: named groups of `score`, or `metrics`";
        section.report(section.line_of("groups_by"), message);
    }
    Some(score)
}

fn read_source(section: &Section<'_>, file: &str, parameters: &mut Parameters) {
    let line = section.line_of("source");
    match read_text(Path::new(file)) {
        Err(error) => section.report(line, format!("{file} cannot be read: {error}")),
        Ok(text) => {
            let before = parameters.all().len();
            for (at, message) in marker::read(&text, parameters).err().into_iter().flatten() {
                section.report(line, format!("{file}:{at}: {message}"));
            }
            if parameters.all().len() == before && section.is_faultless() {
                section.report(line, format!("{file} has no markers, such as `const int K = 5; // evolve: [1, 20]`"));
            }
        }
    }
}
