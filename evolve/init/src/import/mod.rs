//! Imports parameters from the files of other tuners: an Optuna script, irace's parameters and
//! scenario, SMAC's PCS and ConfigSpace's JSON.
//!
//! Each format reads its file into `raw::Raws`, the parameters as the file declares them, with
//! conditions as `expression::Expression`; `finish` converts both to a job's. A parameter without a
//! start value starts in the middle of its range; one with a single value becomes a fixed part of
//! the command. [`Imported::notes`] lists unsupported features.

mod arithmetic;
mod config_space;
mod error;
mod expression;
mod finish;
mod irace;
mod optuna;
mod parse;
mod pcs;
mod raw;
mod text;

pub use error::ImportError;

use crate::suggest::{Passed, Read, Way};
use evolve_search::document::MARK;
use evolve_search::document::text::one_line;
use serde_json::{Value, json};
use std::path::Path;

/// The content of an imported file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Imported {
    /// The parameters, each with the way in which it reaches the program.
    pub reads: Vec<Read>,
    /// The values that the job passes to the program, in the order of the file.
    pub passed: Vec<Passed>,
    /// Whether lower scores are better, if the file says so.
    pub minimizes: Option<bool>,
    /// The command up to the parameters, if the file names one.
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

/// A key of `[program]`, after a comment.
#[derive(Clone, Debug)]
pub struct Key {
    pub comment: &'static str,
    pub name: &'static str,
    pub value: Value,
}

impl Imported {
    /// Returns further keys of the job.
    pub fn keys(&self) -> Vec<Key> {
        let forbid = Key { comment: "Forbidden combinations.", name: "forbid", value: json!(self.forbid) };
        Some(forbid).into_iter().filter(|_| !self.forbid.is_empty()).collect()
    }

    /// Returns whether a text that becomes part of a command has a zero byte.
    fn has_zero(&self) -> bool {
        let of_way = |way: &Way| match way {
            Way::Variable(text) | Way::Option(text) | Way::Prefix(text) => text.contains('\0'),
            Way::Argument(_) => false,
        };
        let texts = self.command.iter().chain(&self.files).chain(self.passed.iter().map(|passed| &passed.value));
        self.passed.iter().any(|passed| of_way(&passed.way)) || texts.into_iter().any(|text| text.contains('\0'))
    }
}

/// The largest number of notes of a file.
const MOST_NOTES: usize = 200;

/// Reads a file of another tuner.
///
/// # Errors
/// The line that is not understood, or that the format is unknown.
pub fn import(path: &Path, text: &str) -> Result<Imported, ImportError> {
    let text = text.trim_start_matches(MARK);
    let name = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
    let folder = path.parent().unwrap_or(Path::new(""));
    let imported = match name.rsplit_once('.').map_or("", |(_, ending)| ending) {
        "py" => Ok(optuna::read(text)),
        "pcs" => pcs::read(text),
        "json" => config_space::read(text),
        _ if name.starts_with("scenario") => irace::read_scenario(text, folder),
        _ => irace::read(text),
    };
    let mut imported = imported.map_err(|error| error.at(path.display()))?;
    if imported.has_zero() {
        let notes = vec!["a text with a zero byte, which cannot be passed to a program".to_string()];
        return Err(ImportError::Nothing { file: path.to_path_buf(), notes });
    }
    imported.notes.iter_mut().for_each(|note| *note = one_line(note));
    let more = imported.notes.len().saturating_sub(MOST_NOTES);
    if more > 0 {
        imported.notes.truncate(MOST_NOTES);
        imported.notes.push(format!("{more} further parts"));
    }
    match (imported.reads.is_empty(), imported.notes.is_empty()) {
        (false, _) => Ok(imported),
        (true, true) => Err(ImportError::NoParameters(path.to_path_buf())),
        (true, false) => Err(ImportError::Nothing { file: path.to_path_buf(), notes: imported.notes }),
    }
}

#[cfg(test)]
mod tests;
