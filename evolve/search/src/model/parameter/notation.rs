//! The notation of values in files, on command lines, in tables and in messages.

use super::{Kind, Parameter};
use serde_json::{Number, Value};

impl Parameter {
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
        self.read(value)
    }

    /// Describes the allowed values in words.
    pub fn allowed(&self) -> String {
        let suffix = |log: bool| match &self.grid {
            Some(grid) => format!(" in steps of {}", grid.step()),
            None if log => ", logarithmic".to_string(),
            None => String::new(),
        };
        match &self.kind {
            Kind::Float { min, max, log } => format!("a number from {min} to {max}{}", suffix(*log)),
            Kind::Int { min, max, log } => format!("a whole number from {min} to {max}{}", suffix(*log)),
            Kind::Choice(names) => {
                let names: Vec<_> = names.iter().map(|name| format!("\"{name}\"")).collect();
                format!("one of {}", names.join(", "))
            }
            Kind::Switch => "true or false".to_string(),
        }
    }

    /// Describes the allowed values in words and, if this number is between two values of a grid,
    /// names both.
    pub fn allowed_instead(&self, value: Option<f64>) -> String {
        let (min, max) = self.range();
        let allowed = self.allowed();
        match value.filter(|value| self.grid.is_some() && (min..=max).contains(value) && !self.allows(*value)) {
            Some(value) => {
                let [below, above] = [self.floor(value), self.ceil(value)].map(|value| self.show(value));
                format!("{allowed}; the nearest are {below} and {above}")
            }
            None => allowed,
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
            // A number among the names is an ordinary name.
            (Kind::Choice(_), Value::Number(_) | Value::Bool(_)) => self.parse(&value.to_string())?,
            (Kind::Switch, Value::Bool(on)) => f64::from(u8::from(*on)),
            _ => return None,
        };
        self.read(value)
    }

    /// Returns the value of a number that was read, without the noise of a sum such as
    /// 0.30000000000000004. Returns `None` if the parameter does not allow it.
    fn read(&self, value: f64) -> Option<f64> {
        let is_noise = self.grid.is_some_and(|grid| grid.index(value).fract() == 0.0);
        let value = if is_noise { self.on_grid(value) } else { value };
        self.allows(value).then_some(value)
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
}
