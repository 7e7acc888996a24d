//! Tables of a document.

use super::schema::{self, End, Mistake};
use super::{Document, Faults};
use schemars::Schema;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use std::fmt;

/// A table of a document.
#[derive(Clone, Debug)]
pub struct Section<'d> {
    pub(super) document: &'d Document,
    /// The kind of document, for messages.
    pub(super) what: &'static str,
    /// The names on the path to the table; empty at the top level.
    pub(super) at: Vec<String>,
    pub(super) value: Map<String, Value>,
}

impl<'d> Section<'d> {
    /// Returns the section with this name inside this one, or an empty section.
    #[must_use]
    pub fn section(&self, name: &str) -> Section<'d> {
        let value = self.value.get(name).and_then(Value::as_object).cloned().unwrap_or_default();
        Section { document: self.document, what: self.what, at: self.join(&[name]), value }
    }

    /// Returns whether the section contains a section or value with this name.
    pub fn has(&self, name: &str) -> bool {
        self.value.contains_key(name)
    }

    /// Returns the entries, in the order of the file.
    pub fn entries(&self) -> &Map<String, Value> {
        &self.value
    }

    /// Checks the section against a schema.
    ///
    /// # Errors
    /// All violations, each with its place and the allowed values.
    pub fn check(&self, schema: &Schema) -> Result<(), Faults> {
        let mistakes = schema::check(schema, &Value::Object(self.value.clone()), self.what, &self.at);
        if mistakes.is_empty() { Ok(()) } else { Err(self.document.faults(mistakes)) }
    }

    /// Deserializes the section, which was checked against the schema of the type. Ignores unknown
    /// entries.
    ///
    /// # Errors
    /// The first value that the schema allows but the type does not, such as a text that is not a
    /// duration.
    pub fn read<T: DeserializeOwned>(&self) -> Result<T, Faults> {
        serde_path_to_error::deserialize(Value::Object(self.value.clone())).map_err(|error| {
            let names: Vec<String> = error.path().iter().map(ToString::to_string).collect();
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            let message = format!("`{}`: {}", self.join(&names).join("."), error.inner());
            self.fault(&names, message)
        })
    }

    /// Creates a fault in a value below this section, given the names on the path to it; without
    /// names, a fault in the section itself.
    pub fn fault(&self, names: &[&str], message: impl fmt::Display) -> Faults {
        let mistake = Mistake { at: self.join(names), message: message.to_string(), end: End::Nothing };
        self.document.faults(vec![mistake])
    }

    /// Refuses all of these entries, each for its own reason.
    ///
    /// # Errors
    /// If there is any entry.
    pub fn refuse<'n>(&self, entries: impl Iterator<Item = (&'n str, String)>) -> Result<(), Faults> {
        let mistake = |(name, message)| Mistake { at: self.join(&[name]), message, end: End::Nothing };
        let mistakes: Vec<_> = entries.map(mistake).collect();
        if mistakes.is_empty() { Ok(()) } else { Err(self.document.faults(mistakes)) }
    }

    /// Returns the name of the section in messages.
    pub fn title(&self) -> String {
        schema::title(self.what, &self.at)
    }

    fn join(&self, names: &[&str]) -> Vec<String> {
        self.at.iter().cloned().chain(names.iter().map(ToString::to_string)).collect()
    }
}
