//! The parameters of a program: their declarations, and the notation of their values.

pub mod by;
pub mod marker;
mod table;

pub use table::{EXAMPLES, add, is_example};

use crate::file::{ByKeys, ParameterKeys, ProgramKeys};
use crate::template::{BuiltIn, Shown, TemplateError, no_zero_byte};
use evolve_search::document::Complaint;
use evolve_search::model::parameter::{Kind, Parameter};
use evolve_search::model::space::{Forbidden, Space};
use indexmap::IndexMap;
use serde_json::{Map, Value};
use std::ops::Range;
use thiserror::Error;

/// The largest whole number, so that every whole number has an exact double.
pub const LARGEST_INT: i64 = 1 << 53;

/// The largest absolute value of a range, so that squares of differences in the smallest unit
/// stay finite.
pub const LARGEST_FLOAT: f64 = 1e75;
/// The smallest unit and standard deviation.
pub const SMALLEST_UNIT: f64 = 1e-75;

/// The largest number of parameters; each element of an array counts. A generation may have as many
/// candidates as parameters, and each candidate has a value for every parameter.
const MOST: usize = 2000;

/// The longest name in characters.
const LONGEST_NAME: usize = 100;

/// Names that have another meaning in commands or in the environment.
pub fn reserved() -> impl Iterator<Item = &'static str> {
    BuiltIn::ALL.into_iter().map(BuiltIn::name).chain(["worker"])
}

/// The beginning of the environment variables of parameters.
const PREFIX: &str = "EVOLVE_";

/// Returns the environment variable for a parameter, as read by `evolve.hpp` and the other helper
/// files.
pub fn variable(name: &str) -> String {
    let capital = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_uppercase() } else { '_' };
    PREFIX.chars().chain(name.chars().map(capital)).collect()
}

/// The parameters of a program. Each element of an array is a separate parameter, such as
/// `table_0`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Parameters {
    all: Vec<Parameter>,
    items: Vec<Item>,
    forbidden: Forbidden,
}

/// A parameter or an array, as it is declared and reaches the program.
#[derive(Clone, Debug, PartialEq)]
struct Item {
    name: String,
    places: Range<usize>,
    /// The separator between the elements of an array; `None` for a single parameter.
    separator: Option<String>,
    /// The features that a single parameter follows.
    by: Option<ByKeys>,
}

/// The reason why a parameter cannot be declared.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum ParameterError {
    /// There are too many parameters.
    #[error("more than {MOST} parameters, counting every element of an array")]
    TooMany,
    /// Its name is too long. Holds the beginning of the name.
    #[error("the name `{0}...` is longer than {LONGEST_NAME} letters")]
    LongName(String),
    /// The text is not a name.
    #[error("`{0}` is not a name: use letters, digits, `_`, `-` and `.`, starting with a letter")]
    NoName(String),
    /// Its name has another meaning.
    #[error("`{0}` is reserved; give the parameter another name")]
    Reserved(String),
    /// It is no constant, and on a grid.
    #[error("`{0}` has a `step`, so it follows no features: remove `step` or `by`")]
    Follows(String),
    /// Its name is taken.
    #[error("`{0}` is declared twice")]
    Twice(String),
    /// It has fewer than two choices.
    #[error("`{0}` needs two choices or more")]
    NoChoices(String),
    /// Two of its choices are equal.
    #[error("`{0}` lists a choice twice")]
    ChoiceTwice(String),
    /// One of its texts cannot be passed to a program.
    #[error("{0}: {1}")]
    Text(String, TemplateError),
    /// Its range is too large.
    #[error("the range of `{0}` must lie within plus or minus {LARGEST_FLOAT:e}")]
    Range(String),
    /// Its range is empty.
    #[error("the range of `{name}` is empty: {min} is not below {max}")]
    EmptyRange {
        /// The parameter.
        name: String,
        /// The lower end.
        min: f64,
        /// The upper end.
        max: f64,
    },
    /// Its range has numbers without a logarithm.
    #[error("`{0}` is logarithmic: its range must lie above 0")]
    Logarithmic(String),
    /// It does not allow its start.
    #[error("`start` of `{name}` is {start}, which is not {allowed}")]
    Start {
        /// The parameter.
        name: String,
        /// The start.
        start: String,
        /// The values that it allows.
        allowed: String,
    },
    /// Its unit is too small or too large.
    #[error("the unit of `{0}` must be from {SMALLEST_UNIT:e} to {LARGEST_FLOAT:e}")]
    Unit(String),
}

