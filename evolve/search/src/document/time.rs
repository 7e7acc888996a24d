//! Durations and points in time in files.

use chrono::{DateTime, SecondsFormat, Utc};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::ops::Deref;
use std::time::{Duration, SystemTime};
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

/// A point in time, written in files with its offset from UTC, such as "2026-12-01T19:00+09:00".
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(try_from = "String", into = "String")]
pub struct Deadline(pub SystemTime);

impl Deadline {
    /// Returns the time that is left; zero after the deadline.
    pub fn left(&self) -> Duration {
        self.0.duration_since(SystemTime::now()).unwrap_or_default()
    }
}

/// The description of the syntax.
const MOMENT: &str = "a time with its offset from UTC such as \"2026-12-01T19:00+09:00\" or \"2026-12-01T10:00Z\"";

/// A text that is no point in time.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("must be {MOMENT}, not {}", crate::document::text::toml_string(.0))]
pub struct DeadlineError(String);

impl TryFrom<String> for Deadline {
    type Error = DeadlineError;

    fn try_from(text: String) -> Result<Self, DeadlineError> {
        // The standard requires seconds, which people leave out.
        let short = || DateTime::parse_from_str(&text.replace('Z', "+00:00"), "%Y-%m-%dT%H:%M%:z");
        let time = DateTime::parse_from_rfc3339(&text).or_else(|_| short());
        time.map(|time| Deadline(time.into())).map_err(|_| DeadlineError(text))
    }
}

impl From<Deadline> for String {
    fn from(deadline: Deadline) -> String {
        DateTime::<Utc>::from(deadline.0).to_rfc3339_opts(SecondsFormat::Secs, true)
    }
}

impl JsonSchema for Deadline {
    fn schema_name() -> Cow<'static, str> {
        "Deadline".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "title": MOMENT, "type": "string", "examples": ["2026-12-01T19:00+09:00"] })
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_deadline_has_an_offset() {
        let read = |text: &str| Deadline::try_from(text.to_string());
        let utc = read("2026-12-01T10:00:00Z").unwrap();
        for same in ["2026-12-01T19:00+09:00", "2026-12-01T10:00Z", "2026-12-01T05:30:00-04:30"] {
            assert_eq!(read(same), Ok(utc), "{same}");
        }
        assert_eq!(String::from(utc), "2026-12-01T10:00:00Z");
        for wrong in ["2026-12-01T10:00", "10:00", "2026-13-01T10:00Z", "tomorrow", ""] {
            let message = read(wrong).unwrap_err().to_string();
            assert!(message.contains("2026-12-01T19:00+09:00"), "{wrong}: {message}");
        }
        assert_eq!(read("1999-12-01T10:00Z").unwrap().left(), Duration::ZERO);
    }
}
