//! Coordinates: the mapping between the value of a parameter and the real numbers that optimizers
//! use.

use crate::model::parameter::{Kind, Parameter, Prior};

/// One dimension of the vectors that optimizers use.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Coordinate {
    pub start: f64,
    /// The distance between two values worth comparing, a natural initial standard deviation.
    pub unit: f64,
    pub min: f64,
    pub max: f64,
    /// The smallest standard deviation that still changes the value, or 0 for continuous values. A
    /// smaller one would freeze whole numbers and choices.
    pub least: f64,
    /// The family of numbered parameters, such as `moves_1` and `moves_2` or the elements of an
    /// array: the index of the first coordinate whose name differs only in a number. `None` without
    /// a family.
    pub family: Option<usize>,
    /// The role of the coordinate in its parameter.
    pub role: Role,
    /// The prior of good values, in the coordinate's own unit.
    pub prior: Option<Prior>,
}

/// The role of a coordinate in its parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// A number, or its logarithm.
    Float,
    /// A whole number, or the index of a value on a grid.
    Int {
        /// Whether the coordinate is the logarithm of the number.
        log: bool,
    },
    /// A switch, on above 0.
    Switch,
    /// The first name of a choice among this number of names.
    Choice(usize),
    /// Another name of a choice.
    Name,
    /// A [coefficient](crate::model::parameter::follow).
    Coefficient,
}

impl Coordinate {
    /// Creates the coordinate of a plain float.
    #[cfg(test)]
    pub fn float(start: f64, unit: f64, min: f64, max: f64) -> Self {
        Coordinate { start, unit, min, max, least: 0.0, family: None, role: Role::Float, prior: None }
    }

    /// Clamps a value to the range.
    pub fn clamp(&self, value: f64) -> f64 {
        value.clamp(self.min, self.max)
    }
}

/// The largest coordinate of a choice or switch, and the lead of the selected value at the start.
const LARGEST_KEY: f64 = 3.0;
const LEAD: f64 = 1.0;
/// The smallest standard deviations of whole numbers and of choices.
const LEAST_INT: f64 = 0.25;
const LEAST_KEY: f64 = 0.4;

/// Returns the number of coordinates of a parameter.
pub fn width(parameter: &Parameter) -> usize {
    match &parameter.kind {
        Kind::Choice(names) => names.len(),
        _ => 1,
    }
}

pub fn coordinates(parameter: &Parameter, start: f64) -> Vec<Coordinate> {
    let role = match parameter.kind {
        _ if parameter.follows.is_some() => Role::Coefficient,
        Kind::Float { .. } if parameter.grid.is_some() => Role::Int { log: false },
        Kind::Float { .. } => Role::Float,
        Kind::Int { log, .. } => Role::Int { log },
        Kind::Switch => Role::Switch,
        Kind::Choice(_) => Role::Name,
    };
    let is_log = parameter.is_log();
    let prior =
        parameter.prior.map(|prior| Prior { mean: if is_log { libm::log(prior.mean) } else { prior.mean }, ..prior });
    let at = |start, unit, min, max, least| Coordinate { start, unit, min, max, least, family: None, role, prior };
    let key = |start| at(start, 1.0, -LARGEST_KEY, LARGEST_KEY, LEAST_KEY);
    let (min, max) = parameter.range();
    let unit = parameter.unit;
    // The range of whole numbers extends by half a number at both ends, so that the first and the
    // last one are as likely as the others.
    let whole = |start, unit, min: f64, max: f64| vec![at(start, unit, min - 0.499, max + 0.499, LEAST_INT)];
    if let Some(grid) = &parameter.grid {
        let prior = parameter
            .prior
            .map(|Prior { mean, deviation }| Prior { mean: grid.index(mean), deviation: deviation / grid.step() });
        let own = whole(grid.index(start), unit / grid.step(), grid.index(min), grid.index(max));
        return own.into_iter().map(|own| Coordinate { prior, ..own }).collect();
    }
    match &parameter.kind {
        Kind::Float { log: false, .. } => vec![at(start, unit, min, max, 0.0)],
        Kind::Int { log: false, .. } => whole(start, unit, min, max),
        Kind::Float { log: true, .. } => {
            vec![at(libm::log(start), unit, libm::log(min), libm::log(max), 0.0)]
        }
        Kind::Int { log: true, .. } => {
            let (min, max) = (libm::log(min - 0.499), libm::log(max + 0.499));
            // The larger the number, the smaller 1 is on this scale; the smallest deviation is
            // that of the start.
            vec![at(libm::log(start), unit, min, max, LEAST_INT / start.max(1.0))]
        }
        Kind::Switch => vec![key(if start == 0.0 { -LEAD / 2.0 } else { LEAD / 2.0 })],
        Kind::Choice(names) => {
            let key = |i| key(if i == start as usize { LEAD / 2.0 } else { -LEAD / 2.0 });
            let first = Coordinate { role: Role::Choice(names.len()), ..key(0) };
            std::iter::once(first).chain((1..names.len()).map(key)).collect()
        }
    }
}

/// Returns the common part of a family's names: the name without its digits. Only numbers have
/// families; the coordinates of a choice compete with each other.
pub fn family(parameter: &Parameter) -> Option<String> {
    let is_number = matches!(parameter.kind, Kind::Float { .. } | Kind::Int { .. });
    let is_numbered = parameter.name.contains(|letter: char| letter.is_ascii_digit());
    (is_number && is_numbered).then(|| {
        let parts = parameter.name.split(|letter: char| letter.is_ascii_digit());
        parts.filter(|part| !part.is_empty()).collect::<Vec<_>>().join("#")
    })
}

/// Returns whether two numbers differ by rounding errors only.
pub fn is_close(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-12 * a.abs().max(b.abs())
}

/// Maps the coordinates of a parameter to its value.
pub fn value(parameter: &Parameter, point: &[f64]) -> f64 {
    let whole = |value: f64| {
        let (min, max) = parameter.range();
        value.round().clamp(min, max)
    };
    if let Some(grid) = &parameter.grid {
        let (min, max) = parameter.range();
        return grid.value(point[0].round().clamp(grid.index(min), grid.index(max)));
    }
    match &parameter.kind {
        Kind::Float { log: false, min, max } => point[0].clamp(*min, *max),
        Kind::Float { log: true, min, max } => {
            let value = libm::exp(point[0]).clamp(*min, *max);
            // At a bound, the value is exactly the declared one.
            [*min, *max].into_iter().find(|bound| is_close(value, *bound)).unwrap_or(value)
        }
        Kind::Int { log: false, .. } => whole(point[0]),
        Kind::Int { log: true, .. } => whole(libm::exp(point[0])),
        Kind::Switch => f64::from(u8::from(point[0] > 0.0)),
        Kind::Choice(_) => {
            let mut best = 0;
            for i in 1..point.len() {
                if point[i] > point[best] {
                    best = i;
                }
            }
            best as f64
        }
    }
}
