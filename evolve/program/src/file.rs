//! The sections of a job that declare a program, declared once: reading, checking, writing,
//! completion in editors and the reference follow from these structs.

use crate::command::Command;
use crate::failure::OnFailure;
use crate::features::FeatureKeys;
use crate::names::passed_over;
use crate::scale::Scale;
use crate::template::{BuiltIn, Placeholder, Template};
use evolve_process::excerpt;
use evolve_search::document::Time;
use evolve_search::file::slashed;
use evolve_search::model::goal::Direction;
use indexmap::IndexMap;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use serde_json::{Number, Value};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;
use std::time::Duration;
use thiserror::Error;

/// The sections.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
pub struct File {
    pub program: ProgramKeys,
    /// Parameters of the program: `NAME = { .. }` with one of `int`, `float`, `choice` and `bool`,
    /// and other keys below. An array has a `count`. The maximum is 2,000 parameters; each element
    /// of an array counts.
    #[serde(default)]
    #[schemars(extend("examples" = [{
        "k": { "int": [1, 20], "start": 5 },
        "temp": {
            "float": [0.001, 1000], "log": true, "start": 10, "prior": { "normal": [30, 1.5] },
            "description": "start temperature",
        },
        "move": { "choice": ["swap", "2opt"], "start": "2opt" },
        "greedy": { "bool": true, "condition": "move == '2opt' and k > 3" },
        "table": { "float": [0, 1], "count": 8, "start": 0.5 },
    }]))]
    pub parameters: IndexMap<String, ParameterKeys>,
    /// Variables, `NAME = [value, ..]`. Each combination of their values is a scenario. A trial
    /// plays all scenarios, and its score is their mean.
    #[serde(default)]
    #[schemars(extend("examples" = [{ "opponent": ["greedy", "mirror"], "side": [0, 1] }]))]
    pub scenarios: IndexMap<String, Scalars>,
    /// Constraints, `NAME = LIMIT`. A candidate is recommended only if it keeps these quantities
    /// within their limits, whatever its score. A limit is `<= NUMBER` or `>= NUMBER`.
    ///
    /// A quantity is a metric (see `metrics`), or one that `evolve` measures itself: `time` (CPU
    /// seconds), `wall` (wall-clock seconds) or `memory` (peak resident memory in MiB, sampled 50
    /// times a second).
    ///
    /// A limit applies to the mean over instances: it is held if the one-sided 95 % confidence
    /// interval of the mean is within it. A limit that begins with `each` applies to every trial: a
    /// single trial beyond it breaks it. See
    /// [constraints](programs.md#constraints-beside-the-score).
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    #[schemars(title = "a table of limits, such as \"<= 256\"")]
    #[schemars(extend("examples" = [{ "memory": "<= 256", "time": "each <= 2" }]))]
    pub constraints: IndexMap<String, String>,
}

