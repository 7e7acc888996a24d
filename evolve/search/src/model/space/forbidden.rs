//! Forbidden combinations of values, and the nearest points that are allowed.

use super::{Space, coordinates};
use crate::document::Complaint;
use crate::model::parameter::condition::{Condition, Operand, ParseError};
use crate::model::parameter::{Kind, Parameter};
use crate::model::seed::generator;
use rand::RngExt;
use thiserror::Error;

/// The number of steps from a forbidden point to the start; each intermediate point is tried.
const STEPS: u32 = 64;
/// The distance from a forbidden border to the nearest allowed number, in units of the parameter:
/// enough for rounding.
const BESIDE: f64 = 1e-9;
/// The number of random points that are drawn to find an allowed one.
const DRAWN: usize = 10_000;

/// The forbidden combinations of values: the conditions that no candidate may meet.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Forbidden(Vec<Condition>);

/// The reason why values, or the combinations of a space, cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ForbiddenError {
    /// The values meet the condition with this text.
    #[error("forbidden by \"{0}\"")]
    Values(String),
    /// The baseline meets the condition with this text; its parameters and their values follow.
    #[error("the baseline is forbidden by \"{0}\": {1}; start elsewhere, or forbid less")]
    Baseline(String, String),
    /// Hardly anything is allowed.
    #[error(
        "besides the baseline, none of {DRAWN} candidates drawn from the whole space is allowed: forbid less, or declare \
         the parameters so that most combinations are allowed"
    )]
    Everything,
}

impl Forbidden {
    /// Parses conditions on these parameters.
    ///
    /// # Errors
    /// The index of a text that is not a condition.
    pub fn parse(texts: &[String], parameters: &[Parameter]) -> Result<Self, (usize, ParseError)> {
        let condition = |(i, text): (usize, &String)| Condition::parse(text, parameters).map_err(|error| (i, error));
        texts.iter().enumerate().map(condition).collect::<Result<_, _>>().map(Forbidden)
    }

    /// Returns the index of each condition with the index of each parameter in it.
    pub fn places(&self) -> Vec<(usize, usize)> {
        self.0.iter().enumerate().flat_map(|(i, one)| one.places().into_iter().map(move |place| (i, place))).collect()
    }

    /// Returns the first condition that forbids these values.
    fn forbids(&self, values: &[f64], parameters: &[Parameter]) -> Option<&Condition> {
        self.0.iter().find(|condition| condition.is_met(values, parameters))
    }

    /// Checks that values are allowed.
    ///
    /// # Errors
    /// If they are not.
    pub fn check(&self, values: &[f64], parameters: &[Parameter]) -> Result<(), ForbiddenError> {
        let condition = self.forbids(values, parameters);
        condition.map_or(Ok(()), |condition| Err(ForbiddenError::Values(condition.text().to_string())))
    }
}

impl From<Vec<Condition>> for Forbidden {
    fn from(conditions: Vec<Condition>) -> Self {
        Forbidden(conditions)
    }
}

impl Space {
    /// Forbids combinations of values.
    #[must_use]
    pub fn without(self, forbidden: impl Into<Forbidden>) -> Self {
        Space { forbidden: forbidden.into(), ..self }
    }

    /// Returns whether a candidate is allowed.
    pub fn allows(&self, values: &[f64]) -> bool {
        self.forbids(values).is_none()
    }

    /// Checks that a candidate is allowed.
    ///
    /// # Errors
    /// If it is not.
    pub fn check(&self, values: &[f64]) -> Result<(), ForbiddenError> {
        self.forbidden.check(values, &self.parameters)
    }

    fn forbids(&self, values: &[f64]) -> Option<&Condition> {
        self.forbidden.forbids(values, &self.parameters)
    }

    /// Returns whether any combination is forbidden.
    pub fn is_restricted(&self) -> bool {
        !self.forbidden.0.is_empty()
    }

    /// Returns whether the candidate at a point is allowed.
    pub fn allows_point(&self, point: &[f64]) -> bool {
        !self.is_restricted() || self.allows(&self.candidate(point))
    }

    /// Checks that the baseline and at least one other candidate are allowed.
    ///
    /// # Errors
    /// If they are not, with the key of the problem that says so.
    pub fn check_forbidden(&self) -> Result<(), Complaint> {
        let complaint = |error: ForbiddenError| Err(Complaint::new(&["forbid"], error));
        if let Some(condition) = self.forbids(&self.start) {
            let part = |place: usize| {
                let (parameter, value) = (&self.parameters[place], self.start[place]);
                format!("`{}` is {}", parameter.name, parameter.show(value))
            };
            let parts: Vec<String> = condition.places().into_iter().map(part).collect();
            return complaint(ForbiddenError::Baseline(condition.text().to_string(), parts.join(", ")));
        }
        if self.is_restricted() && !self.has_allowed() { complaint(ForbiddenError::Everything) } else { Ok(()) }
    }

