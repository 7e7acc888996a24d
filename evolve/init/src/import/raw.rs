//! Parameters as the file of another tuner declares them.

use super::ImportError;
use super::expression::Expression;
use crate::suggest::Way;
use evolve_program::parameters::LARGEST_INT;
use evolve_search::model::parameter::Kind;
use std::cmp::Ordering;
use std::collections::BTreeMap;

/// A parameter of a file.
pub struct Raw {
    /// The name in the file.
    pub name: String,
    pub domain: Domain,
    /// The start, if the file has one.
    pub start: Option<f64>,
    /// The distance between neighbouring values, if they are on a grid.
    pub step: Option<f64>,
    /// The mean and standard deviation of a normal distribution.
    pub prior: Option<(f64, f64)>,
    /// The arguments before its own, and whether they have its only value.
    pub before: Vec<String>,
    pub is_before: bool,
    pub way: Way,
    /// The format of its placeholder, such as `:.4`.
    pub format: String,
    /// The values of a switch in the file, off and on.
    pub truth: [String; 2],
    pub condition: Expression,
}

#[derive(PartialEq)]
pub enum Domain {
    Fixed(String),
    Tuned(Kind),
}

impl Raw {
    pub fn new(name: &str, domain: Domain) -> Self {
        Raw {
            name: name.to_string(),
            domain,
            start: None,
            step: None,
            prior: None,
            before: Vec::new(),
            is_before: false,
            way: Way::Option(format!("--{name}")),
            format: String::new(),
            truth: ["false", "true"].map(String::from),
            condition: Expression::Known(true),
        }
    }

    /// Adds a further condition, which must hold as well.
    pub fn also(&mut self, condition: Expression) {
        let former = std::mem::replace(&mut self.condition, Expression::Known(true));
        self.condition = Expression::all([former, condition]);
    }
}

impl Domain {
    /// Creates a range of numbers.
    ///
    /// # Errors
    /// If it has no numbers.
    pub fn numbers(is_int: bool, min: f64, max: f64, log: bool) -> Result<Self, ImportError> {
        let fault = || ImportError::Range { min, max, log };
        let (low, high) = if is_int { (min.ceil(), max.floor()) } else { (min, max) };
        if log && low <= 0.0 || is_int && low.abs().max(high.abs()) > LARGEST_INT as f64 {
            return Err(fault());
        }
        match low.partial_cmp(&high) {
            Some(Ordering::Less) if is_int => Ok(Domain::Tuned(Kind::Int { min: low as i64, max: high as i64, log })),
            Some(Ordering::Less) => Ok(Domain::Tuned(Kind::Float { min, max, log })),
            Some(Ordering::Equal) if is_int => Ok(Domain::Fixed(format!("{low:.0}"))),
            Some(Ordering::Equal) => Ok(Domain::Fixed(format!("{low:?}"))),
            _ => Err(fault()),
        }
    }

    /// Creates a choice of these values.
    ///
    /// # Errors
    /// If there are none.
    pub fn choice(mut names: Vec<String>) -> Result<Self, ImportError> {
        match names.len() {
            0 => Err(ImportError::NoList(String::new())),
            1 => Ok(Domain::Fixed(names.remove(0))),
            _ => Ok(Domain::Tuned(Kind::Choice(names))),
        }
    }

    /// Returns the index of a value in a choice.
    pub fn place(&self, value: &str) -> Option<f64> {
        let Domain::Tuned(Kind::Choice(names)) = self else { return None };
        names.iter().position(|name| name == value).map(|place| place as f64)
    }
}

/// The parameters of a file, each with its own name.
#[derive(Default)]
pub struct Raws {
    pub list: Vec<Raw>,
    places: BTreeMap<String, usize>,
}

impl Raws {
    /// Adds a parameter.
    ///
    /// # Errors
    /// If its name is taken.
    pub fn add(&mut self, raw: Raw) -> Result<(), ImportError> {
        if self.has(&raw.name) {
            return Err(ImportError::Twice.at(&raw.name));
        }
        self.places.insert(raw.name.clone(), self.list.len());
        self.list.push(raw);
        Ok(())
    }

    pub fn has(&self, name: &str) -> bool {
        self.places.contains_key(name)
    }

    pub fn place(&self, name: &str) -> Option<usize> {
        self.places.get(name).copied()
    }

    pub fn get_mut(&mut self, name: &str) -> Option<&mut Raw> {
        self.place(name).map(|place| &mut self.list[place])
    }
}