impl Parameters {
    /// Returns whether a parameter follows features.
    pub fn follows(&self, place: usize) -> bool {
        self.items.iter().any(|item| item.by.is_some() && item.places.contains(&place))
    }

    /// Forbids the combinations of values that the keys of the program list.
    ///
    /// # Errors
    /// The first that is not a condition on these parameters.
    pub fn restricted(self, keys: &ProgramKeys) -> Result<Self, Complaint> {
        let forbidden = Forbidden::parse(&keys.forbid, &self.all);
        let forbidden = forbidden.map_err(|(i, error)| at_forbidden(i, format!("`forbid`: {error}")))?;
        Ok(Parameters { forbidden, ..self })
    }

    /// Checks that no forbidden combination names a parameter that follows features: its value is
    /// known on an instance only.
    ///
    /// # Errors
    /// The first combination that does.
    pub fn check_restricted(&self) -> Result<(), Complaint> {
        let mut places = self.forbidden.places().into_iter();
        let Some((i, place)) = places.find(|&(_, place)| self.follows(place)) else { return Ok(()) };
        let name = &self.all[place].name;
        let message = format!(
            "`forbid`: `{name}` follows features, so its value differs between instances: remove `by`, or this line"
        );
        Err(at_forbidden(i, message))
    }

    /// Returns the space of candidates with these parameters, which are its own with other ranges,
    /// from a start.
    pub fn space(&self, parameters: Vec<Parameter>, start: Vec<f64>, tuned: Vec<usize>) -> Space {
        Space::new(parameters, start, tuned).without(self.forbidden.clone())
    }

    /// Returns all parameters, including the elements of arrays.
    pub fn all(&self) -> &[Parameter] {
        &self.all
    }

    /// Adds a parameter.
    ///
    /// # Errors
    /// If the name is taken, reserved or invalid.
    pub fn add(&mut self, parameter: Parameter) -> Result<(), ParameterError> {
        self.add_by(parameter, None)
    }

    /// Adds a parameter that follows features.
    ///
    /// # Errors
    /// If the name is taken, reserved or invalid.
    fn add_by(&mut self, parameter: Parameter, by: Option<ByKeys>) -> Result<(), ParameterError> {
        if by.is_some() && parameter.grid.is_some() {
            return Err(ParameterError::Follows(parameter.name));
        }
        let places = self.all.len()..self.all.len() + 1;
        let item = Item { name: parameter.name.clone(), places, separator: None, by };
        self.push(parameter)?;
        self.items.push(item);
        Ok(())
    }

    /// Adds an array with one parameter like `parameter` for each start in `starts`.
    ///
    /// # Errors
    /// If a name is taken, reserved or invalid.
    pub fn add_array(&mut self, parameter: &Parameter, starts: &[f64], separator: &str) -> Result<(), ParameterError> {
        self.is_free(&parameter.name)?;
        no_zero_byte(separator)
            .map_err(|error| ParameterError::Text(format!("the separator of `{}`", parameter.name), error))?;
        let places = self.all.len()..self.all.len() + starts.len();
        for (i, &start) in starts.iter().enumerate() {
            let name = format!("{}_{i}", parameter.name);
            self.push(Parameter { name, start, ..parameter.clone() })?;
        }
        self.items.push(Item {
            name: parameter.name.clone(),
            places,
            separator: Some(separator.to_string()),
            by: None,
        });
        Ok(())
    }

    fn push(&mut self, parameter: Parameter) -> Result<(), ParameterError> {
        if self.all.len() == MOST {
            return Err(ParameterError::TooMany);
        }
        self.is_free(&parameter.name)?;
        check(&parameter)?;
        self.all.push(parameter);
        Ok(())
    }

    fn is_free(&self, name: &str) -> Result<(), ParameterError> {
        if name.chars().count() > LONGEST_NAME {
            return Err(ParameterError::LongName(name.chars().take(20).collect()));
        }
        let is_name = name.chars().next().is_some_and(|c| c.is_alphabetic() || c == '_')
            && name.chars().all(|c| c.is_alphanumeric() || "_-.".contains(c));
        if !is_name {
            return Err(ParameterError::NoName(name.to_string()));
        }
        if reserved().any(|other| other == name) {
            return Err(ParameterError::Reserved(name.to_string()));
        }
        match self.names().any(|other| other == name) {
            true => Err(ParameterError::Twice(name.to_string())),
            false => Ok(()),
        }
    }

