//! The program that was found, and the arguments of its commands.

use evolve_program::quote;
use std::path::PathBuf;

/// How to build and start a program.
#[derive(Debug, Default)]
pub struct Found {
    /// The evidence.
    pub because: String,
    pub build: Option<String>,
    pub command: String,
    pub scorer: Option<String>,
    /// Whether small scores are good.
    pub minimizes: bool,
    /// Where the score is, if something says so.
    pub score: Option<String>,
    /// The file that it reads on standard input, and the seeds of the instances, if something says so.
    pub stdin: Option<String>,
    pub seeds: Option<String>,
    /// A pattern of the instances' files, if something says so.
    pub files: Option<String>,
    /// The file that has its constants.
    pub source: Option<PathBuf>,
}

/// A word of a command, so that it stays one.
pub fn shell_word(word: &str) -> String {
    // Braces would be placeholders.
    quote(&word.replace('{', "{{").replace('}', "}}"), "")
}

/// A word of a command that may have placeholders.
pub fn template_word(word: &str) -> String {
    quote(word, "{}")
}
