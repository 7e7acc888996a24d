//! The search space: all parameters, the tuned ones among them, and the mapping between their
//! values and the real vectors that optimizers use.
//!
//! An optimizer sees only [`Coordinate`]s:
//!
//! - A number is one coordinate. On a logarithmic scale, the coordinate is its natural logarithm;
//!   on a grid, the index of its value. A whole number and an index are rounded when they are
//!   mapped back.
//! - A switch is one coordinate; it is on above 0.
//! - A choice among `n` names is `n` coordinates, of which the largest selects its name. Names have
//!   no order, so permuting them must change nothing. Normal deviates around the mean of these
//!   coordinates give each name a probability.

mod coordinate;
mod forbidden;

pub use coordinate::{Coordinate, Role};
pub use forbidden::{Forbidden, ForbiddenError};

use crate::model::features::Features;
use crate::model::learned::Learned;
use crate::model::parameter::{Kind, Parameter};
use coordinate::{coordinates, family, is_close, value, width};
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

/// All parameters, their start values, and the tuned ones among them.
#[derive(Clone, Debug, PartialEq)]
pub struct Space {
    parameters: Vec<Parameter>,
    start: Vec<f64>,
    tuned: Vec<usize>,
    /// The indices of the parameters that have a condition.
    conditional: Vec<usize>,
    forbidden: Forbidden,
    /// The trials of earlier runs in this space.
    learned: Arc<Learned>,
    /// The candidates to play first.
    first: Arc<[First]>,
    /// The features of the instances of the search.
    features: Arc<Features>,
    coordinates: Vec<Coordinate>,
    /// The tuned floats on a linear scale without a grid, as indices of the parameter and of its
    /// coordinate. Most parameters are of this kind. Their conversion must be fast, because every
    /// trial or two creates a candidate.
    plain: Vec<(usize, usize)>,
    /// The other tuned parameters, as the index of the parameter and the range of its coordinates.
    coded: Vec<(usize, Range<usize>)>,
}

/// A candidate that a search plays first.
#[derive(Clone, Debug, PartialEq)]
pub struct First {
    /// A value for every parameter.
    pub values: Vec<f64>,
    /// Its point.
    pub point: Vec<f64>,
}

impl Space {
    /// Creates a space of `parameters` with the start values `start`. Parameters at the indices
    /// `tuned`, in ascending order, are tuned within their ranges.
    ///
    /// # Panics
    /// If the numbers of parameters and start values differ.
    pub fn new(parameters: Vec<Parameter>, start: Vec<f64>, tuned: Vec<usize>) -> Self {
        assert_eq!(parameters.len(), start.len(), "every parameter has one start value");
        let mut coordinates: Vec<Coordinate> = Vec::new();
        let (mut plain, mut coded) = (Vec::new(), Vec::new());
        let mut families = BTreeMap::new();
        for &i in &tuned {
            let first = coordinates.len();
            let family = family(&parameters[i]).map(|name| *families.entry(name).or_insert(first));
            let own = self::coordinates(&parameters[i], start[i]).into_iter();
            coordinates.extend(own.map(|coordinate| Coordinate { family, ..coordinate }));
            match parameters[i].kind {
                Kind::Float { log: false, .. } if parameters[i].grid.is_none() => plain.push((i, first)),
                _ => coded.push((i, first..coordinates.len())),
            }
        }
        let conditional = (0..parameters.len()).filter(|&i| parameters[i].condition.is_some()).collect();
        let (forbidden, learned, first, features) =
            (Forbidden::default(), Arc::default(), Arc::default(), Arc::default());
        Space { parameters, start, tuned, conditional, forbidden, learned, first, features, coordinates, plain, coded }
    }

    /// Returns the space with trials of earlier runs.
    #[must_use]
    pub fn learning(self, learned: Arc<Learned>) -> Self {
        Space { learned, ..self }
    }

    /// The trials of earlier runs in this space.
    pub fn learned(&self) -> &Learned {
        &self.learned
    }