    /// Returns the names of parameters and arrays, as used in placeholders.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let all = self.all.iter().map(|parameter| parameter.name.as_str());
        all.chain(self.items.iter().filter(|item| item.separator.is_some()).map(|item| item.name.as_str()))
    }

    /// Returns the indices of the parameters that a placeholder refers to.
    pub fn places(&self, name: &str) -> Range<usize> {
        if let Some(item) = self.item(name) {
            return item.places.clone();
        }
        self.all.iter().position(|parameter| parameter.name == name).map_or(0..0, |place| place..place + 1)
    }

    /// Returns the value of a parameter or array.
    pub fn shown(&self, name: &str, values: &[f64]) -> Option<Shown> {
        let places = self.places(name);
        let shown = match self.item(name) {
            Some(item) => self.shown_item(item, values),
            None => self.shown_one(places.clone().next()?, values),
        };
        Some(if self.is_active(&places, values) { shown } else { Shown::Inactive(Box::new(shown)) })
    }

    /// Returns whether a parameter or array has an effect. All elements of an array have the same
    /// condition.
    fn is_active(&self, places: &Range<usize>, values: &[f64]) -> bool {
        self.all[places.start].is_active(values, &self.all)
    }

    fn item(&self, name: &str) -> Option<&Item> {
        self.items.iter().find(|item| item.name == name)
    }

    /// Returns names and values in the order of the declaration, with an array under its own name.
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

    /// Returns the names and values of active parameters.
    fn active(&self, values: &[f64]) -> impl Iterator<Item = (&str, Shown)> {
        let active = self.items.iter().filter(|item| self.is_active(&item.places, values));
        active.map(|item| (item.name.as_str(), self.shown_item(item, values)))
    }

    /// Returns the values of active parameters as a JSON object.
    pub fn json(&self, values: &[f64]) -> Map<String, Value> {
        self.active(values).map(|(name, shown)| (name.to_string(), json(&shown))).collect()
    }

    /// Returns the values of active parameters as `--name value`.
    pub fn args(&self, values: &[f64]) -> Vec<String> {
        self.active(values).flat_map(|(name, shown)| [format!("--{name}"), shown.to_string()]).collect()
    }

    /// Returns the section that declares the same parameters.
    pub fn keys(&self) -> IndexMap<String, ParameterKeys> {
        let keys = |Item { name, places, separator, by }: &Item| {
            let keys = ParameterKeys::of(&self.all[places.clone()], separator.as_deref());
            (name.clone(), ParameterKeys { by: by.clone(), ..keys })
        };
        self.items.iter().map(keys).collect()
    }
}

/// Returns the complaint about a forbidden combination.
fn at_forbidden(place: usize, message: String) -> Complaint {
    Complaint::new(&["forbid", &place.to_string()], message)
}

/// Checks the range and start of a parameter.
fn check(parameter: &Parameter) -> Result<(), ParameterError> {
    let Parameter { name, start, unit, .. } = parameter;
    let name = || name.clone();
    match &parameter.kind {
        Kind::Choice(names) if names.len() < 2 => return Err(ParameterError::NoChoices(name())),
        Kind::Choice(names) if names.iter().enumerate().any(|(i, one)| names[..i].contains(one)) => {
            return Err(ParameterError::ChoiceTwice(name()));
        }
        Kind::Choice(names) => {
            let texts = names.iter().try_for_each(|one| no_zero_byte(one));
            texts.map_err(|error| ParameterError::Text(format!("`{}`", name()), error))?;
        }
        _ => {}
    }
    let (min, max) = parameter.range();
    if !(min.abs() <= LARGEST_FLOAT && max.abs() <= LARGEST_FLOAT) {
        return Err(ParameterError::Range(name()));
    }
    if min >= max {
        return Err(ParameterError::EmptyRange { name: name(), min, max });
    }
    if parameter.is_log() && min <= 0.0 {
        return Err(ParameterError::Logarithmic(name()));
    }
    if !parameter.allows(*start) {
        let (start, allowed) = (parameter.show(*start), parameter.allowed_instead(Some(*start)));
        return Err(ParameterError::Start { name: name(), start, allowed });
    }
    if !(SMALLEST_UNIT..=LARGEST_FLOAT).contains(unit) {
        return Err(ParameterError::Unit(name()));
    }
    Ok(())
}

pub fn json(shown: &Shown) -> Value {
    match shown {
        Shown::Text(text) | Shown::Choice(text, _) => Value::from(text.as_str()),
        Shown::Int(value) => Value::from(*value),
        Shown::Float(value) => Value::from(*value),
        Shown::Switch(on) => Value::from(*on),
        Shown::List(elements, _) => Value::Array(elements.iter().map(json).collect()),
        Shown::Inactive(start) => json(start),
    }
}
