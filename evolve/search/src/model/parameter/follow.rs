//! Parameters that follow the instance: a small function of its features.
//!
//! A number that follows features has a value as usual, its level, and further parameters, the
//! coefficients: one for each feature with an order, and one for each group of a feature without.
//! They start at 0, or where a group has a declared value. A coefficient is a share of the
//! parameter's range on its own scale. For a feature from `low` to `high`, it is what the parameter
//! changes by from `low` to `high`, and the level is the value in the middle; for a group, the
//! difference from the level. Where both parameter and feature are logarithmic, the function is a
//! power law.

use super::{Kind, Parameter};
use crate::model::features::{Feature, Values, is_wide};

/// The largest coefficients of features and of groups.
const STEEPEST: f64 = 1.2;
const FARTHEST: f64 = 0.6;
/// The unit of variation of a coefficient.
const UNIT: f64 = 0.1;
/// The significant digits of slopes and middles, which exported programs have.
const DIGITS: usize = 6;

/// The role of a coefficient.
#[derive(Clone, Debug, PartialEq)]
pub struct Follows {
    /// The index of the parameter that follows.
    pub place: usize,
    /// The name of the feature.
    pub feature: String,
    /// The factor of the coefficient.
    pub by: By,
    /// The declared value in the group, which the start has exactly.
    pub declared: Option<f64>,
}

/// The factor of a coefficient.
#[derive(Clone, Debug, PartialEq)]
pub enum By {
    /// The number, by its range.
    Number {
        /// The smallest number.
        low: f64,
        /// The largest number.
        high: f64,
    },
    /// 1 in a group, 0 elsewhere.
    Group(String),
}

impl Parameter {
    /// Declares a coefficient of the number `of`, the parameter at index `place`.
    pub fn coefficient(of: &Parameter, place: usize, feature: &str, by: By) -> Self {
        let (name, most) = match &by {
            By::Number { .. } => (format!("{}:{feature}", of.name), STEEPEST),
            By::Group(group) => (format!("{}:{feature}={group}", of.name), FARTHEST),
        };
        let meaning = format!("how `{}` follows {feature}, as a share of its range", of.name);
        let coefficient = Parameter::float(name, -most, most, 0.0).unit(UNIT).meaning(meaning);
        let follows = Follows { place, feature: feature.to_string(), by, declared: None };
        Parameter { follows: Some(Box::new(follows)), condition: of.condition.clone(), ..coefficient }
    }

    /// Declares the coefficient of a group in which the number `of` starts at this value.
    pub fn coefficient_of_group(of: &Parameter, place: usize, feature: &str, group: &str, value: f64) -> Self {
        let plain = Parameter::coefficient(of, place, feature, By::Group(group.to_string()));
        let distance = if of.is_log() { libm::log(value) - libm::log(of.start) } else { value - of.start };
        let start = distance / of.width();
        let follows = plain.follows.map(|follows| Box::new(Follows { declared: Some(value), ..*follows }));
        let most = if start.abs() > FARTHEST { 1.0 } else { FARTHEST };
        Parameter { start, kind: Kind::Float { min: -most, max: most, log: false }, follows, ..plain }
    }

    /// Returns the length of the range, on the parameter's own scale.
    fn width(&self) -> f64 {
        let (min, max) = self.range();
        if self.is_log() { libm::log(max) - libm::log(min) } else { max - min }
    }
}

/// A parameter as a function of features, for one candidate.
#[derive(Clone, Debug, PartialEq)]
pub struct Function<'a> {
    /// The parameter that follows.
    pub parameter: &'a Parameter,
    /// Its value outside of the groups, for features in the middle.
    pub level: f64,
    /// The values in groups that differ from the level, as (feature, group, value).
    pub groups: Vec<(&'a str, &'a str, f64)>,
    /// The features with a slope.
    pub slopes: Vec<Slope<'a>>,
    /// The features whose groups are words: at least one of them is no number.
    pub words: Vec<&'a str>,
}

/// The dependence on one feature.
#[derive(Clone, Debug, PartialEq)]
pub struct Slope<'a> {
    /// The name of the feature.
    pub feature: &'a str,
    /// Whether the logarithm of the feature counts.
    pub is_log: bool,
    /// The number at which the parameter has its level.
    pub middle: f64,
    /// The change of the parameter, or of its logarithm, per unit of the feature, or of its
    /// logarithm.
    pub slope: f64,
}

/// A feature of one instance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value<'a> {
    /// A number.
    Number(f64),
    /// A word.
    Word(&'a str),
}

impl Value<'_> {
    fn is(self, group: &str) -> bool {
        match self {
            Value::Number(number) => number.to_string() == group,
            Value::Word(word) => word == group,
        }
    }
}

impl Feature {
    /// Returns the value on one instance.
    ///
    /// # Panics
    /// If there is no such instance.
    pub fn value(&self, instance: usize) -> Value<'_> {
        match &self.values {
            Values::Numbers(numbers) => Value::Number(numbers[instance]),
            Values::Words(words) => Value::Word(&words[instance]),
        }
    }
}

