//! Imports parameters from the files of other tuners: an Optuna script, irace's parameters and scenario, SMAC's PCS and
//! ConfigSpace's JSON.
//!
//! A parameter without a start value starts in the middle of its range. [`Imported::notes`] lists unsupported features.

mod config_space;
mod forbid;
mod irace;
mod optuna;
mod pcs;

use crate::suggest::{Read, Way};
use evolve_core::model::parameter::condition::Condition;
use evolve_core::model::parameter::{Kind, Parameter};
use std::cmp::Ordering;
use std::fmt::Display;
use std::io;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// The content of an imported file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Imported {
    /// The parameters, each with the way in which it reaches the program.
    pub reads: Vec<Read>,
    /// Whether lower scores are better, if the file says so.
    pub minimizes: Option<bool>,
    /// The command without the parameters, if the file names one.
    pub command: Option<String>,
    /// Patterns of the instances' files, if the file names them.
    pub files: Vec<String>,
    /// The seeds of the instances, if they are numbers.
    pub seeds: Option<String>,
    /// The maximum number of trials, if the file has one.
    pub budget: Option<u64>,
    /// The pattern of the score, if the tool expects one.
    pub score: Option<String>,
    /// Forbidden combinations, as conditions.
    pub forbid: Vec<String>,
    /// The omitted parts, one line each.
    pub notes: Vec<String>,
}

/// A fault in a file of another tuner.
#[derive(Debug, Error)]
pub enum ImportError {
    /// A fault at a place: in a file, on a line, of a name.
    #[error("{at}: {what}")]
    At {
        /// The place.
        at: String,
        /// The fault.
        what: Box<ImportError>,
    },
    /// The file cannot be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The file is not JSON.
    #[error(transparent)]
    Json(#[from] serde_json::Error),
    /// The file declares nothing in a known format.
    #[error(
        "{} declares no parameters; files of Optuna (.py), irace (scenario.txt, parameters.txt), SMAC (.pcs) and \
         ConfigSpace (.json) are read",
        .0.display()
    )]
    NoParameters(PathBuf),
    /// A line is not a declaration.
    #[error("`{0}` does not declare a parameter")]
    NoDeclaration(String),
    /// A hyperparameter of ConfigSpace has no name.
    #[error("a hyperparameter has no name")]
    NoName,
    /// No parameter has this name.
    #[error("no parameter `{0}`")]
    Unknown(String),
    /// The start is not one of the choices.
    #[error("`{0}` is not one of the names")]
    NoChoice(String),
    /// The choices cannot be read as a list.
    #[error("its choices are not a list: `{0}`")]
    NoList(String),
    /// A text is not a number.
    #[error("`{0}` is not a number")]
    Number(String),
    /// The numbers are not a range.
    #[error("[{min}, {max}] is not a range{}", if *log { " above 0" } else { "" })]
    Range {
        /// The lower end.
        min: f64,
        /// The upper end.
        max: f64,
        /// Whether the range is logarithmic.
        log: bool,
    },
    /// A text is not a range.
    #[error("({0}) is not a range")]
    Domain(String),
    /// A range has one end, or more than two.
    #[error("a range has two ends")]
    Ends,
    /// A text is not a comparison.
    #[error("`{0}` is not a comparison")]
    Comparison(String),
    /// A text is not a condition.
    #[error("`{0}` is not a condition")]
    Condition(String),
}

impl ImportError {
    fn at(self, at: impl Display) -> Self {
        ImportError::At { at: at.to_string(), what: Box::new(self) }
    }
}

/// Reads a file of another tuner.
///
/// # Errors
/// The line that is not understood, or that the format is unknown.
pub fn import(path: &Path, text: &str) -> Result<Imported, ImportError> {
    let name = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
    let folder = path.parent().unwrap_or(Path::new(""));
    let imported = match name.rsplit_once('.').map_or("", |(_, ending)| ending) {
        "py" => optuna::read(text),
        "pcs" => pcs::read(text),
        "json" => config_space::read(text),
        _ if name.starts_with("scenario") => irace::read_scenario(text, folder),
        _ => irace::read(text),
    };
    let imported = imported.map_err(|error| error.at(path.display()))?;
    match imported.reads.is_empty() {
        true => Err(ImportError::NoParameters(path.to_path_buf())),
        false => Ok(imported),
    }
}