/// The program to tune, in any language. A job has this section or `[game]`. Paths are relative to
/// the folder in which the run starts.
///
/// `command`, `scorer`, `env` and `stdin` may contain placeholders:
///
/// | placeholder | value |
/// |---|---|
/// | `{NAME}` | a parameter, or a variable of a scenario |
/// | `{args}` | all active parameters as `--NAME VALUE` |
/// | `{params}` | path of a JSON file with all active parameters |
/// | `{seed}`, `{instance}`, `{input}` | seed, name and input file of the instance |
/// | `{output}` | path of the file with the program's output, for `scorer` |
/// | `{random}` | a seed for the program's own random numbers |
/// | `{cap}` | the score at which the program may stop; see `capping` |
/// | `{limit_ms}`, `{limit_s}` | the time limit of the trial, in milliseconds and in seconds; see `limit` |
/// | `{dir}` | an empty folder for the trial |
///
/// Formats: `{seed:04}` has four digits, `{x:.3}` three decimals, `{on:d}` is 1 or 0, `{on:--fast}`
/// is `--fast` or nothing, `{x:--x}` is `--x 0.5`, or nothing while `x` is inactive. `{{` and `}}`
/// are braces.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("examples" = [{
    "build": "g++ -O2 -o solver solver.cpp",
    "command": "./solver --k {k} --temp {temp} --move {move}",
    "stdin": "in/{seed:04}.txt",
    "seeds": "0-99",
    "goal": "minimize",
    "scale": "relative",
    "timeout": "5s",
}]))]
pub struct ProgramKeys {
    /// the program and its arguments, with placeholders. There is no shell: spaces separate words,
    /// quotation marks keep a word together, and shell syntax such as `<` or `&&` needs `["sh",
    /// "-c", "..."]`
    #[schemars(extend("x-group" = "What to run"))]
    pub command: Command,
    /// command that runs once before the first trial
    pub build: Option<Command>,
    /// command that runs after the program and prints the score; `{output}` is a file with the
    /// program's output
    pub scorer: Option<Command>,
    /// environment variables, such as { AHC_K = "{k}" }; constants that `evolve init --suggest` has
    /// changed need none
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    #[schemars(title = "a table of strings with placeholders", extend("default" = null))]
    pub env: BTreeMap<String, Template>,
    /// whether the program stays alive and answers one line for each trial; see [worker
    /// mode](programs.md#worker-mode)
    #[serde(default)]
    pub worker: bool,
    /// source files with parameters declared by comments such as `// evolve: [1, 20]`
    // What they declare is written among the parameters.
    #[serde(default, skip_serializing)]
    pub source: Vec<String>,
    /// forbidden combinations of values, as conditions on parameters; see
    /// [conditions](searching.md#conditions-and-forbidden-combinations)
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(title = "a list of conditions, such as [\"move == 'swap' && k > 10\"]")]
    pub forbid: Vec<String>,
    /// seeds of the instances; without `seeds` and `files`, every trial has a new seed
    #[schemars(extend("x-group" = "Instances"))]
    #[schemars(length(min = 1), title = "a string such as \"0-99\" or \"0-49, 100, 102\"")]
    pub seeds: Option<String>,
    /// pattern of input files, such as "in/*.txt", or a list of patterns; each file is an instance
    pub files: Option<Patterns>,
    /// file for the program's standard input; default: the input file of the instance, unless the
    /// command contains `{input}`
    #[schemars(length(min = 1))]
    pub stdin: Option<Template>,
    /// numbers and words that describe an instance before it is played, such as its size: the
    /// search expects similar effects on similar instances; see
    /// [features](programs.md#features-of-instances)
    #[serde(default, skip_serializing_if = "FeatureKeys::is_empty")]
    pub features: FeatureKeys,
    /// whether search, validation, selection and test get different instances; if false, all of
    /// them use every instance, with different `{random}` seeds, and the verdict is about these
    /// instances only
    #[serde(default = "yes")]
    pub split: bool,
    /// how to find the score. A regular expression with a group around the number: its last match
    /// on standard output counts, or else on standard error. `last-line`: the last line that is not
    /// blank. `json:NAME`: a name in a JSON object, which is the whole output or its last line.
    /// `time` or `wall`: the CPU time or wall-clock time of the program in seconds. Default: `Score
    /// = 123` or `score: 1e3`, in upper or lower case. See [what counts as a
    /// number](programs.md#scores)
    #[schemars(extend("x-group" = "Scores"))]
    #[schemars(length(min = 1), title = "a regular expression, \"last-line\", \"json:NAME\", \"time\" or \"wall\"")]
    pub score: Option<String>,
    /// whether larger or smaller scores are better
    #[serde(default)]
    pub goal: Direction,
    /// how the objective follows from the score: `raw` is the score, `log` its logarithm,
    /// `relative` its ratio to the baseline's score on the same instance, and `best` its ratio to
    /// the best known score of the instance, in a file with lines `instance,score`, which runs
    /// create and improve by themselves with `keep = true`; for run times, the default is `log`
    #[serde(default)]
    pub scale: Scale,
    /// other numbers that the program prints, for the tables and for `[constraints]`: names in its
    /// JSON object or in lines such as `nodes = 7`, or a table of patterns, each with a group
    /// around the number (the last match counts); named groups in the pattern of the score are also
    /// metrics
    #[serde(default)]
    pub metrics: MetricKeys,
    /// metrics and features by whose values the tables group the instances; of more than eight
    /// different numbers, a feature makes four ranges
    #[serde(default)]
    pub group_by: Vec<String>,
    /// whether the same parameters, instance and seed always give the same score; set it to false
    /// if the program has a time limit; it is always false for run times
    #[serde(default = "yes")]
    pub deterministic: bool,
    /// time until which the program runs, which it receives as `{limit_ms}` or `{limit_s}`, or in
    /// a constant of the `source` marked with `// evolve: limit ms`: `full` in the held-out test
    /// and in comparisons, `search` in all other trials; see [tune for a time limit](contest.md)
    #[schemars(extend("x-group" = "Limits and failures"))]
    pub limit: Option<LimitKeys>,
    /// wall-clock limit of the program in a trial, after which it is stopped; the scorer has its
    /// own limit of one minute
    #[serde(default = "minute")]
    pub timeout: Time,
    /// CPU time limit of a trial; default: none
    pub cpu_limit: Option<Time>,
    /// memory limit of a trial in MiB; default: none
    #[schemars(range(min = 1, max = 1_073_741_824))]
    pub memory_limit: Option<u64>,
    /// score of a failed trial: a number; `worst`, which is a ratio of 0 and needs a ratio `scale`;
    /// or `stop`, which ends the run. A table sets it by kind: exit, signal, time, memory, output,
    /// score (no score), wrong (a line with "wrong answer"), scorer, and default for the others.
    /// Default: `worst` for ratios, otherwise `stop`
    pub on_failure: Option<OnFailure>,
    /// exit statuses that mean success, besides 0, such as 10 and 20 of SAT solvers
    #[serde(default)]
    #[schemars(title = "a list of whole numbers from 1 to 255")]
    pub success_status: Vec<u8>,
    /// score of a trial that reaches `timeout`, in multiples of `timeout`, if the score is a run
    /// time; default: 10 (PAR10)
    #[schemars(range(min = 1.0, max = 1e6))]
    pub penalty: Option<f64>,
    /// multiple of the incumbent's score on the same instance at which a trial of the search stops,
    /// for minimized scores; `off`: no trial stops early. If the score is a run time, `evolve`
    /// stops the program. Otherwise, the program must stop itself at `{cap}`, or a worker at the
    /// `cap` of its trial. Default: 2 for run times and if `{cap}` is used, otherwise `off`
    pub capping: Option<Capping>,
}

