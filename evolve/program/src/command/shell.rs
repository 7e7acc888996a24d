//! Finds shell syntax in commands, which run without a shell. Passed as a word, `< in.txt` would be
//! ignored by most programs, and every instance would score the same.

use super::line_word;
use evolve_search::document::text::toml_string;
use std::fmt;

/// Shell syntax in the line of a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shell {
    /// The word with the syntax.
    word: String,
    /// The next word.
    next: Option<String>,
    line: String,
    meaning: Meaning,
    /// Whether the line is in a job, where a list of words can take its place.
    is_in_job: bool,
}

/// The effect of a word in a shell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Meaning {
    /// Read the input from a file.
    Input,
    /// Write the output to a file.
    Output,
    /// Run several commands.
    Several,
    Files,
    /// Insert a variable, an output or the home folder.
    Value,
}

impl Meaning {
    /// Returns the effect of a word in a shell. `\0` stands for each quoted character.
    fn of(word: &str) -> Option<Self> {
        let operators = ["|", "&", ";"];
        let redirects = word.trim_start_matches(|c: char| c.is_ascii_digit() || c == '&');
        let inserts =
            |(place, _)| word[place + 1..].starts_with(|c: char| c.is_ascii_alphabetic() || "_({".contains(c));
        if word.starts_with('<') {
            Some(Meaning::Input)
        } else if redirects.starts_with('>') {
            Some(Meaning::Output)
        } else if operators.iter().any(|operator| word.starts_with(operator) || word.ends_with(operator)) {
            Some(Meaning::Several)
        } else if word == "*" || word.starts_with("*.") || (word.contains("/*") && !word.starts_with('-')) {
            Some(Meaning::Files)
        } else if word == "~" || word.starts_with("~/") || word.contains('`') || word.match_indices('$').any(inserts) {
            Some(Meaning::Value)
        } else {
            None
        }
    }
}

impl Shell {
    /// Finds shell syntax among the words of a line. Each comes with a copy in which `\0` stands
    /// for each quoted character, because quoted characters have no meaning.
    pub(crate) fn find(line: &str, words: &[(String, String)]) -> Option<Self> {
        let (place, meaning) =
            words.iter().enumerate().find_map(|(place, (_, bare))| Some((place, Meaning::of(bare)?)))?;
        let next = words.get(place + 1).map(|(word, _)| word.clone());
        let line = line.trim().to_string();
        Some(Shell { word: words[place].0.clone(), next, line, meaning, is_in_job: false })
    }

    /// Returns the same for a line of a job.
    #[must_use]
    pub(crate) fn in_job(self) -> Self {
        Shell { is_in_job: true, ..self }
    }
}

impl fmt::Display for Shell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Shell { word, next, line, meaning, is_in_job } = self;
        let whole = match is_in_job {
            true => format!("write [\"sh\", \"-c\", {}]", toml_string(line)),
            false => format!("write sh -c {}", line_word(line, "")),
        };
        let advice = match (meaning, is_in_job) {
            (Meaning::Input, true) => {
                let file = Some(word.trim_start_matches('<')).filter(|file| !file.is_empty()).or(next.as_deref());
                let file = toml_string(file.unwrap_or("in/{seed:04}.txt"));
                format!("for the input of `command`, set `stdin = {file}` instead; otherwise {whole}")
            }
            (Meaning::Output, _) => format!("both output streams are read anyway: remove it, or {whole}"),
            _ => whole,
        };
        write!(f, "`{word}` needs a shell, and commands run without one: {advice}; quotation marks pass it as it is")
    }
}
