//! Writes the job and its schema, without replacing what someone has edited.

use super::super::progress::say;
use super::super::{Failure, catalogue};
use super::{Args, is_unfilled};
use evolve_core::job::schema;
use evolve_init::FoundProgram;
use evolve_search::file::replace;
use serde_json::Value;
use std::fs::{self, File};
use std::io::{self, ErrorKind, Write};
use std::path::Path;

/// The name of the schema, which the first line of a job refers to.
const SCHEMA: &str = "job.schema.json";

impl Args {
    /// Returns the text of the existing job that reads the markers of this source, if more
    /// constants are to be marked.
    ///
    /// # Errors
    /// If there is another job.
    pub(super) fn kept(&self, found: &FoundProgram) -> Result<Option<String>, Failure> {
        if !self.output().exists() || self.may_replace() {
            return Ok(None);
        }
        let text = fs::read_to_string(self.output()).unwrap_or_default();
        let sources = || text.parse::<toml::Table>().ok()?.get("program")?.get("source")?.as_array().cloned();
        let source = found.source.as_deref().filter(|_| self.suggest);
        let is_read = source.is_some_and(|source| {
            sources().iter().flatten().any(|file| file.as_str().is_some_and(|file| Path::new(file) == source))
        });
        if is_read { Ok(Some(text)) } else { Err(self.is_there()) }
    }

    /// Returns whether the existing job may be replaced.
    pub(super) fn may_replace(&self) -> bool {
        is_unfilled(self.output())
    }

    pub(super) fn is_there(&self) -> Failure {
        Failure::Usage(format!("{} exists; name another file with --output", self.output().display()))
    }

    pub(super) fn write(&self, text: &str, because: &str) -> Result<(), Failure> {
        let text = format!("#:schema ./{SCHEMA}\n{text}");
        let written = match self.may_replace() {
            true => replace(self.output(), text.as_bytes()),
            false => create(self.output(), &text),
        };
        written.map_err(|error| match error.kind() {
            ErrorKind::AlreadyExists => self.is_there(),
            _ => Failure::at(self.output())(error),
        })?;
        say(&format!("{} written ({because})", self.output().display()));
        self.write_schema()
    }

    /// Writes the schema with which editors complete and check the job, next to the job, so that it
    /// works offline and fits this version. Keeps an existing file with other content.
    fn write_schema(&self) -> Result<(), Failure> {
        let path = self.output().with_file_name(SCHEMA);
        let schema = schema(catalogue());
        let is_own = match fs::read_to_string(&path) {
            Ok(text) => serde_json::from_str::<Value>(&text).is_ok_and(|old| old.get("title") == schema.get("title")),
            Err(error) => error.kind() == ErrorKind::NotFound,
        };
        if !is_own {
            return Ok(());
        }
        let written = replace(&path, format!("{:#}\n", schema.as_value()).as_bytes());
        written.map_err(Failure::at(&path))
    }
}

/// Creates a file that must not exist.
fn create(path: &Path, text: &str) -> io::Result<()> {
    File::create_new(path)?.write_all(text.as_bytes())
}

/// Writes a file that must not exist, or says that it does.
pub fn write_new(path: &Path, text: &str) -> Result<(), Failure> {
    create(path, text).map_err(|error| match error.kind() {
        ErrorKind::AlreadyExists => Failure::Usage(format!("{} exists already", path.display())),
        _ => Failure::at(path)(error),
    })
}
