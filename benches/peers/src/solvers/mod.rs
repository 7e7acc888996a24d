//! Two solvers whose best parameters differ between instances, in kind and with a number.
//!
//! The search has 100 instances; 1,000 others measure a recommendation. Smaller scores are better.

mod dispatch;
mod partition;

use dispatch::Shop;
use evolve_core::job::{Game, Nothing};
use evolve_search::document::Table;
use evolve_search::model::features::{Feature, Features, Values};
use evolve_search::model::parameter::{Parameter, follow};
use evolve_search::model::problem::{Candidate, Context, OpenError, Problem, Session, session, written};
use evolve_search::model::seed::{Split, generator, seed};
use evolve_search::model::trial::{Case, Outcome, PlayError};
use partition::Graph;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

const SEARCHED: u64 = 100;
const MEASURED: u64 = 1000;

#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Name {
    /// A dispatching rule for jobs with due dates and setups. The best values differ between four
    /// kinds of instances.
    Dispatch,
    /// An annealer that halves a graph. The best temperature grows with the weights of edges.
    Partition,
}

impl Name {
    pub const ALL: [(&'static str, Name); 2] = [("dispatch", Name::Dispatch), ("partition", Name::Partition)];

    /// Returns the name of the feature that parameters follow.
    pub fn feature(self) -> &'static str {
        match self {
            Name::Dispatch => "kind",
            Name::Partition => "magnitude",
        }
    }
}

enum Instance {
    Shop(Shop),
    Graph(Graph),
}

impl Instance {
    fn new(name: Name, split: Split, number: u64) -> Self {
        let mut random = generator(seed(name as u64, split, 0, number));
        match name {
            Name::Dispatch => Instance::Shop(Shop::new(&mut random)),
            Name::Partition => Instance::Graph(Graph::new(&mut random)),
        }
    }

    /// Returns the feature that parameters follow.
    fn feature(&self) -> follow::Value<'_> {
        match self {
            Instance::Shop(shop) => follow::Value::Word(shop.kind()),
            Instance::Graph(graph) => follow::Value::Number(graph.magnitude),
        }
    }

    fn score(&self, x: &[f64]) -> f64 {
        match self {
            Instance::Shop(shop) => shop.tardiness(x),
            Instance::Graph(graph) => graph.cut(x),
        }
    }
}

#[derive(Clone, Copy, Debug, Deserialize, Serialize, JsonSchema)]
pub struct Options {
    solver: Name,
    /// Whether all parameters follow the feature.
    #[serde(default)]
    follow: bool,
}

struct Solver {
    options: Options,
    parameters: Arc<[Parameter]>,
    searched: Arc<[Instance]>,
    measured: Arc<[Instance]>,
}

impl Solver {
    fn new(options: Options) -> Self {
        let mut parameters = match options.solver {
            Name::Dispatch => dispatch::parameters(),
            Name::Partition => partition::parameters(),
        };
        for place in 0..if options.follow { parameters.len() } else { 0 } {
            let factors = match options.solver {
                Name::Dispatch => dispatch::KINDS.map(|kind| follow::By::Group(kind.to_string())).to_vec(),
                Name::Partition => vec![follow::By::Number { low: 0.0, high: partition::MAGNITUDES }],
            };
            let of = |by| Parameter::coefficient(&parameters[place], place, options.solver.feature(), by);
            let all: Vec<Parameter> = factors.into_iter().map(of).collect();
            parameters.extend(all);
        }
        let all = |split, count| (0..count).map(|i| Instance::new(options.solver, split, i)).collect();
        let (searched, measured) = (all(Split::Search, SEARCHED), all(Split::Measurement, MEASURED));
        Solver { options, parameters: parameters.into(), searched, measured }
    }
}

impl Problem for Solver {
    fn name(&self) -> &str {
        "solver"
    }

    fn options(&self) -> Table {
        written(&self.options)
    }

    fn parameters(&self) -> Vec<Parameter> {
        self.parameters.to_vec()
    }

    fn instances(&self, split: Split) -> Option<Vec<String>> {
        let count = if split == Split::Measurement { MEASURED } else { SEARCHED };
        Some((0..count).map(|i| i.to_string()).collect())
    }

    fn features(&self) -> Arc<Features> {
        let (mut numbers, mut words) = (Vec::new(), Vec::new());
        for instance in &*self.searched {
            match instance.feature() {
                follow::Value::Number(number) => numbers.push(number),
                follow::Value::Word(word) => words.push(word.to_string()),
            }
        }
        let values = if words.is_empty() { Values::Numbers(numbers) } else { Values::Words(words) };
        Arc::new(Features::new(vec![Feature { name: self.options.solver.feature().to_string(), values }]))
    }

    fn open(&self, _: Context) -> Result<Box<dyn Session>, OpenError> {
        let (solver, parameters) = (self.options.solver, Arc::clone(&self.parameters));
        let plain = parameters.iter().filter(|parameter| parameter.follows.is_none()).count();
        let (searched, measured) = (Arc::clone(&self.searched), Arc::clone(&self.measured));
        Ok(session(move |candidate: Candidate<'_>| {
            let (searched, measured) = (Arc::clone(&searched), Arc::clone(&measured));
            let (parameters, values) = (Arc::clone(&parameters), candidate.values().to_vec());
            move |case: &Case| -> Result<Outcome, PlayError> {
                let instances = if case.split == Split::Measurement { &measured } else { &searched };
                let instance = &instances[case.number as usize % instances.len()];
                let x = follow::on_instance(&parameters, &values, |_| Some(instance.feature()));
                let score = instance.score(&x[..plain]);
                // Cuts differ by a factor of a hundred.
                let objective = if solver == Name::Partition { -libm::log(score) } else { -score };
                Ok(Outcome { score, objective, ..Outcome::default() })
            }
        }))
    }
}

/// Returns the solvers as a game.
pub fn game() -> Game {
    Game::new(|options: Options, _: Nothing| Solver::new(options))
}
