//! What is tuned: a committed job's problem, with its start, its ranges and what it holds fixed.

use evolve_core::parameter::Parameter;
use evolve_core::space::Space;
use policy::weights::Weight;
use std::path::Path;

use crate::games::Game;

/// A problem with a space.
pub struct Case {
    /// Its name in tables.
    pub name: &'static str,
    /// What is searched.
    pub space: Space,
    /// What is played.
    pub game: Game,
}

/// Name, job, and the results whose weights are the start.
type Row = (&'static str, &'static str, Option<&'static str>);

/// The cases in the order of tables.
pub const CASES: [Row; 6] = [
    ("group-4-greedy", "solitaire-chess/group-4-greedy", None),
    ("group-5-greedy", "solitaire-chess/group-5-greedy", None),
    ("group-6-greedy", "solitaire-chess/group-6-greedy", None),
    ("group-5-beam", "solitaire-chess/group-5", Some("solitaire-chess/group-5-greedy")),
    ("group-6-beam", "solitaire-chess/group-6", Some("solitaire-chess/group-6-greedy")),
    ("chess-puzzle-greedy", "chess-puzzle/greedy", None),
];

impl Case {
    /// Reads the job of a case from `configs/`, and its start from `results/`.
    pub fn read(name: &str) -> Result<Self, String> {
        let row = CASES.iter().find(|row| row.0 == name);
        let &(name, job, start) = row.ok_or_else(|| {
            let known: Vec<_> = CASES.iter().map(|row| row.0).collect();
            format!("there is no problem `{name}`; there are {}", known.join(", "))
        })?;
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let table = |path: String| -> Result<toml::Table, String> {
            let path = root.join(path);
            let text = std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
            text.parse().map_err(|error| format!("{}: {error}", path.display()))
        };
        let job = table(format!("configs/{job}.toml"))?;
        let game = Game::read(&job);
        let declared = game.weights();
        let mut values: Vec<f64> = declared.iter().map(|weight| weight.default).collect();
        if let Some(start) = start {
            let results = table(format!("results/{start}/weights.toml"))?;
            for (weight, value) in declared.iter().zip(&mut values) {
                let given =
                    results["weights"].get(weight.name).and_then(|v| v.as_float().or(v.as_integer().map(|i| i as f64)));
                *value = given.unwrap_or(weight.default);
            }
        }
        let fixed: Vec<&str> = match job.get("weights").and_then(|weights| weights.get("fixed")) {
            Some(fixed) => fixed.as_array().into_iter().flatten().filter_map(|text| text.as_str()).collect(),
            None => Vec::new(),
        };
        let evolving = declared
            .iter()
            .enumerate()
            .filter(|(_, weight)| !fixed.iter().any(|pattern| fits(pattern, weight.name)))
            .map(|(i, _)| i)
            .collect();
        Ok(Case { name, space: Space::new(declared.iter().map(parameter).collect(), values, evolving), game })
    }
}

fn parameter(weight: &Weight) -> Parameter {
    Parameter::float(weight.name, weight.min, weight.max, weight.default).scale(weight.scale)
}

/// Whether a name fits a pattern with one star at most.
fn fits(pattern: &str, name: &str) -> bool {
    match pattern.split_once('*') {
        Some((head, tail)) => name.len() >= head.len() + tail.len() && name.starts_with(head) && name.ends_with(tail),
        None => pattern == name,
    }
}