    /// Returns the space with candidates to play first, each with a value for every parameter.
    #[must_use]
    pub fn trying(self, candidates: Vec<Vec<f64>>) -> Self {
        let first = candidates.into_iter().map(|values| First { point: self.point(&values), values });
        Space { first: first.collect(), ..self }
    }

    /// The candidates to play first, in order.
    pub fn first(&self) -> &[First] {
        &self.first
    }

    /// Returns the space with the features of the search's instances.
    #[must_use]
    pub fn among(self, features: Arc<Features>) -> Self {
        Space { features, ..self }
    }

    /// The features of the instances of the search, in the order of their cases.
    pub fn features(&self) -> &Features {
        &self.features
    }

    /// Returns all parameters, with their ranges and units.
    pub fn parameters(&self) -> &[Parameter] {
        &self.parameters
    }

    /// Returns the start values of all parameters.
    pub fn start(&self) -> &[f64] {
        &self.start
    }

    /// Returns the tuned parameters, in the order of their declaration.
    pub fn tuned(&self) -> impl ExactSizeIterator<Item = &Parameter> {
        self.tuned.iter().map(|&i| &self.parameters[i])
    }

    /// Returns the numbers of tuned and of all parameters, without coefficients, which people do
    /// not declare.
    pub fn counts(&self) -> (usize, usize) {
        let declared = |parameter: &&Parameter| parameter.follows.is_none();
        (self.tuned().filter(declared).count(), self.parameters.iter().filter(declared).count())
    }

    /// Returns the indices of the tuned parameters.
    pub fn tuned_indices(&self) -> &[usize] {
        &self.tuned
    }

    /// Returns the tuned values of a candidate as texts, as programs and tables have them.
    pub fn shown<'s>(&'s self, candidate: &'s [f64]) -> impl Iterator<Item = String> + 's {
        self.tuned.iter().map(|&place| self.parameters[place].show(candidate[place]))
    }

    /// Returns the coordinates that optimizers work on.
    pub fn coordinates(&self) -> &[Coordinate] {
        &self.coordinates
    }

    /// Returns the number of coordinates without coefficients, which a model does not search.
    pub fn dimensions(&self) -> usize {
        self.coordinates.iter().filter(|coordinate| coordinate.role != Role::Coefficient).count()
    }

    /// Returns the point of the start values.
    pub fn origin(&self) -> Vec<f64> {
        self.coordinates.iter().map(|coordinate| coordinate.start).collect()
    }

    /// Returns the point of the values of all parameters; a value outside its range gives a
    /// coordinate outside.
    pub fn point(&self, values: &[f64]) -> Vec<f64> {
        let of = |&place: &usize| coordinates(&self.parameters[place], values[place]);
        self.tuned.iter().flat_map(of).map(|coordinate| coordinate.start).collect()
    }

    /// Returns the candidate at a point: a value for every parameter. Parameters that are not
    /// tuned, or whose condition does not hold, have their start values.
    ///
    /// # Panics
    /// If the numbers of values in the point and of coordinates differ.
    pub fn candidate(&self, point: &[f64]) -> Vec<f64> {
        let mut values = self.unsettled(point);
        self.settle(&mut values);
        values
    }

    /// Returns the candidate at a point with the values of inactive parameters as well.
    ///
    /// # Panics
    /// If the numbers of values in the point and of coordinates differ.
    pub fn unsettled(&self, point: &[f64]) -> Vec<f64> {
        assert_eq!(point.len(), self.coordinates.len(), "every coordinate has one number");
        let mut values = self.start.clone();
        for &(place, own) in &self.plain {
            values[place] = self.coordinates[own].clamp(point[own]);
        }
        for (place, own) in &self.coded {
            let own = own.clone();
            // An unchanged start keeps its exact bits, which a logarithm and its inverse would not.
            if point[own.clone()].iter().zip(&self.coordinates[own.clone()]).any(|(at, own)| !is_close(*at, own.start))
            {
                values[*place] = value(&self.parameters[*place], &point[own]);
            }
        }
        // So do values of the candidates to play first.
        for first in self.first.iter() {
            let is_it =
                |own: Range<usize>| point[own.clone()].iter().zip(&first.point[own]).all(|(a, b)| is_close(*a, *b));
            let plain = self.plain.iter().map(|&(place, own)| (place, own..own + 1));
            for (place, own) in plain.chain(self.coded.iter().cloned()) {
                if self.parameters[place].is_number() && is_it(own) {
                    values[place] = first.values[place];
                }
            }
        }
        values
    }

