//! The model's view of points: a number between 0 and 1 for each numeric parameter, a level for
//! each choice and switch.

use crate::model::parameter::Prior;
use crate::model::space::{Coordinate, Role};
use crate::optimizer::auto::around::around;
use crate::statistics::{below, quantile};
use chacha20::ChaCha8Rng;
use rand::RngExt;

/// The lead of a choice's chosen name, and the distance of a switch from turning.
const LEAD: f64 = 0.5;

/// One parameter.
#[derive(Clone, Debug, PartialEq)]
pub struct Dimension {
    /// Its first coordinate.
    place: usize,
    kind: Kind,
    low: f64,
    high: f64,
    /// The prior of good values, in the unit of the range.
    prior: Option<Prior>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Float,
    Int {
        log: bool,
    },
    Switch,
    /// Number of names.
    Choice(usize),
}

impl Dimension {
    /// Returns the number of levels; `None` for numbers.
    pub fn levels(&self) -> Option<usize> {
        match self.kind {
            Kind::Float | Kind::Int { .. } => None,
            Kind::Switch => Some(2),
            Kind::Choice(names) => Some(names),
        }
    }

    /// Returns the distance between two values: between 0 and 1 for numbers, 0 or 1 for levels.
    pub fn distance(&self, a: f64, b: f64) -> f64 {
        if self.levels().is_some() { f64::from(u8::from(a != b)) } else { (a - b).abs() }
    }

    /// Returns the value at a share of the range: for numbers from 0 to 1, for levels from the
    /// first to the last.
    pub fn at(&self, share: f64) -> f64 {
        match self.levels() {
            Some(levels) => ((share * levels as f64) as usize).min(levels - 1) as f64,
            None => self.snapped(share),
        }
    }

    /// Returns the value at a share of the prior, truncated to the range; without a prior, at a
    /// share of the range.
    pub fn drawn(&self, share: f64) -> f64 {
        let Some(Prior { mean, deviation }) = self.prior else { return self.at(share) };
        let [low, high] = [0.0, 1.0].map(|end| below((end - mean) / deviation));
        self.snapped(mean + deviation * quantile(low + share * (high - low)))
    }

    /// Returns the playable value nearest to the prior's mean.
    pub fn believed(&self) -> Option<f64> {
        self.prior.map(|prior| self.snapped(prior.mean))
    }

    /// Returns the logarithm of the prior's density relative to its maximum.
    pub fn belief(&self, value: f64) -> f64 {
        self.prior.map_or(0.0, |Prior { mean, deviation }| {
            let z = (value - mean) / deviation;
            -0.5 * z * z
        })
    }

    /// Returns the nearest value that can be played.
    pub fn snapped(&self, value: f64) -> f64 {
        match self.kind {
            Kind::Int { log } => {
                let number = self.low + value.clamp(0.0, 1.0) * (self.high - self.low);
                let whole = if log { libm::exp(number).round().max(1.0) } else { number.round() };
                let back = if log { libm::log(whole) } else { whole };
                ((back - self.low) / (self.high - self.low)).clamp(0.0, 1.0)
            }
            Kind::Float => value.clamp(0.0, 1.0),
            Kind::Switch | Kind::Choice(_) => value,
        }
    }

    /// Returns a value at a distance of about `deviate * size` from another, and a different one
    /// whenever there is one.
    pub fn stepped(&self, value: f64, deviate: f64, size: f64, random: &mut ChaCha8Rng) -> f64 {
        if let Some(levels) = self.levels() {
            let other = random.random_range(0..levels as u32 - 1) as f64;
            return if other < value { other } else { other + 1.0 };
        }
        let mut moved = value + deviate * size;
        if !(0.0..=1.0).contains(&moved) && random.random_range(0..5u32) == 0 {
            moved = random.random();
        }
        let snapped = self.snapped(moved);
        if snapped != value || self.kind == Kind::Float {
            return snapped;
        }
        // Take the next whole number on that side or, at the end of the range, on the other side.
        let unit = |value: f64| self.next_whole(value, deviate >= 0.0);
        unit(value)
    }

    fn next_whole(&self, value: f64, up: bool) -> f64 {
        let Kind::Int { log } = self.kind else { return value };
        let number = self.low + value * (self.high - self.low);
        let whole = if log { libm::exp(number).round() } else { number.round() };
        let at = |whole: f64| {
            let number = if log { libm::log(whole) } else { whole };
            (number - self.low) / (self.high - self.low)
        };
        let is_within = |value: &f64| (0.0..=1.0).contains(value);
        let (first, second) = if up { (whole + 1.0, whole - 1.0) } else { (whole - 1.0, whole + 1.0) };
        [first, second].map(at).into_iter().find(is_within).unwrap_or(value)
    }
}

/// The dimensions of a space.
pub fn dimensions(space: &[Coordinate]) -> Vec<Dimension> {
    let mut dimensions = Vec::new();
    for (place, coordinate) in space.iter().enumerate() {
        let kind = match coordinate.role {
            Role::Float => Kind::Float,
            Role::Int { log } => Kind::Int { log },
            Role::Switch => Kind::Switch,
            Role::Choice(names) => Kind::Choice(names),
            // Coefficients are read off the model.
            Role::Name | Role::Coefficient => continue,
        };
        let (low, high) = around(coordinate);
        let within = |Prior { mean, deviation }| Prior {
            mean: (mean - low) / (high - low),
            deviation: deviation / (high - low),
        };
        dimensions.push(Dimension { place, kind, low, high, prior: coordinate.prior.map(within) });
    }
    dimensions
}

/// Returns the model's view of a point of the space.
pub fn encoded(dimensions: &[Dimension], point: &[f64]) -> Vec<f64> {
    let encode = |dimension: &Dimension| {
        let own = &point[dimension.place..];
        match dimension.kind {
            Kind::Switch => f64::from(u8::from(own[0] > 0.0)),
            Kind::Choice(names) => (1..names).fold(0, |best, i| if own[i] > own[best] { i } else { best }) as f64,
            _ => dimension.snapped((own[0] - dimension.low) / (dimension.high - dimension.low)),
        }
    };
    dimensions.iter().map(encode).collect()
}

/// Returns the model's view of a candidate that may lie outside the range of the search: numbers
/// below 0 or above 1.
pub fn placed(dimensions: &[Dimension], point: &[f64]) -> Vec<f64> {
    let mut values = encoded(dimensions, point);
    for (value, dimension) in values.iter_mut().zip(dimensions).filter(|(_, dimension)| dimension.levels().is_none()) {
        *value = (point[dimension.place] - dimension.low) / (dimension.high - dimension.low);
    }
    values
}

/// Returns the point of the space.
pub fn decoded(dimensions: &[Dimension], values: &[f64], space: &[Coordinate]) -> Vec<f64> {
    let mut point: Vec<f64> = space.iter().map(|coordinate| coordinate.start).collect();
    for (dimension, &value) in dimensions.iter().zip(values) {
        let own = &mut point[dimension.place..];
        match dimension.kind {
            Kind::Switch => own[0] = if value > 0.0 { LEAD } else { -LEAD },
            Kind::Choice(names) => {
                own[..names].iter_mut().enumerate().for_each(|(i, key)| {
                    *key = if i as f64 == value { LEAD } else { -LEAD };
                });
            }
            _ => own[0] = space[dimension.place].clamp(dimension.low + value * (dimension.high - dimension.low)),
        }
    }
    point
}