    /// Returns the point itself if it is allowed. Otherwise returns the nearest allowed point that
    /// differs in one parameter or, if none exists, the first allowed point on the way to the
    /// start. The start must be allowed.
    pub fn allowed(&self, point: Vec<f64>) -> Vec<f64> {
        if self.allows_point(&point) {
            return point;
        }
        let values = self.candidate(&point);
        let changed = self.tuned.iter().flat_map(|&place| self.changed(place, &point, &values));
        let nearest = changed.filter(|(_, other)| self.allows_point(other)).min_by(|a, b| a.0.total_cmp(&b.0));
        nearest.map(|(_, point)| point).unwrap_or_else(|| {
            let origin = self.origin();
            let between = |step: u32| {
                let share = f64::from(step) / f64::from(STEPS);
                point.iter().zip(&origin).map(|(x, start)| x + share * (start - x)).collect()
            };
            (1..STEPS).map(between).find(|point: &Vec<f64>| self.allows_point(point)).unwrap_or(origin)
        })
    }

    /// Returns a copy of the point for each value of the parameter at or next to a value that a
    /// condition compares it with, and the distance of the copy from the point in units of the
    /// parameter.
    fn changed(&self, place: usize, point: &[f64], values: &[f64]) -> Vec<(f64, Vec<f64>)> {
        let parameter = &self.parameters[place];
        let first = self.first_coordinate(place);
        let comparisons = self.forbidden.0.iter().flat_map(Condition::comparisons);
        let borders = comparisons.filter_map(|comparison| match comparison.operand {
            Operand::Value(value) => (comparison.place == place).then_some(value),
            Operand::Parameter(other) if comparison.place == place => Some(values[other]),
            Operand::Parameter(other) => (other == place).then_some(values[comparison.place]),
        });
        let borders: Vec<f64> = borders.collect();
        if borders.is_empty() {
            return Vec::new();
        }
        let to = |own: Vec<f64>| {
            let mut other = point.to_vec();
            let mut square = 0.0;
            for (i, x) in own.into_iter().enumerate() {
                let coordinate = &self.coordinates[first + i];
                let by = (x - point[first + i]) / coordinate.unit;
                square += by * by;
                other[first + i] = x;
            }
            (square.sqrt(), other)
        };
        match &parameter.kind {
            Kind::Choice(names) => {
                // Swap the coordinates of the current name and another name.
                let now = values[place] as usize;
                let swapped = (0..names.len()).filter(|&other| other != now).map(|other| {
                    let mut keys = point[first..first + names.len()].to_vec();
                    keys.swap(now, other);
                    to(keys)
                });
                swapped.collect()
            }
            Kind::Switch => {
                let x = point[first];
                vec![to(vec![if x > 0.0 { -x } else { (-x).max(1e-3) }])]
            }
            Kind::Int { .. } | Kind::Float { .. } => {
                borders.into_iter().flat_map(|border| beside(parameter, border)).map(|x| to(vec![x])).collect()
            }
        }
    }

    /// Draws random points of the whole space and returns whether any of them, other than the
    /// start, is allowed.
    fn has_allowed(&self) -> bool {
        let mut random = generator(0);
        (0..DRAWN).any(|_| {
            let point: Vec<f64> = self
                .coordinates
                .iter()
                .map(|coordinate| coordinate.min + random.random::<f64>() * (coordinate.max - coordinate.min))
                .collect();
            let values = self.candidate(&point);
            values != self.start && self.allows(&values)
        })
    }
}

