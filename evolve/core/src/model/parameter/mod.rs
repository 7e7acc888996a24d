//! A parameter: its kind, range, start and scale.
//!
//! Every value is one `f64`: a number is itself, a choice is its index in the list, a switch is 0
//! or 1. A candidate has one value for each parameter, in declaration order.

pub mod condition;

use condition::Condition;
use serde_json::{Number, Value, json};

/// A tunable parameter.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    /// The name in jobs, tables and programs.
    pub name: String,
    /// A description for people; may be empty.
    pub meaning: String,
    /// The kind of values.
    pub kind: Kind,
    /// The start value.
    pub start: f64,
    /// The unit of variation: the distance between two values worth comparing. On a logarithmic
    /// scale, a difference of natural logarithms. Always 1 for choices and switches.
    pub scale: f64,
    /// The condition under which the parameter has an effect; `None` for always. An inactive
    /// parameter keeps its start value.
    pub condition: Option<Condition>,
    /// A prior belief about the good values of a number.
    pub prior: Option<Prior>,
}

/// A normal distribution of the good values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Prior {
    /// The mean, a value that the parameter allows.
    pub mean: f64,
    /// The standard deviation, above 0; on a logarithmic scale, of the natural logarithm.
    pub deviation: f64,
}

/// The kind of values that a parameter takes.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// A real number within a range.
    Float {
        /// The smallest value; above 0 if `log`.
        min: f64,
        /// The largest value.
        max: f64,
        /// Whether the scale is logarithmic: ratios count, not differences.
        log: bool,
    },
    /// A whole number within a range, at most 2^53 in magnitude.
    Int {
        /// The smallest value; above 0 if `log`.
        min: i64,
        /// The largest value.
        max: i64,
        /// Whether the scale is logarithmic: ratios count, not differences.
        log: bool,
    },
    /// One of several names without an order.
    Choice(Vec<String>),
    /// On or off.
    Switch,
}

/// The default unit of variation, as a share of the range.
const SCALE: f64 = 0.1;
/// The smallest default unit of variation of whole numbers.
const LEAST_INT_SCALE: f64 = 0.6;

impl Parameter {
    fn new(name: impl Into<String>, kind: Kind, start: f64) -> Self {
        let scale = kind.default_scale();
        Parameter { name: name.into(), meaning: String::new(), kind, start, scale, condition: None, prior: None }
    }

    /// Declares a real number from `min` to `max`.
    pub fn float(name: impl Into<String>, min: f64, max: f64, start: f64) -> Self {
        Self::new(name, Kind::Float { min, max, log: false }, start)
    }

    /// Declares a whole number from `min` to `max`.
    pub fn int(name: impl Into<String>, min: i64, max: i64, start: i64) -> Self {
        Self::new(name, Kind::Int { min, max, log: false }, start as f64)
    }

    /// Declares a choice among several names, which starts at index `start`.
    pub fn choice<N: Into<String>>(name: impl Into<String>, names: impl IntoIterator<Item = N>, start: usize) -> Self {
        Self::new(name, Kind::Choice(names.into_iter().map(Into::into).collect()), start as f64)
    }

    /// Declares a switch.
    pub fn switch(name: impl Into<String>, start: bool) -> Self {
        Self::new(name, Kind::Switch, f64::from(u8::from(start)))
    }

    /// Sets a logarithmic scale. The range must lie above 0.
    #[must_use]
    pub fn log(mut self) -> Self {
        match &mut self.kind {
            Kind::Float { log, .. } | Kind::Int { log, .. } => *log = true,
            Kind::Choice(_) | Kind::Switch => {}
        }
        self.scale = self.kind.default_scale();
        self
    }

    /// Sets the unit of variation.
    #[must_use]
    pub fn scale(self, scale: f64) -> Self {
        Parameter { scale, ..self }
    }

    /// Sets the description.
    #[must_use]
    pub fn meaning(self, meaning: impl Into<String>) -> Self {
        Parameter { meaning: meaning.into(), ..self }
    }

    /// Sets the condition on other parameters under which the parameter has an effect.
    #[must_use]
    pub fn when(self, condition: Condition) -> Self {
        Parameter { condition: Some(condition), ..self }
    }

    /// Sets a normal distribution of good values.
    #[must_use]
    pub fn prior(self, mean: f64, deviation: f64) -> Self {
        Parameter { prior: Some(Prior { mean, deviation }), ..self }
    }

