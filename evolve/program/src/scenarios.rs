//! Scenarios: the combinations of the values of variables, such as opponent and side. A trial plays
//! all of them.

use crate::file::Scalars;
use crate::parameters::{Parameters, reserved};
use crate::template::{Shown, no_zero_byte};
use evolve_search::document::Complaint;
use indexmap::IndexMap;
use serde_json::Value;

/// One combination: a value for every variable.
#[derive(Clone, Debug, PartialEq)]
pub struct Scenario {
    /// The values in the order of the variables.
    pub values: Vec<Shown>,
    /// The name in tables, such as `./old side=0`; empty without variables.
    pub name: String,
}

/// The scenarios of a program, at least one.
#[derive(Clone, Debug, PartialEq)]
pub struct Scenarios {
    variables: Vec<String>,
    rows: Vec<Scenario>,
}

const MOST: usize = 10_000;

impl Scenarios {
    /// Creates the scenarios of the section `[scenarios]`.
    ///
    /// # Errors
    /// The first variable that cannot be used.
    pub fn of(declared: &IndexMap<String, Scalars>, parameters: &Parameters) -> Result<Self, Complaint> {
        let mut scenarios = Scenarios { variables: Vec::new(), rows: Vec::new() };
        let mut product: Vec<Vec<Shown>> = vec![vec![]];
        for (name, Scalars(values)) in declared {
            let values: Vec<Shown> = values.iter().map(|value| shown(&value.0)).collect();
            let fault = |message: String| Err(Complaint::new(&[name], message));
            if let Some(message) = values.iter().find_map(|value| no_zero_byte(&value.to_string()).err()) {
                return fault(format!("`{name}`: {message}"));
            }
            if reserved().any(|other| other == name) || parameters.names().any(|other| other == name) {
                return fault(format!("`{{{name}}}` is reserved"));
            }
            if product.len() * values.len() > MOST {
                return fault(format!("more than {MOST} scenarios"));
            }
            scenarios.variables.push(name.clone());
            let extended = |row: &Vec<Shown>| {
                let row = row.clone();
                values.iter().map(move |value| [&row[..], std::slice::from_ref(value)].concat()).collect::<Vec<_>>()
            };
            product = product.iter().flat_map(extended).collect();
        }
        scenarios.rows = product.into_iter().map(|values| scenarios.scenario(values)).collect();
        Ok(scenarios)
    }

    fn scenario(&self, values: Vec<Shown>) -> Scenario {
        // A text needs no name, but a bare number does.
        let named = |(variable, value): (&String, &Shown)| match value {
            Shown::Text(text) => text.clone(),
            other => format!("{variable}={other}"),
        };
        let name = self.variables.iter().zip(&values).map(named).collect::<Vec<_>>().join(" ");
        Scenario { values, name }
    }

    pub fn variables(&self) -> &[String] {
        &self.variables
    }

    pub fn rows(&self) -> &[Scenario] {
        &self.rows
    }

    /// Returns the value of a variable.
    pub fn shown(&self, name: &str, scenario: &Scenario) -> Option<Shown> {
        let place = self.variables.iter().position(|variable| variable == name)?;
        scenario.values.get(place).cloned()
    }
}

fn shown(value: &Value) -> Shown {
    match value {
        Value::String(text) => Shown::Text(text.clone()),
        Value::Bool(on) => Shown::Switch(*on),
        other => other.as_i64().map_or_else(|| Shown::Float(other.as_f64().unwrap_or_default()), Shown::Int),
    }
}
