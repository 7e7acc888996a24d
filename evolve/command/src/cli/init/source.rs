//! The source of a program, which the user may edit at the same time.

use super::super::Failure;
use super::super::progress::say;
use evolve_init::job::Facts;
use evolve_program::source::Language;
use evolve_search::document::read_exact;
use evolve_search::file::{replace, slashed};
use std::io::ErrorKind;
use std::path::Path;

/// A source file, before and after changes.
pub struct Source<'f> {
    pub file: &'f Path,
    before: String,
    /// The new contents of the file.
    pub text: String,
}

impl<'f> Source<'f> {
    /// Reads a file.
    ///
    /// # Errors
    /// If it cannot be read, or is not UTF-8 text.
    pub fn read(file: &'f Path) -> Result<Self, Failure> {
        let text = read_exact(file).map_err(|error| {
            let advice = match error.kind() {
                ErrorKind::InvalidData => ": save it as UTF-8, for example with `iconv -f SHIFT_JIS -t UTF-8`",
                _ => "",
            };
            Failure::Usage(format!("{}: {error}{advice}", slashed(file)))
        })?;
        Ok(Source::of(file, text))
    }

    /// Returns the source that a file contained.
    pub fn of(file: &'f Path, text: String) -> Self {
        Source { file, before: text.clone(), text }
    }

    pub fn language(&self) -> Language {
        Language::of(self.file)
    }

    pub fn known(&self) -> Facts {
        Facts::of(&self.text, self.language())
    }

    pub fn is_changed(&self) -> bool {
        self.text != self.before
    }

    /// Replaces the text of the file.
    ///
    /// # Errors
    /// If someone else changed the file since it was last read or written, which leaves it as it
    /// is.
    pub fn write(&mut self, text: String) -> Result<(), Failure> {
        if self.is_edited() {
            return Err(Failure::Work(format!(
                "{} changed while `init` was running, so it was left as it is: run the command again",
                slashed(self.file)
            )));
        }
        let written = replace(self.file, text.as_bytes());
        written.map_err(|error| Failure::Work(format!("{}: {error}", slashed(self.file))))?;
        self.text = text;
        Ok(())
    }

    /// Restores the first text. Returns the text that was replaced; `None`, with a note, if someone
    /// else changed the file during the first trials, which leaves it as it is.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn restore(&mut self) -> Result<Option<String>, Failure> {
        if self.is_edited() {
            say(&format!("{} changed during the first trials, so it was left as it is", slashed(self.file)));
            return Ok(None);
        }
        let changed = self.text.clone();
        self.write(self.before.clone())?;
        Ok(Some(changed))
    }

    /// Returns whether the file no longer contains the text that was last read or written.
    fn is_edited(&self) -> bool {
        read_exact(self.file).ok().as_ref() != Some(&self.text)
    }

    /// Reports constants that are no longer `constexpr`.
    pub fn report_constexpr(&self) {
        let count = |text: &str| text.matches("constexpr").count();
        if count(&self.text) < count(&self.before) {
            say(&format!(
                "note: {}: `constexpr` is now `const` for parameters, because the program reads their values when it \
                 starts; change it back by hand after the export if you need it",
                self.file.display()
            ));
        }
    }
}
