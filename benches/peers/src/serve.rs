//! Serves the same games and measurements to external optimizers, as lines of JSON.
//!
//! The first line of output describes the problem:
//! `{"start": [..], "min": [..], "max": [..], "parameters": [..], "stops": [..], "features": [[..]]}`.
//! The first three are in each coordinate's unit, for optimizers of vectors; the parameters
//! describe themselves, for optimizers that know kinds. `features` has a row for the first game of
//! each request, if the problem has features: each number, and a 1 among zeros for each word. Each
//! line of input is a request. `{"points": [..], "games": 8}` plays every point on that many new
//! cases, common to all points; the answer is a list of mean objectives. With `"cases": 3`, every
//! request with that number uses the same cases. `{"recommend": .., "after": 12500}` measures a
//! point on held-out cases; the answer is the mean score. A point is a list of coordinates, or
//! values by name: `{"heat": 0.1, "move": "swap"}`; missing parameters keep their start.

use crate::run;
use crate::summary::{self, Row};
use crate::task::{Task, searched};
use evolve_search::model::features::{Feature, Values};
use evolve_search::model::parameter::{Kind, Parameter};
use evolve_search::model::space::Coordinate;
use evolve_search::statistics::mean;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;
use std::io::{BufRead, Write};
use std::path::PathBuf;

/// Plays for an optimizer outside.
#[derive(clap::Args)]
pub struct Serve {
    /// The problem.
    #[arg(long)]
    problem: String,
    /// Name of the optimizer in the table
    #[arg(long)]
    label: String,
    /// The seed of the cases.
    #[arg(long)]
    seed: u64,
    /// Fresh cases that recommendations are measured on.
    #[arg(long, default_value_t = 4000)]
    held_out: usize,
    /// The table; lines are added at its end.
    #[arg(long)]
    out: PathBuf,
}

