//! The sections of a job file, declared once: what is read, checked, written, completed by editors (docs/job.schema.json)
//! and documented (docs/config.md) follows from these structs, and from those of problems and optimizers.

use crate::document::Time;
use crate::document::schema::{self, properties, takes};
use crate::document::text::inline;
use crate::job::Catalogue;
use crate::job::source::{self, About, Choice};
use crate::search::Method;
use indexmap::IndexMap;
use schemars::{JsonSchema, Schema};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use std::fmt::Write;

/// A job: which weights of a game, or of a program, evolve, and how.
///
/// A job that declares a problem has further sections.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
pub struct File {
    /// folder of the results below `results/`: letters, digits, `-`, `_`, `.` and `/`
    #[schemars(length(min = 1))]
    pub name: String,
    /// every random number of the run follows from it
    #[serde(default = "one")]
    pub seed: u64,
    /// written by runs: the version of players and search that the results are of
    #[schemars(range(min = 1))]
    pub version: Option<u64>,
    /// Which game, and its options, listed in the job of `evolve init --game NAME`.
    pub game: Option<Choice>,
    /// In which player the weights evolve, and its settings, listed in the job of `evolve init --game NAME`.
    pub player: Option<Choice>,
    /// The same for the player of the exported program. Left out: the player that the weights evolve in.
    pub submission: Option<Choice>,
    #[serde(default)]
    pub weights: Weights,
    #[serde(default)]
    pub evolution: Search,
    #[serde(default)]
    pub validation: Validation,
    #[serde(default)]
    pub r#final: Final,
}

fn one() -> u64 {
    1
}

/// Where the search starts, and what it searches.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Weights {
    /// starting weights: "defaults", or a weights file or the folder of a run, from the current folder
    #[schemars(length(min = 1))]
    pub start: String,
    /// weights to search: names, or patterns with `*` for any letters
    pub include: Vec<String>,
    /// weights to exclude from the search
    pub exclude: Vec<String>,
    /// `NAME = value`: starts this weight at another value, within its range.
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub values: Map<String, Value>,
    /// `NAME = [smallest, largest]`: narrows the range of a weight.
    #[serde(skip_serializing_if = "IndexMap::is_empty")]
    pub ranges: IndexMap<String, Range>,
}

/// The narrowed range of a weight.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(transparent)]
#[schemars(title = "[smallest, largest]")]
pub struct Range(pub [serde_json::Number; 2]);

impl Default for Weights {
    fn default() -> Self {
        Weights {
            start: "defaults".to_string(),
            include: vec!["*".to_string()],
            exclude: Vec::new(),
            values: Map::new(),
            ranges: IndexMap::new(),
        }
    }
}

/// The search. Besides these keys it has those of its optimizer, below.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(default)]
pub struct Search {
    /// which optimizer: `auto`, which has nothing to set, or `genetic`, with the keys below
    pub optimizer: String,
    /// games of the search; this, `generations`, `time` or several of them must be given
    #[schemars(range(min = 1, max = 1_152_921_504_606_846_975_u64))]
    pub budget: Option<u64>,
    /// generations to evolve
    #[schemars(range(min = 1, max = 1_000_000_000))]
    pub generations: Option<u64>,
    /// time to evolve, stops not counted, the final round besides; the generation under way is completed. How many
    /// generations fit depends on the machine: what must reproduce is limited by `budget` or `generations`
    pub time: Option<Time>,
}

impl Default for Search {
    fn default() -> Self {
        Search { optimizer: "auto".to_string(), budget: None, generations: None, time: None }
    }
}

/// Held-out games while the run goes on.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Validation {
    /// held-out games, on which the mean is checked whenever the search has played ten times as many, paired with the
    /// starting weights on them; left out: 200, or a 200th of `budget`, at least 30
    #[schemars(range(min = 30, max = 1_000_000))]
    pub games: Option<usize>,
}

/// How the run recommends a policy.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Final {
    /// fresh games of the final round that chooses among the finalists; left out: 500, or a 100th of `budget`, at least
    /// 30
    #[schemars(range(min = 2, max = 1_000_000))]
    pub games: Option<usize>,
    /// other fresh games at most, on which the chosen finalist is compared with the starting weights: the verdict ends as
    /// soon as it is clear, that is worse, or better by a difference known to within a half of it; left out: 1000, or a
    /// 10th of `budget`, at least 30, and no more than five of an instance
    #[schemars(range(min = 30, max = 1_000_000))]
    pub verdict: Option<usize>,
}

