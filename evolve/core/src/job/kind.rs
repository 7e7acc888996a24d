//! Kinds of problems.

use crate::document::schema::properties;
use crate::document::{Faults, Section};
use crate::model::problem::Problem;
use schemars::Schema;
use serde_json::{Map, Value, json};
use std::sync::Arc;

/// A kind of problem that files declare in sections of its own.
pub trait ProblemKind: Sync {
    /// Returns the names of its sections. A file that has the first one declares a problem of this
    /// kind.
    fn sections(&self) -> &'static [&'static str];

    /// Returns the schema whose keys are the sections.
    fn schema(&self) -> Schema;

    /// Returns the schema for this file: the name of a game narrows it, for example.
    ///
    /// # Errors
    /// If the file names nothing that exists.
    fn schema_for(&self, _top: &Section<'_>) -> Result<Schema, Faults> {
        Ok(self.schema())
    }

    /// Reads the complete problem from the top level of a file that was checked against the schema.
    ///
    /// # Errors
    /// Faults that the schema cannot express.
    fn read(&self, top: &Section<'_>, reading: Reading) -> Result<Arc<dyn Problem>, Faults>;

    /// Reads the problem as an exported program plays it; `problem` is the one that the file tunes.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    fn read_submission(&self, _top: &Section<'_>, problem: &Arc<dyn Problem>) -> Result<Arc<dyn Problem>, Faults> {
        Ok(Arc::clone(problem))
    }
}

/// The purpose of reading a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reading {
    /// To play the problem: its programs and instances must exist.
    #[default]
    ToPlay,
    /// To inspect a run: the programs and instances may be missing or on another machine.
    ToLook,
}

/// Adds the sections that declare a problem to the schema of a file, before its other sections.
pub fn complete(mut schema: Schema, sections: &Schema) -> Schema {
    let is_section = |key: &Value| key.get("type") == Some(&json!("object"));
    let (own, mut keys): (Map<_, _>, Map<_, _>) = properties(&schema).into_iter().partition(|(_, key)| is_section(key));
    keys.extend(properties(sections));
    keys.extend(own);
    let required = [&schema, sections].into_iter().filter_map(|one| one.get("required")?.as_array());
    let required: Vec<Value> = required.flatten().cloned().collect();
    schema.insert("properties".to_string(), Value::Object(keys));
    schema.insert("required".to_string(), Value::Array(required));
    schema.insert("additionalProperties".to_string(), json!(false));
    schema
}
