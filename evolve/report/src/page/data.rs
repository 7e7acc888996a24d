//! The data of a page, from the files of runs.

use super::contest::{Comparison, Contests};
use super::explained::{self, Worth};
use super::history::History;
use super::input::Input;
use super::landscape::LandscapeData;
use super::thin::{short, thin};
use super::trials::Trials;
use super::words::{Words, words};
use crate::tables::{Run, WeightPath};
use evolve_core::job::Stage;
use evolve_core::model::parameter::{Kind, Parameter};
use evolve_core::search::FinalistKind;
use evolve_core::statistics::Interval;
use serde::Serialize;
use std::collections::BTreeMap;

/// The contents of a page.
#[derive(Serialize)]
pub struct Page {
    pub(super) title: String,
    version: &'static str,
    runs: Vec<RunData>,
    comparisons: Vec<Comparison>,
    contests: Option<Contests>,
}

impl Page {
    /// Creates the page of some runs, with the games that their policies played on the same deals,
    /// if any.
    pub fn new(inputs: &[Input], contests: Option<Contests>) -> Self {
        let runs: Vec<RunData> = inputs.iter().map(RunData::new).collect();
        let title = match &runs[..] {
            [run] => run.name.clone(),
            runs => format!("{} runs", runs.len()),
        };
        let comparisons = super::contest::compare(inputs, contests.as_ref());
        Page { title, version: env!("CARGO_PKG_VERSION"), runs, comparisons, contests }
    }
}

#[derive(Serialize)]
struct RunData {
    name: String,
    problem: String,
    player: String,
    seed: u64,
    words: Words,
    /// The name of the axis of objectives.
    objective: &'static str,
    generations: Generations,
    estimates: Vec<EstimateData>,
    weights: Vec<WeightData>,
    /// The names of all parameters, for lists that refer to them by index.
    parameters: Vec<String>,
    /// The single trials of a program.
    #[serde(skip_serializing_if = "Option::is_none")]
    trials: Option<Trials>,
    /// Every trial of a program.
    #[serde(skip_serializing_if = "Option::is_none")]
    history: Option<History>,
    /// The landscape by the model of the search.
    #[serde(skip_serializing_if = "Option::is_none")]
    landscape: Option<LandscapeData>,
    /// The gain of the incumbent in words, as `evolve status` shows it; until the run is complete.
    #[serde(skip_serializing_if = "Option::is_none")]
    gain: Option<String>,
}

/// The generations of a run, in lists of the same length.
#[derive(Serialize)]
struct Generations {
    generation: Vec<u64>,
    trials: Vec<u64>,
    seconds: Vec<f64>,
    best: Vec<f64>,
    mean: Vec<f64>,
}

#[derive(Serialize)]
struct EstimateData {
    stage: Stage,
    policy: FinalistKind,
    generation: u64,
    trials: u64,
    seconds: f64,
    played: u64,
    mean: f64,
    error: f64,
    difference: Option<Interval>,
}

#[derive(Serialize)]
struct WeightData {
    name: String,
    meaning: String,
    start: f64,
    recommended: Option<f64>,
    /// The value that the run would recommend now; `None` once it is complete.
    #[serde(skip_serializing_if = "Option::is_none")]
    incumbent: Option<f64>,
    /// Whether the search moves on its logarithm.
    log: bool,
    low: f64,
    high: f64,
    /// The distance that the parameter moved, in units of variation.
    moved: Option<f64>,
    /// The worth of the parameter, if measured.
    #[serde(skip_serializing_if = "Option::is_none")]
    worth: Option<Worth>,
    /// The names of its values, if they are not numbers.
    #[serde(skip_serializing_if = "Option::is_none")]
    names: Option<Vec<String>>,
    mean: Vec<f64>,
    deviation: Vec<f64>,
}

/// The largest number of points in a curve; more are indistinguishable on a screen.
const CURVE: usize = 800;
/// The number of points in a sparkline.
const SPARK: usize = 60;