/// Returns a feature of an instance by its name, if it is among these.
///
/// # Panics
/// If there is no such instance.
pub fn named<'f>(features: &'f [Feature], name: &str, instance: usize) -> Option<Value<'f>> {
    features.iter().find(|feature| feature.name == name).map(|feature| feature.value(instance))
}

/// Returns the values of a candidate of these parameters on an instance with these features.
pub fn on_instance<'v>(
    parameters: &[Parameter],
    values: &[f64],
    feature: impl Fn(&str) -> Option<Value<'v>>,
) -> Vec<f64> {
    let mut own = values.to_vec();
    Function::all(parameters, values).iter().for_each(|(place, function)| own[*place] = function.at(&feature));
    own
}

impl<'a> Function<'a> {
    /// Returns the functions of a candidate of these parameters, with the index of each parameter;
    /// none for parameters whose coefficients are all 0.
    pub fn all(parameters: &'a [Parameter], values: &[f64]) -> Vec<(usize, Self)> {
        let is_word = |group: &str| !group.parse::<f64>().is_ok_and(f64::is_finite);
        let words = |of: usize| {
            let named = |follows: &'a Follows| match &follows.by {
                By::Group(group) if follows.place == of && is_word(group) => Some(follows.feature.as_str()),
                _ => None,
            };
            parameters.iter().filter_map(|one| named(one.follows.as_deref()?)).collect()
        };
        let mut all: Vec<(usize, Function<'a>)> = Vec::new();
        for (coefficient, &value) in parameters.iter().zip(values) {
            let Some(Follows { place, feature, by, declared }) = coefficient.follows.as_deref() else { continue };
            if value == 0.0 {
                continue;
            }
            let (parameter, level) = (&parameters[*place], values[*place]);
            let known = all.iter().position(|(other, _)| other == place).unwrap_or_else(|| {
                all.push((
                    *place,
                    Function { parameter, level, groups: Vec::new(), slopes: Vec::new(), words: words(*place) },
                ));
                all.len() - 1
            });
            let function = &mut all[known].1;
            match by {
                By::Number { low, high } => function.slopes.push(Slope::of(parameter, feature, (*low, *high), value)),
                By::Group(group) => {
                    let is_start = value == coefficient.start && level == parameter.start;
                    let own = declared.filter(|_| is_start).unwrap_or_else(|| moved(parameter, level, value));
                    function.groups.push((feature, group, own));
                }
            }
        }
        all
    }

    /// Returns the features that it depends on, each once.
    pub fn features(&self) -> Vec<&'a str> {
        let of_groups = self.groups.iter().map(|(feature, ..)| *feature);
        let mut all: Vec<&str> = Vec::new();
        for feature in of_groups.chain(self.slopes.iter().map(|slope| slope.feature)) {
            if !all.contains(&feature) {
                all.push(feature);
            }
        }
        all
    }

    /// Returns the value on an instance with these features. A feature that is not known does not
    /// count.
    pub fn at<'v>(&self, feature: impl Fn(&str) -> Option<Value<'v>>) -> f64 {
        let is_in = |(name, group, _): &&(&str, &str, f64)| feature(name).is_some_and(|value| value.is(group));
        let mut value = self.groups.iter().find(is_in).map_or(self.level, |group| group.2);
        if self.slopes.is_empty() {
            return value;
        }
        for slope in &self.slopes {
            if let Some(Value::Number(number)) = feature(slope.feature) {
                value = slope.applied(self.parameter, value, number);
            }
        }
        bounded(self.parameter, value)
    }
}

impl<'a> Slope<'a> {
    fn of(parameter: &Parameter, feature: &'a str, (low, high): (f64, f64), coefficient: f64) -> Self {
        let is_log = is_wide(low, high);
        let (middle, width) = match is_log {
            true => (libm::sqrt(low) * libm::sqrt(high), libm::log(high) - libm::log(low)),
            false => (low / 2.0 + high / 2.0, high - low),
        };
        let slope = coefficient * parameter.width() / width;
        Slope { feature, is_log, middle: significant(middle), slope: significant(slope) }
    }

    /// Returns the value where the feature is `number` instead of its middle.
    fn applied(&self, parameter: &Parameter, value: f64, number: f64) -> f64 {
        let &Slope { is_log, middle, slope, .. } = self;
        match (parameter.is_log(), is_log) {
            (true, true) => value * libm::pow(number.max(f64::MIN_POSITIVE) / middle, slope),
            (true, false) => value * libm::exp(slope * (number - middle)),
            (false, true) => value + slope * libm::log(number.max(f64::MIN_POSITIVE) / middle),
            (false, false) => value + slope * (number - middle),
        }
    }
}

