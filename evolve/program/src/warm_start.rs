//! Values of an earlier run for a program whose parameters came or went since.

use evolve_core::document::{Document, Faults};
use evolve_core::parameter::Parameter;
use evolve_core::policy_file::read_value;

/// Values to start at, and what became of those that no longer fit.
#[derive(Clone, Debug, PartialEq)]
pub struct WarmStart {
    /// A value for every parameter: the earlier one, or where it starts otherwise.
    pub values: Vec<f64>,
    /// What was not taken over, a line each, for a person.
    pub notes: Vec<String>,
}

/// Takes the section `[weights]` of an earlier run's weights file over by name.
///
/// # Errors
/// If the file is no TOML, or not a single value fits.
pub fn warm_start(document: &Document, parameters: &[Parameter]) -> Result<WarmStart, Faults> {
    document.parse("a weights file", |top| {
        let mut section = top.section("weights");
        let mut values: Vec<Option<f64>> = vec![None; parameters.len()];
        let mut notes = Vec::new();
        for free in section.rest() {
            let Some(place) = parameters.iter().position(|parameter| parameter.name == free.name) else {
                notes.push(format!("`{}` is no parameter any more", free.name));
                continue;
            };
            values[place] = read_value(&free, &parameters[place]);
            if values[place].is_none() {
                let allowed = parameters[place].allowed();
                notes.push(format!("`{}` was {}, and is now {allowed}", free.name, free.written()));
            }
        }
        if values.iter().all(Option::is_none) {
            section.report(None, "none of these values is one of a parameter");
        }
        for (parameter, value) in parameters.iter().zip(&values) {
            if value.is_none() {
                notes.push(format!("`{}` starts at {}", parameter.name, parameter.show(parameter.start)));
            }
        }
        top.rest();
        let starts = parameters.iter().map(|parameter| parameter.start);
        Some(WarmStart {
            values: values.into_iter().zip(starts).map(|(value, start)| value.unwrap_or(start)).collect(),
            notes,
        })
    })
}
