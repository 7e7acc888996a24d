//! Slices: one weight goes through its range while the others stay as recommended.

use super::{Bench, Difference, Question};
use crate::parameter::{Kind, Parameter};
use crate::trial::Failure;

/// A weight's slice.
#[derive(Clone, Debug, PartialEq)]
pub struct Slice {
    /// The weight.
    pub name: String,
    /// Its values in ascending order, the recommended one among them.
    pub points: Vec<Point>,
}

/// A value on a slice.
#[derive(Clone, Debug, PartialEq)]
pub struct Point {
    /// The value.
    pub value: f64,
    /// The same as it stands in files.
    pub shown: String,
    /// How much better it is than the recommended value.
    pub difference: Difference,
    /// Whether it belongs to the flat part: nothing between it and the recommended value is clearly worse.
    pub is_flat: bool,
    /// Whether it is the recommended value.
    pub is_recommended: bool,
}

/// Points of a slice at most, the recommended one apart.
pub const MOST_POINTS: usize = 6;
/// How far a slice goes to either side at least, in units of variation.
const REACH: f64 = 4.0;

impl Bench<'_> {
    /// The slices of the weights at these places.
    pub(super) fn slices(&mut self, places: &[usize]) -> Result<Vec<Slice>, Failure> {
        let (space, values) = (self.subject.space, self.subject.values);
        let mut candidates = vec![values.to_vec()];
        let mut points = Vec::new();
        for (slice, &place) in places.iter().enumerate() {
            let others = others(&space.parameters()[place], space.start()[place], values[place]);
            for value in others {
                let mut candidate = values.to_vec();
                candidate[place] = value;
                candidates.push(candidate);
                points.push((slice, value));
            }
        }
        if points.is_empty() {
            return Ok(Vec::new());
        }
        let outcomes = self.play(Question::Slices, &candidates)?;
        let mut slices = Vec::new();
        for (slice, &place) in places.iter().enumerate() {
            let parameter = &space.parameters()[place];
            let own = points.iter().zip(&outcomes[1..]).filter(|((of, _), _)| *of == slice);
            let point = |value, difference, is_recommended| Point {
                value,
                shown: parameter.show(value),
                difference,
                is_flat: false,
                is_recommended,
            };
            let none = Difference { mean: 0.0, low: 0.0, high: 0.0 };
            let mut all = vec![point(values[place], none, true)];
            for ((_, value), played) in own {
                all.push(point(*value, self.difference(played, &outcomes[0], points.len()), false));
            }
            all.sort_by(|a, b| a.value.total_cmp(&b.value));
            mark_flat(&mut all);
            slices.push(Slice { name: parameter.name.clone(), points: all });
        }
        Ok(slices)
    }
}

/// Marks what is not clearly worse, from the recommended value on to both sides.
fn mark_flat(points: &mut [Point]) {
    let middle = points.iter().position(|point| point.is_recommended).unwrap_or_default();
    let is_level = |point: &Point| point.difference.high >= 0.0;
    let below = points[..middle].iter().rev().take_while(|point| is_level(point)).count();
    let above = points[middle..].iter().take_while(|point| is_level(point)).count();
    points[middle - below..middle + above].iter_mut().for_each(|point| point.is_flat = true);
}

/// Values to either side of the recommended one: of numbers quarters of the way to four units of variation, or to the start
/// where that is farther; of choices all others.
fn others(parameter: &Parameter, start: f64, value: f64) -> Vec<f64> {
    let (min, max) = parameter.range();
    let mut others: Vec<f64> = match &parameter.kind {
        Kind::Choice(names) => (0..names.len()).map(|i| i as f64).collect(),
        Kind::Switch => vec![1.0 - value],
        Kind::Float { log, .. } | Kind::Int { log, .. } => {
            let (from, to) = match log {
                true => (libm::log(value), libm::log(start)),
                false => (value, start),
            };
            let reach = (REACH * parameter.scale).max((to - from).abs());
            let at = |share: f64| {
                let place = from + share * reach;
                let place = if *log { libm::exp(place) } else { place };
                let whole = matches!(parameter.kind, Kind::Int { .. });
                parameter.rounded(if whole { place.round() } else { place }.clamp(min, max))
            };
            [-1.0, -0.5, -0.25, 0.25, 0.5, 1.0].map(at).to_vec()
        }
    };
    others.sort_by(f64::total_cmp);
    others.dedup();
    others.retain(|&other| other != value);
    others.truncate(MOST_POINTS);
    others
}