impl ProgramKeys {
    /// Returns the commands of a trial.
    pub(crate) fn commands(&self) -> impl Iterator<Item = &Command> {
        std::iter::once(&self.command).chain(&self.scorer)
    }

    /// Returns all templates whose placeholders refer to a trial.
    pub(crate) fn templates(&self) -> impl Iterator<Item = &Template> {
        self.commands().flat_map(Command::templates).chain(self.env.values()).chain(&self.stdin)
    }

    /// Returns all placeholders that refer to a trial.
    pub(crate) fn placeholders(&self) -> impl Iterator<Item = &Placeholder> {
        self.templates().flat_map(Template::placeholders)
    }

    /// Returns whether any template has this placeholder.
    pub(crate) fn mentions(&self, built_in: BuiltIn) -> bool {
        self.templates().any(|template| template.mentions(built_in))
    }

    /// Returns whether a trial gets the seed of its instance, other than in the name of an input.
    pub(crate) fn passes_seed(&self) -> bool {
        let mut templates = self.commands().flat_map(Command::templates).chain(self.env.values());
        templates.any(|template| template.mentions(BuiltIn::Seed))
    }

    /// Returns whether the program receives all parameters, however they are named.
    pub(crate) fn passes_all(&self) -> bool {
        self.worker || self.mentions(BuiltIn::Params) || self.mentions(BuiltIn::Args)
    }
}

