//! The parts of a recommendation: weights, and groups of related weights.

use evolve_search::model::space::Space;
use std::collections::BTreeSet;

/// A weight or a group of weights that can be set back.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// The name of the weight, the common stem of the group with a `*`, or a parameter with the
    /// features that it follows, such as `temp by n`.
    pub name: String,
    /// The indices of the parameters, and the values to which they are set back.
    pub back: Vec<(usize, f64)>,
    pub to: Back,
    pub kind: Kind,
}

/// The kinds of parts, in the order of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    Weight,
    /// The coefficients of a parameter that follows features.
    Function,
    Group,
}

impl Kind {
    /// Returns the name used in tables.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Weight => "weight",
            Kind::Function => "function",
            Kind::Group => "group",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Back {
    /// The start of the search.
    Start,
    /// Zero, for weights that still have their start value.
    Zero,
}

impl Back {
    /// Returns the name used in tables.
    pub fn name(self) -> &'static str {
        match self {
            Back::Start => "start",
            Back::Zero => "zero",
        }
    }
}

impl Part {
    /// Returns the candidate with this part set back. Parameters whose condition no longer holds
    /// are set back, too.
    pub fn without(&self, space: &Space, values: &[f64]) -> Vec<f64> {
        let mut values = values.to_vec();
        for &(place, value) in &self.back {
            values[place] = value;
        }
        space.settle(&mut values);
        values
    }
}

/// Returns the tuned weights, each set back to its start, or to zero if it still has its start
/// value; then the parameters that follow features, each set back to a constant.
pub fn weights(space: &Space, values: &[f64]) -> Vec<Part> {
    let part = |&place: &usize| {
        let parameter = &space.parameters()[place];
        let (value, start) = (values[place], space.start()[place]);
        let (to, back) = match value == start {
            false => (Back::Start, start),
            true => (Back::Zero, 0.0),
        };
        let is_set_back = back != value && parameter.allows(back) && (to == Back::Start || parameter.is_number());
        is_set_back.then(|| Part { name: parameter.name.clone(), back: vec![(place, back)], to, kind: Kind::Weight })
    };
    let tuned = space.tuned_indices().iter();
    let plain = tuned.filter(|&&place| space.parameters()[place].follows.is_none()).filter_map(part);
    plain.chain(functions(space, values)).collect()
}

/// Returns the parameters that follow features.
fn functions(space: &Space, values: &[f64]) -> Vec<Part> {
    let follows = |place: usize| space.parameters()[place].follows.as_deref();
    let coefficients: Vec<usize> = space.tuned_indices().iter().copied().filter(|&i| values[i] != 0.0).collect();
    let followers: BTreeSet<usize> = coefficients.iter().filter_map(|&i| follows(i)).map(|of| of.place).collect();
    let part = |follower: usize| {
        let own = coefficients.iter().copied().filter(|&i| follows(i).is_some_and(|of| of.place == follower));
        let features: BTreeSet<&str> = own.clone().filter_map(follows).map(|of| &*of.feature).collect();
        let features: Vec<&str> = features.into_iter().collect();
        let name = format!("{} by {}", space.parameters()[follower].name, features.join(", "));
        Part { name, back: own.map(|i| (i, 0.0)).collect(), to: Back::Start, kind: Kind::Function }
    };
    followers.into_iter().map(part).collect()
}

/// Groups two or more weights whose names differ only in a trailing number, like the elements of an
/// array.
pub fn groups(weights: &[Part]) -> Vec<Part> {
    let mut groups: Vec<(&str, Part)> = Vec::new();
    for weight in weights {
        let Some(stem) = stem(&weight.name) else { continue };
        match groups.iter_mut().find(|(name, group)| *name == stem && group.to == weight.to) {
            Some((_, group)) => group.back.extend(&weight.back),
            None => groups.push((stem, Part { name: format!("{stem}*"), kind: Kind::Group, ..weight.clone() })),
        }
    }
    groups.into_iter().map(|(_, group)| group).filter(|group| group.back.len() > 1).collect()
}

/// Returns a name without the number at its end.
fn stem(name: &str) -> Option<&str> {
    let stem = name.trim_end_matches(|c: char| c.is_ascii_digit());
    (stem.len() < name.len() && !stem.is_empty()).then_some(stem)
}

#[cfg(test)]
mod tests {
    use super::*;
    use evolve_search::model::parameter::Parameter;
    use evolve_search::model::parameter::condition::Condition;
    use evolve_search::model::parameter::follow::By as Follow;

    #[test]
    fn weights_with_a_common_stem_form_a_group() {
        let names = ["moves_1", "moves_2", "moves_10", "edge", "bias", "rank_1"];
        let mut parameters: Vec<Parameter> = names.iter().map(|name| Parameter::float(*name, -9.0, 9.0, 1.0)).collect();
        parameters.push(Parameter::switch("on", false));
        let start: Vec<f64> = parameters.iter().map(|parameter| parameter.start).collect();
        let space = Space::new(parameters, start, (0..7).collect());
        // Two weights moved, and one is already zero.
        let values = [2.0, 3.0, 1.0, 5.0, 1.0, 1.0, 0.0];
        let weights = weights(&space, &values);
        let of = |parts: &[Part]| {
            let text = |part: &Part| format!("{} {} {}", part.name, part.to.name(), part.back.len());
            parts.iter().map(text).collect::<Vec<_>>()
        };
        assert_eq!(
            of(&weights),
            ["moves_1 start 1", "moves_2 start 1", "moves_10 zero 1", "edge start 1", "bias zero 1", "rank_1 zero 1"]
        );
        let groups = groups(&weights);
        assert_eq!(of(&groups), ["moves_* start 2"]);
        assert_eq!(groups[0].without(&space, &values), [1.0, 1.0, 1.0, 5.0, 1.0, 1.0, 0.0]);
    }

    #[test]
    fn a_parameter_that_follows_features_goes_back_to_a_constant() {
        let mut parameters = vec![Parameter::float("temp", 1.0, 9.0, 3.0), Parameter::float("rate", 1.0, 9.0, 3.0)];
        let number = Follow::Number { low: 1.0, high: 9.0 };
        let of = |place: usize, feature, by| Parameter::coefficient(&parameters[place], place, feature, by);
        let coefficients = vec![
            of(0, "n", number.clone()),
            of(0, "k", Follow::Group("a".to_string())),
            of(0, "k", Follow::Group("b".to_string())),
            of(1, "n", number),
        ];
        parameters.extend(coefficients);
        let start: Vec<f64> = parameters.iter().map(|parameter| parameter.start).collect();
        let space = Space::new(parameters, start, (0..6).collect());
        let values = [4.0, 3.0, 0.2, 0.1, 0.0, 0.0];
        let weights = weights(&space, &values);
        let names: Vec<&str> = weights.iter().map(|part| part.name.as_str()).collect();
        assert_eq!(names, ["temp", "temp by k, n"]);
        assert_eq!(weights[1].without(&space, &values), [4.0, 3.0, 0.0, 0.0, 0.0, 0.0]);
    }

    #[test]
    fn a_parameter_goes_back_with_the_choice_that_it_belongs_to() {
        let mut parameters = vec![Parameter::choice("move", ["swap", "turn"], 0)];
        let condition = Condition::parse("move == 'turn'", &parameters).unwrap();
        parameters.push(Parameter::int("angle", 1, 90, 45).when(condition));
        let space = Space::new(parameters, vec![0.0, 45.0], vec![0, 1]);
        let weights = weights(&space, &[1.0, 60.0]);
        assert_eq!(weights[0].without(&space, &[1.0, 60.0]), [0.0, 45.0]);
    }
}