/// A line in.
#[derive(Deserialize)]
#[serde(untagged)]
enum Request {
    Play { points: Vec<Point>, games: u64, cases: Option<u64> },
    Recommend { recommend: Point, after: usize },
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Point {
    Coordinates(Vec<f64>),
    Values(Map<String, Value>),
}

/// The range around the start, in units, for optimizers that search their whole range
/// evenly.
const AROUND: f64 = 10.0;

impl Serve {
    /// Answers until the input ends.
    pub fn carry_out(self) -> Result<(), String> {
        let task = Task::read(&self.problem)?;
        let space = &task.job.space;
        let list = |of: fn(&Coordinate) -> f64| space.coordinates().iter().map(of).collect::<Vec<f64>>();
        let parameters: Vec<Value> =
            space.tuned_indices().iter().map(|&i| declared(&space.parameters()[i], space.start()[i])).collect();
        answer(&json!({
            "start": list(|c| c.start / c.unit), "min": list(|c| c.min / c.unit), "max": list(|c| c.max / c.unit),
            "parameters": parameters, "stops": task.stops, "features": features(&task, self.seed),
        }))?;
        let mut generation = 0;
        let mut last = None;
        for line in std::io::stdin().lock().lines() {
            let line = line.map_err(|error| error.to_string())?;
            let request: Request = serde_json::from_str(&line).map_err(|error| format!("{error} in {line:.80}"))?;
            match request {
                Request::Play { points, games, cases } => {
                    let cases = cases.unwrap_or(generation);
                    generation += 1;
                    let play = |point| {
                        let cases = (0..games).map(|number| searched(self.seed, cases, number));
                        let played = task.play(&candidate(&task, point)?, cases)?;
                        Ok(mean(&played.iter().map(|outcome| outcome.objective).collect::<Vec<_>>()))
                    };
                    let means: Vec<f64> = points.into_iter().map(play).collect::<Result<_, String>>()?;
                    answer(&json!(means))?;
                }
                Request::Recommend { recommend, after } => {
                    let recommended = candidate(&task, recommend)?;
                    // The same recommendation would have the same score.
                    let held_out = match last.take() {
                        Some((before, held_out)) if before == recommended => held_out,
                        _ => task.measured(&recommended, self.seed, self.held_out)?,
                    };
                    last = Some((recommended, held_out));
                    let row = Row::new(&task.name, &self.label, self.seed, &run::Row { games: after, held_out });
                    summary::append(&self.out, &[row])?;
                    answer(&json!(held_out.mean))?;
                }
            }
        }
        Ok(())
    }
}

/// The number of requests whose features are known in advance.
const KNOWN: u64 = 1000;

/// Returns the features of the first game of each request.
fn features(task: &Task, run: u64) -> Vec<Vec<f64>> {
    let all = task.job.problem.features();
    let of = |request| {
        let instance = (searched(run, request, 0).number % all.instances() as u64) as usize;
        let coded = |feature: &Feature| match &feature.values {
            Values::Numbers(numbers) => vec![numbers[instance]],
            Values::Words(words) => {
                let kinds: BTreeSet<&String> = words.iter().collect();
                kinds.into_iter().map(|kind| f64::from(*kind == words[instance])).collect()
            }
        };
        all.columns().iter().flat_map(coded).collect()
    };
    if all.is_empty() { Vec::new() } else { (0..KNOWN).map(of).collect() }
}

/// Describes a parameter as JSON.
fn declared(parameter: &Parameter, start: f64) -> Value {
    let json = |value| json_value(parameter, value);
    let common =
        json!({ "name": parameter.name, "start": json(start), "when": parameter.condition.as_ref().map(|c| c.text()) });
    let (min, max) = parameter.range();
    let own = match &parameter.kind {
        &Kind::Float { log, .. } | &Kind::Int { log, .. } => {
            let kind = if matches!(parameter.kind, Kind::Int { .. }) { "int" } else { "float" };
            let far = AROUND * parameter.unit;
            let (low, high) = if log { (start * (-far).exp(), start * far.exp()) } else { (start - far, start + far) };
            json!({ "kind": kind, "log": log, "min": json(low.max(min)), "max": json(high.min(max)) })
        }
        Kind::Choice(names) => json!({ "kind": "choice", "choices": names }),
        Kind::Switch => json!({ "kind": "switch", "choices": [false, true] }),
    };
    let (Value::Object(mut all), Value::Object(own)) = (common, own) else { unreachable!("both are objects") };
    all.extend(own);
    Value::Object(all)
}

fn json_value(parameter: &Parameter, value: f64) -> Value {
    match parameter.kind {
        Kind::Float { .. } => json!(value),
        Kind::Int { .. } => json!(value.round() as i64),
        Kind::Choice(_) => json!(parameter.show(value)),
        Kind::Switch => json!(value != 0.0),
    }
}

/// Returns the candidate at a point, with numbers clamped to their ranges.
fn candidate(task: &Task, point: Point) -> Result<Vec<f64>, String> {
    let space = &task.job.space;
    match point {
        Point::Coordinates(scaled) => {
            let coordinates = space.coordinates();
            if scaled.len() != coordinates.len() {
                return Err(format!("a point of {} values, not {}", scaled.len(), coordinates.len()));
            }
            let unscaled = scaled.iter().zip(coordinates).map(|(x, c)| (x * c.unit).clamp(c.min, c.max));
            Ok(space.candidate(&unscaled.collect::<Vec<_>>()))
        }
        Point::Values(values) => {
            let mut candidate = space.start().to_vec();
            for (name, value) in values {
                let place = space.tuned_indices().iter().find(|&&i| space.parameters()[i].name == name);
                let &place = place.ok_or_else(|| format!("no parameter `{name}` is searched"))?;
                let parameter = &space.parameters()[place];
                let (min, max) = parameter.range();
                let read = match &value {
                    Value::Number(number) if matches!(parameter.kind, Kind::Int { .. }) => {
                        number.as_f64().map(|number| number.round().clamp(min, max))
                    }
                    Value::Number(number) => number.as_f64().map(|number| number.clamp(min, max)),
                    Value::String(text) => parameter.parse(text),
                    other => parameter.parse(&other.to_string()),
                };
                let read = read.filter(|&read| parameter.allows(read));
                candidate[place] = read.ok_or_else(|| format!("`{name}` is {}, not {value}", parameter.allowed()))?;
            }
            Ok(candidate)
        }
    }
}

fn answer(value: &Value) -> Result<(), String> {
    let mut out = std::io::stdout().lock();
    writeln!(out, "{value}").and_then(|()| out.flush()).map_err(|error| error.to_string())
}
