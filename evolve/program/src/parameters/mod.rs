//! The parameters of a program: where they are declared, and how their values are written.

pub mod marker;
mod table;

pub use table::read_table;

use crate::template::Shown;
use evolve_core::text::quoted;
use evolve_core::parameter::{Kind, Parameter};
use evolve_core::policy_file::toml_value;
use serde_json::{Map, Value};
use std::fmt::Write;
use std::ops::Range;

/// The largest whole number, so that every one is a number of double precision.
const LARGEST_INT: i64 = 1 << 53;

/// Names that stand for something else in commands or in the environment.
pub const RESERVED: [&str; 9] = ["seed", "instance", "input", "output", "random", "dir", "params", "args", "worker"];

/// The parameters of a program. Elements of an array are parameters of their own, called `table_0` and so on.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Parameters {
    all: Vec<Parameter>,
    items: Vec<Item>,
}

/// One parameter, or an array of them, as it is declared and reaches the program.
#[derive(Clone, Debug, PartialEq)]
struct Item {
    name: String,
    places: Range<usize>,
    /// What stands between the elements of an array; `None` for one parameter.
    separator: Option<String>,
}

impl Parameters {
    /// All parameters, elements of arrays one by one.
    pub fn all(&self) -> &[Parameter] {
        &self.all
    }

    /// Adds a parameter.
    ///
    /// # Errors
    /// If its name is taken, reserved or none.
    pub fn add(&mut self, parameter: Parameter) -> Result<(), String> {
        let item = Item { name: parameter.name.clone(), places: self.all.len()..self.all.len() + 1, separator: None };
        self.push(parameter)?;
        self.items.push(item);
        Ok(())
    }

    /// Adds an array of `count` parameters, each like `parameter` and starting at one of `starts`.
    ///
    /// # Errors
    /// If a name is taken, reserved or none.
    pub fn add_array(&mut self, parameter: &Parameter, starts: &[f64], separator: &str) -> Result<(), String> {
        self.is_free(&parameter.name)?;
        let places = self.all.len()..self.all.len() + starts.len();
        for (i, &start) in starts.iter().enumerate() {
            let name = format!("{}_{i}", parameter.name);
            self.push(Parameter { name, start, ..parameter.clone() })?;
        }
        self.items.push(Item { name: parameter.name.clone(), places, separator: Some(separator.to_string()) });
        Ok(())
    }

    fn push(&mut self, parameter: Parameter) -> Result<(), String> {
        self.is_free(&parameter.name)?;
        check(&parameter)?;
        self.all.push(parameter);
        Ok(())
    }

    fn is_free(&self, name: &str) -> Result<(), String> {
        let is_name = name.chars().next().is_some_and(|c| c.is_alphabetic() || c == '_')
            && name.chars().all(|c| c.is_alphanumeric() || "_-.".contains(c));
        if !is_name {
            return Err(format!("`{name}` is no name: letters, digits, `_`, `-` and `.`, a letter first"));
        }
        if RESERVED.contains(&name) {
            return Err(format!("`{name}` stands for something else; a parameter needs another name"));
        }
        match self.names().any(|other| other == name) {
            true => Err(format!("`{name}` is declared twice")),
            false => Ok(()),
        }
    }