    /// Returns whether a parameter is active for these values: it has no condition, or its
    /// condition holds.
    pub fn is_awake(&self, place: usize, values: &[f64]) -> bool {
        self.parameters[place].is_active(values, &self.parameters)
    }

    /// Resets inactive parameters to their start values.
    pub fn settle(&self, values: &mut [f64]) {
        // Conditions refer only to earlier parameters, so one pass in declaration order suffices.
        for &i in &self.conditional {
            if !self.is_awake(i, values) {
                values[i] = self.start[i];
            }
        }
    }

    /// Returns the candidate at a point, rounded to readable numbers unless the rounded candidate
    /// is forbidden. Recommendations are rounded before they are measured; start values stay as in
    /// the job.
    pub fn rounded(&self, point: &[f64]) -> Vec<f64> {
        let exact = self.candidate(point);
        let mut values = exact.clone();
        for &i in &self.tuned {
            if values[i] != self.start[i] {
                values[i] = self.parameters[i].rounded(values[i]);
            }
        }
        if self.allows(&values) { values } else { exact }
    }

    /// Returns the index of the first coordinate of a tuned parameter.
    fn first_coordinate(&self, place: usize) -> usize {
        let before = self.tuned.iter().take_while(|&&other| other < place);
        before.map(|&other| width(&self.parameters[other])).sum()
    }

    /// Selects the values of the tuned parameters.
    pub fn evolving_values(&self, candidate: &[f64]) -> Vec<f64> {
        self.tuned.iter().map(|&i| candidate[i]).collect()
    }

