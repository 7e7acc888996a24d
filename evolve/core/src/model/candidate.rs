//! A candidate: a value for each parameter.

use crate::model::parameter::Parameter;

/// A value for each parameter of a problem.
#[derive(Clone, Copy, Debug)]
pub struct Candidate<'a> {
    parameters: &'a [Parameter],
    values: &'a [f64],
}

impl<'a> Candidate<'a> {
    /// The candidate with these values, in the order of the parameters.
    ///
    /// # Panics
    /// If there is not one value a parameter.
    pub fn new(parameters: &'a [Parameter], values: &'a [f64]) -> Self {
        assert_eq!(parameters.len(), values.len(), "one value a parameter");
        Candidate { parameters, values }
    }

    /// The parameters.
    pub fn parameters(&self) -> &'a [Parameter] {
        self.parameters
    }

    /// All values, in the order of the parameters.
    pub fn values(&self) -> &'a [f64] {
        self.values
    }

    /// The value of a number.
    ///
    /// # Panics
    /// If there is no parameter of that name.
    pub fn float(&self, name: &str) -> f64 {
        let place = self.parameters.iter().position(|parameter| parameter.name == name);
        self.values[place.unwrap_or_else(|| panic!("no parameter `{name}` is declared"))]
    }

    /// The value of a whole number.
    ///
    /// # Panics
    /// If there is no parameter of that name.
    pub fn int(&self, name: &str) -> i64 {
        self.float(name) as i64
    }

    /// The place of the name that a choice has.
    ///
    /// # Panics
    /// If there is no parameter of that name.
    pub fn choice(&self, name: &str) -> usize {
        self.float(name) as usize
    }

    /// Whether a switch is on.
    ///
    /// # Panics
    /// If there is no parameter of that name.
    pub fn switch(&self, name: &str) -> bool {
        self.float(name) != 0.0
    }
}
