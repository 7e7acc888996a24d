//! Durations in files.

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::ops::Deref;
use std::time::Duration;
use thiserror::Error;

/// A duration above zero, written in files as a text such as "90s" or "8h 30m".
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(try_from = "String", into = "String")]
pub struct Time(pub Duration);

impl Deref for Time {
    type Target = Duration;

    fn deref(&self) -> &Duration {
        &self.0
    }
}

/// The description of the syntax.
const FORM: &str = "a duration such as \"90s\", \"20m\" or \"8h\"";

/// A text that is no duration above zero.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("must be {FORM}, not {}", crate::document::text::toml_string(.0))]
pub struct TimeError(String);

impl TryFrom<String> for Time {
    type Error = TimeError;

    fn try_from(text: String) -> Result<Self, TimeError> {
        let time = humantime::parse_duration(&text).ok().filter(|time| !time.is_zero());
        time.map(Time).ok_or(TimeError(text))
    }
}

impl From<Time> for String {
    fn from(time: Time) -> String {
        humantime::format_duration(time.0).to_string()
    }
}

impl JsonSchema for Time {
    fn schema_name() -> Cow<'static, str> {
        "Time".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "title": FORM, "type": "string", "examples": ["90s", "20m", "8h"] })
    }
}