/// A comparison in a condition: parameter, operator, value.
type Comparison = (String, &'static str, String);

/// A parameter as read. Its condition holds if all comparisons of at least one row hold.
struct Raw {
    parameter: Parameter,
    way: Way,
    condition: Vec<Vec<Comparison>>,
}

impl Raw {
    fn new(name: &str, kind: Kind, start: Option<f64>) -> Self {
        let own = identifier(name);
        let start = start.unwrap_or_else(|| middle(&kind));
        let parameter = match kind {
            Kind::Float { min, max, log } => with_log(Parameter::float(own, min, max, start), log),
            Kind::Int { min, max, log } => with_log(Parameter::int(own, min, max, start.round() as i64), log),
            Kind::Choice(names) => Parameter::choice(own, names, start as usize),
            Kind::Switch => Parameter::switch(own, start != 0.0),
        };
        Raw { parameter, way: Way::Option(format!("--{name}")), condition: Vec::new() }
    }

    /// Adds a further condition, which must hold as well.
    fn also(&mut self, rows: Vec<Vec<Comparison>>) {
        let former = std::mem::take(&mut self.condition);
        self.condition = match former.is_empty() {
            true => rows,
            false => product(&former, &rows),
        };
    }
}

fn with_log(parameter: Parameter, log: bool) -> Parameter {
    if log { parameter.log() } else { parameter }
}

/// Returns the middle of a range, the first name, or off.
fn middle(kind: &Kind) -> f64 {
    match *kind {
        Kind::Float { min, max, log } => middle_of(min, max, log),
        Kind::Int { min, max, log } => middle_of(min as f64, max as f64, log).round(),
        Kind::Choice(_) | Kind::Switch => 0.0,
    }
}

fn middle_of(min: f64, max: f64, log: bool) -> f64 {
    let middle = if log { (min * max).sqrt() } else { min.midpoint(max) };
    // The start is a guess for users to read, so it has few digits.
    let digits = libm::pow(10.0, 2.0 - libm::log10(middle.abs().max(f64::MIN_POSITIVE)).floor());
    let rounded = (middle * digits).round() / digits;
    if (min..=max).contains(&rounded) { rounded } else { middle }
}

/// Creates a range of numbers.
fn number(kind: &str, min: f64, max: f64, log: bool) -> Result<Kind, ImportError> {
    if min.partial_cmp(&max) != Some(Ordering::Less) || log && min <= 0.0 {
        return Err(ImportError::Range { min, max, log });
    }
    Ok(match kind {
        "int" => Kind::Int { min: min.ceil() as i64, max: max.floor() as i64, log },
        _ => Kind::Float { min, max, log },
    })
}

/// Converts a name to a valid name in jobs.
fn identifier(name: &str) -> String {
    let name: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    if name.starts_with(|c: char| c.is_ascii_digit()) { format!("_{name}") } else { name }
}

/// Orders the parameters so that conditions refer to earlier ones, and notes conditions that cannot be kept.
fn finish(mut raws: Vec<Raw>, imported: &mut Imported) {
    let mut done: Vec<Parameter> = Vec::new();
    while !raws.is_empty() {
        let is_known = |name: &String| done.iter().any(|parameter| parameter.name == identifier(name));
        let is_free = |raw: &Raw| raw.condition.iter().flatten().all(|(name, ..)| is_known(name));
        let place = raws.iter().position(is_free).unwrap_or(0);
        let Raw { mut parameter, way, condition } = raws.remove(place);
        if !condition.is_empty() {
            let part = |(name, operator, value): &Comparison| format!("{} {operator} '{value}'", identifier(name));
            let row = |row: &Vec<Comparison>| row.iter().map(part).collect::<Vec<_>>().join(" and ");
            let text = condition.iter().map(row).collect::<Vec<_>>().join(" or ");
            match Condition::parse(&text, &done) {
                Ok(condition) => parameter.condition = Some(condition),
                Err(message) => imported.notes.push(format!("condition of {}: {message}", parameter.name)),
            }
        }
        done.push(parameter.clone());
        imported.reads.push(Read { parameter, way, line: 0, has_default: true });
    }
}

/// Parses a condition into rows, given the signs between comparisons that all hold and between alternatives. A part may
/// expand to several comparisons, one of which must hold.
fn rows(
    text: &str,
    (and, or): (char, char),
    comparisons: impl Fn(&str) -> Result<Vec<Comparison>, ImportError>,
) -> Result<Vec<Vec<Comparison>>, ImportError> {
    let mut all = Vec::new();
    for alternative in text.split(or) {
        let mut rows: Vec<Vec<Comparison>> = vec![Vec::new()];
        for part in alternative.split(and) {
            let options: Vec<Vec<Comparison>> = comparisons(part.trim())?.into_iter().map(|one| vec![one]).collect();
            rows = product(&rows, &options);
        }
        all.extend(rows);
    }
    Ok(all)
}

/// Combines rows, so that one row of each list must hold.
fn product(rows: &[Vec<Comparison>], others: &[Vec<Comparison>]) -> Vec<Vec<Comparison>> {
    rows.iter().flat_map(|row| others.iter().map(move |other| [&row[..], other].concat())).collect()
}

/// Splits a list into parts, but not within brackets and quotes.
fn parts(text: &str) -> Vec<&str> {
    let (mut depth, mut quote, mut start, mut parts) = (0, None, 0, Vec::new());
    for (i, c) in text.char_indices() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(c),
            (None, '(' | '[' | '{') => depth += 1,
            (None, ')' | ']' | '}') => depth -= 1,
            (None, ',') if depth == 0 => {
                parts.push(text[start..i].trim());
                start = i + 1;
            }
            _ => {}
        }
    }
    parts.push(text[start..].trim());
    parts.retain(|part| !part.is_empty());
    parts
}

/// Removes the quotes around a word.
fn bare(text: &str) -> &str {
    text.trim().trim_matches(['"', '\''])
}

/// Parses a number in any of these notations.
fn value(text: &str) -> Result<f64, ImportError> {
    let plain = text.trim().replace('_', "");
    plain.parse().map_err(|_| ImportError::Number(text.trim().to_string()))
}

#[cfg(test)]
mod tests;
