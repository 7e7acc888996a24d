//! The sections of a job file, declared once. Reading, checking, writing, completion in editors
//! (docs/job.schema.json) and the reference (docs/config.md) all follow from these structs, and
//! from the structs of problems and optimizers.

use crate::job::plan::{LARGEST_BUDGET, LEAST_BUDGET};
use crate::job::{Catalogue, DEFAULTS, Limits, Sizes};
use evolve_search::document::schema::{self, is_section, properties, takes};
use evolve_search::document::text::{capitalised, inline, to_toml};
use evolve_search::document::{Deadline, Time, is_default};
use indexmap::IndexMap;
use schemars::{JsonSchema, Schema};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use std::time::Duration;

/// A job: the problem, the tuned parameters, and the search.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
pub struct File {
    /// name of the run, and of its folder below `results/`: letters, digits, `-`, `_`, `.` and `/`
    #[schemars(length(min = 1))]
    pub name: String,
    /// seed of all random numbers of the run
    #[serde(default = "one")]
    pub seed: u64,
    /// version of the results; a run writes it into the copy of the job in its folder
    #[schemars(range(min = 1))]
    pub version: Option<u64>,
    #[serde(default)]
    #[schemars(extend("examples" = [{ "start": "results/first", "exclude": ["tile_*"] }]))]
    pub weights: Weights,
    #[serde(default)]
    #[schemars(extend("examples" = [{ "budget": 3000 }]))]
    pub search: SearchKeys,
}

fn one() -> u64 {
    1
}

/// The baseline and the tuned weights of a game.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Weights {
    /// values of the baseline: "defaults", a weights file or the folder of a run
    #[schemars(length(min = 1))]
    pub start: String,
    /// weights to tune: names, or patterns with `*` for any letters
    pub include: Vec<String>,
    /// weights to exclude from tuning
    pub exclude: Vec<String>,
    /// `NAME = value` sets the start value of a weight, within its range.
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub values: Map<String, Value>,
    /// `NAME = [smallest, largest]` narrows the range of a weight.
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
            start: DEFAULTS.to_string(),
            include: vec!["*".to_string()],
            exclude: Vec::new(),
            values: Map::new(),
            ranges: IndexMap::new(),
        }
    }
}

/// The optimizer and the limits of the run. The keys of the chosen optimizer, listed below, also
/// belong in this section.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(default)]
pub struct SearchKeys {
    /// `auto` or `genetic`; each has its own keys, below
    pub optimizer: String,
    /// maximum number of trials of the run: search, validation, selection and test; at least one of
    /// `budget`, `generations`, `time` and `deadline` is required
    #[schemars(range(min = LEAST_BUDGET, max = LARGEST_BUDGET))]
    budget: Option<u64>,
    /// maximum number of generations of the search
    #[schemars(range(min = 1, max = 1_000_000_000))]
    generations: Option<u64>,
    /// maximum time of the run, including the test but not interruptions; such a run is not
    /// reproducible, because the number of trials depends on the speed of the machine
    time: Option<Time>,
    /// end of a series of runs, each of which starts where the one before ended; the limits above
    /// then apply to each of them; see [tune until a deadline](contest.md#6-tune-until-a-deadline)
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deadline: Option<Deadline>,
    /// trials of each candidate in a validation, which compares the current recommendation of the
    /// search with the baseline on held-out instances; a validation follows every 10 * `validation`
    /// trials of the search; 0: no validation; default: a 200th of the run, from 30 to 10,000, or 0
    /// below 2,000 trials
    #[schemars(range(max = 1_000_000))]
    validation: Option<usize>,
    /// trials of each candidate in the selection, which chooses the finalist for the test, on
    /// instances that nothing else uses; 0: no selection; default: a 100th of the run, from 30 to
    /// 10,000, or 0 below 2,000 trials
    #[schemars(range(max = 1_000_000))]
    selection: Option<usize>,
    /// maximum number of trials of each candidate (finalist and baseline) in the held-out test,
    /// which ends early if the result is clear; 0: no test; default: a sixth of the run, from 6 to
    /// 10,000, but at most five for each instance, or one if replicates would be identical
    #[schemars(range(max = 1_000_000))]
    test: Option<usize>,
    /// number of instances, from the first, that the held-out test skips because earlier tests used
    /// them; a run after another sets it
    #[serde(skip_serializing_if = "is_default")]
    #[schemars(range(max = 1_000_000))]
    pub test_skips: usize,
}

impl SearchKeys {
    /// Returns the keys of one run. `test_skips` is the number of instances that earlier tests
    /// used.
    pub fn new(optimizer: &str, limits: Limits, sizes: Sizes, test_skips: usize) -> Self {
        let Limits { budget, generations, time } = limits;
        let Sizes { validation, selection, test } = sizes;
        let optimizer = optimizer.to_string();
        SearchKeys { optimizer, budget, generations, time, deadline: None, validation, selection, test, test_skips }
    }

    /// Returns the limits of a run. The time that is left until a deadline limits it, too.
    pub fn limits(&self) -> Limits {
        let Self { budget, generations, time, deadline, .. } = *self;
        let left = deadline.map(|deadline| Time(deadline.left().max(Duration::from_secs(1))));
        let time = [time, left].into_iter().flatten().min_by_key(|time| **time);
        Limits { budget, generations, time }
    }

    pub fn sizes(&self) -> Sizes {
        let Self { validation, selection, test, .. } = *self;
        Sizes { validation, selection, test }
    }
}