    /// Names of parameters and arrays, as they stand in placeholders.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let all = self.all.iter().map(|parameter| parameter.name.as_str());
        all.chain(self.items.iter().filter(|item| item.separator.is_some()).map(|item| item.name.as_str()))
    }

    /// The places of the parameters that a placeholder of that name stands for.
    pub fn places(&self, name: &str) -> Range<usize> {
        if let Some(item) = self.item(name) {
            return item.places.clone();
        }
        self.all.iter().position(|parameter| parameter.name == name).map_or(0..0, |place| place..place + 1)
    }

    /// The value of a parameter or array.
    pub fn shown(&self, name: &str, values: &[f64]) -> Option<Shown> {
        if let Some(item) = self.item(name) {
            return Some(self.shown_item(item, values));
        }
        let place = self.all.iter().position(|parameter| parameter.name == name)?;
        Some(self.shown_one(place, values))
    }

    fn item(&self, name: &str) -> Option<&Item> {
        self.items.iter().find(|item| item.name == name)
    }

    /// Names and values, an array under its own name, in the order of the declaration.
    pub fn items(&self, values: &[f64]) -> Vec<(&str, Shown)> {
        self.items.iter().map(|item| (item.name.as_str(), self.shown_item(item, values))).collect()
    }

    fn shown_item(&self, item: &Item, values: &[f64]) -> Shown {
        match &item.separator {
            None => self.shown_one(item.places.start, values),
            Some(separator) => {
                let elements = item.places.clone().map(|place| self.shown_one(place, values));
                Shown::List(elements.collect(), separator.clone())
            }
        }
    }

    fn shown_one(&self, place: usize, values: &[f64]) -> Shown {
        match &self.all[place].kind {
            Kind::Float { .. } => Shown::Float(values[place]),
            Kind::Int { .. } => Shown::Int(values[place] as i64),
            Kind::Choice(_) => Shown::Choice(self.all[place].show(values[place]), values[place] as usize),
            Kind::Switch => Shown::Switch(values[place] != 0.0),
        }
    }

    /// All values as a JSON object.
    pub fn json(&self, values: &[f64]) -> Map<String, Value> {
        self.items(values).into_iter().map(|(name, shown)| (name.to_string(), json(&shown))).collect()
    }

    /// All values as `--name value`.
    pub fn args(&self, values: &[f64]) -> Vec<String> {
        let words = |(name, shown): (&str, Shown)| [format!("--{name}"), shown.to_string()];
        self.items(values).into_iter().flat_map(words).collect()
    }

    /// A section of TOML that declares the same parameters.
    pub fn toml(&self) -> String {
        let mut text = "[parameters]\n".to_string();
        for Item { name, places, separator } in &self.items {
            let parameter = &self.all[places.start];
            let starts: Vec<_> = places.clone().map(|i| toml_value(&self.all[i], self.all[i].start)).collect();
            let key = if name.contains('.') || !name.is_ascii() { quoted(name) } else { name.to_string() };
            write!(text, "{key} = {{ {}", kind_toml(parameter)).expect("writing to a string does not fail");
            match separator {
                None => write!(text, ", start = {}", starts[0]),
                Some(separator) => {
                    let (starts, count, separator) = (starts.join(", "), starts.len(), quoted(separator));
                    write!(text, ", count = {count}, start = [{starts}], separator = {separator}")
                }
            }
            .expect("writing to a string does not fail");
            if !matches!(parameter.kind, Kind::Choice(_) | Kind::Switch) {
                write!(text, ", step = {:?}", parameter.scale).expect("writing to a string does not fail");
            }
            if let Some(condition) = &parameter.condition {
                write!(text, ", when = {}", quoted(condition.text())).expect("writing to a string does not fail");
            }
            if !parameter.meaning.is_empty() {
                write!(text, ", meaning = {}", quoted(&parameter.meaning)).expect("writing to a string does not fail");
            }
            text.push_str(" }\n");
        }
        text
    }
}

/// Whether a parameter's range and start make sense.
fn check(parameter: &Parameter) -> Result<(), String> {
    let Parameter { name, start, scale, .. } = parameter;
    match &parameter.kind {
        Kind::Choice(names) if names.len() < 2 => return Err(format!("`{name}` has nothing to choose from")),
        Kind::Choice(names) if names.iter().enumerate().any(|(i, one)| names[..i].contains(one)) => {
            return Err(format!("`{name}` has a name twice"));
        }
        _ => {}
    }
    let (min, max) = parameter.range();
    if min >= max {
        return Err(format!("the range of `{name}` is empty: {min} is not below {max}"));
    }
    if matches!(parameter.kind, Kind::Float { log: true, .. } | Kind::Int { log: true, .. }) && min <= 0.0 {
        return Err(format!("`{name}` is logarithmic: its range must lie above 0"));
    }
    if !parameter.allows(*start) {
        return Err(format!("`{name}` starts at {}, which is not {}", parameter.show(*start), parameter.allowed()));
    }
    if !(scale.is_finite() && *scale > 0.0) {
        return Err(format!("the step of `{name}` must be above 0"));
    }
    Ok(())
}

fn kind_toml(parameter: &Parameter) -> String {
    let log = |log: bool| if log { ", log = true" } else { "" };
    match &parameter.kind {
        Kind::Float { min, max, log: l } => format!("float = [{min:?}, {max:?}]{}", log(*l)),
        Kind::Int { min, max, log: l } => format!("int = [{min}, {max}]{}", log(*l)),
        Kind::Choice(names) => {
            let names: Vec<_> = names.iter().map(|name| quoted(name)).collect();
            format!("choice = [{}]", names.join(", "))
        }
        Kind::Switch => "bool = true".to_string(),
    }
}

pub fn json(shown: &Shown) -> Value {
    match shown {
        Shown::Text(text) | Shown::Choice(text, _) => Value::from(text.as_str()),
        Shown::Int(value) => Value::from(*value),
        Shown::Float(value) => Value::from(*value),
        Shown::Switch(on) => Value::from(*on),
        Shown::List(elements, _) => Value::Array(elements.iter().map(json).collect()),
    }
}