/// A pattern of files, or several.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(untagged)]
#[schemars(title = "a string or a list of strings")]
pub enum Patterns {
    /// One.
    One(#[schemars(length(min = 1))] String),
    /// Several, of which a file may match more than one.
    Several(#[schemars(length(min = 1))] Vec<String>),
}

/// The reason why patterns give no files.
#[derive(Debug, Error)]
pub enum PatternsError {
    #[error("`{0}` is not a file pattern: {1}")]
    Pattern(String, glob::PatternError),
    #[error("`{0}`: {1}")]
    Unreadable(String, glob::GlobError),
    #[error("no file matches `{0}`")]
    NoFile(String),
    #[error("`{pattern}` matches {}, whose name is not UTF-8: rename it", excerpt(path.as_os_str().as_encoded_bytes()))]
    NotUtf8 { pattern: String, path: PathBuf },
}

impl Patterns {
    /// Returns the files that match, in the order of their paths.
    ///
    /// # Errors
    /// If a pattern is invalid, no file matches it, or the name of a file that matches is not
    /// UTF-8.
    pub fn files(&self) -> Result<Vec<PathBuf>, PatternsError> {
        let mut files = Vec::new();
        for pattern in self.each() {
            if let Some(path) = passed_over(pattern) {
                return Err(PatternsError::NotUtf8 { pattern: pattern.clone(), path });
            }
            let before = files.len();
            let paths = glob::glob(pattern).map_err(|error| PatternsError::Pattern(pattern.clone(), error))?;
            for path in paths {
                let path = path.map_err(|error| PatternsError::Unreadable(pattern.clone(), error))?;
                if path.is_file() {
                    files.push(PathBuf::from(slashed(&path)));
                }
            }
            if files.len() == before {
                return Err(PatternsError::NoFile(pattern.clone()));
            }
        }
        files.sort();
        files.dedup();
        Ok(files)
    }

    pub fn each(&self) -> &[String] {
        match self {
            Patterns::One(pattern) => std::slice::from_ref(pattern),
            Patterns::Several(patterns) => patterns,
        }
    }
}

impl From<Vec<String>> for Patterns {
    fn from(mut patterns: Vec<String>) -> Self {
        match patterns.len() {
            1 => Patterns::One(patterns.remove(0)),
            _ => Patterns::Several(patterns),
        }
    }
}

impl fmt::Display for Patterns {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}`", self.each().join("`, `"))
    }
}

/// Numbers beside the score.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(untagged)]
#[schemars(title = "a list of names, or a table of regular expressions such as { nodes = 'nodes: (\\d+)' }")]
pub enum MetricKeys {
    /// Names in JSON.
    Names(Vec<String>),
    /// Patterns by name.
    Patterns(IndexMap<String, String>),
}

impl Default for MetricKeys {
    fn default() -> Self {
        MetricKeys::Names(Vec::new())
    }
}

fn yes() -> bool {
    true
}

fn minute() -> Time {
    Time(Duration::from_secs(60))
}

/// The time limits that a program receives.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(title = "a table of durations, such as { full = \"2.84s\", search = \"0.5s\" }")]
pub struct LimitKeys {
    /// limit of the contest
    pub full: Time,
    /// shorter limit for the search; default: `full`
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub search: Option<Time>,
}

/// The score at which trials of the search stop.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(title = "a number of 1 or more, or \"off\"")]
pub enum Capping {
    /// Trials never stop early.
    Off,
    /// At this multiple of the rival's score.
    #[serde(untagged)]
    Factor(f64),
}

/// A parameter, or an array of parameters.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
#[schemars(title = "a table, such as { int = [1, 20], start = 5 }")]
pub struct ParameterKeys {
    /// declares a whole number, with its range
    #[schemars(title = "[smallest, largest], whole numbers within plus or minus 2^53")]
    #[schemars(inner(range(min = -9_007_199_254_740_992_i64, max = 9_007_199_254_740_992_i64)))]
    pub int: Option<[i64; 2]>,
    /// declares a number, with its range
    #[schemars(title = "[smallest, largest], finite numbers")]
    pub float: Option<[Number; 2]>,
    /// declares a choice, with its options
    #[schemars(length(min = 2), title = "a list of two names or more, such as [\"swap\", \"2opt\"]")]
    pub choice: Option<Vec<Scalar>>,
    /// declares a switch, which is true or false
    #[schemars(title = "true", extend("const" = true))]
    pub bool: Option<bool>,
    /// whether the search uses the logarithm of the number
    pub log: Option<bool>,
    /// puts the number on a grid, without `log`: its values are smallest + k * step, up to the
    /// last one that is not above largest
    #[schemars(title = "a number above 0, for `int` a whole one", extend("exclusiveMinimum" = 0))]
    pub step: Option<Number>,
    /// declares an array, with its number of elements
    #[schemars(range(min = 1, max = 2000))]
    pub count: Option<usize>,
    /// start value, or the list of start values of an array
    pub start: Option<Start>,
    /// separator between the elements of an array
    pub separator: Option<String>,
    /// size of a noticeable change: the unit of the search; default: a fraction of the range
    #[schemars(title = "a number above 0", extend("exclusiveMinimum" = 0))]
    pub unit: Option<Number>,
    /// condition on earlier parameters; where it is false, this parameter is inactive: it has no
    /// effect, and [does not reach the program](programs.md#inactive-parameters)
    pub condition: Option<String>,
    /// mean and standard deviation of the values that you expect to be good; with `log`, the
    /// standard deviation is in natural logarithms; see [priors](searching.md#priors)
    pub prior: Option<PriorKeys>,
    /// features that the number follows: the search finds a small function of them, if the trials
    /// show that it is better than a constant; see [parameters that follow the
    /// instance](searching.md#parameters-that-follow-the-instance)
    pub by: Option<ByKeys>,
    /// description for readers
    pub description: Option<String>,
}

/// The features that a parameter follows.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(untagged)]
#[schemars(
    title = "a list of features, or a table of their ranges or groups, such as { n = [15, 48], kind = [\"a\", \"b\"], k = { 2 = 16, 3 = 5 } }"
)]
pub enum ByKeys {
    /// Features, whose ranges and groups are read from the instances.
    Names(#[schemars(length(min = 1))] Vec<String>),
    /// Features with their ranges or groups, as runs record them.
    Spreads(IndexMap<String, SpreadKeys>),
}

/// The range or the groups of a feature.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum SpreadKeys {
    /// Numbers from the smallest to the largest.
    Numbers([f64; 2]),
    /// Groups: words, or a few numbers.
    Groups(Vec<String>),
    /// Groups with the start value in each.
    Starts(IndexMap<String, Number>),
}

/// The values of a parameter that are expected to be good.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(title = "a table, such as { normal = [0.3, 0.1] }")]
pub struct PriorKeys {
    /// mean and standard deviation
    pub normal: [Number; 2],
}

/// Where a parameter or an array starts.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(untagged)]
#[schemars(title = "a value, or a list of values for an array")]
pub enum Start {
    // First, as a scalar takes any value.
    Each(Vec<Scalar>),
    All(Scalar),
}

/// A list of values, at least one.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(transparent)]
#[schemars(title = "a list of strings or numbers")]
pub struct Scalars(#[schemars(length(min = 1))] pub Vec<Scalar>);

/// A text, a number, true or false.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(try_from = "Value", into = "Value")]
pub struct Scalar(pub Value);

impl TryFrom<Value> for Scalar {
    type Error = &'static str;

    fn try_from(value: Value) -> Result<Self, &'static str> {
        match value {
            Value::String(_) | Value::Number(_) | Value::Bool(_) => Ok(Scalar(value)),
            // The schema says what it takes.
            Value::Null | Value::Array(_) | Value::Object(_) => Err("invalid value"),
        }
    }
}

impl From<Scalar> for Value {
    fn from(Scalar(value): Scalar) -> Self {
        value
    }
}

impl JsonSchema for Scalar {
    fn schema_name() -> Cow<'static, str> {
        "Scalar".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "anyOf": [{ "type": "string" }, { "type": "number" }, { "type": "boolean" }] })
    }
}
