//! The problem of the tests of jobs and runs: a cheap noisy quadratic with parameters of all kinds.

use crate::job::Job;
use crate::job::{Catalogue, Game};
use evolve_search::document::{Document, Fault, Table};
use evolve_search::model::parameter::Parameter;
use evolve_search::model::parameter::condition::Condition;
use evolve_search::model::problem::{Context, OpenError, Problem, Session, session, written, written_player};
use evolve_search::model::seed::generator;
use evolve_search::model::trial::{Case, Metrics, Outcome};
use rand::RngExt;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// A noisy quadratic bowl. The score is the negative height above its bottom.
#[derive(Clone, Debug)]
pub struct Bowl {
    pub options: Options,
    pub player: Player,
}

/// The bowl's options.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema, PartialEq)]
pub struct Options {
    /// how far scores scatter
    #[schemars(range(max = 100))]
    pub noise: u32,
    /// form of the bowl
    #[serde(default)]
    pub shape: Shape,
}

#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize, JsonSchema, PartialEq)]
#[serde(rename_all = "lowercase")]
pub enum Shape {
    #[default]
    Round,
    Long,
}

/// The bowl's players, who do the same.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema, PartialEq)]
#[serde(rename_all = "lowercase")]
pub enum Player {
    /// rolls down
    Plain {
        /// steps
        #[serde(default = "two")]
        #[schemars(range(min = 1, max = 9))]
        depth: u32,
    },
    /// jumps
    Bold,
}

fn two() -> u32 {
    2
}

impl Problem for Bowl {
    fn name(&self) -> &str {
        "bowl"
    }

    fn options(&self) -> Table {
        written(&self.options)
    }

    fn player(&self) -> Option<Table> {
        Some(written_player(&self.player))
    }

    fn parameters(&self) -> Vec<Parameter> {
        let mut parameters = vec![
            Parameter::float("slope_x", -10.0, 10.0, 4.0).unit(1.0),
            Parameter::float("slope_y", -10.0, 10.0, -3.0).unit(1.0),
            Parameter::float("slope_far_drift", -5.0, 5.0, 0.0).meaning("bears on nothing"),
            Parameter::int("steps", 1, 20, 15),
            Parameter::choice("move", ["swap", "turn", "skip"], 0),
            Parameter::switch("polish", false),
        ];
        let turns = Condition::parse("move == 'turn'", &parameters).expect("the condition is right");
        parameters.push(Parameter::float("heat", 1e-3, 1e3, 1.0).log().when(turns));
        parameters
    }

    fn metrics(&self) -> Metrics {
        Metrics::new(&["height"], &[])
    }

    fn open(&self, _: Context) -> Result<Box<dyn Session>, OpenError> {
        let Options { noise, shape } = self.options;
        let (noise, longer) = (f64::from(noise), if shape == Shape::Round { 1.0 } else { 5.0 });
        Ok(session(move |candidate| {
            let (x, y) = (candidate.float("slope_x") - 1.0, candidate.float("slope_y") + 1.0);
            let steps = (candidate.int("steps") - 4) as f64;
            let kinds = [3.0, 0.0, 1.0][candidate.choice("move")] + f64::from(u8::from(!candidate.switch("polish")));
            let height = x * x + longer * y * y + 0.1 * steps * steps + kinds + 0.1 * candidate.float("heat");
            move |case: &Case| {
                let mut random = generator(case.seed);
                // The slope depends on the case, so that paired differences vary as well.
                let height = height * (0.8 + 0.4 * random.random::<f64>());
                let score = noise * (random.random::<f64>() - 0.5) - height;
                Ok(Outcome::of(score).objective(score / 2.0).metrics([height]))
            }
        }))
    }
}

pub fn catalogue() -> Catalogue {
    Catalogue::new(&[Game::new(|options, player| Bowl { options, player })])
}

/// A job of few, fast trials. A longer run would not have the last validation of this one.
pub const TINY: &str = r#"name = "tiny"
seed = 5

[game]
name = "bowl"
noise = 4

[player]
name = "plain"
depth = 3

[weights]
include = ["slope_*", "move", "steps", "polish", "heat"]
exclude = ["*_drift"]

[weights.values]
slope_x = 5

[weights.ranges]
slope_y = [-4, 4]

[search]
population = 5
trials = 3
generations = 3
optimizer = "genetic"
elites = 1
validation = 30
selection = 8
test = 30
"#;

pub fn parse(text: &str) -> Result<Job, Fault> {
    parse_with(text, &catalogue())
}

pub fn parse_with(text: &str, catalogue: &Catalogue) -> Result<Job, Fault> {
    Job::parse(&Document::new(Path::new("job.toml"), text.to_string()), catalogue)
}

/// Returns the tiny job with some of its texts replaced.
pub fn job(changes: &[(&str, &str)]) -> Job {
    let mut text = TINY.to_string();
    for (old, new) in changes {
        assert!(text.contains(old), "{old}");
        text = text.replacen(old, new, 1);
    }
    parse(&text).unwrap_or_else(|fault| panic!("{fault}"))
}
