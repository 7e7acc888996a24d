//! The requests of `evolve serve`, and the errors that answer them.

use evolve_core::names::RESULTS;
use evolve_core::run::RunError;
use evolve_search::document::Fault;
use evolve_search::model::problem::OpenError;
use serde::Deserialize;
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// A request: one line from the other process.
#[derive(Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
pub enum Request {
    Open(Open),
    Ask(usize),
    Tell(Vec<Played>),
    Recommend,
    Close,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Open {
    /// The job, with the keys of a job file.
    pub job: Map<String, Value>,
    /// The number of simultaneous trials.
    #[serde(default = "one")]
    pub parallel: u16,
    /// The folder of all runs.
    #[serde(default = "results")]
    pub results: PathBuf,
    /// Whether to resume an existing run.
    #[serde(default)]
    pub resume: bool,
}

fn one() -> u16 {
    1
}

fn results() -> PathBuf {
    PathBuf::from(RESULTS)
}

/// The result of a trial, from the other process.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Played {
    pub id: u64,
    pub score: Option<f64>,
    /// Metrics by name, without the score.
    #[serde(default)]
    pub metrics: BTreeMap<String, f64>,
    pub failure: Option<String>,
    /// The run time; by default the time since the trial was requested.
    pub seconds: Option<f64>,
}

/// The reason why a request is not answered.
#[derive(Debug, Error)]
pub enum ServeError {
    #[error("not a request: {0}")]
    NoRequest(serde_json::Error),
    #[error("`{name}` needs a value: {form}")]
    NoValue { name: String, form: &'static str },
    #[error("a run is open already")]
    Open,
    #[error("no run is open: `open` comes first")]
    NoRun,
    #[error("`program` is a section")]
    NoSection,
    #[error("`{0}` has a null in a list, which a job cannot have")]
    Null(String),
    #[error("the job must have a [program]: a game cannot be served")]
    NoProgram,
    #[error("trial {0} needs either `score` or `failure`")]
    NoResult(u64),
    #[error("no trial {0} waits for a score")]
    NoTrial(u64),
    #[error("the run ended by a panic")]
    Panic,
    #[error("{}", message(.0))]
    Job(#[from] Fault),
    #[error(transparent)]
    Session(#[from] OpenError),
    #[error(transparent)]
    Run(#[from] RunError),
}

/// The name of the job in faults.
pub const JOB: &str = "job";

/// Returns the fault in a job. The other process sent no lines, so that a place in the job would
/// mean nothing to it.
fn message(fault: &Fault) -> String {
    if fault.path == Path::new(JOB) { fault.message.clone() } else { fault.to_string() }
}

impl Request {
    /// Parses a line.
    pub fn parse(line: &[u8]) -> Result<Self, ServeError> {
        serde_json::from_slice(line).map_err(|error| {
            let name = match serde_json::from_slice(line) {
                Ok(Value::String(name)) => name,
                _ => String::new(),
            };
            // The library's message speaks of variants.
            let form = match &name[..] {
                "open" => r#"{"open": {"job": {..}}}"#,
                "ask" => r#"{"ask": 1}"#,
                "tell" => r#"{"tell": [{"id": 0, "score": 12.5}]}"#,
                _ => return ServeError::NoRequest(error),
            };
            ServeError::NoValue { name, form }
        })
    }
}