impl RunData {
    fn new(input: &Input) -> Self {
        let Input { name, job, run, policy, folder, path, modelled, landscape, .. } = input;
        let seconds = |generation: u64| seconds(run, generation);
        let kept = thin(run.generations.len(), CURVE);
        let rows = || kept.iter().map(|&i| &run.generations[i]);
        let spark = thin(run.generations.len(), SPARK);
        RunData {
            name: name.clone(),
            problem: job.problem.title(),
            player: job.problem.player_title(),
            seed: job.seed,
            words: words(folder, job, run, policy.as_ref(), modelled.as_deref()),
            objective: match job.problem.behaviour().by_ratio {
                true => "Objective (the baseline has 1)",
                false => "Objective",
            },
            generations: Generations {
                generation: rows().map(|row| row.generation).collect(),
                trials: rows().map(|row| row.trials_played).collect(),
                seconds: rows().map(|row| short(seconds(row.generation.saturating_add(1)))).collect(),
                best: rows().map(|row| short(row.best)).collect(),
                mean: rows().map(|row| short(row.mean)).collect(),
            },
            estimates: run
                .estimates
                .iter()
                .map(|row| EstimateData {
                    stage: row.stage,
                    policy: row.candidate,
                    generation: row.generation,
                    trials: row.trials_played,
                    seconds: short(seconds(row.generation)),
                    played: row.trials,
                    mean: short(row.objective),
                    error: short(row.standard_error),
                    difference: row.difference().map(|of| of.map(short)),
                })
                .collect(),
            weights: weights(input, &spark),
            parameters: job.space.parameters().iter().map(|parameter| parameter.name.clone()).collect(),
            trials: Trials::read(path, folder, job.problem.behaviour().by_ratio),
            history: History::read(path, job, landscape.as_ref()),
            landscape: landscape.as_ref().map(|landscape| LandscapeData::of(&job.space, landscape)),
            gain: modelled.clone(),
        }
    }
}

/// Returns the seconds spent on trials before a generation.
fn seconds(run: &Run, generation: u64) -> f64 {
    let before = run.times.partition_point(|time| time.generation < generation);
    before.checked_sub(1).map_or(0.0, |last| run.times[last].seconds)
}

fn weights(input: &Input, kept: &[usize]) -> Vec<WeightData> {
    let space = &input.job.space;
    let worth: BTreeMap<String, Worth> = explained::read(&input.path);
    let data = |&place: &usize| {
        let parameter = &space.parameters()[place];
        let (start, path) = (space.start()[place], path(&input.run, &parameter.name));
        let recommended = input.policy.as_ref().map(|policy| policy.values[place]);
        let (low, high) = parameter.range();
        let of_path = |values: fn(&WeightPath) -> &Vec<f64>| {
            path.map_or(Vec::new(), |path| kept.iter().map(|&i| short(values(path)[i])).collect())
        };
        WeightData {
            name: parameter.name.clone(),
            meaning: parameter.meaning.clone(),
            start,
            recommended,
            incumbent: input.incumbent.as_ref().map(|values| values[place]),
            log: matches!(parameter.kind, Kind::Float { log: true, .. } | Kind::Int { log: true, .. }),
            low,
            high,
            moved: recommended.map(|value| short(moved(parameter, start, value))),
            worth: worth.get(&parameter.name).copied(),
            names: match &parameter.kind {
                Kind::Choice(names) => Some(names.clone()),
                Kind::Switch => Some(vec!["off".to_string(), "on".to_string()]),
                Kind::Float { .. } | Kind::Int { .. } => None,
            },
            mean: of_path(|path| &path.mean),
            deviation: of_path(|path| &path.deviation),
        }
    };
    space.tuned_indices().iter().map(data).collect()
}

fn path<'r>(run: &'r Run, name: &str) -> Option<&'r WeightPath> {
    run.weights.iter().find(|path| path.name == name)
}

/// Returns the distance that a parameter moved, in units of variation. A choice or switch moves by
/// one, or not at all.
fn moved(parameter: &Parameter, start: f64, value: f64) -> f64 {
    match parameter.kind {
        Kind::Float { log: true, .. } | Kind::Int { log: true, .. } => (value / start).ln() / parameter.scale,
        Kind::Float { .. } | Kind::Int { .. } => (value - start) / parameter.scale,
        Kind::Choice(_) | Kind::Switch => f64::from(u8::from(value != start)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_in_units_of_variation() {
        let plain = Parameter::float("plain", -10.0, 10.0, 1.0).scale(0.5);
        assert_eq!(moved(&plain, 1.0, -1.0), -4.0);
        let ratio = Parameter::float("ratio", 1.0, 100.0, 1.0).log().scale(1.0);
        assert!((moved(&ratio, 2.0, 2.0 * std::f64::consts::E) - 1.0).abs() < 1e-12);
        assert_eq!(moved(&Parameter::choice("choice", ["a", "b", "c"], 0), 0.0, 2.0), 1.0);
    }
}
