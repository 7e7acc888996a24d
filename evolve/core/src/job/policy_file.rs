//! Weights files: a candidate of one problem, readable by people and by every command that takes
//! weights.
//!
//! ```toml
//! [game]
//! name = "solitaire-chess"
//! group = 6
//!
//! [player]        # how it was tuned
//! name = "beam"
//! width = 5
//! depth = 10
//!
//! [submission]    # how the exported program plays; default: as it was tuned
//! name = "beam"
//! width = 10
//! depth = 16
//!
//! [weights]       # a value for every parameter that the problem declares
//! tile_bronze = 2.0
//!
//! [run]           # the run that they come from
//! name = "solitaire-chess/group-6"
//! version = 2
//!
//! [verdict]       # the result of that run; a comment at the top of the file has it in words
//! improvement = true
//! # ...
//! ```

use crate::job::recorded::RecordedVerdict;
use crate::job::{Catalogue, Job, Reading};
use crate::names::{INCUMBENT, RECOMMENDATION};
use evolve_search::document::text::{entries, inline, to_toml};
use evolve_search::document::{Document, Fault, Section, is_default};
use evolve_search::model::parameter::Parameter;
use evolve_search::model::problem::Problem;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The sections of a weights file, after those of the problem.
const SECTIONS: [&str; 3] = ["weights", "run", "verdict"];

/// A candidate of one problem: how it plays, and a value for each parameter.
#[derive(Clone)]
pub struct Policy {
    /// The problem, and the player with which the values were tuned.
    pub problem: Arc<dyn Problem>,
    /// The problem, with the player of an exported program.
    pub submission: Arc<dyn Problem>,
    /// The values in the order of the problem's parameters.
    pub values: Vec<f64>,
    /// The run that recommends the values, if any.
    pub run: Option<Provenance>,
    /// The verdict of that run, if any.
    pub verdict: Option<RecordedVerdict>,
}

/// The run that produced the values.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct Provenance {
    pub name: String,
    /// The version of players and search that the run used.
    pub version: u64,
    /// Whether the values are those of the tested finalist, which the run does not recommend.
    #[serde(default, skip_serializing_if = "is_default")]
    pub rejected: bool,
}

/// Returns the weights file for a path: the path itself or, for the folder of a run, its
/// recommendation or else its incumbent.
pub fn weights_file(path: &Path) -> PathBuf {
    let (final_one, incumbent) = (path.join(RECOMMENDATION), path.join(INCUMBENT));
    match path.is_dir() {
        // If the recommendation cannot be accessed, it may still exist; reading it then reports the
        // error.
        true if matches!(final_one.try_exists(), Ok(false)) && incumbent.exists() => incumbent,
        true => final_one,
        false => path.to_path_buf(),
    }
}

impl Policy {
    /// Returns the baseline of a job.
    pub fn of_job(job: &Job) -> Self {
        let (problem, submission) = (Arc::clone(&job.problem), Arc::clone(&job.submission));
        Policy { problem, submission, values: job.space.start().to_vec(), run: None, verdict: None }
    }

    /// Reads the [weights file](weights_file) for a path. Files that the problem refers to, such as
    /// a program, may be missing.
    ///
    /// # Errors
    /// If the file cannot be read or does not fit the problem's declarations.
    pub fn read(path: &Path, catalogue: &Catalogue) -> Result<Self, Fault> {
        Self::parse(&Document::read(&weights_file(path))?, catalogue)
    }

