//! A parameter: its kind, range, start, grid and unit.
//!
//! Every value is one `f64`: a number is itself, a choice is its index in the list, a switch is 0
//! or 1. A candidate has one value for each parameter, in declaration order.

pub mod condition;
pub mod follow;
mod grid;
mod notation;

pub use grid::{Grid, StepError};

use condition::Condition;
use follow::Follows;

#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    /// The name in jobs, tables and programs.
    pub name: String,
    /// A description for people; may be empty.
    pub meaning: String,
    pub kind: Kind,
    pub start: f64,
    /// The values of a number that is not logarithmic, if they are fewer than all in its range. Its
    /// largest value is then the end of the range.
    pub grid: Option<Grid>,
    /// The distance between two values worth comparing, in which the search measures. On a
    /// logarithmic scale, a difference of natural logarithms. Always 1 for choices and switches.
    pub unit: f64,
    /// The condition under which the parameter has an effect; `None` for always. An inactive
    /// parameter keeps its start value.
    pub condition: Option<Condition>,
    /// A prior belief about the good values of a number.
    pub prior: Option<Prior>,
    /// The parameter and the feature of instances that a coefficient is for; `None` for others.
    pub follows: Option<Box<Follows>>,
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
        max: f64,
        /// Whether the scale is logarithmic: ratios count, not differences.
        log: bool,
    },
    /// A whole number within a range, at most 2^53 in magnitude.
    Int {
        /// The smallest value; above 0 if `log`.
        min: i64,
        max: i64,
        /// Whether the scale is logarithmic: ratios count, not differences.
        log: bool,
    },
    /// One of several names without an order.
    Choice(Vec<String>),
    /// On or off.
    Switch,
}

/// The default unit, as a share of the range.
const UNIT: f64 = 0.1;
/// The smallest default unit of whole numbers and grids, in distances between neighbouring values.
const LEAST_UNIT: f64 = 0.6;

/// Returns an end of a range that lies outside of it when it is written with these decimals, if
/// any.
pub fn lost_end((min, max): (f64, f64), decimals: usize) -> Option<f64> {
    let is_within = |end: f64| format!("{end:.decimals$}").parse().is_ok_and(|shown: f64| (min..=max).contains(&shown));
    [min, max].into_iter().find(|&end| !is_within(end))
}

/// Returns the middle of a range, on a logarithmic scale if `log`. The ends may be as large as any
/// number.
pub fn middle(min: f64, max: f64, log: bool) -> f64 {
    if log { (libm::sqrt(min) * libm::sqrt(max)).clamp(min, max) } else { min / 2.0 + max / 2.0 }
}

