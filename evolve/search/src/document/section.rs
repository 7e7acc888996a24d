//! Tables of a document, and the types that read them.

use super::schema::{self, takes};
use super::text::nearest;
use super::{Complaint, Document, Fault, Table, locate, shortened};
use schemars::{JsonSchema, Schema};
use serde::de::DeserializeOwned;
use serde_json::Value;
use serde_path_to_error::Segment;
use std::fmt;
use toml::Spanned;
use toml::de::{DeTable, DeValue, ValueDeserializer};

/// A table of a document.
#[derive(Clone, Debug)]
pub struct Section<'d> {
    pub(super) document: &'d Document,
    /// The kind of document, for messages.
    pub(super) what: &'static str,
    /// The names on the path to the table; empty at the top level.
    pub(super) at: Vec<String>,
    pub(super) table: DeTable<'d>,
}

impl<'d> Section<'d> {
    /// Returns the section with this name inside this one, or an empty section.
    #[must_use]
    pub fn section(&self, name: &str) -> Section<'d> {
        let table = self.table.get(name).and_then(|value| value.get_ref().as_table());
        Section { at: self.join(&[name]), table: table.cloned().unwrap_or_default(), ..self.clone() }
    }

    /// Returns the section without the key `name`, which selects the type of the other keys.
    #[must_use]
    pub fn without_name(mut self) -> Self {
        self.table.remove("name");
        self
    }

    /// Checks that entries with these names are sections.
    ///
    /// # Errors
    /// The first one that is a value.
    pub fn are_sections(&self, names: &[&str]) -> Result<(), Fault> {
        let is_value = |name: &&&str| self.table.get(**name).is_some_and(|value| !value.get_ref().is_table());
        match names.iter().find(is_value) {
            Some(name) => Err(self.fault(&[name], format!("`{name}` is a section: write [{name}]"))),
            None => Ok(()),
        }
    }

    /// Returns whether the section contains a section or value with this name.
    pub fn has(&self, name: &str) -> bool {
        self.table.contains_key(name)
    }

    /// Returns the entries, in the order of the file. A number that is not finite is null.
    ///
    /// # Errors
    /// If a number is too large.
    pub fn entries(&self) -> Result<Table, Fault> {
        self.plain()
    }

    /// Deserializes the section, whose numbers may be infinite. Ignores unknown entries.
    ///
    /// # Errors
    /// The first value that the type does not allow.
    pub fn plain<T: DeserializeOwned>(&self) -> Result<T, Fault> {
        self.deserialize(self.table.clone(), &schema::none())
    }

    /// Deserializes the section.
    ///
    /// # Errors
    /// The first key that the type does not have, or value that it does not allow.
    pub fn read<T: DeserializeOwned + JsonSchema>(&self) -> Result<T, Fault> {
        let schema = schema::of::<T>();
        self.only(schema::properties(&schema).keys().map(String::as_str))?;
        self.deserialize(self.table.clone(), &schema)
    }

    /// Deserializes the keys of a type. Other keys belong to other types.
    ///
    /// # Errors
    /// The first value that the type does not allow.
    pub fn part<T: DeserializeOwned + JsonSchema>(&self) -> Result<T, Fault> {
        let schema = schema::of::<T>();
        let keys = schema::properties(&schema);
        let own = self.table.clone().into_iter().filter(|(name, _)| keys.contains_key(name.get_ref().as_ref()));
        self.deserialize(own.collect(), &schema)
    }

    /// Deserializes a variant of an enum from the keys of the section, given its name and the
    /// schema of its keys.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub fn variant<T: DeserializeOwned>(&self, name: &str, keys: &Schema) -> Result<T, Fault> {
        self.only(schema::properties(keys).keys().map(String::as_str))?;
        let variant = DeValue::Table(self.table.clone());
        let table = DeTable::from_iter([(unplaced(name.to_string().into()), unplaced(variant))]);
        self.deserialize(table, keys)
    }

    /// Refuses a key other than these.
    ///
    /// # Errors
    /// The first other key.
    pub fn only<'n>(&self, known: impl Iterator<Item = &'n str> + Clone) -> Result<(), Fault> {
        // The reference lists longer sets of keys, unless they are the names of weights.
        const LISTED: usize = 20;
        let names = self.table.keys().map(|name| name.get_ref().as_ref());
        let Some(name) = names.into_iter().find(|name| known.clone().all(|known| known != *name)) else {
            return Ok(());
        };
        let list = || known.clone().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
        let hint = match (nearest(name, known.clone()), known.clone().count()) {
            (Some(near), _) => format!("; did you mean `{near}`?"),
            (None, 0) => "; it has none".to_string(),
            (None, count) if count > LISTED => String::new(),
            (None, _) => format!("; it has {}", list()),
        };
        Err(self.fault(&[name], format!("{} has no key `{}`{hint}", self.title(), name.escape_debug())))
    }

    /// Creates a fault in a value below this section, given the names on the path to it; without
    /// names, a fault in the section itself.
    pub fn fault(&self, names: &[&str], message: impl fmt::Display) -> Fault {
        self.document.fault(&self.join(names), message.to_string())
    }

    /// Creates the fault of a complaint about a value below this section.
    pub fn located(&self, Complaint { keys, message }: Complaint) -> Fault {
        self.fault(&strs(&keys), message)
    }

    /// Creates a fault in a value that should be what the words say.
    pub fn refusal(&self, names: &[&str], takes: &str) -> Fault {
        let value = locate(&self.table, &self.join(names)[self.at.len()..]).and_then(|located| located.value);
        let not = match value.map_or("this", |span| &self.document.text()[span]) {
            "\"\"" | "''" => "an empty one".to_string(),
            value => shortened(value),
        };
        self.fault(names, format!("`{}` takes {takes}, not {not}", self.join(names).join(".")))
    }

    /// Returns the name of the section in messages.
    pub fn title(&self) -> String {
        if self.at.is_empty() { self.what.to_string() } else { format!("[{}]", self.at.join(".")) }
    }

    fn join(&self, names: &[&str]) -> Vec<String> {
        self.at.iter().cloned().chain(names.iter().map(ToString::to_string)).collect()
    }

    fn deserialize<T: DeserializeOwned>(&self, table: DeTable<'d>, schema: &Schema) -> Result<T, Fault> {
        let value = ValueDeserializer::from(unplaced(DeValue::Table(table)));
        let read = serde_path_to_error::deserialize(value).map_err(|error| {
            // An error in an element is reported for its list.
            let key = |segment: &Segment| match segment {
                Segment::Map { key } => Some(key.clone()),
                _ => None,
            };
            let path = error.path().iter().skip_while(|segment| matches!(segment, Segment::Enum { .. }));
            let names: Vec<String> = path.map_while(key).collect();
            self.misread(schema.as_value(), names, error.inner().message())
        })?;
        let mut names = Vec::new();
        match schema::beyond(schema.as_value(), &DeValue::Table(self.table.clone()), &mut names) {
            None => Ok(read),
            Some(schema) => Err(self.refusal(&strs(&names), &takes(schema))),
        }
    }

    /// Puts an error of the deserializer in the words of the schema.
    fn misread(&self, schema: &Value, mut names: Vec<String>, error: &str) -> Fault {
        let is_key = error.starts_with("unknown field");
        if is_key {
            names.pop();
        }
        let (mut inner, mut of_value) = (self.clone(), schema);
        for name in &names {
            (inner, of_value) = (inner.section(name), schema::within(of_value, name));
        }
        let (names, known) = (strs(&names), schema::keys(of_value));
        // Of a type with several forms, serde only says that none fits.
        let is_no_form = error.starts_with("data did not match");
        let is_key = is_key || is_no_form && !known.is_empty();
        if let Some(fault) = inner.only(known.keys().map(String::as_str)).err().filter(|_| is_key) {
            return fault;
        }
        for (name, value) in inner.table.iter().filter(|_| is_no_form) {
            let of_name = schema::within(of_value, name.get_ref());
            if !of_name.is_null() && !schema::fits(of_name, value.get_ref()) {
                return inner.refusal(&[name.get_ref()], &takes(of_name));
            }
        }
        if let Some((name, _)) = error.strip_prefix("missing field `").and_then(|rest| rest.split_once('`')) {
            let of_name = &known.get(name).cloned().unwrap_or_default();
            let about = of_name["description"].as_str().map_or_else(|| takes(of_name), String::from);
            return inner.fault(&[], format!("{} needs `{name}`: {about}", inner.title()));
        }
        let full = self.join(&names).join(".");
        match () {
            () if of_value.is_null() || !FORM.iter().any(|form| error.starts_with(form)) => {
                self.fault(&names, format!("`{full}`: {error}"))
            }
            () if schema::is_section(of_value) => self.fault(&names, format!("`{full}` is a section: write [{full}]")),
            () => self.refusal(&names, &takes(of_value)),
        }
    }
}

/// The beginnings of messages about values of another form. The schema describes that form better.
const FORM: [&str; 9] = [
    "invalid ",
    "unknown variant",
    // A date and time is a table to serde.
    "unknown field",
    "data did not match",
    "wanted ",
    "expected ",
    "JSON number out of range",
    "not a JSON number",
    "integer number overflowed",
];

fn unplaced<T>(value: T) -> Spanned<T> {
    Spanned::new(0..0, value)
}

fn strs(names: &[String]) -> Vec<&str> {
    names.iter().map(String::as_str).collect()
}