    /// Reads the policy from a weights file.
    ///
    /// # Errors
    /// If the file does not fit the problem's declarations.
    pub fn parse(document: &Document, catalogue: &Catalogue) -> Result<Self, Fault> {
        let top = document.top("a weights file")?;
        let kind = catalogue.kind(&top)?;
        top.only(kind.sections().iter().copied().chain(SECTIONS))?;
        top.are_sections(&SECTIONS)?;
        let problem = kind.read(&top, Reading::ToLook)?;
        let submission = kind.read_submission(&top, &problem)?;
        let parameters = problem.parameters();
        let weights = top.section("weights");
        let values = read_values(&weights, &parameters)?.into_iter().zip(&parameters).map(|(value, parameter)| {
            let needs = || weights.fault(&[], format!("[weights] needs `{}`: {}", parameter.name, parameter.meaning));
            value.ok_or_else(needs)
        });
        let values: Vec<f64> = values.collect::<Result<_, _>>()?;
        problem.check_values(&values).map_err(|error| weights.fault(&[], format!("these values are {error}")))?;
        let run = top.section("run").plain().ok();
        let verdict = top.has("verdict").then(|| top.section("verdict").plain()).transpose()?;
        Ok(Policy { problem, submission, values, run, verdict })
    }

    /// Returns whether the values are those of the baseline, because the run found nothing better.
    pub fn recommends_baseline(&self) -> bool {
        !self.is_rejected() && self.verdict.as_ref().is_some_and(|verdict| verdict.adopted().is_none())
    }

    /// Returns whether the values are those of a finalist that its run does not recommend.
    pub fn is_rejected(&self) -> bool {
        self.run.as_ref().is_some_and(|run| run.rejected)
    }

    /// Returns the result of the run for these values, in a few words.
    pub fn result(&self) -> String {
        let Some(verdict) = &self.verdict else { return "not tested yet".to_string() };
        let gain = verdict.gain(self.problem.rating());
        match verdict.interval() {
            _ if self.is_rejected() => format!("the finalist, not recommended: it had {gain}"),
            None => "the baseline itself; the search found nothing better".to_string(),
            Some(_) if verdict.found().recommends_finalist() => gain,
            Some(_) => format!("the baseline itself; the finalist had {gain}"),
        }
    }

    /// Formats the policy as a weights file.
    pub fn to_toml(&self) -> String {
        let mut file = sections_of(&*self.problem, &*self.submission);
        let values = values_of(&self.problem.parameters(), &self.values);
        file.insert("weights".to_string(), Value::Object(values));
        file.extend(self.run.as_ref().map(|run| ("run".to_string(), json!(run))));
        let mut text = to_toml(&file);
        if let Some(verdict) = &self.verdict {
            text += "\n[verdict]\n";
            text += &entries(verdict);
        }
        text
    }
}

/// Returns the sections of a problem, with the player of its exported program.
pub(super) fn sections_of(problem: &dyn Problem, submission: &dyn Problem) -> Map<String, Value> {
    let player = submission.player().map(|player| ("submission".to_string(), Value::Object(player)));
    problem.sections().into_iter().chain(player).collect()
}

/// Returns the values of parameters, keyed by name.
pub fn values_of(parameters: &[Parameter], values: &[f64]) -> Map<String, Value> {
    parameters.iter().zip(values).map(|(parameter, &value)| (parameter.name.clone(), parameter.json(value))).collect()
}

/// Reads the values of parameters from a section where they are keyed by name.
///
/// # Errors
/// The first name of no parameter, or value outside the range of its parameter.
pub fn read_values(section: &Section<'_>, parameters: &[Parameter]) -> Result<Vec<Option<f64>>, Fault> {
    section.only(parameters.iter().map(|parameter| parameter.name.as_str()))?;
    let entries = section.entries()?;
    let value = |parameter: &Parameter| {
        let Some(value) = entries.get(&parameter.name) else { return Ok(None) };
        let refusal = || section.refusal(&[&parameter.name], &parameter.allowed_instead(value.as_f64()));
        parameter.of_json(value).map(Some).ok_or_else(refusal)
    };
    parameters.iter().map(value).collect()
}

/// Formats a value as TOML.
pub fn toml_value(parameter: &Parameter, value: f64) -> String {
    inline(&parameter.json(value))
}