impl Default for SearchKeys {
    fn default() -> Self {
        SearchKeys::new("auto", Limits::default(), Sizes::default(), 0)
    }
}

/// Adds the sections that declare a problem to the schema of a file, before its other sections.
fn complete(mut schema: Schema, sections: Map<String, Value>) -> Schema {
    let (own, mut keys): (Map<_, _>, Map<_, _>) = properties(&schema).into_iter().partition(|(_, key)| is_section(key));
    keys.extend(sections);
    keys.extend(own);
    schema.insert("properties".to_string(), Value::Object(keys));
    schema.insert("additionalProperties".to_string(), json!(false));
    schema
}

/// The JSON Schema of all jobs, for editors.
pub fn schema(catalogue: &Catalogue) -> Schema {
    let keys: Map<String, Value> = catalogue.kinds().flat_map(|kind| properties(&kind.schema())).collect();
    let one: Vec<Value> = catalogue.kinds().map(|kind| json!({ "required": [kind.sections()[0]] })).collect();
    let mut schema = complete(schema::of::<File>(), keys);
    let search = schema.pointer_mut("/properties/search").expect("a job has a search");
    search["additionalProperties"] = json!(false);
    let own = search["properties"].as_object_mut().expect("a section has keys");
    own.extend(catalogue.methods().flat_map(|method| properties(&(method.keys)())));
    schema.insert("oneOf".to_string(), Value::Array(one));
    schema.insert("$schema".to_string(), json!("http://json-schema.org/draft-07/schema#"));
    schema.insert("title".to_string(), json!("A job of evolve"));
    schema
}

/// The reference of all keys, as Markdown.
pub fn reference(catalogue: &Catalogue) -> String {
    let mut text = String::from(
        "# Keys of a job\n\nA job is a TOML file. `evolve` reports unknown keys, unknown weights and invalid values with their line, before \
         the\nfirst trial.\n\nEditors complete and check jobs with the schema [`job.schema.json`](job.schema.json), which `evolve init` \
         writes\nbeside a job. The line `#:schema ./job.schema.json` at the top of a job refers to it; \
         [taplo](https://taplo.tamasfe.dev)\nand Even Better TOML understand it.\n\nThis page is generated from the structs \
         that read a job.\n",
    );
    let file = schema::of::<File>();
    write_section(&mut text, "", file.as_value());
    let of_kinds = catalogue.kinds().flat_map(|kind| properties(&kind.schema()));
    let own = properties(&file).into_iter().filter(|(_, key)| is_section(key));
    // The sections of games come last.
    let is_of_game = |(name, _): &(String, Value)| OF_GAMES.contains(&name.as_str());
    let (games, others): (Vec<_>, Vec<_>) = of_kinds.chain(own).partition(is_of_game);
    for (name, section) in others.iter().chain(&games) {
        write_section(&mut text, &format!("`[{name}]`"), section);
        let within = section.get("properties").and_then(Value::as_object).into_iter().flatten();
        for (inner, section) in within.filter(|(_, of_name)| is_section(of_name)) {
            write_section(&mut text, &format!("`[{name}.{inner}]`"), section);
        }
        for method in catalogue.methods().filter(|_| name == "search") {
            let mut keys = (method.keys)();
            keys.insert("description".to_string(), json!(format!("{}.", capitalised(method.meaning))));
            write_section(&mut text, &format!("`[search]`, with `optimizer = \"{}\"`", method.name), keys.as_value());
        }
    }
    text
}

/// The key of a schema that begins a group of keys, with its title.
const GROUP: &str = "x-group";

/// Sections of games, which the reference lists last.
const OF_GAMES: [&str; 4] = ["game", "player", "submission", "weights"];

fn write_section(text: &mut String, title: &str, section: &Value) {
    let title = if title.is_empty() { "Top level" } else { title };
    *text += &format!("\n## {title}\n");
    let said = |schema: &Value| schema.get("description").and_then(Value::as_str).unwrap_or_default().to_string();
    if title != "Top level" && !said(section).is_empty() {
        *text += &format!("\n{}\n", said(section));
    }
    if let Some(example) = section.get("examples").and_then(|examples| examples.get(0)) {
        let name = title.trim_matches(['`', '[', ']']).to_string();
        let example = to_toml(&Map::from_iter([(name, example.clone())]));
        *text += &format!("\n```toml\n{example}```\n");
    }
    // A section with free names may have the same keys for each name.
    let section = section.get("additionalProperties").filter(|each| each.is_object()).unwrap_or(section);
    let keys = section.get("properties").and_then(Value::as_object).into_iter().flatten();
    let keys: Vec<_> = keys.filter(|(_, key)| !is_section(key)).collect();
    if keys.is_empty() {
        return;
    }
    let required = section.get("required").and_then(Value::as_array).cloned().unwrap_or_default();
    const HEAD: &str = "\n| key | takes | default | meaning |\n|---|---|---|---|\n";
    if keys[0].1.get(GROUP).is_none() {
        text.push_str(HEAD);
    }
    for (name, key) in keys {
        if let Some(group) = key.get(GROUP).and_then(Value::as_str) {
            *text += &format!("\n{group}:\n{HEAD}");
        }
        let default = match key.get("default") {
            Some(default) => format!("`{}`", inline(default)),
            None if required.contains(&json!(name)) => "required".to_string(),
            None => String::new(),
        };
        *text += &format!("| `{name}` | {} | {default} | {} |\n", takes(key), said(key));
    }
}
