//! A candidate: a value for each parameter.

use crate::model::parameter::Parameter;

/// The values of a problem's parameters, accessible by name.
#[derive(Clone, Copy, Debug)]
pub struct Candidate<'a> {
    parameters: &'a [Parameter],
    values: &'a [f64],
}

impl<'a> Candidate<'a> {
    /// Combines parameters with their values, in the same order.
    ///
    /// # Panics
    /// If the numbers of parameters and values differ.
    pub fn new(parameters: &'a [Parameter], values: &'a [f64]) -> Self {
        assert_eq!(parameters.len(), values.len(), "every parameter has one value");
        Candidate { parameters, values }
    }

    pub fn parameters(&self) -> &'a [Parameter] {
        self.parameters
    }

    /// Returns all values, in the order of the parameters.
    pub fn values(&self) -> &'a [f64] {
        self.values
    }

    /// Returns the value of a number.
    ///
    /// # Panics
    /// If no parameter has this name.
    pub fn float(&self, name: &str) -> f64 {
        let place = self.parameters.iter().position(|parameter| parameter.name == name);
        self.values[place.unwrap_or_else(|| panic!("no parameter `{name}` is declared"))]
    }

    /// Returns the value of a whole number.
    ///
    /// # Panics
    /// If no parameter has this name.
    pub fn int(&self, name: &str) -> i64 {
        self.float(name) as i64
    }

    /// Returns the index of the selected name of a choice.
    ///
    /// # Panics
    /// If no parameter has this name.
    pub fn choice(&self, name: &str) -> usize {
        self.float(name) as usize
    }

    /// Returns whether a switch is on.
    ///
    /// # Panics
    /// If no parameter has this name.
    pub fn switch(&self, name: &str) -> bool {
        self.float(name) != 0.0
    }
}