/// Returns the coordinates at a border and next to it on both sides.
fn beside(parameter: &Parameter, border: f64) -> Vec<f64> {
    let (min, max) = parameter.range();
    let of = |value: f64| coordinates(parameter, value.clamp(min, max))[0];
    let spacing = parameter.spacing();
    if spacing > 0.0 {
        let (below, above) = (parameter.floor(border), parameter.ceil(border));
        return [below - spacing, below, above, above + spacing].map(|value| of(value).start).to_vec();
    }
    let border = of(border);
    let by = (BESIDE * border.unit).max(4.0 * f64::EPSILON * border.start.abs());
    [border.start, border.start - by, border.start + by].map(|x| border.clamp(x)).to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::optimizer::sampling::normal;

    /// A choice, a whole number, floats on both scales, and a switch that only matters for one
    /// choice.
    fn space(forbidden: &[&str]) -> Space {
        let mut parameters = vec![
            Parameter::choice("move", ["swap", "2opt", "insert"], 1),
            Parameter::int("k", 1, 20, 5),
            Parameter::float("temp", 1e-3, 1e3, 1.0).log(),
            Parameter::float("share", 0.0, 1.0, 0.2),
        ];
        let condition = Condition::parse("move == 'swap'", &parameters).unwrap();
        parameters.push(Parameter::switch("greedy", false).when(condition));
        let start = parameters.iter().map(|parameter| parameter.start).collect();
        let forbidden: Vec<Condition> =
            forbidden.iter().map(|text| Condition::parse(text, &parameters).unwrap()).collect();
        Space::new(parameters, start, vec![0, 1, 2, 3, 4]).without(forbidden)
    }

    /// Returns the point at these values.
    fn at(space: &Space, values: [f64; 5]) -> Vec<f64> {
        let own = space.parameters().iter().zip(values);
        own.flat_map(|(parameter, value)| coordinates(parameter, value)).map(|coordinate| coordinate.start).collect()
    }

    #[test]
    fn a_forbidden_point_becomes_the_nearest_allowed_one() {
        for (forbidden, values, nearest) in [
            // Whole numbers and floats move to the border.
            (&["k > 10"][..], [1.0, 12.0, 1.0, 0.5, 0.0], [1.0, 10.0, 1.0, 0.5, 0.0]),
            (&["k >= 10.5 || k <= 3"], [1.0, 2.0, 1.0, 0.5, 0.0], [1.0, 4.0, 1.0, 0.5, 0.0]),
            (&["share > 0.5"], [1.0, 5.0, 1.0, 0.7, 0.0], [1.0, 5.0, 1.0, 0.5, 0.0]),
            (&["temp < 10"], [1.0, 5.0, 2.0, 0.7, 0.0], [1.0, 5.0, 10.0, 0.7, 0.0]),
            // One number less is nearer than another choice; another choice is nearer than ten
            // numbers less.
            (&["move == 'swap' && k > 10"], [0.0, 11.0, 1.0, 0.5, 1.0], [0.0, 10.0, 1.0, 0.5, 1.0]),
            (&["move == 'swap' && k > 10"], [0.0, 20.0, 1.0, 0.5, 1.0], [1.0, 20.0, 1.0, 0.5, 0.0]),
            (&["move != '2opt'"], [2.0, 20.0, 1.0, 0.5, 1.0], [1.0, 20.0, 1.0, 0.5, 0.0]),
            (&["greedy == true"], [0.0, 20.0, 1.0, 0.5, 1.0], [0.0, 20.0, 1.0, 0.5, 0.0]),
            // If two numbers are compared, the one with the shorter way moves.
            (&["temp > k"], [1.0, 4.0, 5.0, 0.5, 1.0], [1.0, 4.0, 4.0, 0.5, 0.0]),
            (&["temp > k"], [1.0, 4.0, 500.0, 0.5, 1.0], [1.0, 4.0, 4.0, 0.5, 0.0]),
            (&["share >= 0.5 && k < 9"], [1.0, 8.0, 5.0, 0.9, 1.0], [1.0, 9.0, 5.0, 0.9, 0.0]),
        ] {
            let space = space(forbidden);
            let found = space.candidate(&space.allowed(at(&space, values)));
            let close = found.iter().zip(nearest).all(|(x, y)| (x - y).abs() <= 1e-8 * y.abs());
            assert!(close && space.allows(&found), "{forbidden:?} {values:?}: {found:?}");
        }
    }

    #[test]
    fn every_point_is_repaired_and_allowed_points_stay() {
        for forbidden in [
            &["move == 'swap' && k > 10", "share >= 0.2 && temp <= 0.5", "!(k != 7)"][..],
            // Most points need a change of more than one parameter.
            &["move in [swap, insert] || k != 5 || share > 0.3", "temp != 1 && temp > 0.999"],
            &["greedy == true || move == insert", "k <= temp"],
        ] {
            let space = space(forbidden);
            let mut random = generator(3);
            let mut stayed = 0;
            for _ in 0..3000 {
                let mut point = space.origin();
                for (x, coordinate) in point.iter_mut().zip(space.coordinates()) {
                    *x = coordinate.clamp(*x + 4.0 * coordinate.unit * normal(&mut random));
                }
                let allowed = space.allowed(point.clone());
                for values in [space.candidate(&allowed), space.rounded(&allowed)] {
                    assert!(space.allows(&values), "{forbidden:?}: {values:?}");
                }
                assert!(!space.allows_point(&point) || allowed == point);
                stayed += usize::from(allowed == point);
            }
            assert!(stayed < 3000, "{forbidden:?} forbids nothing");
        }
    }

    #[test]
    fn spaces_without_allowed_points_are_recognized() {
        assert!(space(&["move == 'swap' && k > 10"]).has_allowed());
        assert!(!space(&["share != 0.2"]).has_allowed());
        assert!(space(&["k != 5", "move != '2opt'"]).has_allowed());
        assert!(!space(&["k != 5", "move != '2opt'", "temp != 1", "share != 0.2"]).has_allowed());
    }
}
