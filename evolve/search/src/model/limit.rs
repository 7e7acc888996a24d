//! Limits on quantities, such as the memory that a program takes.

use crate::statistics::mean;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// The margin that a search keeps between a mean and its limit, in standard errors of the test:
/// about the half-width of a one-sided 95 % interval after ten interim analyses. A candidate
/// exactly at the limit holds it, but no test could show that.
pub const MARGIN: f64 = 2.0;

/// A limit, written `<= 256`, `>= 0.5` or, for each trial instead of the mean, `each <= 256`.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize)]
#[serde(try_from = "String", into = "String")]
pub struct Limit {
    /// Whether the limit applies to each trial, so that a single trial can break it; otherwise, it
    /// applies to the mean.
    pub each: bool,
    /// Which side of the number is allowed.
    pub side: Side,
    /// The number, which itself is allowed.
    pub number: f64,
}

/// The side of a number that is allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// `<=`
    AtMost,
    /// `>=`
    AtLeast,
}

pub fn with_unit(value: f64, digits: usize, unit: &str) -> String {
    let gap = if unit.is_empty() { "" } else { " " };
    format!("{value:.digits$}{gap}{unit}")
}

impl Limit {
    /// Returns the distance of a value within the limit, negative beyond it.
    pub fn slack(&self, value: f64) -> f64 {
        match self.side {
            Side::AtMost => self.number - value,
            Side::AtLeast => value - self.number,
        }
    }

    pub fn value(&self, slack: f64) -> f64 {
        match self.side {
            Side::AtMost => self.number - slack,
            Side::AtLeast => self.number + slack,
        }
    }

    /// Returns how far values lie beyond the limit or, for a limit on their mean, beyond a margin
    /// before it; 0 if they are within.
    pub fn excess(&self, values: &[f64], margin: f64) -> f64 {
        let slacks: Vec<f64> = values.iter().map(|&value| self.slack(value)).collect();
        let slack = match self.each {
            true => slacks.into_iter().fold(0.0, f64::min),
            false if slacks.is_empty() => 0.0,
            false => mean(&slacks) - margin,
        };
        (-slack).max(0.0)
    }
}

/// The reason why a text is not a limit.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum LimitError {
    /// The text has another form.
    #[error("\"{}\" is not a limit; {HINT}", .0.escape_debug())]
    Form(String),
    /// The text has no usable number.
    #[error("\"{}\" is not a number; {HINT}", .0.escape_debug())]
    Number(String),
}

/// The syntax, in messages.
const HINT: &str = "write a limit such as \"<= 256\", \">= 0.5\" or \"each <= 256\"";

impl FromStr for Limit {
    type Err = LimitError;

    fn from_str(text: &str) -> Result<Self, LimitError> {
        let rest = text.trim();
        let (each, rest) = match rest.strip_prefix("each") {
            Some(rest) if rest.starts_with([' ', '<', '>']) => (true, rest.trim_start()),
            _ => (false, rest),
        };
        let sides = [("<=", Side::AtMost), (">=", Side::AtLeast)];
        let found = sides.into_iter().find_map(|(sign, side)| Some((side, rest.strip_prefix(sign)?.trim())));
        let (side, number) = found.ok_or_else(|| LimitError::Form(text.to_string()))?;
        let parsed = number.parse().ok().filter(|&number| super::trial::is_usable(number));
        let number = parsed.ok_or_else(|| LimitError::Number(number.to_string()))?;
        Ok(Limit { each, side, number })
    }
}

impl TryFrom<String> for Limit {
    type Error = LimitError;

    fn try_from(text: String) -> Result<Self, LimitError> {
        text.parse()
    }
}

impl From<Limit> for String {
    fn from(limit: Limit) -> Self {
        limit.to_string()
    }
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let each = if self.each { "each " } else { "" };
        let sign = if self.side == Side::AtMost { "<=" } else { ">=" };
        write!(f, "{each}{sign} {}", self.number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_read_and_written() {
        let limit = |text: &str| text.parse::<Limit>();
        for (text, each, side, number) in [
            ("<= 256", false, Side::AtMost, 256.0),
            (" >=0.5 ", false, Side::AtLeast, 0.5),
            ("each <= -1e3", true, Side::AtMost, -1000.0),
            ("each>=2", true, Side::AtLeast, 2.0),
        ] {
            let read = limit(text).unwrap();
            assert_eq!(read, Limit { each, side, number }, "{text}");
            assert_eq!(limit(&read.to_string()), Ok(read));
        }
        for text in ["", "256", "< 256", "= 2", "<= ", "<= x", "<= nan", "<= 1e999", "eachy <= 2", "each", "<= 2 MiB"] {
            assert!(limit(text).is_err(), "{text}");
        }
        let (most, least) = (limit("<= 10").unwrap(), limit(">= 10").unwrap());
        assert_eq!((most.slack(12.0), least.slack(12.0)), (-2.0, 2.0));
        assert_eq!((most.value(-2.0), least.value(2.0)), (12.0, 12.0));
    }
}
