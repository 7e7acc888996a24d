//! The sections of a job that declare a program. They are declared once: what is read, checked, written, completed by
//! editors and documented follows from these structs.

use crate::command::Command;
use crate::failure::OnFailure;
use crate::scale::{Goal, Scale};
use crate::template::Template;
use evolve_core::document::Time;
use indexmap::IndexMap;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use serde_json::{Number, Value};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::time::Duration;

/// The sections.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
pub struct File {
    pub program: ProgramKeys,
    /// `NAME = { int = [1, 20], start = 5 }`, `{ float = [1e-3, 1e3], log = true }`, `{ choice = ["a", "b"] }` or `{ bool =
    /// true }`, with the keys below; arrays have a `count`. Elements counted one by one, 2000 parameters are the most.
    #[serde(default)]
    pub parameters: IndexMap<String, ParameterKeys>,
    /// `NAME = [value, ..]`: variables whose values, all combined, are the scenarios of every trial. The score of a trial is
    /// the mean of its scenarios.
    #[serde(default)]
    pub scenarios: IndexMap<String, Scalars>,
}

/// A program in any language, instead of `[game]`. Commands and files are looked for from the folder that the run is
/// started in. Placeholders: `{NAME}` of parameters and scenario variables, `{seed}`, `{instance}`, `{input}`, `{output}`,
/// `{random}`, `{dir}`, `{params}` (a JSON file of all parameters) and `{args}` (all as `--NAME VALUE`); `{seed:04}` has
/// four digits, `{x:.3}` three decimals, `{on:d}` is 1 or 0, `{on:--fast}` is `--fast` or nothing; `{{` and `}}` are
/// braces.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ProgramKeys {
    /// the program and its arguments, with placeholders; split as a shell would, but no shell runs it
    pub command: Command,
    /// run once before the first trial
    pub build: Option<Command>,
    /// run after the program; its output has the score. `{output}` is what the program printed
    pub scorer: Option<Command>,
    /// variables of the environment, such as { AHC_K = "{k}" }
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    #[schemars(title = "a table of texts with placeholders", extend("default" = null))]
    pub env: BTreeMap<String, Template>,
    /// what of a score is optimized: itself, its logarithm, or its ratio to the start's score or to the best known score
    /// (lines `instance,score` of a file) on the same instance
    #[serde(default)]
    pub scale: Scale,
    /// what a failed trial counts as: a score; `worst`, on ratios, for a ratio of 0; or the end of the run. Kinds: exit,
    /// signal, time, memory, output, score, wrong (a line with "wrong answer"), scorer. Left out: worst on ratios, else
    /// stop
    pub on_failure: Option<OnFailure>,
    /// the program stays alive and answers a line to each trial; see `workers/`
    #[serde(default)]
    pub worker: bool,
    /// file that the program reads on standard input; left out: the instance's input, if the command does not name it as
    /// `{input}`
    #[schemars(length(min = 1))]
    pub stdin: Option<Template>,
    /// source files with parameters declared by comments such as `// evolve: [1, 20]`
    // What they declare is written among the parameters.
    #[serde(default, skip_serializing)]
    pub source: Vec<String>,
    /// seeds of the instances; if there are no instances at all, seeds never end
    #[schemars(length(min = 1), title = "a text like \"0-99\" or \"0-49, 100, 102\"")]
    pub seeds: Option<String>,
    /// pattern of input files, such as "in/*.txt"; each is an instance
    #[schemars(length(min = 1))]
    pub files: Option<String>,
    /// whether every instance belongs to one purpose; false: all are used for all, with other `{random}`, and the verdict
    /// claims nothing beyond them
    #[serde(default = "yes")]
    pub split: bool,
    /// where the score is: the last match on standard output, else on standard error; left out: `Score = 123`
    #[schemars(length(min = 1), title = "a regular expression, \"last-line\" or \"json:NAME\"")]
    pub score: Option<String>,
    /// names of further numbers beside a score in JSON, for the tables; of a regular expression they are the named groups
    #[serde(default)]
    pub metrics: Vec<String>,
    /// metrics whose values are kinds of deals in the tables
    #[serde(default)]
    pub group_by: Vec<String>,
    /// whether large or small scores are good
    #[serde(default)]
    pub goal: Goal,
    /// wall-clock time of a trial; its scorer has a minute of its own
    #[serde(default = "minute")]
    pub timeout: Time,
    /// CPU time of a trial; left out: no limit
    pub cpu_limit: Option<Time>,
    /// memory of a trial in MiB; left out: no limit
    #[schemars(range(min = 1, max = 1_073_741_824))]
    pub memory_limit: Option<u64>,
    /// whether the same parameters and deal always give the same score; false for programs that watch the clock
    #[serde(default = "yes")]
    pub deterministic: bool,
}

fn yes() -> bool {
    true
}

fn minute() -> Time {
    Time(Duration::from_secs(60))
}

/// A parameter, or an array of parameters.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
#[schemars(title = "a table, such as { int = [1, 20], start = 5 }")]
pub struct ParameterKeys {
    /// whole numbers of a range
    #[schemars(title = "[smallest, largest], whole numbers within plus or minus 2^53")]
    #[schemars(inner(range(min = -9_007_199_254_740_992_i64, max = 9_007_199_254_740_992_i64)))]
    pub int: Option<[i64; 2]>,
    /// numbers of a range
    #[schemars(title = "[smallest, largest], finite numbers")]
    pub float: Option<[Number; 2]>,
    /// one of several names
    #[schemars(title = "a list of names, such as [\"swap\", \"2opt\"]")]
    pub choice: Option<Vec<Scalar>>,
    /// on or off; `start` says which at first
    #[schemars(title = "true", extend("const" = true))]
    pub bool: Option<bool>,
    /// whether ratios count and not differences
    pub log: Option<bool>,
    /// elements of an array
    #[schemars(range(min = 1, max = 2000))]
    pub count: Option<usize>,
    /// the value that it starts at, or those of an array
    pub start: Option<Start>,
    /// what stands between the elements of an array
    pub separator: Option<String>,
    /// the distance of two values worth comparing
    #[schemars(title = "a number above 0", extend("exclusiveMinimum" = 0))]
    pub step: Option<Number>,
    /// condition on earlier parameters under which it has an effect, such as "move != 'swap' and k > 3"
    pub condition: Option<String>,
    /// what it does, for a person
    pub description: Option<String>,
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
#[schemars(title = "a list of texts or numbers")]
pub struct Scalars(#[schemars(length(min = 1))] pub Vec<Scalar>);

/// A text, a number, true or false.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(transparent)]
pub struct Scalar(pub Value);

impl JsonSchema for Scalar {
    fn schema_name() -> Cow<'static, str> {
        "Scalar".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "anyOf": [{ "type": "string" }, { "type": "number" }, { "type": "boolean" }] })
    }
}

impl Scalar {
    /// As a name among choices.
    pub fn text(&self) -> String {
        self.0.as_str().map_or_else(|| self.0.to_string(), String::from)
    }
}