    /// Returns one standard deviation for each tuned parameter: the root mean square over its
    /// coordinates, which combines those of a choice; on a grid, the deviation of the value, not of
    /// its index.
    pub fn by_parameter(&self, deviations: &[f64]) -> Vec<f64> {
        let mut rest = deviations;
        let of = |parameter: &Parameter| {
            let (own, others) = rest.split_at(width(parameter));
            rest = others;
            match own {
                &[one] => one * parameter.grid.map_or(1.0, |grid| grid.step()),
                own => (own.iter().map(|x| x * x).sum::<f64>() / own.len() as f64).sqrt(),
            }
        };
        self.tuned().map(of).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::parameter::condition::Condition;
    use proptest::prelude::*;

    fn space() -> Space {
        let mut parameters = vec![
            Parameter::float("weight", -5.0, 5.0, 0.5),
            Parameter::int("k", 1, 20, 5),
            Parameter::float("temp", 1e-3, 1e3, 10.0).log(),
            Parameter::choice("move", ["swap", "2opt", "insert"], 1),
            Parameter::switch("greedy", false),
            Parameter::float("margin", 0.0, 2.0, 0.5),
        ];
        let condition = Condition::parse("move == 'swap'", &parameters).unwrap();
        parameters.push(Parameter::int("length", 1, 64, 8).log().when(condition));
        let start: Vec<f64> = parameters.iter().map(|parameter| parameter.start).collect();
        Space::new(parameters, start, vec![0, 1, 2, 3, 4, 5, 6])
    }

    #[test]
    fn names_that_differ_in_a_number_form_a_family() {
        let names = ["moves_1", "open", "moves_2", "moves_1_drift", "4x", "moves_12", "moves_2_drift", "moves"];
        let parameters: Vec<Parameter> = names.map(|name| Parameter::float(name, -1.0, 1.0, 0.0)).into();
        let space = Space::new(parameters, vec![0.0; 8], vec![0, 1, 2, 3, 4, 5, 6, 7]);
        let families: Vec<_> = space.coordinates().iter().map(|coordinate| coordinate.family).collect();
        assert_eq!(families, [Some(0), None, Some(0), Some(3), Some(4), Some(0), Some(3), None]);
    }

    #[test]
    fn the_origin_is_the_start() {
        let space = space();
        assert_eq!(space.coordinates().len(), 9);
        let start = space.candidate(&space.origin());
        assert_eq!(start, space.start());
    }

    #[test]
    fn start_values_are_exact() {
        let parameter = |start: f64| Parameter::float("temp", 1e-9, 1e9, start).log();
        let starts = [3000.0, 0.1, 1.0 / 3.0, 2_999.999_999_999_999_5, 1e-9, 7e5];
        let whole = Parameter::int("k", 1, 1 << 53, 1_000_003).log();
        for start in starts {
            let space = Space::new(vec![parameter(start), whole.clone()], vec![start, whole.start], vec![0, 1]);
            assert_eq!(space.candidate(&space.origin()), space.start());
            assert_eq!(space.rounded(&space.origin()), space.start());
            // Moving one parameter does not change the other.
            let mut point = space.origin();
            point[1] += 0.5;
            assert_eq!(space.candidate(&point)[0], start);
        }
    }

    #[test]
    fn every_point_is_a_candidate() {
        let space = space();
        for far in [-1e300, -7.3, -0.2, 0.0, 0.4, 9.1, 1e300] {
            let values = space.candidate(&[far; 9]);
            assert!(space.parameters().iter().zip(&values).all(|(parameter, &value)| parameter.allows(value)));
        }
    }

    proptest! {
        /// On a grid of odd decimals, every point is a candidate with values `low + k * step`,
        /// written with the decimals of both; so are its rounded form, the nearest allowed one, and
        /// what was read from a file.
        #[test]
        fn candidates_stay_on_their_grids(
            low in -2000..2000_i64, step in 1..400_i64, decimals in 0..6_usize, count in 1..60_i64, rest in 0..100_i64,
            start in 0.0..1.0_f64, border in 0.0..1.0_f64, points in prop::collection::vec(-2.0..2.0_f64, 20),
        ) {
            let number = |whole: i64| format!("{whole}e-{decimals}").parse::<f64>().unwrap();
            let values: Vec<f64> = (0..=count).map(|k| number(low + k * step)).collect();
            let at = |share: f64| values[(share * values.len() as f64) as usize];
            let high = number(low + count * step + rest * (step - 1) / 100);
            let x = Parameter::float("x", number(low), high, at(start)).step(number(step)).unwrap();
            prop_assert_eq!(x.range(), (values[0], values[values.len() - 1]));
            let forbidden = Condition::parse(&format!("x > {:?} && x != {:?}", at(border), at(start)), std::slice::from_ref(&x));
            let (parameters, start) = (vec![x.clone()], vec![x.start]);
            let space = Space::new(parameters, start, vec![0]).without(vec![forbidden.unwrap()]);
            let middle = 0.5 * count as f64;
            for share in points {
                let point = vec![middle + middle * share];
                let allowed = space.allowed(point.clone());
                for candidate in [space.candidate(&point), space.rounded(&point), space.candidate(&allowed)] {
                    prop_assert!(values.contains(&candidate[0]), "{} {:?}", candidate[0], values);
                    prop_assert_eq!(x.parse(&x.show(candidate[0])), Some(candidate[0]));
                    prop_assert_eq!(space.candidate(&space.point(&candidate)), candidate.clone());
                }
                prop_assert!(space.allows(&space.candidate(&allowed)));
            }
        }
    }

    #[test]
    fn inactive_parameters_keep_their_start() {
        let space = space();
        let mut point = space.origin();
        point[8] = 0.0;
        assert_eq!(space.candidate(&point)[6], 8.0, "2opt has no length");
        point[3] = 2.0;
        assert_eq!(space.candidate(&point)[6], 1.0, "swap has one");
    }
}
