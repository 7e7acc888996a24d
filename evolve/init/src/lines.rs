//! The lines of a job. Texts of others reach a job only through these functions, which escape them.

use evolve_search::document::text::{entry, key, one_line};
use serde_json::{Map, Value};
use thiserror::Error;

/// A job as it is written, and the values that it must have when it is read.
#[derive(Default)]
pub struct Lines {
    text: String,
    section: Option<String>,
    meant: Map<String, Value>,
}

/// A job that would be read differently than it is meant.
#[derive(Debug, Error)]
#[error("the job would not be read as it is meant, so it is not written: {0}")]
pub struct DraftError(String);

impl Lines {
    /// Adds a comment, whose text stays on its line.
    pub fn comment(&mut self, text: &str) {
        self.text += &format!("# {}\n", one_line(text));
    }

    /// Adds an empty line.
    pub fn gap(&mut self) {
        self.text.push('\n');
    }

    /// Begins a section.
    pub fn section(&mut self, name: &str) {
        self.text += &format!("[{}]\n", key(name));
        self.section = Some(name.to_string());
        self.meant.entry(name).or_insert_with(|| Value::Object(Map::new()));
    }

    /// Adds a key to the section; `null` is omitted.
    pub fn key(&mut self, name: &str, value: impl Into<Value>) {
        self.key_with(name, value, "");
    }

    /// Adds a key with a remark, if it is not empty, after its value.
    pub fn key_with(&mut self, name: &str, value: impl Into<Value>, remark: &str) {
        let value = without_null(value.into());
        if value.is_null() {
            return;
        }
        let line = entry(name, &value);
        match remark {
            "" => self.text += &line,
            remark => self.text += &format!("{:24} # {}\n", line.trim_end(), one_line(remark)),
        }
        let table = match &self.section {
            None => &mut self.meant,
            Some(section) => self.meant[section].as_object_mut().expect("a section is a table"),
        };
        table.insert(name.to_string(), value);
    }

    /// Returns the text of the job.
    ///
    /// # Errors
    /// If the text is not read as the values that were added.
    pub fn finish(self) -> Result<String, DraftError> {
        let read: Value = toml::from_str(&self.text).map_err(|error| DraftError(error.to_string()))?;
        match read == Value::Object(self.meant) {
            true => Ok(self.text),
            false => Err(DraftError("other keys or values".to_string())),
        }
    }
}

/// Removes the `null` values, which TOML does not have.
fn without_null(value: Value) -> Value {
    match value {
        Value::Object(table) => {
            let entries = table.into_iter().filter(|(_, value)| !value.is_null());
            Value::Object(entries.map(|(name, value)| (name, without_null(value))).collect())
        }
        value => value,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    proptest! {
        #[test]
        fn any_text_is_read_back(name in ".+", text in ".*", hostile in "(?s).*\n[a-z]+ = \"[a-z]\"\n#") {
            let mut lines = Lines::default();
            lines.comment(&text);
            lines.comment(&hostile);
            lines.key("first", text.clone());
            lines.section("program");
            lines.comment(&hostile);
            lines.key(&name, json!({ &text: hostile, "list": [text, hostile] }));
            lines.key_with("last", hostile.clone(), &hostile);
            let written = lines.finish();
            prop_assert!(written.is_ok(), "{:?}", written);
        }
    }

    #[test]
    fn a_job_that_is_read_differently_is_refused() {
        let mut lines = Lines::default();
        lines.key("name", "a");
        lines.text += "build = \"touch x\"\n";
        assert!(lines.finish().unwrap_err().to_string().contains("other keys"));
    }

    #[test]
    fn comments_stay_on_their_line() {
        let mut lines = Lines::default();
        lines.comment("a\r\nbuild = 1 \u{85}\u{2028} \u{1b}[2J");
        assert_eq!(lines.finish().unwrap(), "# a build = 1 \\u{1b}[2J\n");
    }
}