    /// Returns whether the parameter has an effect in a candidate of these parameters: it has no
    /// condition, or its condition holds.
    pub fn is_active(&self, candidate: &[f64], parameters: &[Parameter]) -> bool {
        self.condition.as_ref().is_none_or(|condition| condition.is_met(candidate, parameters))
    }

    /// Returns whether the search moves on the logarithm of the value.
    pub fn is_log(&self) -> bool {
        matches!(self.kind, Kind::Float { log: true, .. } | Kind::Int { log: true, .. })
    }

    /// Returns whether the values are numbers.
    pub fn is_number(&self) -> bool {
        matches!(self.kind, Kind::Float { .. } | Kind::Int { .. })
    }

    /// Returns the smallest and the largest value.
    pub fn range(&self) -> (f64, f64) {
        match &self.kind {
            Kind::Float { min, max, .. } => (*min, *max),
            Kind::Int { min, max, .. } => (*min as f64, *max as f64),
            Kind::Choice(names) => (0.0, names.len().saturating_sub(1) as f64),
            Kind::Switch => (0.0, 1.0),
        }
    }

    /// Returns whether the parameter may take this value.
    pub fn allows(&self, value: f64) -> bool {
        let (min, max) = self.range();
        let is_whole = matches!(self.kind, Kind::Float { .. }) || value.fract() == 0.0;
        (min..=max).contains(&value) && is_whole
    }

    /// Formats a value for a file, a command line or a table: `2.5`, `7`, `swap`, `true`.
    pub fn show(&self, value: f64) -> String {
        match &self.kind {
            Kind::Float { .. } => format!("{value:?}"),
            Kind::Int { .. } => format!("{value:.0}"),
            Kind::Choice(names) => names.get(value as usize).cloned().unwrap_or_default(),
            Kind::Switch => (value != 0.0).to_string(),
        }
    }

    /// Parses a value, as the inverse of [`show`](Self::show). Returns `None` if the parameter does
    /// not allow it.
    pub fn parse(&self, text: &str) -> Option<f64> {
        let value = match &self.kind {
            Kind::Float { .. } => text.parse().ok()?,
            Kind::Int { .. } => text.parse::<i64>().ok()? as f64,
            Kind::Choice(names) => names.iter().position(|name| name == text)? as f64,
            Kind::Switch => f64::from(u8::from(text.parse::<bool>().ok()?)),
        };
        self.allows(value).then_some(value)
    }

    /// Describes the allowed values in words.
    pub fn allowed(&self) -> String {
        let log = |log: bool| if log { ", logarithmic" } else { "" };
        match &self.kind {
            Kind::Float { min, max, log: l } => format!("a number from {min} to {max}{}", log(*l)),
            Kind::Int { min, max, log: l } => format!("a whole number from {min} to {max}{}", log(*l)),
            Kind::Choice(names) => {
                let names: Vec<_> = names.iter().map(|name| format!("\"{name}\"")).collect();
                format!("one of {}", names.join(", "))
            }
            Kind::Switch => "true or false".to_string(),
        }
    }

    /// Returns the JSON number for a value.
    ///
    /// # Panics
    /// If the value is not finite.
    pub fn number(&self, value: f64) -> Number {
        match &self.kind {
            Kind::Float { .. } => Number::from_f64(value).expect("values are finite"),
            _ => Number::from(value as i64),
        }
    }

    /// Returns the JSON form of a value.
    ///
    /// # Panics
    /// If the value is not finite.
    pub fn json(&self, value: f64) -> Value {
        match &self.kind {
            Kind::Float { .. } | Kind::Int { .. } => Value::Number(self.number(value)),
            Kind::Choice(_) => Value::String(self.show(value)),
            Kind::Switch => Value::Bool(value != 0.0),
        }
    }

    /// Reads a value from JSON, as the inverse of [`json`](Self::json). Returns `None` if the
    /// parameter does not allow it.
    pub fn of_json(&self, value: &Value) -> Option<f64> {
        let value = match (&self.kind, value) {
            (Kind::Float { .. }, Value::Number(number)) => number.as_f64()?,
            (Kind::Int { .. }, Value::Number(number)) => number.as_i64()? as f64,
            (Kind::Choice(_), Value::String(text)) => self.parse(text)?,
            (Kind::Switch, Value::Bool(on)) => f64::from(u8::from(*on)),
            _ => return None,
        };
        self.allows(value).then_some(value)
    }

