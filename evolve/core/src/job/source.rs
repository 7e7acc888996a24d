//! The problem of a file.

use crate::document::schema::{self, properties};
use crate::document::{Document, Faults};
use crate::job::Catalogue;
use crate::model::problem::Problem;
use schemars::Schema;
use serde_json::{Map, Value, json};
use std::sync::Arc;

/// The subject of a job.
#[derive(Clone)]
pub struct Source {
    /// The problem, ready to be opened.
    pub problem: Arc<dyn Problem>,
}

impl Source {
    /// Reads a file that only declares a problem.
    ///
    /// # Errors
    /// All faults in the file.
    pub fn parse(document: &Document, catalogue: &Catalogue) -> Result<Self, Faults> {
        let top = document.top("a program")?;
        let kind = catalogue.kind(&top)?;
        top.check(&complete(schema::none(), &kind.schema_for(&top)?))?;
        Ok(Source { problem: kind.read(&top, catalogue.reading())? })
    }
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
