//! Parameters declared in a job: `k = { int = [1, 20], start = 5 }`.

use super::{LARGEST_FLOAT, ParameterError, Parameters, SMALLEST_UNIT};
use crate::file::{ParameterKeys, PriorKeys, Scalar, Start};
use evolve_search::document::text::plain;
use evolve_search::document::{Complaint, Document};
use evolve_search::model::parameter::condition::Condition;
use evolve_search::model::parameter::{Kind, Parameter, middle};
use evolve_search::statistics::counted;
use serde_json::Value;
use std::path::Path;

/// The placeholder parameters that `evolve init` writes if it finds none. They cannot be tuned.
pub const EXAMPLES: [(&str, &str); 3] = [
    ("your_number", "{ int = [1, 20], start = 5 }"),
    ("your_ratio", "{ float = [0.001, 1000.0], log = true, start = 10 }"),
    ("your_choice", "{ choice = [\"swap\", \"2opt\"], start = \"2opt\" }"),
];

/// Returns whether a parameter is one of the [`EXAMPLES`].
pub fn is_example(name: &str, keys: &ParameterKeys) -> bool {
    let read = |text: &str| {
        let document = Document::new(Path::new("example"), format!("k = {text}"));
        document.top("an example").and_then(|top| top.section("k").read::<ParameterKeys>())
    };
    EXAMPLES.iter().any(|(example, text)| *example == name && read(text).is_ok_and(|read| read == *keys))
}

/// Adds the parameter or array that the section `[parameters]` declares under this name.
///
/// # Errors
/// If the keys are inconsistent, or the name is taken or invalid.
pub fn add(parameters: &mut Parameters, name: &str, keys: &ParameterKeys) -> Result<(), Complaint> {
    let at =
        |key: &'static str| move |message: String| Complaint::new(&[name, key], format!("`{name}.{key}`: {message}"));
    let whole = |error: ParameterError| Complaint::new(&[name], error);
    let mut parameter = match (&keys.int, &keys.float, &keys.choice, &keys.bool) {
        (Some([min, max]), None, None, None) => {
            range_fits(name, "int", (*min as f64, *max as f64), keys.log)?;
            Parameter::int(name, *min, *max, *min)
        }
        (None, Some(ends), None, None) => {
            let [min, max] = ends.each_ref().map(|end| end.as_f64().unwrap_or(f64::NAN));
            range_fits(name, "float", (min, max), keys.log)?;
            Parameter::float(name, min, max, min)
        }
        (None, None, Some(names), None) => Parameter::choice(name, names.iter().map(|name| plain(&name.0)), 0),
        (None, None, None, Some(_)) => Parameter::switch(name, false),
        _ => return Err(Complaint::new(&[name], format!("`{name}` takes one of int, float, choice and bool"))),
    };
    let is_number = parameter.is_number();
    if keys.log == Some(true) {
        if !is_number {
            return Err(at("log")("only numbers can be logarithmic".to_string()));
        }
        parameter = parameter.log();
    }
    if let Some(step) = &keys.step {
        let step = step.as_f64().unwrap_or(f64::NAN);
        parameter = parameter.step(step).map_err(|error| at("step")(error.to_string()))?;
    }
    parameter.start = parameter.floor(start_within(&parameter.kind));
    if let Some(unit) = &keys.unit {
        let unit = unit.as_f64().filter(|_| is_number);
        parameter.unit = unit.ok_or_else(|| at("unit")("choices and switches have no unit".to_string()))?;
    }
    if let Some(condition) = &keys.condition {
        parameter.condition =
            Some(Condition::parse(condition, parameters.all()).map_err(|error| at("condition")(error.to_string()))?);
    }
    if let Some(PriorKeys { normal }) = &keys.prior {
        let [mean, deviation] = normal.each_ref().map(|number| number.as_f64().unwrap_or(f64::NAN));
        let (min, max) = parameter.range();
        if !is_number {
            return Err(at("prior")("choices and switches have no prior".to_string()));
        }
        if !(min..=max).contains(&mean) {
            return Err(at("prior")(format!("its mean is a number from {min} to {max}, not {mean}")));
        }
        if !(SMALLEST_UNIT..=LARGEST_FLOAT).contains(&deviation) {
            let range = format!("{SMALLEST_UNIT:e} to {LARGEST_FLOAT:e}");
            return Err(at("prior")(format!("its standard deviation must be from {range}, not {deviation}")));
        }
        parameter = parameter.prior(mean, deviation);
    }
    if keys.by.is_some() && (!is_number || keys.count.is_some()) {
        return Err(at("by")("choices, switches and arrays follow no features".to_string()));
    }
    parameter.meaning = keys.description.clone().unwrap_or_default();
    let Some(count) = keys.count else {
        if keys.separator.is_some() {
            return Err(at("separator")("it is for arrays only: add `count`".to_string()));
        }
        if let Some(start) = &keys.start {
            let all = match start {
                Start::All(all) => start_of(&parameter, all),
                Start::Each(_) => None,
            };
            parameter.start = all.ok_or_else(|| misfit(&parameter, start))?;
        }
        return parameters.add_by(parameter, keys.by.clone()).map_err(whole);
    };
    let starts = match &keys.start {
        None => Some(vec![parameter.start; count]),
        Some(Start::All(all)) => start_of(&parameter, all).map(|start| vec![start; count]),
        Some(Start::Each(list)) if list.len() == count => list.iter().map(|one| start_of(&parameter, one)).collect(),
        Some(Start::Each(list)) => {
            let starts = counted(list.len() as u64, "starting value");
            let message = format!("`{name}` has {starts} for {}", counted(count as u64, "element"));
            return Err(Complaint::new(&[name, "start"], message));
        }
    };
    let starts = starts.ok_or_else(|| misfit(&parameter, keys.start.as_ref().expect("does not fit")))?;
    parameters.add_array(&parameter, &starts, keys.separator.as_deref().unwrap_or(",")).map_err(whole)
}

