//! Reads a program out of a job.

use crate::check;
use crate::command::Command;
use crate::failure::OnFailure;
use crate::instances::Instances;
use crate::keys::{ProgramKeys, SECTIONS, names};
use crate::parameters::{Parameters, listing, marker, read_table};
use crate::program::{Declaration, Environment, Program, TemplateFile};
use crate::scale::Scale;
use crate::scenarios::Scenarios;
use crate::score::{self, Score};
use crate::template::Template;
use crate::{building, tool};
use evolve_core::document::{Section, read_text};
use evolve_core::key::SectionKeys;
use evolve_core::problem::{Declared, Declares, Problem};
use std::path::Path;
use std::ptr;
use std::sync::{Mutex, PoisonError};

/// Reads programs out of jobs, and knows those that it has read.
#[derive(Default)]
pub struct Programs {
    /// They live as long as the process, as all problems do.
    read: Mutex<Vec<&'static Program>>,
}

/// What reads programs out of jobs.
pub static PROGRAM: Programs = Programs { read: Mutex::new(Vec::new()) };

impl Programs {
    /// The program that a problem is, if it is one that was read here.
    pub fn find(&self, problem: &dyn Problem) -> Option<&'static Program> {
        let read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        read.iter().copied().find(|&program| ptr::addr_eq(ptr::from_ref(program), ptr::from_ref(problem)))
    }

    fn keep(&self, program: &'static Program) {
        self.read.lock().unwrap_or_else(PoisonError::into_inner).push(program);
    }
}

impl Declares for Programs {
    fn sections(&self) -> &'static [SectionKeys<'static>] {
        &SECTIONS
    }

    fn read(&self, top: &mut Section<'_>) -> Option<Declared> {
        let program: &'static Program = Box::leak(Box::new(read(top)?));
        self.keep(program);
        Some(Declared { problem: program, text: program.text.clone() })
    }
}

/// Reads the sections; `None` if there is no command, or something else without which nothing can be checked.
fn read(top: &mut Section<'_>) -> Option<Program> {
    let mut section = top.section(SECTIONS[0].name);
    let mut table = top.section(SECTIONS[1].name);
    let mut scenarios = top.section(SECTIONS[2].name);
    let mut keys = ProgramKeys::read(&mut section);
    let has_command = section.has("command");
    let command = Command::take(&mut section, "command");
    if !has_command {
        section.report(None, "[program] needs `command`: the program and its arguments");
    }
    let build = Command::take(&mut section, "build");
    let scorer = Command::take(&mut section, "scorer");
    let generator = Command::take(&mut section, "generator");
    let lister = Command::take(&mut section, "parameters");
    let environment = read_environment(&mut section);
    if !is_variable(&keys.prefix) {
        section.report(section.line_of("prefix"), "`prefix` is of letters, digits and `_`");
    }
    let instances = Instances::take(&mut section, keys.files.as_deref(), keys.split);
    if let Some(Instances::Listed { split, .. }) = &instances {
        keys.split = split.is_some();
    }
    let score = read_score(&mut section, &keys);
    let scale = Scale::take(&mut section);
    let on_failure = OnFailure::take(&mut section, &scale);
    let groups_by = read_groups_by(&mut section, score.as_ref());
    let groups = regex(&section, "groups", keys.groups.as_deref());
    let wrong = regex(&section, "wrong", Some(&keys.wrong));
    let stdin = keys.stdin.as_deref().and_then(|text| {
        let template = Template::parse(text);
        template.map_err(|message| section.report(section.line_of("stdin"), format!("`stdin`: {message}"))).ok()
    });
    section.finish(&names(0));

    let mut parameters = Parameters::default();
    for file in &keys.source {
        read_source(&section, file, &mut parameters);
    }
    read_table(&mut table, &mut parameters);
    table.finish(&[]);
    let scenarios = Scenarios::read(&mut scenarios, &parameters);
    let templates = read_templates(&section, &keys, &parameters, &scenarios);

    let declared = Declaration {
        name: String::new(),
        command: command?,
        build,
        scorer,
        generator,
        environment,
        stdin,
        templates,
        parameters,
        instances: instances?,
        groups: groups.and_then(|written| regex::Regex::new(&written).ok()),
        groups_by,
        scenarios,
        score: score?,
        wrong: regex::bytes::Regex::new(&wrong?).ok()?,
        scale,
        on_failure,
        keys,
    };
    let mut program = Program::new(Declaration { name: name(&declared.command), ..declared });
    if let Some(lister) = lister {
        // Only the program knows its parameters: it is built and asked, if all the rest is as it should be.
        if !section.is_faultless() {
            return None;
        }
        program = with_listing(program, &lister, &section)?;
    }
    check::check(&program.declared, &section, &table);
    Some(program)
}

