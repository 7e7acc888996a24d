//! The tuned parameters of a run: their values, moves and paths.

use super::explained::Worth;
use super::input::Input;
use super::thin::{short, thin};
use crate::draw::Axis;
use crate::tables::{Run, WeightPath};
use evolve_search::model::parameter::{Kind, Parameter};
use serde::Serialize;
use std::collections::BTreeMap;

#[derive(Serialize)]
pub struct WeightData {
    name: String,
    meaning: String,
    start: f64,
    recommended: Option<f64>,
    /// The value that the run would recommend now; `None` once it is complete.
    #[serde(skip_serializing_if = "Option::is_none")]
    incumbent: Option<f64>,
    axis: Axis,
    /// Whether its values are whole numbers.
    whole: bool,
    /// Whether it is a coefficient of a parameter that follows a feature.
    is_coefficient: bool,
    /// The distance that the parameter moved, as a share of its range.
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

/// The number of points in a sparkline.
const SPARK: usize = 60;

/// Returns the tuned parameters of a run, with their paths after the generations of a model, which
/// has no population.
pub fn weights(input: &Input, modelled: u64, worths: &BTreeMap<String, Worth>) -> Vec<WeightData> {
    let run = &input.run;
    let before = run.generations.partition_point(|row| row.generation < modelled);
    let kept = thin(run.generations.len() - before, SPARK);
    let kept: Vec<usize> = kept.into_iter().map(|place| before + place).collect();
    let space = &input.job.space;
    let data = |&place: &usize| {
        let parameter = &space.parameters()[place];
        let (start, path) = (space.start()[place], path(&input.run, &parameter.name));
        let recommended = input.policy.as_ref().map(|policy| policy.values[place]);
        let of_path = |values: fn(&WeightPath) -> &Vec<f64>| {
            path.map_or(Vec::new(), |path| kept.iter().map(|&i| short(values(path)[i])).collect())
        };
        WeightData {
            name: parameter.name.clone(),
            meaning: parameter.meaning.clone(),
            start,
            recommended,
            incumbent: input.incumbent.as_ref().map(|values| values[place]),
            axis: Axis::of_parameter(parameter, 5),
            whole: matches!(parameter.kind, Kind::Int { .. }),
            is_coefficient: parameter.follows.is_some(),
            moved: recommended.map(|value| short(moved(parameter, start, value))),
            worth: worths.get(&parameter.name).copied(),
            names: match &parameter.kind {
                Kind::Choice(names) => Some(names.clone()),
                Kind::Switch => Some(vec!["false".to_string(), "true".to_string()]),
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

/// Returns the distance that a parameter moved, as a share of its range on its own scale. A choice
/// or switch moves by one, or not at all.
fn moved(parameter: &Parameter, start: f64, value: f64) -> f64 {
    match parameter.kind {
        Kind::Float { .. } | Kind::Int { .. } => {
            let axis = Axis::of_parameter(parameter, 5);
            axis.share(value) - axis.share(start)
        }
        Kind::Choice(_) | Kind::Switch => f64::from(u8::from(value != start)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_shares_of_the_range() {
        let plain = Parameter::float("plain", -10.0, 10.0, 1.0).unit(0.5);
        assert!((moved(&plain, 1.0, -1.0) + 0.1).abs() < 1e-12);
        let ratio = Parameter::float("ratio", 1.0, 100.0, 1.0).log().unit(1.0);
        assert!((moved(&ratio, 10.0, 100.0) - 0.5).abs() < 1e-12);
        assert_eq!(moved(&Parameter::choice("choice", ["a", "b", "c"], 0), 0.0, 2.0), 1.0);
    }
}