fn range_fits(name: &str, key: &str, (min, max): (f64, f64), log: Option<bool>) -> Result<(), Complaint> {
    let fault = |what: String| Err(Complaint::new(&[name, key], format!("`{name}`: {what}")));
    match log == Some(true) && min <= 0.0 {
        true => fault("the range of a logarithmic parameter must lie above 0".to_string()),
        false if min >= max => fault(format!("its range is empty: {min} is not below {max}")),
        false => Ok(()),
    }
}

/// Returns the default start: the middle of a range, the first choice, or off.
fn start_within(kind: &Kind) -> f64 {
    match *kind {
        Kind::Float { min, max, log } => middle(min, max, log),
        Kind::Int { min, max, log: false } => middle(min as f64, max as f64, false).floor(),
        Kind::Int { min, max, log: true } => middle(min as f64, max as f64, true).round(),
        Kind::Choice(_) | Kind::Switch => 0.0,
    }
}

fn start_of(parameter: &Parameter, start: &Scalar) -> Option<f64> {
    match &parameter.kind {
        // A number among the names is an ordinary name.
        Kind::Choice(_) => parameter.parse(&plain(&start.0)),
        _ => parameter.of_json(&start.0),
    }
}

fn misfit(parameter: &Parameter, start: &Start) -> Complaint {
    let written = serde_json::to_value(start).map_or_else(|_| String::new(), |start| start.to_string());
    let starts = match start {
        Start::All(all) => std::slice::from_ref(all),
        Start::Each(each) => each,
    };
    let wrong = starts.iter().find(|start| start_of(parameter, start).is_none());
    let allowed = parameter.allowed_instead(wrong.and_then(|start| start.0.as_f64()));
    let name = parameter.name.as_str();
    Complaint::new(&[name, "start"], format!("`start` of `{name}` is {written}, which is not {allowed}"))
}

impl ParameterKeys {
    /// Returns the keys that declare a parameter or an array.
    pub fn of(parameters: &[Parameter], separator: Option<&str>) -> Self {
        let first = &parameters[0];
        let mut keys = ParameterKeys::default();
        let log = match &first.kind {
            Kind::Float { min, max, log } => {
                keys.float = Some([first.number(*min), first.number(*max)]);
                *log
            }
            Kind::Int { min, max, log } => {
                keys.int = Some([*min, *max]);
                *log
            }
            Kind::Choice(names) => {
                keys.choice = Some(names.iter().map(|name| Scalar(Value::from(name.as_str()))).collect());
                false
            }
            Kind::Switch => {
                keys.bool = Some(true);
                false
            }
        };
        keys.log = log.then_some(true);
        keys.step = first.grid.map(|grid| first.number(grid.step()));
        let mut starts = parameters.iter().map(|parameter| Scalar(parameter.json(parameter.start)));
        keys.start = match separator {
            None => starts.next().map(Start::All),
            Some(_) => Some(Start::Each(starts.collect())),
        };
        keys.count = separator.map(|_| parameters.len());
        keys.separator = separator.map(String::from);
        keys.unit = first.is_number().then(|| serde_json::Number::from_f64(first.unit).expect("it is finite"));
        keys.condition = first.condition.as_ref().map(|condition| condition.text().to_string());
        let number = |value| serde_json::Number::from_f64(value).expect("it is finite");
        keys.prior = first.prior.map(|prior| PriorKeys { normal: [number(prior.mean), number(prior.deviation)] });
        keys.description = (!first.meaning.is_empty()).then(|| first.meaning.clone());
        keys
    }
}
