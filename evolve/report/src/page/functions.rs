//! Parameters that follow features: the values that a candidate has over each feature.

use super::explained::Worth;
use super::thin::short;
use crate::draw::Axis;
use evolve_search::model::features::is_wide;
use evolve_search::model::parameter::Parameter;
use evolve_search::model::parameter::follow::{By, Follows, Value, on_instance};
use evolve_search::model::space::Space;
use serde::Serialize;
use std::collections::BTreeMap;

/// The points of a curve: steps of whole numbers are seen.
const POINTS: usize = 121;

/// A parameter over one of its features, with the other features in the middle of their ranges or
/// outside of the groups.
#[derive(Debug, Serialize)]
pub struct Function {
    /// The index among the tuned parameters.
    parameter: usize,
    feature: String,
    /// The axis of the feature, if it is a number.
    axis: Option<Axis>,
    /// The numbers of the feature, each with the value there.
    points: Vec<(f64, f64)>,
    /// The groups of the feature, each with the value there.
    groups: Vec<(String, f64)>,
    /// Whether the parameter follows other features as well.
    has_others: bool,
    /// The loss if the parameter is a constant, with the name of that row, if measured.
    #[serde(skip_serializing_if = "Option::is_none")]
    worth: Option<(String, Worth)>,
}

/// Returns the functions of a candidate, in the order of the parameters.
pub fn functions(space: &Space, values: &[f64], worths: &BTreeMap<String, Worth>) -> Vec<Function> {
    let parameters = space.parameters();
    let tuned = |place: usize| space.tuned_indices().iter().position(|&other| other == place);
    let mut found: Vec<(usize, Function)> = Vec::new();
    let worth = |follower: &Parameter| {
        let of = |name: &str| name.strip_prefix(&follower.name).is_some_and(|rest| rest.starts_with(" by "));
        worths.iter().find(|(name, _)| of(name)).map(|(name, worth)| (name.clone(), *worth))
    };
    for (i, coefficient) in parameters.iter().enumerate() {
        let Some(Follows { place, feature, by, .. }) = coefficient.follows.as_deref() else { continue };
        let (Some(parameter), Some(_)) = (tuned(*place), tuned(i)) else { continue };
        let known = found.iter().position(|(of, function)| of == place && function.feature == *feature);
        let known = known.unwrap_or_else(|| {
            let (points, groups, feature) = (Vec::new(), Vec::new(), feature.clone());
            let worth = worth(&parameters[*place]);
            let own = Function { parameter, feature, axis: None, points, groups, has_others: false, worth };
            found.push((*place, own));
            found.len() - 1
        });
        let function = &mut found[known].1;
        let at = |value: Value<'_>| short(on(parameters, values, feature, value)[*place]);
        match by {
            By::Number { low, high } => {
                let is_log = is_wide(*low, *high);
                let of = |share: f64| match is_log {
                    true => libm::exp((1.0 - share) * libm::log(*low) + share * libm::log(*high)),
                    false => low + share * (high - low),
                };
                let numbers = (0..POINTS).map(|i| of(i as f64 / (POINTS - 1) as f64));
                function.points = numbers.map(|number| (short(number), at(Value::Number(number)))).collect();
                let by_ratio = Axis::of_ratios(&[*low, *high], 4).filter(|_| is_log);
                function.axis = Some(by_ratio.unwrap_or_else(|| Axis::around([*low, *high], 4)));
            }
            By::Group(group) => function.groups.push((group.clone(), at(Value::Word(group)))),
        }
    }
    let counts: Vec<usize> =
        found.iter().map(|(place, _)| found.iter().filter(|(of, _)| of == place).count()).collect();
    found.into_iter().zip(counts).map(|((_, of), count)| Function { has_others: count > 1, ..of }).collect()
}

/// Returns the values of a candidate where one feature is known.
fn on(parameters: &[Parameter], values: &[f64], feature: &str, value: Value<'_>) -> Vec<f64> {
    on_instance(parameters, values, |name| (name == feature).then_some(value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_drawn_over_ranges_and_groups() {
        let temp = Parameter::float("temp", 1.0, 10_000.0, 100.0).log();
        let k = Parameter::int("k", 0, 20, 10);
        let by_n = Parameter::coefficient(&temp, 0, "n", By::Number { low: 10.0, high: 1000.0 });
        let by_kind = |kind: &str| Parameter::coefficient(&k, 1, "kind", By::Group(kind.to_string()));
        let also = Parameter::coefficient(&k, 1, "m", By::Number { low: 10.0, high: 20.0 });
        let parameters = vec![temp.clone(), k.clone(), by_n, by_kind("grid"), by_kind("tree"), also];
        let start = vec![100.0, 10.0, 0.0, 0.0, 0.0, 0.0];
        let space = Space::new(parameters, start, (0..6).collect());
        let worth = Worth::of(2.5, None);
        let worths = [("k by kind, m".to_string(), worth), ("k".to_string(), worth)].into();
        let found = functions(&space, &[100.0, 10.0, 1.2, -0.25, 0.0, 0.0], &worths);
        let [of_n, of_kind, of_m] = &found[..] else { panic!("{found:?}") };
        assert_eq!((of_n.parameter, of_n.feature.as_str(), of_n.has_others), (0, "n", false));
        // Within the range, and the level in the middle.
        let ends = [of_n.points[0], of_n.points[60], of_n.points[120]];
        assert_eq!(ends.map(|(n, _)| n), [10.0, 100.0, 1000.0]);
        assert!(ends[0].1 < 1.0 + 1e-9 && (ends[1].1 - 100.0).abs() < 0.1 && ends[2].1 > 9999.0, "{ends:?}");
        assert_eq!(of_kind.groups, [("grid".to_string(), 5.0), ("tree".to_string(), 10.0)]);
        assert!(of_kind.has_others);
        assert_eq!((&of_n.worth, &of_kind.worth), (&None, &Some(("k by kind, m".to_string(), worth))));
        // Without evidence, a constant.
        assert!(of_m.points.iter().all(|(_, value)| *value == 10.0));
    }
}
