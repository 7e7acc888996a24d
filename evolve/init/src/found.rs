//! The program of a folder, and the arguments of its commands.

use evolve_program::file::Patterns;
use evolve_program::line_word;
use evolve_search::shell::shell_word;
use std::path::{Component, Path, PathBuf};
use thiserror::Error;

/// How to build and start a program.
#[derive(Debug, Default)]
pub struct FoundProgram {
    /// The evidence for the program.
    pub because: String,
    pub build: Option<String>,
    pub command: String,
    pub scorer: Option<String>,
    /// Whether lower scores are better, if known.
    pub minimizes: Option<bool>,
    /// The location of the score, if known.
    pub score: Option<String>,
    /// The file for standard input; the next field is the seeds of the instances. Both are `None`
    /// if unknown.
    pub stdin: Option<String>,
    pub seeds: Option<String>,
    /// Patterns of the instances' files, if known.
    pub files: Option<Patterns>,
    /// The maximum number of trials, if known.
    pub budget: Option<u64>,
    /// The file that contains the constants.
    pub source: Option<PathBuf>,
    /// Advice on how to improve the job.
    pub advice: Option<String>,
    /// The file of another tool that names the commands, which start only with the user's
    /// permission.
    pub foreign: Option<PathBuf>,
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
    /// The file is not a program.
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

/// Formats a command that starts in a folder below the current one.
pub fn in_folder(folder: &str, words: &[String]) -> String {
    let change = format!("cd {} && exec \"$@\"", shell_word(folder));
    format!("sh -c {} sh {}", command_word(&change), words.join(" "))
}

/// Returns the path from a folder below the current one back to it, such as `../`, unless the
/// folder is elsewhere.
pub fn up(folder: &str) -> Option<String> {
    let parts = Path::new(folder).components().filter(|part| *part != Component::CurDir);
    let up = |part: Component<'_>| matches!(part, Component::Normal(_)).then_some("../");
    parts.map(up).collect()
}

/// Quotes a word of a command that may contain placeholders.
pub fn template_word(word: &str) -> String {
    line_word(word, "{}")
}
