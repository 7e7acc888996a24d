//! The program that `init` found, and the arguments of its commands.

use evolve_program::file::Patterns;
use evolve_program::quote;
use std::path::PathBuf;

/// How to build and start a program.
#[derive(Debug, Default)]
pub struct Found {
    /// The evidence for the program.
    pub because: String,
    pub build: Option<String>,
    pub command: String,
    pub scorer: Option<String>,
    /// Whether lower scores are better.
    pub minimizes: bool,
    /// The location of the score, if known.
    pub score: Option<String>,
    /// The file for standard input; the next field is the seeds of the instances. Both are `None` if unknown.
    pub stdin: Option<String>,
    pub seeds: Option<String>,
    /// Patterns of the instances' files, if known.
    pub files: Option<Patterns>,
    /// The maximum number of trials, if known.
    pub budget: Option<u64>,
    /// The file that contains the constants.
    pub source: Option<PathBuf>,
}

/// Quotes a word of a command.
pub fn shell_word(word: &str) -> String {
    // Unescaped braces would be placeholders.
    quote(&word.replace('{', "{{").replace('}', "}}"), "")
}

/// Quotes the words of a part of a command, such as `--mode fast --rate`.
pub fn shell_words(words: &str) -> String {
    words.split_whitespace().map(shell_word).collect::<Vec<_>>().join(" ")
}

/// Quotes a word of a command that may contain placeholders.
pub fn template_word(word: &str) -> String {
    quote(word, "{}")
}