/// Returns the readable value at this share of the range from another.
fn moved(parameter: &Parameter, value: f64, share: f64) -> f64 {
    let by = share * parameter.width();
    let moved = if parameter.is_log() { value * libm::exp(by) } else { value + by };
    parameter.rounded(bounded(parameter, moved))
}

/// Returns the nearest value that the parameter allows.
fn bounded(parameter: &Parameter, value: f64) -> f64 {
    let (min, max) = parameter.range();
    let value = if matches!(parameter.kind, Kind::Int { .. }) { libm::floor(value + 0.5) } else { value };
    value.clamp(min, max)
}

/// Rounds a number to [`DIGITS`] significant digits.
fn significant(value: f64) -> f64 {
    format!("{value:.*e}", DIGITS - 1).parse().expect("a formatted number")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the values of the parameter where `n` has these values, with a coefficient.
    fn along(parameter: Parameter, range: (f64, f64), coefficient: f64, numbers: [f64; 3]) -> [f64; 3] {
        let by = By::Number { low: range.0, high: range.1 };
        let coefficient_of = Parameter::coefficient(&parameter, 0, "n", by);
        let values = [parameter.start, coefficient];
        let parameters = [parameter, coefficient_of];
        let functions = Function::all(&parameters, &values);
        numbers.map(|number| match &functions[..] {
            [] => values[0],
            [(0, function)] => function.at(|name| (name == "n").then_some(Value::Number(number))),
            _ => panic!("{functions:?}"),
        })
    }

    #[test]
    fn a_coefficient_is_the_change_over_the_range() {
        let temp = || Parameter::float("temp", 1.0, 10_000.0, 100.0).log();
        // A power law: half the range up from 10 to 1000, through 100 in the middle.
        let [low, middle, high] = along(temp(), (10.0, 1000.0), 0.5, [10.0, 100.0, 1000.0]);
        assert!((low - 10.0).abs() < 1e-3 && middle == 100.0 && (high - 1000.0).abs() < 0.1, "{low} {middle} {high}");
        let [low, middle, high] = along(temp(), (10.0, 20.0), -0.5, [10.0, 15.0, 20.0]);
        assert!((low - 1000.0).abs() < 0.1 && middle == 100.0 && (high - 10.0).abs() < 1e-3, "{low} {middle} {high}");
        let k = || Parameter::int("k", 0, 20, 10);
        assert_eq!(along(k(), (10.0, 20.0), 0.5, [10.0, 14.0, 20.0]), [5.0, 9.0, 15.0]);
        assert_eq!(along(k(), (10.0, 20.0), 1.2, [0.0, 15.0, 90.0]), [0.0, 10.0, 20.0], "within the range");
        assert_eq!(along(k(), (1.0, 100.0), 0.4, [1.0, 10.0, 100.0]), [6.0, 10.0, 14.0]);
        assert_eq!(along(k(), (1.0, 100.0), 0.0, [1.0, 10.0, 100.0]), [10.0; 3]);
    }

    #[test]
    fn groups_have_values_of_their_own() {
        let k = Parameter::int("k", 0, 20, 10);
        let group = |group: &str| Parameter::coefficient(&k, 0, "kind", By::Group(group.to_string()));
        let parameters = [k.clone(), group("a"), group("b"), group("7")];
        let functions = Function::all(&parameters, &[10.0, -0.25, 0.0, 0.5]);
        let at = |value| functions[0].1.at(|_| value);
        assert_eq!(at(Some(Value::Word("a"))), 5.0);
        assert_eq!([at(Some(Value::Word("b"))), at(Some(Value::Word("c"))), at(None)], [10.0; 3]);
        assert_eq!(at(Some(Value::Number(7.0))), 20.0);
        assert_eq!(parameters[2].name, "k:kind=b");
    }

    #[test]
    fn groups_start_at_their_declared_values() {
        let temp = Parameter::float("temp", 0.001, 1000.0, 5.0).log();
        let values = [16.123456789012345, 5.0, 0.0012];
        let of = |(i, value): (usize, &f64)| Parameter::coefficient_of_group(&temp, 0, "k", &i.to_string(), *value);
        let coefficients: Vec<Parameter> = values.iter().enumerate().map(of).collect();
        assert!(coefficients.iter().all(|coefficient| coefficient.allows(coefficient.start)));
        let parameters: Vec<Parameter> = [temp].into_iter().chain(coefficients).collect();
        let at =
            |values: &[f64], group: usize| on_instance(&parameters, values, |_| Some(Value::Number(group as f64)))[0];
        let start: Vec<f64> = parameters.iter().map(|parameter| parameter.start).collect();
        assert_eq!([0, 1, 2, 3].map(|group| at(&start, group)), [values[0], values[1], values[2], 5.0]);
        let doubled: Vec<f64> = [10.0].into_iter().chain(start[1..].iter().copied()).collect();
        assert!((at(&doubled, 0) / values[0] - 2.0).abs() < 1e-3, "groups move with the level");
    }
}
