//! The program of a folder, and the arguments of its commands.

use evolve_program::file::Patterns;
use evolve_program::line_word;
use std::path::PathBuf;
use thiserror::Error;

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
    /// What the user could do for a better job, if anything.
    pub advice: Option<String>,
}

/// The reason why no program is found.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum FindError {
    /// The folder has no program.
    #[error(
        "no program in this folder: no source file, no executable, no Cargo.toml. Start in the folder of your program, \
         name it (evolve init PROGRAM), or name a game (evolve init --game NAME)"
    )]
    Nothing,
    /// The file is no program.
    #[error("{} is neither a source file nor an executable", .0.display())]
    NoProgram(PathBuf),
    /// The folder has these programs, at least two.
    #[error("several programs: {}. Name one: evolve init {}", .0.join(", "), .0[0])]
    Several(Vec<String>),
    /// The configuration of pahcer has no command.
    #[error("pahcer_config.toml has no `test.test_steps` with a `program`")]
    NoSteps,
}

/// Quotes a word of a command.
pub fn command_word(word: &str) -> String {
    // Unescaped braces would be placeholders.
    line_word(&word.replace('{', "{{").replace('}', "}}"), "")
}

/// Quotes the words of a part of a command, such as `--mode fast --rate`.
pub fn command_words(words: &str) -> String {
    words.split_whitespace().map(command_word).collect::<Vec<_>>().join(" ")
}

/// Quotes a word of a command that may contain placeholders.
pub fn template_word(word: &str) -> String {
    line_word(word, "{}")
}