    /// Returns the JSON schema of the values.
    pub fn schema(&self) -> Value {
        let mut schema = match &self.kind {
            Kind::Float { min, max, .. } => json!({ "type": "number", "minimum": min, "maximum": max }),
            Kind::Int { min, max, .. } => json!({ "type": "integer", "minimum": min, "maximum": max }),
            Kind::Choice(names) => json!({ "type": "string", "enum": names }),
            Kind::Switch => json!({ "type": "boolean" }),
        };
        schema["description"] = json!(self.meaning);
        schema["default"] = self.json(self.start);
        schema
    }

    /// Rounds a value for readers: a number keeps as many digits as a thousandth of its scale
    /// needs.
    pub fn rounded(&self, value: f64) -> f64 {
        let (min, max) = self.range();
        // On a logarithmic scale, the step is proportional to the value.
        let step = |log: bool| if log { self.scale * value } else { self.scale };
        match self.kind {
            Kind::Int { log, .. } => {
                let mut unit = 1.0;
                while unit * 10_000.0 <= step(log) {
                    unit *= 10.0;
                }
                ((value / unit).round() * unit).clamp(min, max)
            }
            Kind::Float { log, .. } => {
                let step = step(log);
                let (mut unit, mut decimals) = (1.0, 0);
                while unit * step < 1000.0 && decimals < MOST_DECIMALS {
                    unit *= 10.0;
                    decimals += 1;
                }
                format!("{value:.decimals$}").parse::<f64>().map_or(value, |value| value.clamp(min, max))
            }
            Kind::Choice(_) | Kind::Switch => value,
        }
    }
}

/// The number of decimals that the smallest positive number needs.
const MOST_DECIMALS: usize = 324;

impl Kind {
    fn default_scale(&self) -> f64 {
        match *self {
            Kind::Float { min, max, log: false } => SCALE * (max - min),
            Kind::Float { min, max, log: true } => SCALE * libm::log(max / min),
            // Convert before subtracting, because the range may exceed the range of `i64`.
            Kind::Int { min, max, log: false } => (SCALE * (max as f64 - min as f64)).max(LEAST_INT_SCALE),
            Kind::Int { min, max, log: true } => SCALE * libm::log(max as f64 / min as f64),
            Kind::Choice(_) | Kind::Switch => 1.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_formatted_and_parsed() {
        let parameters = [
            (Parameter::float("f", -1.0, 1.0, 0.0), 0.1 + 0.2 - 0.25),
            (Parameter::int("i", -3, 12, 0), -3.0),
            (Parameter::choice("c", ["a", "b"], 0), 1.0),
            (Parameter::switch("s", false), 1.0),
        ];
        for (parameter, value) in parameters {
            assert_eq!(parameter.parse(&parameter.show(value)), Some(value), "{}", parameter.name);
        }
        assert_eq!(Parameter::int("i", 1, 3, 1).parse("4"), None);
        assert_eq!(Parameter::float("f", 0.0, 1.0, 0.5).parse("NaN"), None);
    }

    #[test]
    fn rounding_keeps_significant_digits() {
        assert_eq!(Parameter::float("f", -10.0, 10.0, 0.0).scale(0.5).rounded(1.234_567_8), 1.2346);
        assert_eq!(Parameter::int("i", 1, 9999, 1).scale(9_999.0).rounded(1234.0), 1234.0);
        let large = Parameter::int("i", 2_000, 200_000, 20_000).scale(20_000.0);
        assert_eq!([54_321.0, 199_999.0, 2_001.0].map(|value| large.rounded(value)), [54_320.0, 200_000.0, 2_000.0]);
        let temperature = Parameter::float("t", 1e-9, 1e3, 1.0).log().scale(1.0);
        assert!((temperature.rounded(1.234_567_8e-7) / 1.2346e-7 - 1.0).abs() < 1e-3);
        for value in [4.995_512_3e-18, 1.234e-75, 7.7e-300, 1e12] {
            let tiny = Parameter::float("tiny", 1e-305, 1e15, 1.0).log().scale(0.5);
            assert!((tiny.rounded(value) / value - 1.0).abs() < 1e-3, "{value} becomes {}", tiny.rounded(value));
        }
    }
}