/// The schema of jobs, about one problem or any of the catalogue, searched by these optimizers.
pub fn schema_of(catalogue: &Catalogue, about: Option<&About>, methods: &[&'static Method]) -> Schema {
    let mut schema = source::complete(schema::of::<File>(), about, catalogue);
    let search = schema.pointer_mut("/properties/evolution").expect("a job has a search");
    search["additionalProperties"] = json!(false);
    let own = search["properties"].as_object_mut().expect("a section has keys");
    own.extend(methods.iter().flat_map(|method| properties(&(method.keys)())));
    schema
}

/// The JSON Schema of all jobs, for editors.
pub fn schema(catalogue: &Catalogue) -> Schema {
    let mut schema = schema_of(catalogue, None, &catalogue.methods().collect::<Vec<_>>());
    schema.insert("$schema".to_string(), json!("http://json-schema.org/draft-07/schema#"));
    schema.insert("title".to_string(), json!("A job of evolve"));
    schema
}

/// The reference of all keys, as Markdown.
pub fn reference(catalogue: &Catalogue) -> String {
    let mut text = String::from(
        "# The keys of a job file\n\nA job is a TOML file. An unknown key, a weight that does not exist or a value \
         that is not allowed is\nanswered with its line before the first game is played.\n\nEditors complete and check a job as one types, \
         offline: `evolve init` writes [`job.schema.json`](job.schema.json)\nbeside a job, whose first line \
         `#:schema ./job.schema.json` names it for [taplo](https://taplo.tamasfe.dev) and\neditors that build on it, such \
         as Even Better TOML. In other jobs, write that line and copy the file.\n",
    );
    let file = schema::of::<File>();
    write_section(&mut text, "", file.as_value());
    for (name, section) in properties(&file).iter().filter(|(_, of_name)| is_section(of_name)) {
        write_section(&mut text, &format!("`[{name}]`"), section);
        let within = section.get("properties").and_then(Value::as_object).into_iter().flatten();
        for (inner, section) in within.filter(|(_, of_name)| is_section(of_name)) {
            write_section(&mut text, &format!("`[{name}.{inner}]`"), section);
        }
        for method in catalogue.methods().filter(|_| name == "evolution") {
            let mut keys = (method.keys)();
            keys.insert("description".to_string(), json!(format!("{}.", capitalised(method.meaning))));
            write_section(
                &mut text,
                &format!("`[evolution]`, with `optimizer = \"{}\"`", method.name),
                keys.as_value(),
            );
        }
    }
    for (name, section) in catalogue.declares().flat_map(|declares| properties(&declares.schema())) {
        write_section(&mut text, &format!("`[{name}]`"), &section);
    }
    text
}

/// Whether a key is a section, rather than a value that is written as a table.
fn is_section(schema: &Value) -> bool {
    schema.get("title").is_none() && schema.get("type") == Some(&json!("object"))
}

fn write_section(text: &mut String, title: &str, section: &Value) {
    let title = if title.is_empty() { "Top level" } else { title };
    write!(text, "\n## {title}\n").expect("writing to a string does not fail");
    let said = |schema: &Value| schema.get("description").and_then(Value::as_str).unwrap_or_default().to_string();
    if title != "Top level" && !said(section).is_empty() {
        write!(text, "\n{}\n", said(section)).expect("writing to a string does not fail");
    }
    // A section of free names may have the same keys for each.
    let section = section.get("additionalProperties").filter(|each| each.is_object()).unwrap_or(section);
    let keys = section.get("properties").and_then(Value::as_object).into_iter().flatten();
    let keys: Vec<_> = keys.filter(|(_, key)| !is_section(key)).collect();
    if keys.is_empty() {
        return;
    }
    let required = section.get("required").and_then(Value::as_array).cloned().unwrap_or_default();
    text.push_str("\n| key | takes | default | meaning |\n|---|---|---|---|\n");
    for (name, key) in keys {
        let default = match key.get("default") {
            Some(default) => format!("`{}`", inline(default)),
            None if required.contains(&json!(name)) => "required".to_string(),
            None => String::new(),
        };
        writeln!(text, "| `{name}` | {} | {default} | {} |", takes(key), said(key))
            .expect("writing to a string does not fail");
    }
}

/// A sentence of a phrase.
fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}
