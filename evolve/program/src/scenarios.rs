//! Scenarios: values of variables such as the opponent and the side, in all combinations of which a deal is played.

use crate::parameters::{Parameters, RESERVED};
use crate::template::Shown;
use evolve_core::document::{Free, Section};
use evolve_core::text::quoted;

/// A value for every variable.
#[derive(Clone, Debug, PartialEq)]
pub struct Scenario {
    /// Values in the order of the variables.
    pub values: Vec<Shown>,
    /// Its name in tables, such as `./old side=0`; empty if there are no variables.
    pub name: String,
}

/// The scenarios of a program, at least one.
#[derive(Clone, Debug, PartialEq)]
pub struct Scenarios {
    variables: Vec<String>,
    /// The values of each variable.
    values: Vec<Vec<Shown>>,
    rows: Vec<Scenario>,
}

const MOST: usize = 10_000;

impl Scenarios {
    /// Reads the section `[scenarios]`. What is wrong is reported.
    pub fn read(section: &mut Section<'_>, parameters: &Parameters) -> Self {
        let mut scenarios = Scenarios { variables: Vec::new(), values: Vec::new(), rows: Vec::new() };
        for free in section.rest() {
            if let Err(message) = scenarios.add(&free, section, parameters) {
                section.report(Some(free.line), message);
            }
        }
        let mut product: Vec<Vec<Shown>> = vec![vec![]];
        for values in &scenarios.values {
            let extended = |row: &Vec<Shown>| {
                let row = row.clone();
                values.iter().map(move |value| [&row[..], std::slice::from_ref(value)].concat()).collect::<Vec<_>>()
            };
            product = product.iter().flat_map(extended).collect();
        }
        scenarios.rows = product.into_iter().map(|values| scenarios.scenario(values)).collect();
        scenarios
    }

    fn add(&mut self, free: &Free<'_>, section: &Section<'_>, parameters: &Parameters) -> Result<(), String> {
        let name = &free.name;
        let values: Option<Vec<Shown>> = free.list().and_then(|list| list.iter().map(value).collect());
        let values = values.filter(|values| !values.is_empty()).ok_or_else(|| {
            // A variable may have the name of a key that is no more; the value of such a key is no such list.
            section.retired(name).unwrap_or_else(|| format!("`{name}` is a list of texts or numbers"))
        })?;
        if RESERVED.contains(&name.as_str()) || parameters.names().any(|other| other == name) {
            return Err(format!("`{{{name}}}` stands for something else already"));
        }
        if self.values.iter().map(Vec::len).product::<usize>() * values.len() > MOST {
            return Err(format!("these are more than {MOST} scenarios"));
        }
        self.variables.push(name.clone());
        self.values.push(values);
        Ok(())
    }

    fn scenario(&self, values: Vec<Shown>) -> Scenario {
        // Texts tell what they are; a bare number does not.
        let named = |(variable, value): (&String, &Shown)| match value {
            Shown::Text(text) => text.clone(),
            other => format!("{variable}={other}"),
        };
        let name = self.variables.iter().zip(&values).map(named).collect::<Vec<_>>().join(" ");
        Scenario { values, name }
    }

    /// The names of the variables.
    pub fn variables(&self) -> &[String] {
        &self.variables
    }

    pub fn rows(&self) -> &[Scenario] {
        &self.rows
    }

    /// The value of a variable.
    pub fn shown(&self, name: &str, scenario: &Scenario) -> Option<Shown> {
        let place = self.variables.iter().position(|variable| variable == name)?;
        scenario.values.get(place).cloned()
    }

    /// A section of TOML that declares the same scenarios; empty if there are no variables.
    pub fn toml(&self) -> String {
        if self.variables.is_empty() {
            return String::new();
        }
        let written = |value: &Shown| match value {
            Shown::Text(text) => quoted(text),
            other => other.to_string(),
        };
        let line = |(name, values): (&String, &Vec<Shown>)| {
            format!("{} = [{}]\n", quoted(name), values.iter().map(written).collect::<Vec<_>>().join(", "))
        };
        let lines: String = self.variables.iter().zip(&self.values).map(line).collect();
        format!("[scenarios]\n{lines}")
    }
}

fn value(free: &Free<'_>) -> Option<Shown> {
    let int = || free.integer().map(Shown::Int);
    let float = || free.number().map(Shown::Float);
    let switch = || free.switch().map(Shown::Switch);
    free.text().map(|text| Shown::Text(text.to_string())).or_else(int).or_else(float).or_else(switch)
}