impl Parameter {
    fn new(name: impl Into<String>, kind: Kind, start: f64) -> Self {
        let (name, meaning) = (name.into(), String::new());
        Parameter { name, meaning, kind, start, grid: None, unit: 1.0, condition: None, prior: None, follows: None }
            .with_default_unit()
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
    ///
    /// # Panics
    /// If the values are on a grid.
    #[must_use]
    pub fn log(mut self) -> Self {
        assert!(self.grid.is_none(), "a logarithmic parameter has no step");
        match &mut self.kind {
            Kind::Float { log, .. } | Kind::Int { log, .. } => *log = true,
            Kind::Choice(_) | Kind::Switch => {}
        }
        self.with_default_unit()
    }

    /// Puts the values on a grid: from the smallest value in steps of this size, up to the largest
    /// one that is not above the end of the range.
    ///
    /// # Errors
    /// If the parameter has no grid with this step.
    pub fn step(mut self, step: f64) -> Result<Self, StepError> {
        let (min, max) = self.range();
        let is_int = matches!(self.kind, Kind::Int { .. });
        match step {
            _ if !self.is_number() => return Err(StepError::NoNumber),
            _ if self.is_log() => return Err(StepError::Logarithmic),
            _ if is_int && step.is_finite() && step.fract() != 0.0 => return Err(StepError::NotWhole(step)),
            // All whole numbers.
            1.0 if is_int => return Ok(self),
            _ => {}
        }
        let grid = Grid::new(min, max, step)?;
        match &mut self.kind {
            Kind::Float { max, .. } => *max = grid.last(*max),
            Kind::Int { max, .. } => *max = grid.last(*max as f64) as i64,
            Kind::Choice(_) | Kind::Switch => {}
        }
        Ok(Parameter { grid: Some(grid), ..self }.with_default_unit())
    }

    fn with_default_unit(self) -> Self {
        let unit = match self.kind {
            Kind::Float { min, max, log: true } => UNIT * libm::log(max / min),
            Kind::Int { min, max, log: true } => UNIT * libm::log(max as f64 / min as f64),
            Kind::Float { .. } | Kind::Int { .. } => {
                let (min, max) = self.range();
                (UNIT * (max - min)).max(LEAST_UNIT * self.spacing())
            }
            Kind::Choice(_) | Kind::Switch => 1.0,
        };
        self.unit(unit)
    }

    /// Sets the unit.
    #[must_use]
    pub fn unit(self, unit: f64) -> Self {
        Parameter { unit, ..self }
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

    /// Returns the distance between neighbouring numbers; 0 if there is always one between two
    /// others.
    pub fn spacing(&self) -> f64 {
        match (&self.grid, &self.kind) {
            (Some(grid), _) => grid.step(),
            (None, Kind::Float { .. }) => 0.0,
            (None, _) => 1.0,
        }
    }

    /// Returns the largest number up to `value` that is on the grid, or whole. It may be outside
    /// the range.
    pub fn floor(&self, value: f64) -> f64 {
        match (&self.grid, &self.kind) {
            (Some(grid), _) => grid.value(grid.index(value).floor()),
            (None, Kind::Float { .. }) => value,
            (None, _) => value.floor(),
        }
    }

    /// Returns the smallest number from `value` on that is on the grid, or whole. It may be outside
    /// the range.
    pub fn ceil(&self, value: f64) -> f64 {
        match (&self.grid, &self.kind) {
            (Some(grid), _) => grid.value(grid.index(value).ceil()),
            (None, Kind::Float { .. }) => value,
            (None, _) => value.ceil(),
        }
    }

    /// Returns the value of the grid that is nearest to a value within the range; without a grid,
    /// the value itself.
    pub fn on_grid(&self, value: f64) -> f64 {
        let (min, max) = self.range();
        let grid = self.grid.filter(|_| (min..=max).contains(&value));
        grid.map_or(value, |grid| grid.value(grid.index(value).round()))
    }

    /// Returns whether the parameter may take this value.
    pub fn allows(&self, value: f64) -> bool {
        let (min, max) = self.range();
        let is_whole = matches!(self.kind, Kind::Float { .. }) || value.fract() == 0.0;
        (min..=max).contains(&value) && is_whole && value == self.on_grid(value)
    }

    /// Rounds a value for readers: a number keeps as many digits as a thousandth of its unit
    /// needs. A value on a grid stays.
    pub fn rounded(&self, value: f64) -> f64 {
        if self.grid.is_some() {
            return self.on_grid(value);
        }
        let (min, max) = self.range();
        // On a logarithmic scale, the unit is proportional to the value.
        let unit = |log: bool| if log { self.unit * value } else { self.unit };
        match self.kind {
            Kind::Int { log, .. } => {
                let mut power = 1.0;
                while power * 10_000.0 <= unit(log) {
                    power *= 10.0;
                }
                ((value / power).round() * power).clamp(min, max)
            }
            Kind::Float { log, .. } => {
                let unit = unit(log);
                let (mut power, mut decimals) = (1.0, 0);
                while power * unit < 1000.0 && decimals < MOST_DECIMALS {
                    power *= 10.0;
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_of_all_sizes_have_a_middle() {
        for (min, max, log, expected) in [
            (1.0, 100.0, true, 10.0),
            (-1.0, 4.0, false, 1.5),
            (f64::MAX, f64::MAX, true, f64::MAX),
            (-f64::MAX, f64::MAX, false, 0.0),
            (1e-300, 1e-200, true, 1e-250),
        ] {
            assert!((middle(min, max, log) - expected).abs() <= 1e-12 * expected.abs(), "{min} {max}");
        }
    }

    #[test]
    fn values_on_a_grid_stay_on_it() {
        let float = Parameter::float("f", 0.1, 0.95, 0.5).step(0.1).unwrap();
        assert_eq!((float.range(), float.unit), ((0.1, 0.9), 0.1 * (0.9 - 0.1)));
        assert_eq!(float.parse("0.9"), Some(0.9));
        assert_eq!(float.of_json(&serde_json::json!(0.1 + 2.0 * 0.1)), Some(0.3), "a sum of another program");
        assert_eq!(["0.35", "0.95", "1.0", "0.300001"].map(|text| float.parse(text)), [None; 4]);
        assert_eq!([0.449, 0.451, 0.9].map(|value| float.rounded(value)), [0.4, 0.5, 0.9]);
        assert_eq!(
            float.allowed_instead(Some(0.35)),
            "a number from 0.1 to 0.9 in steps of 0.1; the nearest are 0.3 and 0.4"
        );
        for within in [Some(0.95), Some(0.3), None] {
            assert_eq!(float.allowed_instead(within), "a number from 0.1 to 0.9 in steps of 0.1");
        }
        let int = Parameter::int("i", 1, 1_000_000, 1).step(25.0).unwrap();
        assert_eq!((int.range(), int.rounded(51.0), int.parse("52")), ((1.0, 999_976.0), 51.0, None));
        assert_eq!(
            int.allowed_instead(Some(52.0)),
            "a whole number from 1 to 999976 in steps of 25; the nearest are 51 and 76"
        );
        assert_eq!(Parameter::int("i", 1, 9, 1).step(1.0).unwrap(), Parameter::int("i", 1, 9, 1));
        assert_eq!(Parameter::int("i", 1, 9, 1).step(0.5), Err(StepError::NotWhole(0.5)));
        assert_eq!(Parameter::int("i", 1, 9, 1).log().step(2.0), Err(StepError::Logarithmic));
        assert_eq!(Parameter::switch("s", false).step(1.0), Err(StepError::NoNumber));
    }

    #[test]
    fn rounding_keeps_significant_digits() {
        assert_eq!(Parameter::float("f", -10.0, 10.0, 0.0).unit(0.5).rounded(1.234_567_8), 1.2346);
        assert_eq!(Parameter::int("i", 1, 9999, 1).unit(9_999.0).rounded(1234.0), 1234.0);
        let large = Parameter::int("i", 2_000, 200_000, 20_000).unit(20_000.0);
        assert_eq!([54_321.0, 199_999.0, 2_001.0].map(|value| large.rounded(value)), [54_320.0, 200_000.0, 2_000.0]);
        let temperature = Parameter::float("t", 1e-9, 1e3, 1.0).log().unit(1.0);
        assert!((temperature.rounded(1.234_567_8e-7) / 1.2346e-7 - 1.0).abs() < 1e-3);
        for value in [4.995_512_3e-18, 1.234e-75, 7.7e-300, 1e12] {
            let tiny = Parameter::float("tiny", 1e-305, 1e15, 1.0).log().unit(0.5);
            assert!((tiny.rounded(value) / value - 1.0).abs() < 1e-3, "{value} becomes {}", tiny.rounded(value));
        }
    }
}