fn with_listing(program: Program, lister: &Command, section: &Section<'_>) -> Option<Program> {
    let listed = building::prepare(&program).and_then(|()| {
        let words = lister.render(&|_| None, &Vec::new);
        let printed = tool::run(words, Some(program.declared.keys.tool_timeout), None);
        let printed = printed.map_err(|message| message.unwrap_or_else(|| "it was stopped".to_string()))?;
        let text = String::from_utf8(printed).map_err(|_| "what it prints is not text (UTF-8)".to_string())?;
        let mut parameters = program.declared.parameters.clone();
        listing::read(&text, &mut parameters)?;
        Ok(parameters)
    });
    match listed {
        Ok(parameters) => {
            let Declaration { keys, scenarios, .. } = &program.declared;
            let templates = read_templates(section, keys, &parameters, scenarios);
            let again = Program::new(Declaration { parameters, templates, ..program.declared });
            *again.built.lock().unwrap_or_else(PoisonError::into_inner) = true;
            Some(again)
        }
        Err(message) => {
            section.report(Some(lister.line()), format!("`parameters`: {message}"));
            None
        }
    }
}

/// What a program is called: the first word of its command that is a file here, without folder and ending, or else the
/// first word.
fn name(command: &Command) -> String {
    let words = || command.fixed_words();
    let script = words().skip(1).find(|word| Path::new(word).is_file() && !word.starts_with('-'));
    let program = words().next().unwrap_or("program");
    let named = if program.contains('/') { program } else { script.unwrap_or(program) };
    Path::new(named).file_stem().map_or_else(|| "program".to_string(), |stem| stem.to_string_lossy().into_owned())
}

fn read_environment(section: &mut Section<'_>) -> Environment {
    let mut environment = Environment::default();
    let Some(free) = section.take("env") else { return environment };
    if let Some(on) = free.switch() {
        environment.parameters = on;
        return environment;
    }
    let Some(mut table) = free.section(section) else {
        section.report(Some(free.line), "`env` takes true or a table of texts, such as { K = \"{k}\" }");
        return environment;
    };
    for entry in table.rest() {
        if !is_variable(&entry.name) {
            section.report(Some(entry.line), format!("`env.{}`: names are of letters, digits and `_`", entry.name));
            continue;
        }
        let template = entry.text().ok_or_else(|| "it is a text".to_string()).and_then(Template::parse);
        match template {
            Ok(template) => {
                let text = entry.text().unwrap_or_default().to_string();
                environment.variables.push((entry.name, text, template));
            }
            Err(message) => section.report(Some(entry.line), format!("`env.{}`: {message}", entry.name)),
        }
    }
    environment
}

/// Whether a name can be that of a variable, also for a shell.
fn is_variable(name: &str) -> bool {
    name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') && !name.starts_with(|c: char| c.is_ascii_digit())
}

fn read_score(section: &mut Section<'_>, keys: &ProgramKeys) -> Option<Score> {
    let written = match section.take("score") {
        None => score::DEFAULT.to_string(),
        Some(free) => match free.text() {
            Some(text) => text.to_string(),
            None => {
                section.report(Some(free.line), "`score` takes a regular expression, \"last-line\" or \"json:NAME\"");
                return None;
            }
        },
    };
    let read = match keys.worker && !written.starts_with("json:") {
        true if section.line_of("score").is_some() => {
            Err("a worker answers a score itself, or JSON: only \"json:NAME\" can be said of it".to_string())
        }
        true => Score::parse("json:score", &keys.metrics),
        false => Score::parse(&written, &keys.metrics),
    };
    read.map_err(|message| section.report(section.line_of("score"), format!("`score`: {message}"))).ok()
}

fn read_groups_by(section: &mut Section<'_>, score: Option<&Score>) -> Vec<String> {
    let Some(free) = section.take("groups_by") else { return Vec::new() };
    let texts: Option<Vec<String>> =
        free.list().and_then(|list| list.iter().map(|text| text.text().map(String::from)).collect());
    let known = |metric: &String| score.is_none_or(|score| score.metrics().contains(metric));
    match texts {
        Some(texts) if texts.iter().all(known) => texts,
        _ => {
            section.report(Some(free.line), "`groups_by` is a list of metrics: named groups of `score`, or `metrics`");
            Vec::new()
        }
    }
}

/// A regular expression that can be read.
fn regex(section: &Section<'_>, name: &str, written: Option<&str>) -> Option<String> {
    let written = written?;
    match regex::Regex::new(written) {
        Ok(_) => Some(written.to_string()),
        Err(error) => {
            section.report(section.line_of(name), format!("`{name}`: {error}"));
            None
        }
    }
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

/// The files in which parameters and scenario variables are replaced, by those that are known.
fn read_templates(
    section: &Section<'_>,
    keys: &ProgramKeys,
    parameters: &Parameters,
    scenarios: &Scenarios,
) -> Vec<TemplateFile> {
    let known =
        |name: &str| parameters.names().any(|own| own == name) || scenarios.variables().iter().any(|own| own == name);
    let read = |file: &String| {
        let read = read_template(Path::new(file), &known);
        read.map_err(|message| section.report(section.line_of("templates"), message)).ok()
    };
    keys.templates.iter().filter_map(read).collect()
}

fn read_template(path: &Path, known: &dyn Fn(&str) -> bool) -> Result<TemplateFile, String> {
    let text = read_text(path).map_err(|error| format!("{} cannot be read: {error}", path.display()))?;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let name = name.strip_suffix(".in").unwrap_or(&name).to_string();
    Ok(TemplateFile { name, template: Template::lenient(&text, known) })
}
